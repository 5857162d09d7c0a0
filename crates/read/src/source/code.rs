//! Files of code and data, by their names, their folders and their first line: their pairs are set apart from those of documents.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::io::Read;
use std::path::Path;
use std::sync::LazyLock;

use dupfind_engine::verdict::folders::language_of;
use dupfind_files::open_regular;
use ignore::types::TypesBuilder;

use crate::extract::sniff;
use crate::format::{BEHIND_COPIES, Format, Kind};

/// The ends of the names of such files, behind the last point. A file of records whose texts are read is none.
pub(crate) const ENDS: [&str; 10] = [
    // Programs.
    "ada adb ads aj asm awk bas bat c cc cl clj cljs cls cmd cob coffee cpp cs cu cxx d dart el elm erl ex exs f f90 f95 \
     fish fs fsx go gradle groovy h hh hpp hrl hs hxx inl ino java jl js jsx kt kts lisp lua m mjs cjs ml mli mm mts cts \
     nim nix pas php phtml pl pm ps1 psm1 purs py pyi pyx r rb rkt rs s sc scala scm sh bash zsh sol sql st sv swift tcl \
     ts tsx v vala vb vbs vhd vhdl vim wat zig",
    // Web pages in parts, and their styles.
    "astro css ejs erb haml handlebars hbs jade jinja jinja2 j2 less liquid mustache njk pcss pug sass scss slim styl \
     svelte tmpl tpl twig vue",
    // Data.
    "bib csv geojson gpx ics json json5 jsonc jsonl jwks kml ldif ndjson parquet srt topojson tsv vcf vtt xml yaml yml",
    // Drawings.
    "d2 dot drawio gv mermaid mmd plantuml puml svg",
    // Settings.
    "cfg cnf conf desktop editorconfig env gitattributes gitignore hcl ini lock manifest npmrc plist prefs properties \
     reg service spec tf tfvars toml",
    // Keys and signatures.
    "cer crt csr key pem pgp priv pub sig token",
    // Builds of programs.
    "ac am bazel bzl cmake csproj dockerfile in m4 mak make mk ninja pbxproj props sln targets vbproj vcxproj",
    // Interfaces.
    "avsc dtd graphql gql idl proto raml rnc rng thrift wsdl xaml xsd xsl xslt",
    // Translations of programs.
    "arb ftl po pot resx strings xlf xliff",
    // Typesetting, changes and notes of programs.
    "cls diff dtx log map patch snap sty tex",
];

/// The ends of the names of documents without markup, or with one that is read as text.
const OF_TEXT: [&str; 22] = [
    "ass",
    "creole",
    "dokuwiki",
    "fountain",
    "lrc",
    "man",
    "mdoc",
    "mediawiki",
    "org",
    "page",
    "pod",
    "rdoc",
    "roff",
    "ssa",
    "story",
    "sub",
    "texi",
    "texinfo",
    "text",
    "textile",
    "txt",
    "wiki",
];

/// The names of such files that have no such end.
pub(crate) const NAMES: &str = "brewfile build cmakelists.txt codeowners constraints.txt containerfile dockerfile gemfile gnumakefile go.mod go.sum \
     jenkinsfile justfile makefile meson.build owners owners_aliases podfile procfile rakefile requirements.txt robots.txt vagrantfile workspace";

/// [`NAMES`] and [`ENDS`], each by word.
static KNOWN: LazyLock<[HashSet<&str>; 2]> = LazyLock::new(|| {
    let ends = ENDS.iter().flat_map(|list| list.split_whitespace());
    [NAMES.split_whitespace().collect(), ends.collect()]
});

/// Whether a file holds code or data, by its name, or by its folder. For a compressed file it is the name of its content. An end
/// that is not known is that of a program: on 40 sites no document had one. A file with such an end, or without any, is looked at: it
/// may be a saved page, or a script.
pub(crate) fn is_code(path: &Path) -> bool {
    let is_behind = Kind::of(path).compression.is_some()
        || end_of(path).is_some_and(|end| is_in(&BEHIND_COPIES, end));
    let stem = match is_behind {
        true => path.with_extension(""),
        false => path.to_owned(),
    };
    let lower = |part: Option<&OsStr>| Some(part?.to_str()?.to_ascii_lowercase());
    let [names, ends] = &*KNOWN;
    let has = |known: &HashSet<&str>, part| {
        lower(part).is_some_and(|word: String| known.contains(word.as_str()))
    };
    has(names, stem.file_name())
        || has(ends, stem.extension())
        || is_template(path)
        || is_script_or_key(path)
        || !has_end_of_document(&stem) && !is_page(path)
        || path.iter().any(|folder| folder == "META-INF")
        || stem
            .file_name()
            .and_then(OsStr::to_str)
            .is_some_and(is_named_licence)
}

/// Returns whether a program may read a file, as it is no document by its name. Programs name their files in ways that nobody
/// else sees.
pub fn may_be_of_program(path: &Path) -> bool {
    !has_end_of_document(path) || is_code(path)
}

