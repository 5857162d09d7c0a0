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
#[derive(Debug)]
pub struct Generator {
    /// Its name.
    pub name: &'static str,
    /// The files that configure it.
    files: &'static [&'static str],
    /// The folders beside them that it writes.
    outputs: &'static [&'static str],
    /// The key of another such folder in its configuration, if there is one.
    output_key: Option<&'static str>,
}

/// All generators.
static GENERATORS: [Generator; 11] = [
    Generator {
        name: "Docusaurus",
        files: &[
            "docusaurus.config.js",
            "docusaurus.config.ts",
            "docusaurus.config.mjs",
            "docusaurus.config.cjs",
        ],
        outputs: &["build", ".docusaurus"],
        output_key: None,
    },
    Generator {
        name: "MkDocs",
        files: &["mkdocs.yml", "mkdocs.yaml", "zensical.toml"],
        outputs: &["site"],
        output_key: Some("site_dir"),
    },
    Generator {
        name: "Antora",
        files: &["antora-playbook.yml", "antora.yml", "site.yml"],
        outputs: &["build"],
        output_key: None,
    },
    Generator {
        name: "Sphinx",
        files: &["conf.py", "source/conf.py"],
        outputs: &["_build", "build"],
        output_key: None,
    },
    Generator {
        name: "VitePress",
        files: &[
            ".vitepress/config.js",
            ".vitepress/config.ts",
            ".vitepress/config.mts",
            ".vitepress/config.mjs",
        ],
        outputs: &["dist"],
        output_key: None,
    },
    Generator {
        name: "Hugo",
        files: &[
            "hugo.toml",
            "hugo.yaml",
            "hugo.yml",
            "hugo.json",
            "config/_default/hugo.toml",
            "config/_default/hugo.yaml",
        ],
        outputs: &["public"],
        output_key: Some("publishDir"),
    },
    Generator {
        name: "Astro",
        files: &[
            "astro.config.mjs",
            "astro.config.js",
            "astro.config.ts",
            "astro.config.cjs",
        ],
        outputs: &["dist"],
        output_key: None,
    },
    Generator {
        name: "mdBook",
        files: &["book.toml"],
        outputs: &["book"],
        output_key: None,
    },
    Generator {
        name: "Jekyll",
        files: &["_config.yml", "_config.yaml"],
        outputs: &["_site"],
        output_key: Some("destination"),
    },
    Generator {
        name: "Quarto",
        files: &["_quarto.yml", "_quarto.yaml"],
        outputs: &["_site", "_book"],
        output_key: Some("output-dir"),
    },
    Generator {
        name: "Eleventy",
        files: &[
            "eleventy.config.js",
            "eleventy.config.mjs",
            "eleventy.config.cjs",
            "eleventy.config.ts",
            ".eleventy.js",
        ],
        outputs: &["_site"],
        output_key: None,
    },
];

impl Generator {
    /// Returns the generator that is configured in a folder.
    pub fn of(folder: &Path) -> Option<&'static Self> {
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
        let mut all = GENERATORS.iter();
        all.find(|generator| generator.files.iter().any(&has))
    }

    /// Returns the generator that is configured in a folder and writes to a folder of this name in it.
    pub(crate) fn with_output(folder: &Path, output: &str) -> Option<&'static Self> {
        let mut all = GENERATORS.iter();
        all.find(|generator| {
            let is_usual = generator.outputs.contains(&output);
            let mut files = generator.files.iter();
            is_usual && files.any(|file| folder.join(file).is_file())
                || generator
                    .output(folder)
                    .is_some_and(|named| named == output)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::table;

    #[test]
    fn a_folder_is_written_by_a_generator_by_custom_or_if_its_configuration_names_it() {
        for [file, config, folder, generator] in table(
            r#"mkdocs.yml         | site_name: x       | site  | MkDocs
               mkdocs.yml         | site_dir: ./out/   | out   | MkDocs
               mkdocs.yml         | site_dir: ../out   | out   | None
               hugo.toml          | publishDir = "out" | out   | Hugo
               _config.yml        | destination: out   | out   | Jekyll
               _quarto.yml        |                    | _site | Quarto
               _quarto.yml        | project:\n  output-dir: out | out | Quarto
               eleventy.config.js |                    | _site | Eleventy
               eleventy.config.js | output: 'out'      | out   | None
               package.json       |                    | _site | None"#,
        ) {
            let root = tempfile::tempdir().unwrap();
            fs::write(root.path().join(file), config).unwrap();
            let found = Generator::with_output(root.path(), folder);
            assert_eq!(
                found.map_or("None", |it| it.name),
                generator,
                "{file}: {config}"
            );
        }
    }
}
