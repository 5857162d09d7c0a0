//! The house holds: rooms use only rooms above them, and the library keeps its hands off the
//! terminal, the process and the environment.

use std::fs;
use std::path::{Path, PathBuf};

/// The rooms from the top down; those on one floor do not use each other.
const FLOORS: [&[&str]; 14] = [
    &["error", "document"],
    &["text"],
    &["fingerprint"],
    &["join"],
    &["detect"],
    &["engine", "read"],
    &["dedup"],
    &["index"],
    &["scan"],
    &[
        "clean", "gate", "compare", "reuse", "stream", "tiles", "tune",
    ],
    &["language"],
    &["report"],
    &["scanned"],
    &["cli"],
];

/// Rooms that may use a neighbour on their floor.
const NEIGHBOURS: [(&str, &str); 1] = [("document", "error")];

/// What only the room `cli` may do.
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

/// Programs of their own that stand beside the code they belong to.
const PROGRAMS: [&str; 4] = [
    "main.rs",
    "fingerprint/dictionary/make.rs",
    "text/han/make.rs",
    "text/lexicon/make.rs",
];

fn floor(room: &str) -> Option<usize> {
    FLOORS.iter().position(|floor| floor.contains(&room))
}

/// All files of Rust below a folder, with their paths relative to it.
fn sources(folder: &Path) -> Vec<(String, String)> {
    sources_of(folder, "rs")
}

/// The code of a file before its tests.
pub(crate) fn without_tests(code: &str) -> &str {
    code.split("#[cfg(test)]\nmod tests").next().unwrap()
}

/// All files with an extension below a folder, with their paths relative to it.
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

