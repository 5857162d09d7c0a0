//! Ignore files, with the rules of git.
//!
//! `.gitignore` files apply to their folder and everything below it, the deepest one first, up to the root of the
//! repository, then `.git/info/exclude`. `.ignore` and `.dupfindignore` work the same and take precedence in that
//! order, whatever their depth. The matching itself is the `ignore` crate's.

use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::source::inside::is_inside;
use crate::source::read::open;

/// The ignore files, the strongest first.
const NAMES: [&str; 3] = [".dupfindignore", ".ignore", GIT];
const GIT: &str = ".gitignore";

/// The largest ignore file, in bytes. A compiled rule needs some hundred times its size.
const MOST: u64 = 256 << 10;

/// Whether a file is an ignore file, by its name.
#[must_use]
pub fn is_ignore_file(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| NAMES.iter().any(|known| name == *known))
}

/// The rules of one folder.
#[derive(Debug)]
struct Level {
    /// One for each of [`NAMES`], if the folder has the file.
    rules: [Option<Gitignore>; NAMES.len()],
    /// `.git/info/exclude`, for the root of a repository.
    exclude: Option<Gitignore>,
    is_repository: bool,
}

impl Level {
    fn new(folder: &Path, warnings: &mut Vec<String>) -> Self {
        let git = folder.join(".git");
        let is_repository = git.exists();
        let rules = NAMES.map(|name| load(folder, &folder.join(name), warnings));
        let exclude = is_repository
            .then(|| load(folder, &common_folder(&git).join("info/exclude"), warnings))
            .flatten();
        Self {
            rules,
            exclude,
            is_repository,
        }
    }
}

/// Returns the folder of git that all worktrees of a repository share. `git` is the folder `.git`, or the file of that name in
/// a linked worktree or a submodule, which names another folder.
fn common_folder(git: &Path) -> PathBuf {
    let named = |file: &Path, key: &str| {
        let mut content = String::new();
        let read = open(file).and_then(|file| file.take(MOST).read_to_string(&mut content));
        let path = content
            .trim_end()
            .strip_prefix(key)
            .filter(|_| read.is_ok())?;
        Some(file.parent()?.join(path))
    };
    let own = match git.is_file() {
        true => named(git, "gitdir: "),
        false => None,
    };
    let own = own.unwrap_or_else(|| git.to_owned());
    named(&own.join("commondir"), "").unwrap_or(own)
}

/// Reads one ignore file. A line that does not parse is a warning, the others still count. A file that is too large is a
/// warning, and has no rules.
fn load(folder: &Path, file: &Path, warnings: &mut Vec<String>) -> Option<Gitignore> {
    if !file.is_file() {
        return None;
    }
    let name = file.display();
    let mut bytes = Vec::new();
    if let Err(error) = open(file).and_then(|file| file.take(MOST + 1).read_to_end(&mut bytes)) {
        warnings.push(format!("{name}: {error}"));
    }
    if bytes.len() as u64 > MOST {
        warnings.push(format!(
            "{name}: an ignore file has at most {MOST} bytes: its rules are not used"
        ));
        return None;
    }
    let mut builder = GitignoreBuilder::new(folder);
    let mut errors = Vec::new();
    for (number, line) in (1..).zip(bytes.lines()) {
        let added = line.map_err(ignore::Error::from).and_then(|line| {
            // As git does.
            let is_first = number == 1;
            let line = line
                .strip_prefix('\u{feff}')
                .filter(|_| is_first)
                .unwrap_or(&line);
            builder.add_line(Some(file.to_owned()), line).map(drop)
        });
        if let Err(error) = added {
            let is_unreadable = error.is_io();
            // A link may lead to a file whose lines must not be shown.
            errors.push(match is_inside(file, folder, folder) {
                true => format!("{name}: line {number}: {error}"),
                false => format!("{name}: line {number}: it is not valid"),
            });
            if is_unreadable {
                break;
            }
        }
    }
    if !errors.is_empty() {
        warnings.push(errors.join("\n"));
    }
    match builder.build() {
        Ok(rules) => Some(rules).filter(|rules| !rules.is_empty()),
        Err(error) => {
            warnings.push(format!("{name}: {error}"));
            None
        }
    }
}

/// The rules of a folder and of the folders above it.
#[derive(Debug, Default)]
pub struct Ignores {
    levels: Vec<Level>,
    /// How many levels lie above the root of the walk.
    above: usize,
    /// The faults of the ignore files that were read so far.
    pub warnings: Vec<String>,
}

impl Ignores {
    /// Returns the rules of the folders above the root of a walk, up to the root of the repository around it. Outside of
    /// a repository there are none. `root` is an absolute path.
    #[must_use]
    pub fn above(root: &Path) -> Self {
        let mut ignores = Self::default();
        if root.join(".git").exists() {
            return ignores;
        }
        let ancestors: Vec<PathBuf> = root.ancestors().skip(1).map(Path::to_owned).collect();
        if let Some(repository) = ancestors
            .iter()
            .position(|folder| folder.join(".git").exists())
        {
            for folder in ancestors[..=repository].iter().rev() {
                let level = Level::new(folder, &mut ignores.warnings);
                ignores.levels.push(level);
            }
        }
        ignores.above = ignores.levels.len();
        ignores
    }

    /// Enters a folder at `depth` below the root of the walk (0 is the root itself), and leaves the folders entered
    /// before at this depth and below. `folder` is an absolute path.
    pub fn enter(&mut self, folder: &Path, depth: usize) {
        self.levels.truncate(self.above + depth);
        let level = Level::new(folder, &mut self.warnings);
        self.levels.push(level);
    }

    /// Whether an entry at `depth` is ignored. Its folder has been entered, and `path` is absolute.
    #[must_use]
    pub fn is_ignored(&self, path: &Path, is_folder: bool, depth: usize) -> bool {
        let levels = &self.levels[..self.above + depth];
        for (kind, name) in NAMES.iter().enumerate() {
            for level in levels.iter().rev() {
                match matched(level.rules[kind].as_ref(), path, is_folder) {
                    Match::Ignore(()) => return true,
                    Match::Whitelist(()) => return false,
                    Match::None => {}
                }
                // The rules of an outer repository end where an inner one begins.
                if *name == GIT && level.is_repository {
                    break;
                }
            }
        }
        let repository = levels.iter().rev().find(|level| level.is_repository);
        repository.is_some_and(|level| matched(level.exclude.as_ref(), path, is_folder).is_ignore())
    }
}

fn matched(rules: Option<&Gitignore>, path: &Path, is_folder: bool) -> Match<()> {
    rules.map_or(Match::None, |rules| {
        rules.matched(path, is_folder).map(|_| ())
    })
}
