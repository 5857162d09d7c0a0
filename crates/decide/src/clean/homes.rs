//! The pages of folders, which go only if they are named.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::clean::keep::candidate::Candidate;
use crate::clean::mentions::is_home;
use dupfind_read::source::name::plain;

/// Lets the pages of folders stay, unless the user named them. `files` are the files of the collection, and `named` the
/// paths that the user typed; all are relative to `base`. A page that is alone in its folder is a page like any other,
/// as some sites have a folder for each page; in a folder that the user named, it is the page of the site.
pub fn keep_homes(
    candidates: &mut [Candidate<'_>],
    files: &[PathBuf],
    named: &[PathBuf],
    base: &Path,
) {
    let place = |path: &Path| plain(&base.join(path));
    let mut named: HashSet<PathBuf> = named.iter().map(|path| place(path)).collect();
    if named.is_empty() {
        named.insert(place(Path::new("")));
    }
    let mut seen: HashSet<PathBuf> = HashSet::new();
    // Folders with more than one page in them or below them.
    let mut sections: HashSet<PathBuf> = HashSet::new();
    for file in files {
        for folder in place(file).ancestors().skip(1) {
            if sections.contains(folder) {
                break;
            }
            if !seen.insert(folder.to_owned()) {
                sections.extend(folder.ancestors().map(Path::to_owned));
                break;
            }
        }
    }
    for candidate in candidates
        .iter_mut()
        .filter(|candidate| !candidate.is_record())
    {
        let file = place(candidate.file);
        let folder = file.parent().unwrap_or(&file);
        candidate.is_home = is_home(&file) && (sections.contains(folder) || named.contains(folder));
        candidate.stays |= candidate.is_home && !named.contains(&file);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_sections_stay_unless_they_are_named() {
        let files = [
            "README.md",
            "a/index.md",
            "a/b/index.md",
            "a/c.md",
            "d/_index.md",
            "e/index.html",
        ];
        let files = files.map(PathBuf::from);
        for (named, expected) in [
            (&["."][..], [true, true, false, false, false, false]),
            (
                &["a/index.md", "a/b"],
                [true, false, true, false, false, false],
            ),
            (&["./d"], [true, true, false, false, true, false]),
        ] {
            let of_file = |file: &PathBuf| Candidate::of_file(file.to_str().unwrap(), 10);
            let mut candidates: Vec<Candidate<'_>> = files.iter().map(of_file).collect();
            let named: Vec<PathBuf> = named.iter().map(PathBuf::from).collect();
            keep_homes(&mut candidates, &files, &named, Path::new("/s"));
            let stay: Vec<bool> = candidates.iter().map(|candidate| candidate.stays).collect();
            assert_eq!(stay, expected, "{named:?}");
        }
    }
}
