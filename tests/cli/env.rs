//! A temporary folder to run the program in, what a run gave, and texts to fill files with.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tempfile::TempDir;

/// A document.
pub(crate) const PARK: &str = "\
The old river park opened to the public thirty years ago. On spring mornings runners circle the
lake while retired teachers practise tai chi under the willow trees.

Last year the city planted four hundred maples along the northern path and replaced every wooden
bench. Visitors now ask for longer hours in summer, and the council will vote on it in June.
";

/// [`PARK`], lightly edited.
pub(crate) const PARK_EDITED: &str = "\
The old river park opened to the public forty years ago. On spring mornings runners circle the
lake while retired teachers practise tai chi under the willow trees.

Last year the city planted five hundred maples along the northern path and replaced every wooden
bench. Visitors now ask for longer hours in summer, and the council will vote on it in June.
";

/// A document in Chinese.
pub(crate) const PARK_ZH: &str = "\
河边的老公园三十年前向市民开放。春天的早晨，跑步的人绕着湖边，退休的老师在柳树下打太极拳。

去年城市沿着北边的小路种了四百棵枫树，并更换了所有的木头长椅。游客希望夏天延长开放时间，市议会将在六月投票表决。
";

/// [`PARK_ZH`], lightly edited.
pub(crate) const PARK_ZH_EDITED: &str = "\
河边的老公园四十年前向市民开放。春天的早晨，跑步的人绕着湖边，退休的老师在柳树下打太极拳。

去年城市沿着北边的小路种了五百棵枫树，并更换了所有的木头长椅。游客希望夏天延长开放时间，市议会将在六月投票表决。
";

/// A document that has nothing to do with the others.
pub(crate) const BREAD: &str = "\
Knead flour, water and salt until the dough no longer sticks to your hands. Cover the bowl with a
damp cloth and wait until its volume has doubled.

Shape two loaves, dust them with rye, and bake for fifty minutes. A hollow sound means done.
";

/// A run that takes longer than this hangs. No test depends on the time otherwise.
const HANGS: Duration = Duration::from_secs(120);

/// A temporary folder, outside of any repository, in which the program runs.
pub(crate) struct Env {
    _folder: TempDir,
    root: PathBuf,
}