/// The code of a file without its comments.
fn code(text: &str) -> String {
    let lines = text.lines().map(|line| match line.find("//") {
        Some(at) => &line[..at],
        None => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The room a file of the library belongs to.
fn room(file: &str) -> &str {
    let first = file.split('/').next().unwrap();
    first.strip_suffix(".rs").unwrap_or(first)
}

/// The rooms that the code of a file names, by `crate::room` or by climbing out of its own with
/// `super::`.
fn rooms_used(file: &str, code: &str) -> Vec<String> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let name_after = |at: usize| -> String {
        let rest = code[at..].trim_start();
        rest.chars().take_while(|&c| is_name(c)).collect()
    };
    let mut used = Vec::new();
    for (at, found) in code.match_indices("crate::") {
        let rest = &code[at + found.len()..];
        if let Some(list) = rest.trim_start().strip_prefix('{') {
            // use crate::{a::b, c};
            let list = &list[..list.find("};").unwrap_or(list.len())];
            let names = list
                .split(',')
                .map(|item| item.trim().split("::").next().unwrap());
            used.extend(
                names
                    .filter(|name| floor(name).is_some())
                    .map(str::to_owned),
            );
        } else {
            used.push(name_after(at + found.len()));
        }
    }
    // How many `super`s lead out of the room: as many as the file is deep, one more in its tests.
    let depth = file.matches('/').count() + usize::from(!file.ends_with("mod.rs"));
    let climb = "super::".repeat(depth);
    for (at, found) in code.match_indices(&climb) {
        let name = name_after(at + found.len());
        if floor(&name).is_some() {
            used.push(name);
        }
    }
    used
}

/// What is wrong with a file of the library.
fn complaints(file: &str, text: &str) -> Vec<String> {
    let code = code(text);
    let own = room(file);
    let Some(own_floor) = floor(own) else {
        return vec![format!(
            "{file}: the room '{own}' has no floor; give it one here"
        )];
    };
    let mut complaints = Vec::new();
    for used in rooms_used(file, &code) {
        let neighbour = NEIGHBOURS.contains(&(own, used.as_str()));
        let allowed = used == own || neighbour || floor(&used).is_some_and(|used| used < own_floor);
        if !allowed {
            complaints.push(format!(
                "{file}: '{own}' uses '{used}', which is not above it"
            ));
        }
    }
    let forbidden = FORBIDDEN.iter().filter(|_| own != "cli");
    for forbidden in forbidden.filter(|word| code.contains(**word)) {
        complaints.push(format!("{file}: the library does not {forbidden}"));
    }
    complaints
}

#[test]
fn rooms_use_only_rooms_above_them() {
    let sources = sources(Path::new("src"));
    assert!(sources.len() > 30, "found only {}", sources.len());
    let complaints: Vec<String> = sources
        .iter()
        .filter(|(file, _)| !PROGRAMS.contains(&file.as_str()) && file != "lib.rs")
        .flat_map(|(file, text)| complaints(file, text))
        .collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn every_floor_has_its_rooms() {
    let text = fs::read_to_string("src/lib.rs").unwrap();
    let code = code(&text);
    for room in FLOORS.iter().copied().flatten() {
        assert!(code.contains(&format!("mod {room};")), "{room} is gone");
    }
}

/// What may name options although it is not of the command line: beginnings of paths below `src`.
const NAMES_OPTIONS: [&str; 9] = [
    // What a person can type next.
    "compare/document.rs",
    "gate/baseline/read.rs",
    "report/",
    // The rules of a gate and the options of a state, as they were typed.
    "gate/scope/mod.rs",
    "stream/seen/settings.rs",
    // The texts of the command line in another language.
    "language/zh/",
    // Options of cargo and of git.
    "clean/keep/candidate.rs",
    "read/format.rs",
    "read/source/git/",
];

/// Whether code names an option: two dashes and a word.
fn names_option(code: &str) -> bool {
    let mut dashes = code.match_indices("--");
    dashes.any(|(at, _)| code[at + 2..].starts_with(|c: char| c.is_ascii_lowercase()))
}

#[test]
fn only_the_command_line_names_its_options() {
    let mut allowed = NAMES_OPTIONS.to_vec();
    for (file, text) in sources(Path::new("src")) {
        let is_test =
            file.contains("/tests/") || file.ends_with("laws.rs") || file.ends_with("tests.rs");
        let is_program = PROGRAMS.contains(&file.as_str()) || room(&file) == "cli";
        if is_test || is_program || !names_option(&code(without_tests(&text))) {
            continue;
        }
        let exception = NAMES_OPTIONS.iter().find(|start| file.starts_with(**start));
        let exception = exception.unwrap_or_else(|| panic!("{file} names an option"));
        allowed.retain(|start| start != exception);
    }
    assert!(allowed.is_empty(), "they name none any more: {allowed:?}");
    assert!(names_option("\"; --pre reads it\"") && !names_option("a -- b"));
}

#[test]
fn main_stays_small() {
    assert!(fs::read_to_string("src/main.rs").unwrap().lines().count() < 60);
}

#[test]
fn violations_are_seen() {
    for (file, text, part) in [
        (
            "text/units.rs",
            "use crate::join::hamming;",
            "'text' uses 'join'",
        ),
        (
            "join/mod.rs",
            "fn f() { crate::scan::scan() }",
            "'join' uses 'scan'",
        ),
        (
            "document.rs",
            "use super::report::x;",
            "'document' uses 'report'",
        ),
        (
            "text/units.rs",
            "use super::super::scan::x;",
            "'text' uses 'scan'",
        ),
        (
            "text/mod.rs",
            "use crate::{error::Error, scan::x};",
            "'text' uses 'scan'",
        ),
        (
            "read/decode/mod.rs",
            "use crate::engine::x;",
            "'read' uses 'engine'",
        ),
        ("scan/mod.rs", "println!(\"x\");", "does not println"),
        ("scan/mod.rs", "std::env::var(\"X\");", "does not env::"),
        ("util/mod.rs", "", "has no floor"),
    ] {
        let complaints = complaints(file, text).join("\n");
        assert!(complaints.contains(part), "{file} {text}: {complaints}");
    }
    for (file, text) in [
        ("scan/mod.rs", "use crate::join::hamming; // println!()"),
        ("text/units.rs", "mod tests { use super::*; }"),
        ("document.rs", "use crate::error::Error;"),
    ] {
        assert!(complaints(file, text).is_empty(), "{file} {text}");
    }
}
