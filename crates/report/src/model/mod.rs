//! The wire format of `json` and `jsonl`, schema version 1. The documentation of these types is its
//! specification. Every key is always present unless marked optional. Every list is sorted, but for very many
//! pairs in `jsonl`. Keys may be added within a version; none changes its meaning or goes away.
//!
//! Names of documents are paths as the user would type them, with `/` between folders and `\xHH` for bytes that
//! are not UTF-8. Reports hold no times, and no paths of the machine.

mod pair;

use std::path::Path;

use dupfind_decide::{Gate, LeftOut, Standings};
use dupfind_engine::fingerprint::i_match::{IDF, LEXICONS};
use dupfind_engine::fingerprint::super_shingle::{HASHES, LEAST, RUN};
use dupfind_engine::{Counts, Detector, DocId, Pair, Relation, Relations};
use dupfind_read::Skipped;
use dupfind_read::source::walk::{STDIN, is_of_stdin};
use dupfind_scan::{Scan, ScanOptions};
use encoding_rs::Encoding;
use serde::{Serialize, Serializer};

use crate::model::pair::DocumentRecord;
use crate::style::shell;

pub(crate) use crate::model::pair::{JudgedRecord, PairRecord};

/// The version of the wire format.
pub(crate) const SCHEMA_VERSION: u32 = 1;

/// The data for a report.
#[derive(Debug, Clone, Copy)]
pub struct Report<'r> {
    /// The result of the scan.
    pub outcome: &'r Scan,
    /// The pairs to be shown, in order: all, or the most similar ones. None if they were not asked for, or if
    /// they have been written while they were found.
    pub pairs: Option<&'r [Pair]>,
    /// The place of the pairs in the baseline.
    pub gate: &'r Gate,
    /// The relations whose pairs are shown; the others are counted only.
    pub shown: Relations,
    /// The relations whose pairs make the run fail.
    pub failing: Relations,
    /// The parts of the command line that it shows.
    pub typed: &'r Typed,
}

/// The program that made the report.
#[derive(Debug, Serialize)]
pub(crate) struct ToolRecord {
    /// `dupfind`.
    pub(crate) name: &'static str,
    /// Its version.
    pub(crate) version: &'static str,
}

impl ToolRecord {
    /// This program.
    pub(crate) const THIS: Self = Self {
        name: "dupfind",
        version: env!("CARGO_PKG_VERSION"),
    };
}

/// What was missing for a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Lack {
    /// There was no document.
    Documents,
    /// There was no document to compare the others with.
    Others,
}

/// The counts of a run.
#[derive(Debug, Serialize)]
pub(crate) struct SummaryRecord {
    /// Documents compared.
    pub(crate) documents: usize,
    /// Entries not compared.
    pub(crate) skipped: u64,
    /// Pairs found.
    pub(crate) pairs: u64,
    /// How many of them are `new` or `worse`; `null` without a baseline.
    pub(crate) new_pairs: Option<u64>,
    /// Optional: how many of them are set apart: pairs of code or data, and those between versions or languages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) apart: Option<u64>,
    /// How many of them there are of each relation.
    #[serde(serialize_with = "by_relation")]
    pub(crate) relations: Counts,
    /// Clusters they form.
    pub(crate) clusters: usize,
    /// Documents in any cluster.
    pub(crate) documents_in_clusters: usize,
    /// The options that left out pairs. These pairs are not in the report, and count nowhere else.
    pub(crate) left_out: Vec<LeftOut>,
}

/// Writes numbers of pairs by the names of their relations.
pub(crate) fn by_relation<S: Serializer>(
    counts: &Counts,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let all = Relation::ALL.into_iter();
    serializer.collect_map(all.map(|relation| (relation.as_str(), counts.of(relation))))
}

/// Documents connected by pairs.
#[derive(Debug, Serialize)]
pub(crate) struct ClusterRecord<'r> {
    /// Its number in this report, from 0; the largest cluster comes first.
    pub(crate) id: usize,
    /// The member with the longest text.
    pub(crate) representative: &'r str,
    /// The lowest Jaccard similarity of a member to the representative, rounded down to four decimals;
    /// `null` if the shingle detector was off.
    pub(crate) least_similarity: Option<f64>,
    /// All members.
    pub(crate) documents: Vec<&'r str>,
}

impl<'r> Report<'r> {
    /// Returns a report of a scan that shows all its pairs, and no part of the command line.
    pub fn new(outcome: &'r Scan, gate: &'r Gate) -> Self {
        Self {
            outcome,
            pairs: Some(&outcome.pairs),
            gate,
            shown: Relations::ALL,
            failing: Relations::NONE,
            typed: &Typed::NOTHING,
        }
    }