impl Env {
    /// An empty folder.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        // Without links, as the program sees the current folder (macOS has one in the path).
        let root = fs::canonicalize(folder.path()).unwrap();
        let is_in_repository = root.ancestors().any(|folder| folder.join(".git").exists());
        assert!(!is_in_repository, "{root:?} is in a repository");
        Self {
            _folder: folder,
            root,
        }
    }

    /// A folder with these files, each with its own name as the text.
    pub(crate) fn with(names: &[&str]) -> Self {
        names.iter().fold(Self::new(), |env, name| {
            env.file(name, format!("the document of {name}"))
        })
    }

    /// Two copies, an edited one and an unrelated one, in English and in Chinese.
    pub(crate) fn parks() -> Self {
        Self::new()
            .file("bread.md", BREAD)
            .file("en/copy.md", PARK)
            .file("en/edited.md", PARK_EDITED)
            .file("en/park.md", PARK)
            .file("zh/edited.md", PARK_ZH_EDITED)
            .file("zh/park.md", PARK_ZH)
            .file("zh/复制 copy.md", PARK_ZH)
    }

    /// Adds a file and the folders it is in.
    pub(crate) fn file(self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) -> Self {
        self.write(name, content);
        self
    }

    /// Adds a folder and those it is in.
    pub(crate) fn folder(self, name: impl AsRef<Path>) -> Self {
        fs::create_dir_all(self.path(name)).unwrap();
        self
    }

    /// Adds a symbolic link to a target, which is relative to the link's folder.
    #[cfg(unix)]
    pub(crate) fn link(self, name: &str, target: impl AsRef<Path>) -> Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(target, path).unwrap();
        self
    }

    /// Adds a FIFO.
    #[cfg(unix)]
    pub(crate) fn fifo(self, name: &str) -> Self {
        let made = std::process::Command::new("mkfifo")
            .arg(self.path(name))
            .status();
        assert!(made.unwrap().success());
        self
    }

    /// Writes a file and creates the folders it is in.
    pub(crate) fn write(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// The text of a file.
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The absolute path of a file or folder.
    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.root.join(name)
    }

    /// The absolute path of the folder itself.
    pub(crate) fn root(&self) -> &str {
        self.root.to_str().unwrap()
    }

    /// Everything directly in the folder, hidden ones included, sorted.
    pub(crate) fn entries(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(&self.root)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort_unstable();
        names
    }

    /// The program, about to run in the folder with nothing on standard input, and nothing in its
    /// environment that says how to colour.
    pub(crate) fn command(&self, args: &[&str]) -> assert_cmd::Command {
        let mut command = assert_cmd::Command::from_std(self.std_command(args));
        command.timeout(HANGS).write_stdin("");
        command
    }

    /// As [`Self::command`], to be spawned by hand.
    pub(crate) fn std_command(&self, args: &[&str]) -> std::process::Command {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_dupfind"));
        command.args(args).current_dir(&self.root);
        for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI"] {
            command.env_remove(variable);
        }
        for variable in [
            "GITHUB_BASE_REF",
            "GITHUB_WORKSPACE",
            "GITHUB_STEP_SUMMARY",
            "CI_MERGE_REQUEST_DIFF_BASE_SHA",
            "CI_PROJECT_DIR",
        ] {
            command.env_remove(variable);
        }
        for variable in [
            "GITHUB_ACTIONS",
            "GITHUB_BASE_REF",
            "CI_MERGE_REQUEST_DIFF_BASE_SHA",
        ] {
            command.env_remove(variable);
        }
        command.env("COLUMNS", "100").env("TERM", "xterm");
        command
    }

    /// Runs the program in the folder.
    pub(crate) fn run(&self, args: &[&str]) -> Run {
        Run::of(&mut self.command(args))
    }

    /// Runs the program in a subfolder.
    pub(crate) fn run_in(&self, folder: &str, args: &[&str]) -> Run {
        Run::of(self.command(args).current_dir(self.path(folder)))
    }

    /// Runs the program with something on standard input.
    pub(crate) fn run_with(&self, stdin: impl Into<Vec<u8>>, args: &[&str]) -> Run {
        Run::of(self.command(args).write_stdin(stdin))
    }

    /// Runs `scan --format json`.
    pub(crate) fn scan(&self, args: &[&str]) -> Run {
        self.run(&[&["scan", "--format", "json"], args].concat())
    }

    /// Scans the folder with these arguments, which say in what format.
    pub(crate) fn report(&self, args: &[&str]) -> Run {
        self.run(&[&["scan"], args].concat())
    }

    /// What `scan --format json` reports when all goes well.
    pub(crate) fn json(&self, args: &[&str]) -> Report {
        Report::of(self.scan(args).ok())
    }

    /// The names of the documents that are compared when all goes well.
    pub(crate) fn names(&self, args: &[&str]) -> Vec<String> {
        self.names_in(".", args)
    }

    /// The names of the documents that are compared when all goes well in a subfolder.
    pub(crate) fn names_in(&self, folder: &str, args: &[&str]) -> Vec<String> {
        let list = self.run_in(folder, &[&["fingerprint"], args].concat());
        let documents: Vec<Fingerprint> = lines(list.ok());
        let names: Vec<String> = documents.into_iter().map(|d| d.path).collect();
        // `scan` must see the same documents; its report has only their number.
        let scan = self.run_in(folder, &[&["scan", "--format", "json"], args].concat());
        let report = Report::of(scan.ok());
        assert_eq!(report.summary.documents, names.len(), "{names:?}");
        names
    }

    /// The fingerprints of `dupfind fingerprint` when all goes well.
    pub(crate) fn fingerprints(&self, args: &[&str]) -> Vec<Fingerprint> {
        lines(self.run(&[&["fingerprint"], args].concat()).ok())
    }
}

/// What a run of the program gave.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// None if a signal ended it, as happens to a run that hangs.
    pub(crate) code: Option<i32>,
}

impl Run {
    /// Runs a command to its end.
    pub(crate) fn of(command: &mut assert_cmd::Command) -> Self {
        Self::from(command.output().unwrap())
    }

