//! The house holds: crates import one way, the rooms of a crate form no circle, and the libraries keep their hands off the
//! terminal, the process and the environment.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The crates below `crates/`, each with those that it may use. The compiler refuses circles between crates; this table
/// keeps their direction.
const ARROWS: [(&str, &[&str]); 9] = [
    ("engine", &[]),
    ("files", &[]),
    ("pdf", &[]),
    ("read", &["engine", "files", "pdf"]),
    ("index", &["engine", "files", "read"]),
    ("scan", &["engine", "files", "index", "read"]),
    ("jobs", &["engine", "files", "scan"]),
    ("decide", &["engine", "files", "read", "scan"]),
    ("report", &["decide", "engine", "index", "read", "scan"]),
];

/// The most rooms that are folders, in one crate.
const MOST_ROOMS: usize = 8;

/// The most arrows between the rooms of a crate: how many pairs of rooms there are where one uses the other.
const MOST_ARROWS: usize = 20;

/// Words of code that only the program may have.
const FORBIDDEN: [&str; 12] = [
    "println!(",
    "print!(",
    "eprintln!(",
    "eprint!(",
    "dbg!(",
    "stdout()",
    "stderr()",
    "stdin()",
    "process::exit",
    "env::",
    "clap",
    "anyhow",
];

/// Programs of their own, beside the code they belong to.
const PROGRAMS: [&str; 2] = [
    "crates/engine/src/fingerprint/dictionary/make.rs",
    "crates/engine/src/text/lexicon/make.rs",
];

/// What may name options although it is not of the command line: beginnings of paths.
const NAMES_OPTIONS: [&str; 5] = [
    // What a person can type next.
    "crates/report/src/",
    // The rules of a gate, as they were typed.
    "crates/decide/src/gate/scope/",
    // Options of cargo and of git.
    "crates/decide/src/clean/keep/candidate.rs",
    "crates/read/src/format.rs",
    "crates/read/src/source/git/",
];

/// Returns the code of a file before its tests.
pub(crate) fn without_tests(code: &str) -> &str {
    code.split("#[cfg(test)]\nmod tests {").next().unwrap()
}

