//! Divisions of the documents by the values of placeholders in a pattern of paths: in `docs/{*}/` the value for the
//! file `docs/v1/a.md` is `v1`.

use std::path::{Path, PathBuf};

use crate::gate::scope::{key, place};
use dupfind_engine::{Error, Result};
use dupfind_scan::{Source, Sources};

const PLACEHOLDER: &str = "{*}";

/// A division of the documents by the values of placeholders: the parts of their paths that these match.
#[derive(Debug)]
pub(super) struct Division {
    text: String,
    /// The absolute path of the folder that the pattern is relative to.
    base: PathBuf,
    /// The parts of the pattern between slashes. `*` matches any part, and `**` any number of them.
    parts: Vec<String>,
    /// For each document its value; none if it does not match.
    values: Vec<Option<String>>,
    /// How many pairs it has left out.
    pub(super) pairs: u64,
}

impl Division {
    /// Reads a pattern, which is relative to an absolute folder. Fails with [`Error::Option`].
    pub(super) fn new(text: &str, base: &Path) -> Result<Self> {
        let refused = |reason: &str| Error::glob(text, reason);
        if !text.contains(PLACEHOLDER) {
            return Err(refused(
                "expected {*} in the place of the version or language, such as 'docs/{*}/'",
            ));
        }
        let (mut base, mut rest) = (base.to_owned(), text.trim_start_matches("./"));
        while let Some(below) = rest.strip_prefix("../") {
            base.pop();
            rest = below;
        }
        let parts = rest.split('/').filter(|part| !part.is_empty());
        let mut parts: Vec<String> = parts.map(str::to_owned).collect();
        if rest.ends_with('/') {
            // It names a folder, and so matches the files in it.
            parts.push("*".into());
        }
        let is_wild = |part: &String| part.replace(PLACEHOLDER, "").contains(['?', '[', '{']);
        if parts.iter().any(is_wild) {
            return Err(refused("beside {*} only * and ** are allowed"));
        }
        if parts
            .iter()
            .any(|part| part.matches(PLACEHOLDER).count() > 1)
        {
            return Err(refused("a part of a path between slashes has one {*}"));
        }
        Ok(Self {
            text: text.to_owned(),
            base,
            parts,
            values: Vec::new(),
            pairs: 0,
        })
    }

    /// Returns the option of the division, with its value.
    pub(super) fn option(&self) -> String {
        format!("--within '{}'", self.text)
    }

    /// Notes the documents of a run. `user` is the folder that their paths are relative to.
    pub(super) fn documents(&mut self, sources: &Sources, user: &Path) {
        let of_file = |file: &PathBuf| self.value(file, user);
        let by_file: Vec<Option<String>> = sources.files.iter().map(of_file).collect();
        let of = |source: &Source| by_file[source.file as usize].clone();
        self.values = sources.documents.iter().map(of).collect();
    }

    /// Whether the pair of two documents counts, given by their positions.
    pub(super) fn compares(&self, a: usize, b: usize) -> bool {
        self.values[a] == self.values[b]
    }

    /// As [`Self::compares`]. Counts the pair so many times if it is left out.
    pub(super) fn counts(&mut self, a: usize, b: usize, times: u64) -> bool {
        let counts = self.compares(a, b);
        self.pairs += if counts { 0 } else { times };
        counts
    }

    /// Returns the value of a document, given by its position; none if it does not match.
    pub(super) fn of(&self, document: usize) -> Option<&str> {
        self.values[document].as_deref()
    }

    /// Returns a sentence about the documents that do not match; none if all match.
    pub(super) fn unmatched(&self) -> Option<String> {
        let without = self.values.iter().filter(|value| value.is_none());
        let (without, option) = (without.count(), self.option());
        match without {
            0 => None,
            _ if without == self.values.len() => Some(format!("{option} matches no document")),
            1 => Some(format!(
                "{option}: 1 document does not match; it is compared with no other"
            )),
            _ => Some(format!(
                "{option}: {without} documents do not match; they are compared with each other only"
            )),
        }
    }