/// Returns whether the end of a name is that of a document, or there is none: `release-1.2-notes` and `Dr. Li` have none, and
/// `README.zh` has a language.
fn has_end_of_document(path: &Path) -> bool {
    // Most documents end here.
    if Kind::of(path).format != Format::Text {
        return true;
    }
    let is_sign = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let end = end_of(path).filter(|end| {
        end.chars().all(is_sign) && end.starts_with(|c: char| c.is_ascii_alphabetic())
    });
    end.is_none_or(|end| is_in(&OF_TEXT, end) || language_of(end).is_some())
}

fn end_of(path: &Path) -> Option<&str> {
    path.extension().and_then(OsStr::to_str)
}

/// The names of licences, and words of such names.
const LICENCES: [&str; 3] = ["license", "licence", "ofl"];

/// The names of other files with rights. A notice of a house is a page.
const RIGHTS: [&str; 2] = ["copying", "notice"];

/// Returns whether a path is that of a licence, which stays beside what it is about.
pub fn is_licence(path: &str) -> bool {
    let (stem, end) = stem_and_end(path);
    let mut words = stem.split(|c: char| !c.is_ascii_alphanumeric());
    let is_text = ["", "txt"].contains(&&*end.to_ascii_lowercase());
    is_named_licence(path) || is_text && words.any(|word| is_in(&LICENCES, word))
}

/// Returns whether a file is named as a licence alone, as `LICENSE`, `LICENSE-parser.txt` and `NOTICE.md` are. `license-server.md`
/// is a page, and `mit.license.txt` may be one of a collection.
fn is_named_licence(path: &str) -> bool {
    let (stem, end) = stem_and_end(path);
    let begins = ["COPYING-", "LICENCE-", "LICENSE-", "NOTICE-"]
        .iter()
        .any(|word| stem.starts_with(word));
    let is_name = begins || is_in(&LICENCES, stem) || is_in(&RIGHTS, stem);
    is_name && ["", "md", "rst", "txt"].contains(&&*end.to_ascii_lowercase())
}

/// Returns the name of a file, and its end behind the last point.
fn stem_and_end(path: &str) -> (&str, &str) {
    let file = path.rsplit('/').next().unwrap_or(path);
    file.rsplit_once('.').unwrap_or((file, ""))
}

/// Returns whether a word is among others, in capital or small letters.
fn is_in(known: &[&str], word: &str) -> bool {
    known.iter().any(|it| it.eq_ignore_ascii_case(word))
}

/// Returns whether a web page is a part of pages: a template of Play or Angular, by its name, or one of Jekyll or Hugo, by the
/// folder that it is in.
fn is_template(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let is_named = [".component.html", ".scala.html"]
        .iter()
        .any(|end| name.ends_with(end));
    let is_in_templates = || path.ancestors().skip(1).any(has_templates);
    Kind::of(path).format == Format::Html && (is_named || is_in_templates())
}

/// Returns whether a folder is one of templates of Jekyll or Hugo.
fn has_templates(folder: &Path) -> bool {
    let is_named = |name: &str| folder.file_name() == Some(OsStr::new(name));
    let of_hugo = ["_default", "_partials", "baseof.html", "partials"];
    is_named("_layouts")
        || is_named("_includes")
        || is_named("layouts") && of_hugo.iter().any(|name| folder.join(name).exists())
}

/// Returns whether a file without an extension names in its first line the program that runs it, as `gradlew` does, or begins
/// as a key or a signature does. These may also end with `.asc`, as documents of AsciiDoc do.
fn is_script_or_key(path: &Path) -> bool {
    if end_of(path).is_some_and(|end| end != "asc") {
        return false;
    }
    let mut start = Vec::new();
    let read = open_regular(path).map(|file| file.take(KEY.len() as u64).read_to_end(&mut start));
    read.is_ok() && (start.starts_with(b"#!") || start == KEY)
}

/// What a key or a signature begins with.
const KEY: &[u8] = b"-----BEGIN ";

/// Returns whether a file begins as a web page does: crawlers save pages under the names that servers gave them.
fn is_page(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = open_regular(path).map(|file| file.take(START).read_to_end(&mut start));
    read.is_ok() && sniff(&String::from_utf8_lossy(&start), Format::Text) == Format::Html
}

/// How many bytes of a file are looked at.
const START: u64 = 1 << 10;

/// The name of the type of these files in [`types`].
pub const CODE: &str = "code";

