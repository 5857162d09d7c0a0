//! The globs of all rules, which are matched at once: many rules cost hardly more time than one does.
//!
//! A glob means what it would as the only line of a `.gitignore`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use globset::{Candidate, Glob, GlobBuilder, GlobSet};

use crate::gate::scope::key;
use crate::gate::scope::rules::RulePattern;
use dupfind_engine::error::{Error, Result};

/// RuleGlobs by the folders they are relative to. Nothing outside of its folder matches a glob.
#[derive(Debug, Default)]
pub(super) struct RuleGlobs {
    folders: BTreeMap<PathBuf, FolderGlobs>,
}

/// The globs of a folder.
#[derive(Debug, Default)]
struct FolderGlobs {
    globs: Vec<Glob>,
    /// For each glob its pattern, and whether only folders match it.
    meanings: Vec<(RulePattern, bool)>,
    /// The compiled globs in their order, mostly in a single set.
    sets: Vec<GlobSet>,
}

impl RuleGlobs {
    /// Adds a glob. `base` is the absolute path of the folder it is relative to. Fails with [`Error::Glob`].
    pub(super) fn add(&mut self, text: &str, base: &Path, pattern: RulePattern) -> Result<()> {
        let (mut root, mut rest) = (PathBuf::from(key(base)), text);
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
            glob: text.to_owned(),
            reason: error.kind().to_string(),
        };
        let (glob, is_only_folders) = compiled(rest).map_err(failed)?;
        // A glob may be too large for a set.
        GlobSet::new([&glob]).map_err(failed)?;
        let folder = self.folders.entry(root).or_default();
        folder.globs.push(glob);
        folder.meanings.push((pattern, is_only_folders));
        Ok(())
    }

    /// Compiles the globs. It is called when all are added.
    pub(super) fn prepare(&mut self) {
        for folder in self.folders.values_mut() {
            folder.sets.clear();
            compile(&folder.globs, &mut folder.sets);
        }
    }

    /// Adds the patterns that match an absolute path, or a folder the path is in.
    pub(super) fn find(&self, place: &str, found: &mut Vec<RulePattern>) {
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
                    found.extend(meant.map(|(pattern, _)| pattern));
                    first += set.len();
                }
            }
        }
    }
}

/// Returns the glob of a line of an ignore file, for paths from its folder on, and whether only folders match it.
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
    // A glob without a slash matches in every folder.
    if !is_anchored && !line.contains('/') && line != "**" {
        glob.insert_str(0, "**/");
    }
    // It matches the content of a folder, and not the folder.
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

/// Compiles globs to as few sets as possible. A set has a largest size.
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
            let mut all = RuleGlobs::default();
            let mut expected = Vec::new();
            for (at, glob) in globs.iter().enumerate() {
                let is_relative = glob.starts_with("./") || glob.starts_with("../");
                if is_relative || glob.trim().is_empty() {
                    continue;
                }
                let pattern = RulePattern {
                    rule: 0,
                    at,
                    is_out: false,
                };
                let mut builder = GitignoreBuilder::new("/r");
                let is_one = builder.add_line(None, glob).is_ok();
                prop_assert_eq!(all.add(glob, Path::new("/r"), pattern).is_ok(), is_one, "{}", glob);
                let full = format!("/r/{path}");
                let single = builder.build().unwrap();
                if is_one && single.matched_path_or_any_parents(&full, false).is_ignore() {
                    expected.push(pattern);
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
