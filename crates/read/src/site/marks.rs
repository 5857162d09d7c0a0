//! The folders that the configuration of a site names for its languages and versions. A few keys are read as text.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::site::Generator;
use crate::source::read::head;

/// What a folder tells of the pages in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) language: Option<String>,
    pub(super) version: Option<String>,
    /// The folder that has the same pages in the language and version without a name: `docs/` for `versioned_docs/`.
    pub(super) same_as: Option<String>,
}

/// Folders by their paths, which end with a slash, with what they tell.
pub(super) type Marks = BTreeMap<String, Mark>;

impl Mark {
    /// Returns whether it is the mark of a folder that is beside those of its translations or versions, and has no such name.
    pub(super) fn is_of_source(&self) -> bool {
        let mut names = self.language.iter().chain(&self.version).peekable();
        names.peek().is_some() && names.all(|name| name == SOURCE)
    }
}

/// The name of the language or version that no folder names.
pub(super) const SOURCE: &str = "source";

/// The name of the version to come, which Docusaurus and Antora have no number for.
pub(super) const CURRENT: &str = "current";

/// A larger configuration is read up to here, in bytes.
const MOST: u64 = 256 << 10;

impl Generator {
    /// Returns the folders of a site with what they tell. `prefix` is the beginning of the names of the files in it: its path
    /// with a slash, or nothing.
    pub(super) fn marks(&self, root: &Path, prefix: &str) -> Marks {
        match self.name {
            "Docusaurus" => docusaurus(root, prefix, &self.config(root)),
            _ => Marks::new(),
        }
    }

    /// Returns the configuration in a folder.
    fn config(&self, root: &Path) -> String {
        let files = self.files.iter().map(|file| root.join(file));
        files.map(|file| text(&file)).collect()
    }

    /// Returns the folder that it writes, if its configuration in a folder names one.
    pub(super) fn output(&self, root: &Path) -> Option<String> {
        let key = self.output_key?;
        let config = self.config(root);
        let named = value(&config, key)?;
        let named = named.trim_start_matches("./").trim_end_matches('/');
        Some(named.to_owned())
    }
}

/// Returns the component of Antora that a folder is, by its name and its version.
pub(super) fn component(root: &Path) -> Option<[String; 2]> {
    let config = text(&root.join("antora.yml"));
    let of = |key: &str| value(&config, key).map(|value| value.to_owned());
    Some([of("name")?, of("version").unwrap_or_else(|| CURRENT.into())])
}

/// Returns the path of a folder of pages of Docusaurus. Its configuration can name another one for `docs`, beside the folder of the
/// site: `path: '../docs'`.
fn place(prefix: &str, config: &str, folder: &str) -> String {
    let named = value(config, "path").filter(|path| folder == "docs" && path.ends_with("docs"));
    let (mut above, mut path) = (prefix.trim_end_matches('/'), named.unwrap_or(folder));
    while let Some(rest) = path.strip_prefix("../") {
        above = above.rsplit_once('/').map_or("", |(above, _)| above);
        path = rest;
    }
    let path = path.trim_start_matches("./");
    match above {
        "" => format!("{path}/"),
        above => format!("{above}/{path}/"),
    }
}

/// Returns what a folder of Docusaurus tells that has the same pages as another one.
fn as_docs(same: &str, version: Option<&str>) -> Mark {
    Mark {
        language: None,
        version: version.map(str::to_owned),
        same_as: Some(same.to_owned()),
    }
}

/// Docusaurus has the default language and the coming version where its folders say nothing.
fn docusaurus(root: &Path, prefix: &str, config: &str) -> Marks {
    let mut marks = Marks::new();
    let mut versions = Vec::new();
    for folder in folders(root) {
        let Some(id) = folder.strip_suffix("versioned_docs") else {
            continue;
        };
        let docs = match id.trim_end_matches('_') {
            "" => "docs",
            id => id,
        };
        let same = place(prefix, config, docs);
        marks.insert(format!("{prefix}{folder}/"), as_docs(&same, None));
        marks.insert(same.clone(), as_docs(&same, Some(CURRENT)));
        for name in folders(&root.join(&folder)) {
            let version = name.strip_prefix("version-").unwrap_or(&name);
            marks.insert(
                format!("{prefix}{folder}/{name}/"),
                as_docs(&same, Some(version)),
            );
            versions.push(version.to_owned());
        }
    }
    let languages = folders(&root.join("i18n"));
    if languages.is_empty() {
        return marks;
    }
    let mark_of_root = marks.entry(prefix.to_owned()).or_default();
    mark_of_root.language = Some(language_of_source(config, &languages));
    mark_of_root.same_as = Some(prefix.to_owned());
    for language in languages {
        let folder = format!("{prefix}i18n/{language}/");
        let mark = Mark {
            language: Some(language.clone()),
            ..as_docs(prefix, None)
        };
        marks.insert(folder.clone(), mark);
        for plugin in folders(&root.join("i18n").join(&language)) {
            let Some(kind) = plugin.strip_prefix("docusaurus-plugin-content-") else {
                continue;
            };
            let same = match kind.split_once('-') {
                Some((_, id)) => id,
                None if kind == "pages" => "src/pages",
                None => kind,
            };
            let same = place(prefix, config, same);
            marks.insert(format!("{folder}{plugin}/"), as_docs(&same, None));
            for name in folders(&root.join("i18n").join(&language).join(&plugin)) {
                let version = name
                    .strip_prefix("version-")
                    .or((name == CURRENT).then_some(CURRENT));
                let Some(version) = version else { continue };
                let version = Some(version).filter(|_| !versions.is_empty());
                marks.insert(format!("{folder}{plugin}/{name}/"), as_docs(&same, version));
            }
        }
    }
    marks
}

/// Returns the language of the pages that are in no folder of a language: the default one, or the only one without a folder.
fn language_of_source(config: &str, folders: &[String]) -> String {
    let has_folder = |name: &&str| folders.iter().any(|folder| folder == name);
    let default = value(config, "defaultLocale").filter(|name| !has_folder(name));
    let listed = config.split_once("locales").and_then(|(_, rest)| {
        let list = rest.split_once('[')?.1.split(']').next()?;
        let names = list
            .split(',')
            .map(|name| name.trim().trim_matches(['"', '\'']));
        let mut others = names.filter(|name| !name.is_empty() && !has_folder(name));
        others.next().filter(|_| others.next().is_none())
    });
    default.or(listed).unwrap_or(SOURCE).to_owned()
}

/// Returns the value of a key in a configuration: a word or a text in quotes behind the key and `:` or `=`.
fn value<'c>(config: &'c str, key: &str) -> Option<&'c str> {
    config.lines().find_map(|line| {
        let rest = line.trim_start().trim_start_matches(['"', '\'', '{', ' ']);
        let rest = rest.strip_prefix(key)?.trim_start_matches(['"', '\'']);
        let rest = rest.trim_start().strip_prefix([':', '='])?.trim_start();
        let quote = rest.chars().next().filter(|c| ['"', '\''].contains(c));
        let value = match quote {
            Some(quote) => rest[1..].split(quote).next()?,
            None => rest.split([' ', ',', '#', '}']).next()?,
        };
        Some(value.trim()).filter(|value| !value.is_empty())
    })
}

/// Returns the beginning of a text file; nothing if it cannot be read.
fn text(file: &Path) -> String {
    let is_file = fs::metadata(file).is_ok_and(|metadata| metadata.is_file());
    let bytes = is_file.then(|| head(file, MOST).ok()).flatten();
    String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned()
}

/// Returns the names of the folders in a folder, ascending.
fn folders(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let entries = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort_unstable();
    names
}