    /// Returns the command that compares two documents as this scan does; `None` if it cannot be copied into a shell,
    /// and for documents from standard input, which cannot be read again.
    pub(crate) fn compare(&self, two: [DocId; 2]) -> Option<String> {
        let options = self.typed.compare.as_deref()?;
        Some(format!("dupfind compare{}{options}", self.words(two)?))
    }

    /// Returns the command that accepts the pair of two documents; `None` as [`Self::compare`].
    pub(crate) fn accept(&self, two: [DocId; 2]) -> Option<String> {
        let words = self.typed.accept.as_deref()?;
        let two = self.words(two)?;
        Some(format!("dupfind accept{two}{words} --reason \"...\""))
    }

    /// Returns the command that accepts all pairs; `None` as [`Self::compare`].
    pub(crate) fn accept_all(&self) -> Option<String> {
        let words = self.typed.accept.as_deref()?;
        Some(format!("dupfind accept --all{words}"))
    }

    /// Returns the command that accepts the pages of a folder as a family; `None` as [`Self::compare`], and where options name
    /// the file of accepted pairs.
    pub(crate) fn accept_family(&self, folder: &str) -> Option<String> {
        let words = self.typed.accept.as_deref()?;
        let of_file = ["--config", "--no-config", "--baseline"];
        if of_file.iter().any(|option| words.contains(option)) {
            return None;
        }
        let folder = shell::path(folder)?;
        Some(format!("dupfind accept --family {folder} --reason \"...\""))
    }

    /// Returns two documents as words for a shell, each behind a space.
    fn words(&self, two: [DocId; 2]) -> Option<String> {
        let names = two.map(|id| self.outcome.name(id));
        let walk = &self.outcome.options.walk;
        let has_stdin = walk.on_disk(Path::new(STDIN)) != Path::new(STDIN);
        if has_stdin && names.into_iter().any(is_of_stdin) {
            return None;
        }
        let [a, b] = names.map(shell::path);
        Some(format!(" {} {}", a?, b?))
    }

    pub(crate) fn settings(&self) -> SettingsRecord {
        SettingsRecord::new(&self.outcome.options, self.outcome.documents.len())
    }

    pub(crate) fn summary(&self) -> SummaryRecord {
        let outcome = self.outcome;
        SummaryRecord {
            documents: outcome.documents.len(),
            skipped: outcome.skipped.iter().map(Skipped::count).sum(),
            pairs: outcome.pair_counts.total(),
            new_pairs: self.gate.new_counts().map(Counts::total),
            apart: Some(self.gate.apart.total()).filter(|&apart| apart > 0),
            relations: outcome.pair_counts,
            clusters: outcome.clusters.len(),
            documents_in_clusters: outcome.clusters.iter().map(|c| c.documents.len()).sum(),
            left_out: self.gate.left_out_by(),
        }
    }

    /// Returns what was missing for a comparison; `None` if documents were compared.
    pub(crate) fn lack(&self) -> Option<Lack> {
        let own = self.outcome.sources.own();
        let is_all = own == self.outcome.documents.len();
        let lacks_others = is_all && (own == 1 || self.gate.scope.has_sides());
        match own {
            0 => Some(Lack::Documents),
            _ => lacks_others.then_some(Lack::Others),
        }
    }

    /// Returns how many pairs are to be looked at, see [`Gate::is_open`], of the relations that are shown.
    pub fn open_pairs(&self) -> u64 {
        self.open_counts().of_any(self.shown)
    }

    /// Returns how many pairs are to be looked at, of all relations.
    pub(crate) fn open_counts(&self) -> Counts {
        self.gate.open_counts(self.outcome.pair_counts)
    }

    /// Returns how many pairs are set apart, of the relations that are shown.
    pub(crate) fn apart_pairs(&self) -> u64 {
        self.gate.apart.of_any(self.shown)
    }

    pub(crate) fn pairs(&self) -> impl Iterator<Item = JudgedRecord<'r>> {
        let documents = &self.outcome.documents;
        let standings = &self.gate.standings;
        let pairs = self.pairs.into_iter().flatten();
        pairs.map(|pair| JudgedRecord::new(documents, pair, standings))
    }

    /// Returns a summary of its pairs for each document that is in a pair.
    pub(crate) fn documents(&self) -> impl Iterator<Item = DocumentRecord<'r>> {
        pair::documents(self.outcome, self.pairs.unwrap_or_default())
    }

    pub(crate) fn clusters(&self) -> impl Iterator<Item = ClusterRecord<'r>> {
        let outcome = self.outcome;
        let numbered = outcome.clusters.iter().enumerate();
        numbered.map(|(id, cluster)| ClusterRecord {
            id,
            representative: outcome.name(cluster.representative),
            least_similarity: cluster.least_similarity,
            documents: cluster
                .documents
                .iter()
                .map(|&id| outcome.name(id))
                .collect(),
        })
    }
}