    /// Asserts that it went well and had nothing to say about it, and returns standard output.
    #[track_caller]
    pub(crate) fn ok(&self) -> &str {
        assert_eq!(
            (self.code, self.stderr.as_str()),
            (Some(0), ""),
            "{}",
            self.stdout
        );
        &self.stdout
    }

    /// Asserts that it went well with a warning that has these words, and returns standard output.
    #[track_caller]
    pub(crate) fn warns(&self, part: &str) -> &str {
        assert_eq!(self.code, Some(0), "{}", self.stderr);
        assert!(self.stderr.contains(part), "{part}: {}", self.stderr);
        for line in self.stderr.lines() {
            assert!(line.starts_with("dupfind: warning: "), "{line}");
        }
        &self.stdout
    }

    /// Asserts that it ended with an error that has these words, and returns standard output: what
    /// could be done all the same.
    #[track_caller]
    pub(crate) fn complains(&self, part: &str) -> &str {
        assert_eq!(self.code, Some(2), "{}", self.stderr);
        assert!(self.stderr.contains(part), "{part}: {}", self.stderr);
        &self.stdout
    }

    /// Asserts that it ran and failed as it was asked to, with one line that has these words, and returns
    /// standard output.
    #[track_caller]
    pub(crate) fn trips(&self, part: &str) -> &str {
        assert_eq!(self.code, Some(1), "{}", self.stderr);
        assert!(self.stderr.contains(part), "{part}: {}", self.stderr);
        let failed = |line: &&str| line.starts_with("dupfind: failed: ");
        assert_eq!(
            self.stderr.lines().filter(failed).count(),
            1,
            "{}",
            self.stderr
        );
        &self.stdout
    }

    /// Asserts that it could not be done at all, for a reason that has these words.
    #[track_caller]
    pub(crate) fn fails(&self, part: &str) {
        assert_eq!(self.complains(part), "");
    }
}

impl From<std::process::Output> for Run {
    fn from(output: std::process::Output) -> Self {
        Self {
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
            code: output.status.code(),
        }
    }
}

/// Reads one JSON value a line.
#[track_caller]
pub(crate) fn lines<T: DeserializeOwned>(text: &str) -> Vec<T> {
    let values = text.lines().map(serde_json::from_str);
    values.collect::<Result<_, _>>().expect(text)
}

