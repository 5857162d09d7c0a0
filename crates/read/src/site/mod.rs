//! The site that a folder is: which generator makes it, by the file that configures it, and the languages and versions of its
//! pages. Nothing of it is run.

mod editions;
mod marks;
pub mod names;

use std::path::Path;

pub use editions::Editions;

/// A program that makes a site of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Generator {
    /// `docusaurus.config.*`
    Docusaurus,
    /// `mkdocs.yml`
    MkDocs,
    /// `antora.yml`, `antora-playbook.yml`
    Antora,
    /// `conf.py`
    Sphinx,
    /// `.vitepress/config.*`
    VitePress,
    /// `hugo.*`
    Hugo,
    /// `astro.config.*`
    Astro,
    /// `book.toml`
    MdBook,
    /// `_config.yml`
    Jekyll,
}

/// A generator with its name, the files that configure it, and the folders beside them that it writes.
type Row = (
    Generator,
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
);

/// All generators.
const GENERATORS: [Row; 9] = [
    (
        Generator::Docusaurus,
        "Docusaurus",
        &[
            "docusaurus.config.js",
            "docusaurus.config.ts",
            "docusaurus.config.mjs",
            "docusaurus.config.cjs",
        ],
        &["build", ".docusaurus"],
    ),
    (
        Generator::MkDocs,
        "MkDocs",
        &["mkdocs.yml", "mkdocs.yaml", "zensical.toml"],
        &["site"],
    ),
    (
        Generator::Antora,
        "Antora",
        &["antora-playbook.yml", "antora.yml", "site.yml"],
        &["build"],
    ),
    (
        Generator::Sphinx,
        "Sphinx",
        &["conf.py", "source/conf.py"],
        &["_build", "build"],
    ),
    (
        Generator::VitePress,
        "VitePress",
        &[
            ".vitepress/config.js",
            ".vitepress/config.ts",
            ".vitepress/config.mts",
            ".vitepress/config.mjs",
        ],
        &["dist"],
    ),
    (
        Generator::Hugo,
        "Hugo",
        &[
            "hugo.toml",
            "hugo.yaml",
            "hugo.yml",
            "hugo.json",
            "config/_default/hugo.toml",
            "config/_default/hugo.yaml",
        ],
        &["public"],
    ),
    (
        Generator::Astro,
        "Astro",
        &[
            "astro.config.mjs",
            "astro.config.js",
            "astro.config.ts",
            "astro.config.cjs",
        ],
        &["dist"],
    ),
    (Generator::MdBook, "mdBook", &["book.toml"], &["book"]),
    (
        Generator::Jekyll,
        "Jekyll",
        &["_config.yml", "_config.yaml"],
        &["_site"],
    ),
];

impl Generator {
    /// Returns its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.row().1
    }

    /// Returns the generator that is configured in a folder.
    #[must_use]
    pub fn of(folder: &Path) -> Option<Self> {
        Self::all_of(folder).next()
    }

    /// Returns the generator that is configured in a folder and writes to a folder of this name in it.
    pub(crate) fn with_output(folder: &Path, output: &str) -> Option<Self> {
        Self::all_of(folder).find(|generator| generator.row().3.contains(&output))
    }

    /// Returns the files that may configure it.
    pub(crate) fn files(self) -> &'static [&'static str] {
        self.row().2
    }

    fn row(self) -> &'static Row {
        let row = GENERATORS.iter().find(|(generator, ..)| *generator == self);
        row.expect("each generator has a row")
    }

    /// Returns all generators that are configured in a folder.
    fn all_of(folder: &Path) -> impl Iterator<Item = Self> {
        let has = |files: &[&str]| files.iter().any(|file| folder.join(file).is_file());
        let rows = GENERATORS.iter().filter(move |(_, _, files, _)| has(files));
        rows.map(|(generator, ..)| *generator)
    }
}