/// The settings that decide which pairs are reported.
#[derive(Debug, Serialize)]
pub(crate) struct SettingsRecord {
    /// Largest Hamming distance that makes a pair.
    pub(crate) max_hamming: u32,
    /// Least Jaccard similarity that makes a pair.
    pub(crate) min_jaccard: f64,
    /// Units in a shingle.
    pub(crate) shingle_size: usize,
    /// `auto`, `char`, `word` or `ocr`.
    pub(crate) shingle_unit: &'static str,
    /// Which part of web pages was compared: `main`, `all` or `raw`.
    pub(crate) web_part: &'static str,
    /// The encoding that was named; `null` if it was found out for each file.
    pub(crate) encoding: Option<&'static str>,
    /// Least containment that makes a pair; `null` if that detector was off.
    pub(crate) min_containment: Option<f64>,
    /// Least weighted similarity that makes a pair; missing if that detector was off, as among few documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) min_weighted: Option<f64>,
    /// Those of `simhash`, `shingle`, `super-shingle` and `i-match` that ran.
    pub(crate) detectors: Vec<&'static str>,
    /// How super-shingles were made; `null` if that detector was off.
    pub(crate) super_shingle: Option<SuperShingleRecord>,
    /// The settings of I-Match; `null` if that detector was off.
    pub(crate) i_match: Option<IMatchRecord>,
}

/// How super-shingles were made.
#[derive(Debug, Serialize)]
pub(crate) struct SuperShingleRecord {
    /// How many min-hashes there were.
    pub(crate) hashes: u32,
    /// How many of them made a super-shingle.
    pub(crate) run: u32,
    /// How many super-shingles of a pair are equal at least.
    pub(crate) min_equal: u32,
}

/// The settings of I-Match.
#[derive(Debug, Serialize)]
pub(crate) struct IMatchRecord {
    /// The IDF of the terms that counted: `5..12`.
    pub(crate) idf: String,
    /// How many lexicons there were besides the one of all terms.
    pub(crate) lexicons: u8,
}

impl SettingsRecord {
    /// The settings of a scan of so many documents.
    pub(crate) fn new(settings: &ScanOptions, documents: usize) -> Self {
        let (engine, read) = (&settings.engine, &settings.read);
        let runs = |detector| engine.detectors.have(detector);
        Self {
            max_hamming: engine.max_hamming,
            min_jaccard: engine.min_jaccard.as_f64(),
            shingle_size: engine.shingle_size.get(),
            shingle_unit: engine.shingle_unit.as_str(),
            web_part: read.web_part.as_str(),
            encoding: read.encoding.map(Encoding::name),
            min_containment: engine.containment.map(|c| c.least.as_f64()),
            min_weighted: engine
                .among(documents)
                .weighted()
                .map(|weighted| f64::from(weighted.least) / 10_000.0),
            detectors: engine.detectors.names().collect(),
            super_shingle: runs(Detector::SuperShingle).then_some(SuperShingleRecord {
                hashes: HASHES,
                run: RUN,
                min_equal: LEAST,
            }),
            i_match: runs(Detector::IMatch).then(|| IMatchRecord {
                idf: format!("{}..{}", IDF.start(), IDF.end()),
                lexicons: LEXICONS,
            }),
        }
    }
}

/// The parts of the command line in reports for people. Each part is none in a report that does not show it.
#[derive(Debug, Default)]
pub struct Typed {
    /// The command line that decides which of these documents stay.
    pub plan: Option<Plan>,
    /// The options that `dupfind compare` needs for these documents, each behind a space; `None` also if they cannot be
    /// written for a shell.
    pub compare: Option<String>,
    /// The words that `dupfind accept` needs behind two of these documents, each behind a space.
    pub accept: Option<String>,
    /// What the file of accepted pairs says that is found, though the report shows all pairs.
    pub accepted: Option<Standings>,
    /// The head of a page.
    pub head: Option<Head>,
}

impl Typed {
    /// Nothing of the command line.
    pub(crate) const NOTHING: Self = Self {
        plan: None,
        compare: None,
        accept: None,
        accepted: None,
        head: None,
    };
}

/// A command line that decides which documents stay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The command line.
    pub command: String,
    /// How many pages go by it; `None` for records.
    pub pages: Option<usize>,
}

/// The facts about a run that only the page shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Head {
    /// The scanned paths, as they were typed; empty for the current folder.
    pub scanned: String,
    /// The command line, without options that change nothing in the report and without paths of the machine; `None` if
    /// it cannot be copied into a shell.
    pub command: Option<String>,
    /// The options that `dupfind compare` needs for the same documents, each behind a space.
    pub compare: String,
    /// Links to the documents.
    pub link: Option<Link>,
}