/// The report of `scan --format json`: the documented keys, all of them and no others.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Report {
    pub(crate) schema_version: u32,
    pub(crate) tool: Tool,
    pub(crate) settings: Settings,
    pub(crate) summary: Summary,
    pub(crate) pairs: Vec<Pair>,
    pub(crate) clusters: Vec<Cluster>,
    pub(crate) skipped: Vec<Skipped>,
    pub(crate) notes: Vec<Note>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tool {
    pub(crate) name: String,
    pub(crate) version: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Settings {
    pub(crate) max_hamming: u32,
    pub(crate) min_jaccard: f64,
    pub(crate) shingle_size: usize,
    pub(crate) shingle_unit: String,
    pub(crate) fold_han: bool,
    pub(crate) html: String,
    pub(crate) markdown_code: String,
    pub(crate) record_format: String,
    #[serde(deserialize_with = "Option::deserialize")]
    pub(crate) encoding: Option<String>,
    pub(crate) idf: String,
    #[serde(deserialize_with = "Option::deserialize")]
    pub(crate) min_containment: Option<f64>,
    pub(crate) detectors: Vec<String>,
    pub(crate) cluster_on: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Summary {
    pub(crate) documents: usize,
    pub(crate) skipped: usize,
    pub(crate) pairs: usize,
    #[serde(deserialize_with = "Option::deserialize")]
    pub(crate) new_pairs: Option<usize>,
    pub(crate) relations: BTreeMap<String, usize>,
    pub(crate) clusters: usize,
    pub(crate) documents_in_clusters: usize,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pair {
    pub(crate) a: String,
    pub(crate) b: String,
    pub(crate) relation: String,
    #[serde(deserialize_with = "Option::deserialize")]
    pub(crate) container: Option<String>,
    // Without `deserialize_with` an optional value might be left out.
    #[serde(deserialize_with = "Option::deserialize")]
    pub(crate) hamming: Option<u32>,
    #[serde(deserialize_with = "Option::deserialize")]
    pub(crate) jaccard: Option<f64>,
    #[serde(deserialize_with = "Option::deserialize")]
    pub(crate) weighted: Option<f64>,
    #[serde(deserialize_with = "Option::deserialize")]
    pub(crate) containment: Option<f64>,
    pub(crate) matched_by: Vec<String>,
    pub(crate) because: String,
    #[serde(deserialize_with = "Option::deserialize")]
    pub(crate) standing: Option<String>,
    #[serde(default)]
    pub(crate) reason: Option<String>,
}

/// All relations, in order.
const RELATIONS: [&str; 6] = ["exact", "near", "contains", "related", "template", "short"];

impl Pair {
    /// The documented rules, as far as the figures of a report can tell.
    #[track_caller]
    fn has_a_sound_relation(&self) {
        let is_container = |name: &String| [&self.a, &self.b].contains(&name);
        assert_eq!(
            self.container.is_some(),
            self.relation == "contains",
            "{self:?}"
        );
        assert!(self.container.iter().all(is_container), "{self:?}");
        assert!(!self.because.is_empty());
        let (Some(jaccard), Some(weighted)) = (self.jaccard, self.weighted) else {
            assert!(
                ["exact", "near", "short"].contains(&self.relation.as_str()),
                "{self:?}"
            );
            return;
        };
        let is_close = weighted >= 0.15 || jaccard >= 0.9;
        let is_common = weighted * 2.0 < jaccard;
        let is_sound = match self.relation.as_str() {
            "exact" => jaccard >= 1.0 && self.hamming.is_none_or(|distance| distance == 0),
            "near" => is_close,
            "contains" => self.containment >= Some(0.8),
            "related" => !is_close && !is_common,
            "template" => !is_close && is_common,
            "short" => self.because.contains("too short"),
            _ => false,
        };
        assert!(is_sound, "{self:?}");
    }

    /// The names of both documents.
    pub(crate) fn names(&self) -> (&str, &str) {
        (&self.a, &self.b)
    }
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Cluster {
    pub(crate) id: usize,
    pub(crate) representative: String,
    #[serde(deserialize_with = "Option::deserialize")]
    pub(crate) cohesion: Option<f64>,
    pub(crate) documents: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Skipped {
    pub(crate) path: String,
    pub(crate) reason: String,
    #[serde(default)]
    pub(crate) detail: String,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Note {
    pub(crate) path: String,
    pub(crate) note: String,
}

/// One line of `dupfind fingerprint`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Fingerprint {
    pub(crate) path: String,
    pub(crate) fingerprint: String,
    pub(crate) tokens: u32,
    pub(crate) terms: u32,
    pub(crate) shingles: u32,
    pub(crate) format: String,
    pub(crate) encoding: String,
}

impl Report {
    /// Reads a report and asserts what holds for every one of them.
    #[track_caller]
    pub(crate) fn of(text: &str) -> Self {
        let report: Self = serde_json::from_str(text).expect(text);
        report.is_consistent();
        report
    }

    /// The names of all pairs, in the order of the report.
    pub(crate) fn pair_names(&self) -> Vec<(&str, &str)> {
        self.pairs.iter().map(Pair::names).collect()
    }

    /// Paths and reasons of what was skipped.
    pub(crate) fn skips(&self) -> Vec<(&str, &str)> {
        let skipped = self.skipped.iter();
        skipped
            .map(|skipped| (skipped.path.as_str(), skipped.reason.as_str()))
            .collect()
    }

    /// The documentation of the format, as far as it can be checked on any report.
    #[track_caller]
    fn is_consistent(&self) {
        assert_eq!(self.schema_version, 1);
        assert_eq!(self.tool.name, "dupfind");
        assert_eq!(self.tool.version, env!("CARGO_PKG_VERSION"));
        let members = self.clusters.iter().map(|c| c.documents.len());
        let counts = Summary {
            documents: self.summary.documents,
            skipped: self.skipped.len(),
            pairs: self.pairs.len(),
            new_pairs: self.summary.new_pairs.map(|_| {
                let standings = self
                    .pairs
                    .iter()
                    .filter_map(|pair| pair.standing.as_deref());
                standings.filter(|standing| *standing != "accepted").count()
            }),
            relations: RELATIONS
                .iter()
                .map(|&relation| {
                    let pairs = self.pairs.iter().filter(|pair| pair.relation == relation);
                    (relation.to_owned(), pairs.count())
                })
                .collect(),
            clusters: self.clusters.len(),
            documents_in_clusters: members.clone().sum(),
        };
        assert_eq!(self.summary, counts);
        assert!(counts.documents_in_clusters <= counts.documents);

        let ran = |detector: &str| self.settings.detectors.iter().any(|name| name == detector);
        for pair in &self.pairs {
            assert!(pair.a < pair.b, "{pair:?}");
            assert_eq!(pair.hamming.is_some(), ran("simhash"), "{pair:?}");
            assert_eq!(pair.jaccard.is_some(), ran("shingle"), "{pair:?}");
            let (jaccard, containment) = (pair.jaccard, pair.containment);
            assert!(jaccard <= containment && containment <= jaccard.and(Some(1.0)));
            let near = pair.hamming.is_some_and(|d| d <= self.settings.max_hamming);
            let found = |detector: &str| pair.matched_by.iter().any(|name| name == detector);
            assert_eq!(near, found("simhash"), "{pair:?}");
            assert!(!pair.matched_by.is_empty(), "{pair:?}");
            pair.has_a_sound_relation();
            let standings = ["new", "accepted", "worse", "expired"];
            let is_known = |standing: &String| standings.contains(&standing.as_str());
            assert!(pair.standing.iter().all(is_known), "{pair:?}");
            assert!(self.summary.new_pairs.is_some() || pair.standing.is_none());
            let contained = pair.containment.zip(self.settings.min_containment);
            if found("containment") {
                assert!(
                    contained.is_some_and(|(c, least)| c + 1e-4 >= least),
                    "{pair:?}"
                );
            }
            let apart = pair
                .jaccard
                .is_none_or(|j| j + 1e-4 < self.settings.min_jaccard);
            assert!(!(apart && found("shingle")), "{pair:?}");
        }
        let rank = |pair: &Pair| {
            let relation = RELATIONS.iter().position(|&name| name == pair.relation);
            (relation, -pair.jaccard.unwrap_or(0.0), pair.hamming)
        };
        assert!(self.pairs.is_sorted_by(|first, second| {
            (rank(first), first.names()) < (rank(second), second.names())
        }));

        for (id, cluster) in self.clusters.iter().enumerate() {
            assert_eq!(cluster.id, id);
            assert!(cluster.documents.len() > 1, "{cluster:?}");
            assert!(cluster.documents.is_sorted_by(|a, b| a < b), "{cluster:?}");
            assert!(cluster.documents.contains(&cluster.representative));
            assert!(cluster.cohesion.is_none_or(|c| (0.0..=1.0).contains(&c)));
        }
        let order = |cluster: &Cluster| {
            (
                usize::MAX - cluster.documents.len(),
                cluster.documents[0].clone(),
            )
        };
        assert!(self.clusters.is_sorted_by_key(order));
        let connects = |pair: &&Pair| self.settings.cluster_on.contains(&pair.relation);
        let edges: Vec<(&str, &str)> = self
            .pairs
            .iter()
            .filter(connects)
            .map(Pair::names)
            .collect();
        let mut clusters: Vec<BTreeSet<&str>> = Vec::new();
        for &(a, b) in &edges {
            // Whatever has one of them is one cluster now.
            let mut joined = BTreeSet::from([a, b]);
            clusters.retain(|cluster| {
                let touches = cluster.contains(a) || cluster.contains(b);
                if touches {
                    joined.extend(cluster);
                }
                !touches
            });
            clusters.push(joined);
        }
        assert_eq!(clusters.len(), self.clusters.len());
        for cluster in &self.clusters {
            let documents = cluster.documents.iter().map(String::as_str).collect();
            assert!(clusters.contains(&documents), "{cluster:?}");
        }

        assert!(self.skipped.is_sorted());
        assert!(self.notes.is_sorted());
    }
}

/// The value of a JSON text.
#[track_caller]
pub(crate) fn value(text: &str) -> Value {
    serde_json::from_str(text).expect(text)
}