    /// Returns the parts of the path of a file that the placeholders match, with slashes between them; none if the file does
    /// not match. The path is relative to the folder `user`.
    fn value(&self, file: &Path, user: &Path) -> Option<String> {
        let path = place(file, user);
        let path = key(path.strip_prefix(&self.base).ok()?);
        let path: Vec<&str> = path.split('/').collect();
        let parts: Vec<&str> = self.parts.iter().map(String::as_str).collect();
        Some(values(&parts, &path)?.join("/"))
    }
}

/// Returns the values of the placeholders in the parts of a pattern, if they match the first parts of a path.
fn values<'p>(pattern: &[&str], path: &[&'p str]) -> Option<Vec<&'p str>> {
    let Some((&first, rest)) = pattern.split_first() else {
        return Some(Vec::new());
    };
    if first == "**" {
        return (0..=path.len()).find_map(|skipped| values(rest, &path[skipped..]));
    }
    let (&part, below) = path.split_first()?;
    let Some((before, after)) = first.split_once(PLACEHOLDER) else {
        return is_match(first, part).then(|| values(rest, below)).flatten();
    };
    let inner = part.strip_suffix(after)?;
    let found = match before.strip_prefix('*') {
        // From the end: `*.{*}.md` is for `page.v2.en.md`.
        Some("") => None,
        Some(sign) => inner.rsplit_once(sign).map(|(_, found)| found),
        None => inner.strip_prefix(before),
    };
    let found = found.filter(|found| !found.is_empty())?;
    let mut all = values(rest, below)?;
    all.insert(0, found);
    Some(all)
}

/// Whether a part of a path matches a part of a pattern, in which `*` matches any characters.
fn is_match(pattern: &str, part: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == part,
        Some((before, after)) => part.strip_prefix(before).is_some_and(|rest| {
            let mut ends = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
            ends.any(|at| is_match(after, &rest[at..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placeholder_has_a_part_of_a_path_as_its_value() {
        let base = Path::new("/site");
        for (pattern, file, expected) in [
            ("docs/{*}/", "docs/v1/a.md", Some("v1")),
            ("docs/{*}", "docs/v1/a/b.md", Some("v1")),
            ("./docs/v{*}/", "docs/v1/a.md", Some("1")),
            ("docs/{*}/", "other/v1/a.md", None),
            ("docs/{*}/", "docs/index.md", None),
            ("docs/{*}", "docs/index.md", Some("index.md")),
            ("docs/{*}/guide", "docs/v1/guide/a.md", Some("v1")),
            ("docs/{*}/guide", "docs/v1/api/a.md", None),
            ("*/{*}/", "docs/en/a.md", Some("en")),
            ("**/{*}.md", "docs/en/a.md", Some("a")),
            ("**/*.{*}.md", "docs/x/page.v2.en.md", Some("en")),
            ("**/*.{*}.md", "docs/x/page.md", None),
            ("**/i18n/{*}/**/*.md", "a/i18n/zh/b/c.md", Some("zh")),
            ("{*}/", "en/a.md", Some("en")),
            ("c/{*}/v{*}/", "c/en/v2/a.md", Some("en/2")),
            ("c/{*}/{*}/", "c/en/a.md", None),
        ] {
            let division = Division::new(pattern, base).unwrap();
            let found = division.value(Path::new(file), base);
            assert_eq!(found.as_deref(), expected, "{pattern} {file}");
        }
        let above = Division::new("../docs/{*}/", Path::new("/site/x")).unwrap();
        let found = above.value(Path::new("docs/v1/a.md"), base);
        assert_eq!(found.as_deref(), Some("v1"));
        for wrong in ["docs/v1", "{*}{*}", "docs/[a]/{*}", ""] {
            assert!(Division::new(wrong, base).is_err(), "{wrong}");
        }
    }
}