/// Returns all files with an extension below a folder, with their paths relative to it.
pub(crate) fn sources_of(folder: impl AsRef<Path>, wanted: &str) -> Vec<(String, String)> {
    let folder = folder.as_ref();
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == wanted)
            {
                let relative = path.strip_prefix(folder).unwrap();
                let name = relative.to_str().unwrap().replace('\\', "/");
                found.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

/// Returns the folders with the source of the program and of the libraries.
pub(crate) fn source_folders() -> Vec<String> {
    let libraries = ARROWS.iter().map(|(name, _)| format!("crates/{name}/src"));
    std::iter::once("src".to_owned()).chain(libraries).collect()
}

/// Returns all files of Rust of the program and of the libraries, with their paths.
pub(crate) fn all_sources() -> Vec<(String, String)> {
    let folders = source_folders().into_iter();
    let files = folders.flat_map(|folder| {
        let files = sources_of(&folder, "rs").into_iter();
        files.map(move |(file, text)| (format!("{folder}/{file}"), text))
    });
    let files: Vec<_> = files.collect();
    assert!(files.len() > 300, "only {} files", files.len());
    files
}

/// Returns whether all of a file is tests.
pub(crate) fn is_test(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap();
    let names = ["laws.rs", "tests.rs", "testing.rs"];
    let mut folders = file.split('/').rev().skip(1);
    folders.any(|folder| ["tests", "laws"].contains(&folder))
        || names.iter().any(|end| name.ends_with(end))
}

/// Returns the code of a file without its comments and tests.
fn code(text: &str) -> String {
    let lines = without_tests(text)
        .lines()
        .map(|line| match line.find("//") {
            Some(at) => &line[..at],
            None => line,
        });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the room that a file belongs to. `file` is a path below the source of its crate.
fn room(file: &str) -> &str {
    let first = file.split('/').next().unwrap();
    first.strip_suffix(".rs").unwrap_or(first)
}

/// Returns the names that code uses by `crate::NAME` or `crate::{NAME, ..}`, or by climbing out of its room with
/// `super::`.
fn names_used(file: &str, code: &str) -> BTreeSet<String> {
    let is_of_name = |c: char| c.is_alphanumeric() || c == '_';
    let name = |text: &str| -> String {
        text.trim_start()
            .chars()
            .take_while(|&c| is_of_name(c))
            .collect()
    };
    let mut used = BTreeSet::new();
    for (at, found) in code.match_indices("crate::") {
        let rest = code[at + found.len()..].trim_start();
        match rest.strip_prefix('{') {
            None => used.extend([name(rest)]),
            Some(list) => {
                let list = &list[..list.find("};").unwrap_or(list.len())];
                used.extend(list.split(',').map(name));
            }
        }
    }
    // How many `super`s lead out of the room: as many as the file is deep.
    let depth = file.matches('/').count() + usize::from(!file.ends_with("mod.rs"));
    let climb = "super::".repeat(depth);
    let climbs = code.match_indices(&climb);
    used.extend(climbs.map(|(at, _)| name(&code[at + climb.len()..])));
    used
}

/// Returns which rooms each room of a crate uses. `files` are its source.
fn rooms(files: &[(String, String)]) -> BTreeMap<String, BTreeSet<String>> {
    let files = files
        .iter()
        .filter(|(file, _)| file != "lib.rs" && file != "main.rs" && !is_test(file));
    let files: Vec<_> = files.collect();
    let all: BTreeSet<&str> = files.iter().map(|(file, _)| room(file)).collect();
    let mut rooms: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (file, text) in files {
        let own = room(file);
        let used = names_used(file, &code(text)).into_iter();
        let used = used.filter(|name| name != own && all.contains(name.as_str()));
        rooms.entry(own.to_owned()).or_default().extend(used);
    }
    rooms
}

/// Returns how many arrows there are between the rooms of a crate.
fn room_arrows(rooms: &BTreeMap<String, BTreeSet<String>>) -> usize {
    rooms.values().map(BTreeSet::len).sum()
}

/// Returns the rooms that a room uses, and those that they use, and so on.
fn reached<'r>(rooms: &'r BTreeMap<String, BTreeSet<String>>, from: &'r str) -> BTreeSet<&'r str> {
    let (mut reached, mut next) = (BTreeSet::new(), vec![from]);
    while let Some(room) = next.pop() {
        let used = rooms[room].iter().map(String::as_str);
        next.extend(used.filter(|used| reached.insert(*used)));
    }
    reached
}

/// Returns the rooms that are on a circle, in groups of those that reach each other.
fn circles(rooms: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<Vec<&str>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> = rooms
        .keys()
        .map(|room| (room.as_str(), reached(rooms, room)))
        .collect();
    let circle = |room: &&str| {
        let others = reached[room].iter().copied();
        others
            .filter(|other| reached[other].contains(room))
            .collect::<Vec<_>>()
    };
    let circles = reached.keys().map(circle);
    circles.filter(|circle| circle.len() > 1).collect()
}

/// Returns the crates of ours that a manifest names for anything but tests.
fn arrows(manifest: &str) -> BTreeSet<&str> {
    let manifest = manifest.split("[dev-dependencies]").next().unwrap();
    let names = manifest
        .lines()
        .filter_map(|line| line.strip_prefix("dupfind-"));
    names
        .map(|name| name.split(['.', ' ', '=']).next().unwrap())
        .collect()
}

/// Returns the faults of a file of a library.
fn complaints(file: &str, text: &str) -> Vec<String> {
    let code = code(text);
    let forbidden = FORBIDDEN.iter().filter(|word| code.contains(**word));
    forbidden
        .map(|word| format!("{file}: a library does not {word}"))
        .collect()
}

/// Returns whether code names an option: two dashes and a word.
fn names_option(code: &str) -> bool {
    let mut dashes = code.match_indices("--");
    dashes.any(|(at, _)| code[at + 2..].starts_with(|c: char| c.is_ascii_lowercase()))
}

#[test]
fn crates_use_what_the_table_allows() {
    let folders = fs::read_dir("crates").unwrap();
    let folders: BTreeSet<String> = folders
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let known: BTreeSet<String> = ARROWS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(folders, known);
    for (name, allowed) in ARROWS {
        let manifest = fs::read_to_string(format!("crates/{name}/Cargo.toml")).unwrap();
        assert_eq!(
            arrows(&manifest),
            allowed.iter().copied().collect(),
            "{name}"
        );
    }
}

#[test]
fn rooms_form_no_circle() {
    for folder in source_folders() {
        let rooms = rooms(&sources_of(&folder, "rs"));
        assert!(circles(&rooms).is_empty(), "{folder}: {rooms:#?}");
    }
}

#[test]
fn rooms_have_few_arrows() {
    for folder in source_folders() {
        let rooms = rooms(&sources_of(&folder, "rs"));
        let arrows = room_arrows(&rooms);
        assert!(
            arrows <= MOST_ARROWS,
            "{folder} has {arrows} arrows: {rooms:#?}"
        );
    }
}

#[test]
fn a_crate_has_few_rooms() {
    for folder in source_folders() {
        let entries = fs::read_dir(&folder).unwrap();
        let rooms = entries
            .filter(|entry| entry.as_ref().unwrap().path().is_dir())
            .count();
        assert!(rooms <= MOST_ROOMS, "{folder} has {rooms} rooms");
    }
}

#[test]
fn libraries_leave_terminal_process_and_environment_alone() {
    let sources = all_sources().into_iter().filter(|(file, _)| {
        !file.starts_with("src/") && !is_test(file) && !PROGRAMS.contains(&file.as_str())
    });
    let complaints: Vec<String> = sources
        .flat_map(|(file, text)| complaints(&file, &text))
        .collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn only_the_command_line_names_its_options() {
    let mut allowed = NAMES_OPTIONS.to_vec();
    for (file, text) in all_sources() {
        let is_program = PROGRAMS.contains(&file.as_str()) || file.starts_with("src/");
        if is_test(&file) || is_program || !names_option(&code(&text)) {
            continue;
        }
        let exception = NAMES_OPTIONS.iter().find(|start| file.starts_with(**start));
        let exception = exception.unwrap_or_else(|| panic!("{file} names an option"));
        allowed.retain(|start| start != exception);
    }
    assert!(allowed.is_empty(), "they name none any more: {allowed:?}");
}

#[test]
fn main_stays_small() {
    assert!(fs::read_to_string("src/main.rs").unwrap().lines().count() < 60);
}

#[test]
fn violations_are_seen() {
    let file = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let circle = |uses: &str| {
        let files = [
            file("text/units.rs", "use crate::join::hamming;"),
            file("join/mod.rs", uses),
            file("scan.rs", "use crate::text::units;"),
        ];
        !circles(&rooms(&files)).is_empty()
    };
    let arrows_of = |uses: &str| {
        let files = [
            file("text/units.rs", ""),
            file("join/mod.rs", uses),
            file("scan.rs", uses),
        ];
        room_arrows(&rooms(&files))
    };
    assert_eq!(
        arrows_of("use crate::text::units;\nuse super::text::units;"),
        2
    );
    assert_eq!(arrows_of("use crate::{scan::x, text::units};"), 3);
    for uses in [
        "use crate::text::units;",
        "use super::text::units;",
        "fn f() { crate::scan::scan() }",
        "use crate::{error::Error, scan::x};",
    ] {
        assert!(circle(uses), "{uses}");
    }
    for uses in [
        "use crate::join::hamming;",
        "// use crate::text::units;",
        "use other::text;",
        "#[cfg(test)]\nmod tests {\n    use crate::text::units;\n}",
    ] {
        assert!(!circle(uses), "{uses}");
    }
    let manifest = "[dependencies]\ndupfind-read.workspace = true\ndupfind-index = { path = \"x\" }\n[dev-dependencies]\n\
                    dupfind-scan.workspace = true\n";
    assert_eq!(arrows(manifest), BTreeSet::from(["index", "read"]));
    for text in [
        "println!(\"x\");",
        "std::env::var(\"X\");",
        "use clap::Arg;",
    ] {
        assert_eq!(
            complaints("crates/scan/src/lib.rs", text).len(),
            1,
            "{text}"
        );
    }
    assert!(complaints("crates/scan/src/lib.rs", "f(); // println!()").is_empty());
    assert!(names_option("\"; --pre reads it\"") && !names_option("a -- b"));
}

/// Returns the paths of the repository that a page names in backticks.
fn paths_in(page: &str) -> Vec<&str> {
    let roots = [
        "src/",
        "crates/",
        "tests/",
        "docs/",
        "python/",
        "benches/",
        "fixtures/",
        ".ci/",
    ];
    let quoted = page
        .lines()
        .flat_map(|line| line.split('`').skip(1).step_by(2));
    let words = quoted.flat_map(str::split_whitespace);
    words
        .filter(|word| roots.iter().any(|root| word.starts_with(root)))
        .collect()
}

#[test]
fn the_pages_for_contributors_name_files_that_exist() {
    for (page, most) in [("ARCHITECTURE.md", 110), ("CONTRIBUTING.md", 130)] {
        let text = fs::read_to_string(page).unwrap();
        assert!(text.lines().count() <= most, "{page} is too long");
        let paths = paths_in(&text);
        assert!(paths.len() > 15, "{page}: {paths:?}");
        for path in paths {
            assert!(Path::new(path).exists(), "{page}: {path}");
        }
    }
    let planted = "see `src/gone.rs` and\n`bash .ci/gone`, not src/x";
    assert_eq!(paths_in(planted), ["src/gone.rs", ".ci/gone"]);
}
