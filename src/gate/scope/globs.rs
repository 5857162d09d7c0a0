//! Globs of rules, all of which are asked at once: many rules cost a document hardly more than one does.
//!
//! They mean what they would as the only line of a `.gitignore`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use globset::{Candidate, Glob, GlobBuilder, GlobSet};

use crate::error::{Error, Result};
use crate::gate::scope::groups::{Entry, key};

/// Globs by the folders they are relative to: nothing outside of it matches.
#[derive(Debug, Default)]
pub(super) struct Globs {
    folders: BTreeMap<PathBuf, Folder>,
}

/// The globs of a folder.
#[derive(Debug, Default)]
struct Folder {
    globs: Vec<Glob>,
    /// For each glob its entry, and whether only folders match it.
    meanings: Vec<(Entry, bool)>,
    /// Compiled, in their order: mostly a single set.
    sets: Vec<GlobSet>,
}

impl Globs {
    /// Takes a glob, the absolute path of the folder it is relative to, and the entry that it is.
    pub(super) fn add(&mut self, pattern: &str, base: &Path, entry: Entry) -> Result<()> {
        let (mut root, mut rest) = (PathBuf::from(key(base)), pattern);
        loop {
            if let Some(below) = rest.strip_prefix("../") {
                root.pop();
                rest = below;
            } else if let Some(below) = rest.strip_prefix("./") {
                rest = below;
            } else {
                break;
            }
        }
        let failed = |error: globset::Error| Error::Glob {
            glob: pattern.to_owned(),
            reason: error.kind().to_string(),
        };
        let (glob, is_only_folders) = compiled(rest).map_err(failed)?;
        // Too large a one is found out here.
        GlobSet::new([&glob]).map_err(failed)?;
        let folder = self.folders.entry(root).or_default();
        folder.globs.push(glob);
        folder.meanings.push((entry, is_only_folders));
        Ok(())
    }

    /// To be called when all are added.
    pub(super) fn prepare(&mut self) {
        for folder in self.folders.values_mut() {
            folder.sets.clear();
            compile(&folder.globs, &mut folder.sets);
        }
    }

    /// Takes an absolute path and adds the entries that match it, or a folder the path is in.
    pub(super) fn find(&self, place: &str, found: &mut Vec<Entry>) {
        let mut hits = Vec::new();
        for (root, folder) in &self.folders {
            let Ok(below) = Path::new(place).strip_prefix(root) else {
                continue;
            };
            for (depth, path) in below.ancestors().enumerate() {
                let candidate = Candidate::new(path);
                let mut first = 0;
                for set in &folder.sets {
                    set.matches_candidate_into(&candidate, &mut hits);
                    let meanings = hits.iter().map(|hit| folder.meanings[first + hit]);
                    let meant =
                        meanings.filter(|(_, is_only_folders)| depth > 0 || !is_only_folders);
                    found.extend(meant.map(|(entry, _)| entry));
                    first += set.len();
                }
            }
        }
    }
}

/// Takes what a line of an ignore file says and returns the glob for paths from its folder on, and whether it
/// is for folders only.
fn compiled(line: &str) -> std::result::Result<(Glob, bool), globset::Error> {
    let line = match line.ends_with("\\ ") {
        true => line,
        false => line.trim_end(),
    };
    let (line, is_anchored) = match line.strip_prefix('/') {
        Some(rest) => (rest, true),
        None => (line, false),
    };
    let (line, is_only_folders) = match line.strip_suffix('/') {
        Some(rest) => (rest.strip_suffix('\\').unwrap_or(rest), true),
        None => (line, false),
    };
    let mut glob = line.to_owned();
    // Without a slash it holds in every folder.
    if !is_anchored && !line.contains('/') && line != "**" {
        glob.insert_str(0, "**/");
    }
    // What is in a folder, and not the folder.
    if glob.ends_with("/**") {
        glob.push_str("/*");
    }
    let glob = GlobBuilder::new(&glob)
        .literal_separator(true)
        .backslash_escape(true)
        .allow_unclosed_class(true)
        .build()?;
    Ok((glob, is_only_folders))
}

/// Compiles globs to as few sets as there can be: a set has a largest size.
fn compile(globs: &[Glob], sets: &mut Vec<GlobSet>) {
    match GlobSet::new(globs) {
        Ok(set) => sets.push(set),
        Err(error) => {
            assert!(globs.len() > 1, "each was compiled before: {error}");
            let (some, others) = globs.split_at(globs.len() / 2);
            compile(some, sets);
            compile(others, sets);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ignore::gitignore::GitignoreBuilder;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_glob_means_what_it_does_in_an_ignore_file(
            globs in prop::collection::vec("[/*ab.?\\\\\\[\\]{,} -]{0,4}([ab*/]|\\*\\*|/\\*\\*|\\\\ )?", 1..6),
            path in "[ab. ]{1,2}(/[ab. -]{1,2}){0,3}",
        ) {
            prop_assume!(path.split('/').all(|part| !matches!(part, "." | "..")));
            let mut all = Globs::default();
            let mut expected = Vec::new();
            for (at, glob) in globs.iter().enumerate() {
                let is_relative = glob.starts_with("./") || glob.starts_with("../");
                if is_relative || glob.trim().is_empty() {
                    continue;
                }
                let entry = Entry::numbered(at);
                let mut builder = GitignoreBuilder::new("/r");
                let is_one = builder.add_line(None, glob).is_ok();
                prop_assert_eq!(all.add(glob, Path::new("/r"), entry).is_ok(), is_one, "{}", glob);
                let full = format!("/r/{path}");
                let single = builder.build().unwrap();
                if is_one && single.matched_path_or_any_parents(&full, false).is_ignore() {
                    expected.push(entry);
                }
            }
            all.prepare();
            let mut found = Vec::new();
            all.find(&format!("/r/{path}"), &mut found);
            found.sort_unstable();
            found.dedup();
            prop_assert_eq!(found, expected);
        }
    }
}
