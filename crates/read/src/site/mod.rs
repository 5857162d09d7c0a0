//! The site that a folder is: which generator makes it, by the file that configures it, and the languages and versions of its
//! pages. Nothing of it is run.

mod editions;
mod marks;
pub mod names;

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs;
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
    /// `_quarto.yml`
    Quarto,
    /// `eleventy.config.*`
    Eleventy,
}

/// A generator with its name, the files that configure it, and the folders beside them that it writes.
type Row = (
    Generator,
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
);

/// All generators.
const GENERATORS: [Row; 11] = [
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
    (
        Generator::Quarto,
        "Quarto",
        &["_quarto.yml", "_quarto.yaml"],
        &["_site", "_book"],
    ),
    (
        Generator::Eleventy,
        "Eleventy",
        &[
            "eleventy.config.js",
            "eleventy.config.mjs",
            "eleventy.config.cjs",
            "eleventy.config.ts",
            ".eleventy.js",
        ],
        &["_site"],
    ),
];

impl Generator {
    /// Returns its name.
    pub fn as_str(self) -> &'static str {
        self.row().1
    }

    /// Returns the generator that is configured in a folder.
    pub fn of(folder: &Path) -> Option<Self> {
        // The folder is listed once: most have no such file, and there are many names.
        let names: HashSet<OsString> = fs::read_dir(folder)
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.file_name()))
            .collect();
        let has = |file: &&str| {
            let first = file.split('/').next().unwrap_or(file);
            names.contains(OsStr::new(first)) && folder.join(file).is_file()
        };
        let mut rows = GENERATORS.iter();
        let row = rows.find(|(_, _, files, _)| files.iter().any(&has));
        row.map(|(generator, ..)| *generator)
    }

    /// Returns the generator that is configured in a folder and writes to a folder of this name in it.
    pub(crate) fn with_output(folder: &Path, output: &str) -> Option<Self> {
        let mut rows = GENERATORS.iter();
        let is_it = |(generator, _, files, outputs): &&Row| {
            let is_usual = outputs.contains(&output);
            is_usual && files.iter().any(|file| folder.join(file).is_file())
                || generator
                    .output(folder)
                    .is_some_and(|named| named == output)
        };
        rows.find(is_it).map(|(generator, ..)| *generator)
    }

    /// Returns the files that may configure it.
    pub(crate) fn files(self) -> &'static [&'static str] {
        self.row().2
    }

    fn row(self) -> &'static Row {
        let row = GENERATORS.iter().find(|(generator, ..)| *generator == self);
        row.expect("each generator has a row")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::table;

    #[test]
    fn a_folder_is_written_by_a_generator_by_custom_or_if_its_configuration_names_it() {
        for [file, config, folder, generator] in table(
            r#"mkdocs.yml         | site_name: x       | site  | Some(MkDocs)
               mkdocs.yml         | site_dir: ./out/   | out   | Some(MkDocs)
               mkdocs.yml         | site_dir: ../out   | out   | None
               hugo.toml          | publishDir = "out" | out   | Some(Hugo)
               _config.yml        | destination: out   | out   | Some(Jekyll)
               _quarto.yml        |                    | _site | Some(Quarto)
               _quarto.yml        | project:\n  output-dir: out | out | Some(Quarto)
               eleventy.config.js |                    | _site | Some(Eleventy)
               eleventy.config.js | output: 'out'      | out   | None
               package.json       |                    | _site | None"#,
        ) {
            let root = tempfile::tempdir().unwrap();
            fs::write(root.path().join(file), config).unwrap();
            let found = Generator::with_output(root.path(), folder);
            assert_eq!(format!("{found:?}"), generator, "{file}: {config}");
        }
    }
}
