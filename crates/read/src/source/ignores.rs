//! Ignore files, with the rules of git.
//!
//! `.gitignore` files apply to their folder and everything below it, the deepest one first, up to the root of the
//! repository, then `.git/info/exclude`. `.ignore` and `.dupfindignore` work the same and take precedence in that
//! order, whatever their depth. The matching itself is the `ignore` crate's.
//!
//! The walker of that crate cannot take the place of this: it waits for a FIFO that is named `.gitignore`, compiles a file of any
//! size, tells the lines of a file that a link leads to, and honours `.ignore` files above the repository.

use std::io::Read;
use std::path::{Path, PathBuf};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::source::git::root_around;
use crate::source::read::open;
use dupfind_files::inside;

/// The ignore files, the strongest first.
const NAMES: [&str; 3] = [".dupfindignore", ".ignore", GIT];
const GIT: &str = ".gitignore";

/// The file of a repository with the weakest rules.
const EXCLUDE: &str = ".git/info/exclude";

/// The largest ignore file, in bytes. A compiled rule needs some hundred times its size.
const MOST: u64 = 256 << 10;

/// Whether a file is an ignore file, by its name.
pub fn is_ignore_file(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| NAMES.iter().any(|known| name == *known))
}

/// The rules of one folder.
#[derive(Debug)]
struct Level {
    /// One for each of [`NAMES`], and `.git/info/exclude`, if the folder has the file.
    rules: [Option<Gitignore>; NAMES.len() + 1],
    is_repository: bool,
}

impl Level {
    fn new(folder: &Path, warnings: &mut Vec<String>) -> Self {
        let git = folder.join(".git");
        let is_repository = git.exists();
        let [ours, any, of_git] = NAMES.map(|name| load(folder, &folder.join(name), warnings));
        let exclude = is_repository.then(|| common_folder(&git).join("info/exclude"));
        let exclude = exclude.and_then(|file| load(folder, &file, warnings));
        Self {
            rules: [ours, any, of_git, exclude],
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
/// warning, and has no rules. Git follows no link that is named `.gitignore`.
fn load(folder: &Path, file: &Path, warnings: &mut Vec<String>) -> Option<Gitignore> {
    if !file.is_file() || (file.ends_with(GIT) && file.is_symlink()) {
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
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    for (number, line) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        if let Err(error) = builder.add_line(Some(file.to_owned()), &glob_of_git(line)) {
            // A link may lead to a file whose lines must not be shown.
            errors.push(match inside(file, folder, folder).is_ok() {
                true => format!("{name}: line {number}: {error}"),
                false => format!("{name}: line {number}: it is not valid"),
            });
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

/// The classes of characters that git has in brackets, as ranges. None begins with a sign that has a meaning there.
const CLASSES: [[&str; 2]; 12] = [
    ["[:alnum:]", "0-9A-Za-z"],
    ["[:alpha:]", "A-Za-z"],
    ["[:blank:]", " \t"],
    ["[:cntrl:]", "\0-\x1f\x7f"],
    ["[:digit:]", "0-9"],
    ["[:graph:]", "\"-~!"],
    ["[:lower:]", "a-z"],
    ["[:print:]", " -~"],
    ["[:punct:]", ":-@!-/[-`{-~"],
    ["[:space:]", "\t-\r "],
    ["[:upper:]", "A-Z"],
    ["[:xdigit:]", "0-9A-Fa-f"],
];

/// Returns a line of an ignore file as the crate reads globs. To git braces are letters, and a name has any bytes.
fn glob_of_git(line: &[u8]) -> String {
    let mut glob = String::new();
    for chunk in line.strip_suffix(b"\r").unwrap_or(line).utf8_chunks() {
        glob.push_str(chunk.valid());
        glob.extend(chunk.invalid().iter().map(|_| '?'));
    }
    for brace in ["{", "}"] {
        let escaped = format!("\\{brace}");
        glob = glob.replace(&escaped, brace).replace(brace, &escaped);
    }
    for [class, ranges] in CLASSES {
        glob = glob.replace(class, ranges);
    }
    glob
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
    pub fn above(root: &Path) -> Self {
        let mut ignores = Self::default();
        let repository = root_around(root).unwrap_or(root);
        let folders = root.ancestors().skip(1);
        let folders: Vec<&Path> = folders
            .take_while(|at| at.starts_with(repository))
            .collect();
        for folder in folders.into_iter().rev() {
            let level = Level::new(folder, &mut ignores.warnings);
            ignores.levels.push(level);
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
    pub fn is_ignored(&self, path: &Path, is_folder: bool, depth: usize) -> bool {
        for (kind, name) in NAMES.iter().chain(&[EXCLUDE]).enumerate() {
            for level in self.levels[..self.above + depth].iter().rev() {
                let rules = level.rules[kind].as_ref();
                match rules.map(|rules| rules.matched(path, is_folder)) {
                    Some(Match::Ignore(_)) => return true,
                    Some(Match::Whitelist(_)) => return false,
                    _ => {}
                }
                // The rules of an outer repository end where an inner one begins.
                if [GIT, EXCLUDE].contains(name) && level.is_repository {
                    break;
                }
            }
        }
        false
    }
}
