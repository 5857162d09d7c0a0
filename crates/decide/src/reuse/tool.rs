//! The tool a site is made with, and how a passage is shared in it.

use std::fs;
use std::path::{Path, PathBuf};

/// A tool that makes a site, by its configuration file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    /// `mkdocs.yml`
    MkDocs,
    /// `docusaurus.config.js`
    Docusaurus,
    /// `hugo.toml`
    Hugo,
    /// `conf.py`
    Sphinx,
    /// `*.ditamap`
    Dita,
}

/// How many folders above a path are looked at.
const MOST_ABOVE: usize = 3;

/// How many names of a folder are looked at.
const MOST_NAMES: usize = 2000;

impl Tool {
    /// Returns the tool by the name of its configuration file.
    fn of_file(name: &str) -> Option<Self> {
        let (stem, extension) = name.rsplit_once('.')?;
        match (stem, extension) {
            ("mkdocs", "yml" | "yaml") => Some(Self::MkDocs),
            ("docusaurus.config", "js" | "ts" | "mjs" | "cjs") => Some(Self::Docusaurus),
            ("hugo", "toml" | "yaml" | "yml" | "json") => Some(Self::Hugo),
            ("conf", "py") => Some(Self::Sphinx),
            (_, "ditamap") => Some(Self::Dita),
            _ => None,
        }
    }

    /// Looks for a configuration file in folders and above them, but not above `base`. No file is opened.
    #[must_use]
    pub fn find(paths: &[PathBuf], base: &Path) -> Option<Self> {
        let mut folders = Vec::new();
        for path in paths {
            let path = base.join(path);
            let above = path.ancestors().take(MOST_ABOVE);
            folders.extend(
                above
                    .filter(|folder| folder.starts_with(base))
                    .map(Path::to_owned),
            );
        }
        folders
            .into_iter()
            .find_map(|folder| Self::in_folder(&folder))
    }

    fn in_folder(folder: &Path) -> Option<Self> {
        let names = fs::read_dir(folder).ok()?.take(MOST_NAMES).flatten();
        let mut names: Vec<String> = names
            .filter_map(|entry| entry.file_name().into_string().ok())
            .collect();
        names.sort_unstable();
        names.iter().find_map(|name| Self::of_file(name))
    }

    /// Returns its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::MkDocs => "MkDocs",
            Self::Docusaurus => "Docusaurus",
            Self::Hugo => "Hugo",
            Self::Sphinx => "Sphinx",
            Self::Dita => "DITA",
        }
    }

    /// Returns how a passage is shared: where it goes, and what stands in its place.
    #[must_use]
    pub fn hint(self) -> &'static str {
        match self {
            Self::MkDocs => {
                "put it into snippets/NAME.md, and in its place: --8<-- \"snippets/NAME.md\""
            }
            Self::Docusaurus => {
                "put it into a partial _NAME.mdx, and in its place: import Name from './_NAME.mdx'; <Name />"
            }
            Self::Hugo => {
                "put it into layouts/shortcodes/NAME.html, and in its place: {{< NAME >}}"
            }
            Self::Sphinx => "put it into NAME.rst.inc, and in its place: .. include:: NAME.rst.inc",
            Self::Dita => {
                "put it into a topic with an id, and in its place: <p conref=\"shared.dita#shared/NAME\"/>"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_are_known_by_their_files() {
        let folder = tempfile::tempdir().unwrap();
        let docs = folder.path().join("docs");
        fs::create_dir(&docs).unwrap();
        let found = || Tool::find(&["docs".into()], folder.path());
        assert_eq!(found(), None);
        fs::write(folder.path().join("mkdocs.yml"), "").unwrap();
        assert_eq!(found(), Some(Tool::MkDocs));
        fs::write(docs.join("conf.py"), "").unwrap();
        assert_eq!(found(), Some(Tool::Sphinx));
        assert_eq!(Tool::of_file("a.ditamap"), Some(Tool::Dita));
        assert_eq!(
            Tool::of_file("docusaurus.config.ts"),
            Some(Tool::Docusaurus)
        );
    }
}