/// Returns the types of files that ripgrep has, and [`CODE`]: the files of code and data apart from those that only hold
/// records.
///
/// # Errors
///
/// A glob cannot be read.
pub fn types() -> Result<TypesBuilder, ignore::Error> {
    let mut types = TypesBuilder::new();
    types.add_defaults();
    let [names, ends] = &*KNOWN;
    let holds_records = |end: &str| Kind::of(Path::new(&format!("a.{end}"))).holds_only_records();
    let list = |words: &mut dyn Iterator<Item = &&str>| {
        let words: Vec<String> = words.map(|word| in_any_case(word)).collect();
        words.join(",")
    };
    let names = list(&mut names.iter());
    let ends = list(&mut ends.iter().filter(|end| !holds_records(end)));
    for behind in ["", ".gz", ".zst"] {
        types.add(CODE, &format!("{{{names}}}{behind}"))?;
        types.add(CODE, &format!("*.{{{ends}}}{behind}"))?;
    }
    let licences = list(&mut LICENCES.iter().chain(&RIGHTS));
    types.add(CODE, &format!("{{{licences}}}"))?;
    types.add(CODE, &format!("{{{licences}}}.{{txt,md,rst}}"))?;
    types.add(CODE, "{COPYING,LICENCE,LICENSE,NOTICE}-*.{txt,md,rst}")?;
    Ok(types)
}

/// Returns a glob of a word in capital or small letters.
fn in_any_case(word: &str) -> String {
    let letters = word.chars().map(|c| match c.is_ascii_lowercase() {
        true => format!("[{c}{}]", c.to_ascii_uppercase()),
        false => c.to_string(),
    });
    letters.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_recognised_by_its_name() {
        let of_type = types().unwrap().select(CODE).build().unwrap();
        let code = "a.js x/App.VUE main.cpp thesis.tex config.h.in docker-compose.yml data.json a.js.gz Makefile requirements.txt LICENSE LICENSE-orc.txt x/COPYING.md";
        let others = "a.md a.html a.md.gz notes.txt notes js v1.2 mit.license.txt license-server.md LICENSES.md manual.docx";
        let code = code.split(' ').map(|name| (name, true));
        for (name, expected) in code.chain(others.split(' ').map(|name| (name, false))) {
            assert_eq!(is_code(Path::new(name)), expected, "{name}");
            let is_of_type = of_type.matched(name, false).is_whitelist();
            assert_eq!(is_of_type, expected, "{name}");
        }
        for records in ["a.jsonl", "A.CSV", "a.parquet", "a.ndjson.gz"] {
            assert!(is_code(Path::new(records)), "{records}");
            assert!(!of_type.matched(records, false).is_whitelist(), "{records}");
        }
    }

    #[test]
    fn licences_stand_beside_what_they_are_about() {
        let licences = "tools/LICENSE fonts/Outfit-OFL.txt COPYING.md LICENSE-MIT.md license.rst";
        let others = "notice-lift.txt license-server.md copying-files.md notice-board.md legal/privacy-notice.md guides/licensing.md license.html";
        let licences = licences.split(' ').map(|path| (path, true));
        for (path, expected) in licences.chain(others.split(' ').map(|path| (path, false))) {
            assert_eq!(is_licence(path), expected, "{path}");
        }
    }

    #[test]
    fn files_with_other_ends_are_code() {
        for (name, expected) in [
            ("Dockerfile.dev", true),
            ("a.cue", true),
            ("a.py.bak", true),
            ("a.md.bak", false),
            ("a.old", false),
            ("attr.rst.inc", false),
            ("README.zh", false),
            ("release-1.2-notes", false),
            ("Dr. Li", false),
            ("1.安装", false),
            ("res/META-INF/services/Kettle", true),
        ] {
            assert_eq!(is_code(Path::new(name)), expected, "{name}");
        }
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("show.aspx");
        std::fs::write(&path, "<!doctype html><p>tea").unwrap();
        assert!(!is_code(&path));
    }

    #[test]
    fn scripts_and_keys_are_recognised_by_their_first_line() {
        let root = tempfile::tempdir().unwrap();
        let script = "#!/bin/sh\necho tea\n";
        for (name, content, expected) in [
            ("gradlew", script, true),
            ("notes", "# Notes\n", false),
            ("empty", "", false),
            ("short", "#", false),
            ("script.md", script, false),
            ("key.asc", "-----BEGIN PGP PUBLIC KEY BLOCK-----\n", true),
            ("id_rsa", "-----BEGIN OPENSSH PRIVATE KEY-----\n", true),
            ("tea.asc", "= Tea\n", false),
        ] {
            let path = root.path().join(name);
            std::fs::write(&path, content).unwrap();
            assert_eq!(is_code(&path), expected, "{name}");
        }
    }

    #[test]
    fn templates_are_recognised_by_their_folder() {
        let root = tempfile::tempdir().unwrap();
        for folder in ["site/layouts/_default", "docs/layouts", "_includes/x"] {
            std::fs::create_dir_all(root.path().join(folder)).unwrap();
        }
        for (name, expected) in [
            ("site/layouts/index.html", true),
            ("site/layouts/_default/list.html", true),
            ("site/layouts/notes.md", false),
            ("app/user.component.html", true),
            ("app/user.scala.html", true),
            ("app/user.js.html", false),
            ("docs/layouts/grid.html", false),
            ("_includes/x/footer.html", true),
            ("_includes/x/note.md", false),
        ] {
            assert_eq!(is_code(&root.path().join(name)), expected, "{name}");
        }
    }
}