/// A URL with places for a document: `https://example.org/{path}#L{line}`.
///
/// `{path}` is the path of the file as the report has it, and `{line}` a line in it, from 1. The page escapes both
/// for URLs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link(String);

/// The known sites, each with what is around the branch and the path of a file.
const FORGES: [(&str, &str, &str); 5] = [
    ("github.com", "blob", "L"),
    ("gitlab.com", "-/blob", "L"),
    ("codeberg.org", "src/branch", "L"),
    ("bitbucket.org", "src", "lines-"),
    ("gitee.com", "blob", "L"),
];

/// The name that stands for the usual branch.
const USUAL: &str = "HEAD";

impl Link {
    /// Returns the link for the remote of a repository, as git has it; `None` if it is on no known site. Of the remote only
    /// the site and the path are taken: a user or a token in it is in no report. `folder` is that of the report, below the
    /// top of the repository; empty for the top.
    pub fn of_remote(remote: &str, branch: &str, folder: &str) -> Option<Self> {
        let rest = remote.split_once("://").map_or(remote, |(_, rest)| rest);
        let end = rest.find(['/', ':']).unwrap_or(rest.len());
        // A user, and perhaps a password with a colon, is before the site.
        let rest = match rest.find('@') {
            Some(at) if at < rest.find('/').unwrap_or(rest.len()) => &rest[at + 1..],
            _ if end > 0 => rest,
            _ => return None,
        };
        let (site, path) = rest.split_once(['/', ':'])?;
        let (site, place, line) = FORGES.iter().find(|(name, ..)| *name == site)?;
        // The number of a port.
        let port = path
            .split('/')
            .next()
            .filter(|port| port.bytes().all(|byte| byte.is_ascii_digit()));
        let path = port.map_or(path, |port| path[port.len()..].trim_start_matches('/'));
        let path = path.trim_matches('/').trim_end_matches(".git");
        if !path.contains('/') || !is_plain(path) {
            return None;
        }
        let branch = Some(branch)
            .filter(|branch| is_plain(branch))
            .unwrap_or(USUAL);
        let folder = folder.trim_matches('/');
        let folder = match folder {
            "" => String::new(),
            folder if is_plain(folder) => format!("{folder}/"),
            _ => return None,
        };
        Some(Self(format!(
            "https://{site}/{path}/{place}/{branch}/{folder}{{path}}#{line}{{line}}"
        )))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns whether a path needs no escapes and stays where it is.
fn is_plain(path: &str) -> bool {
    let is_part = |part: &str| {
        let mut bytes = part.bytes();
        let is_named = bytes.all(|byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte));
        is_named && !["", ".", ".."].contains(&part)
    };
    path.split('/').all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::table;

    #[test]
    fn only_the_site_and_the_path_of_a_remote_are_taken() {
        for [remote, branch, folder, expected] in table(
            "https://github.com/owner/site.git           | main | | https://github.com/owner/site/blob/main/{path}#L{line}
             git@github.com:owner/site.git               | main | | https://github.com/owner/site/blob/main/{path}#L{line}
             ssh://git@github.com:22/owner/site/         | main | | https://github.com/owner/site/blob/main/{path}#L{line}
             https://me:ghp_secret@github.com/owner/site | main | | https://github.com/owner/site/blob/main/{path}#L{line}
             https://github.com:443/owner/site           | main | | https://github.com/owner/site/blob/main/{path}#L{line}
             https://oauth2:glpat-1@gitlab.com/group/sub/site.git | v2/next | docs/en/ | https://gitlab.com/group/sub/site/-/blob/v2/next/docs/en/{path}#L{line}
             git@bitbucket.org:owner/site.git            | a b  | | https://bitbucket.org/owner/site/src/HEAD/{path}#lines-{line}
             https://codeberg.org/owner/site             | main | | https://codeberg.org/owner/site/src/branch/main/{path}#L{line}
             https://gitee.com/owner/site.git            | master | | https://gitee.com/owner/site/blob/master/{path}#L{line}",
        ) {
            let link = Link::of_remote(remote, branch, folder);
            assert_eq!(link.as_ref().map(Link::as_str), Some(expected), "{remote}");
        }
        for remote in [
            "",
            "/srv/git/site.git",
            "../site",
            "https://git.example.org/owner/site",
            "https://github.com.example.org/owner/site",
            "https://example.org/x@github.com/owner/site",
            "https://github.com/owner",
            "https://github.com/../owner/site",
            "https://github.com/owner/si\"te",
            "https://github.com/{path}/site",
            "javascript:alert(1)",
        ] {
            assert_eq!(Link::of_remote(remote, "main", ""), None, "{remote}");
        }
        let found = Link::of_remote("git@github.com:a/b", "main", "docs/ü");
        assert_eq!(found, None);
    }
}
