//! Files are written by one crate alone, `dupfind-files`, which follows no link.

use crate::house::{all_sources, is_test, sources_of, without_tests};

/// Code that opens a file for writing, or gives one another name.
const WRITES: [&str; 17] = [
    "File::create",
    "File::options",
    "OpenOptions",
    ".write(true)",
    ".append(true)",
    "fs::write",
    "fs::copy",
    "fs::rename",
    "hard_link",
    "persist",
    ".keep()",
    "NamedTempFile",
    "TempPath",
    "tempfile_in",
    "tempfile::",
    "Builder::new().prefix",
    "fs::symlink(",
];

/// Exceptions: the beginning of a path, and the code for writing that is allowed there.
const ELSEWHERE: [(&str, &[&str]); 7] = [
    // Programs that make tables of the source.
    (
        "crates/engine/src/fingerprint/dictionary/make.rs",
        &["fs::write"],
    ),
    ("crates/engine/src/text/lexicon/make.rs", &["fs::write"]),
    // Files without a name, which nobody else can open.
    (
        "crates/engine/src/features/collection/store/file.rs",
        &["tempfile::", "tempfile_in"],
    ),
    // A value of a table.
    ("python/src/table.rs", &[".append(true)"]),
    // Reads, without waiting for a pipe.
    ("crates/read/src/source/read.rs", &["OpenOptions"]),
    // Links that a plan asks for, in place of a file that goes.
    ("crates/decide/src/clean/apply/files.rs", &["hard_link"]),
    // The crate itself.
    ("crates/files/src/", &WRITES),
];

/// The code for writing in a file of the source.
fn complaints(file: &str, text: &str) -> Vec<String> {
    if is_test(file) {
        return Vec::new();
    }
    let lines = without_tests(text).lines().map(str::trim);
    let code: Vec<&str> = lines.filter(|line| !line.starts_with("//")).collect();
    let code = code.join("\n");
    // `cfg(test)` before a test of one platform.
    let code = code.split("#[cfg(all(test").next().unwrap();
    let allowed = ELSEWHERE
        .iter()
        .filter(|(start, _)| file.starts_with(start));
    let allowed: Vec<&str> = allowed
        .flat_map(|(_, words)| words.iter().copied())
        .collect();
    // `TempFile::create` is another function.
    let has = |word: &str| {
        let mut places = code.match_indices(word);
        let is_name = |at: usize| code[..at].ends_with(char::is_alphanumeric);
        places.any(|(at, _)| word.starts_with('.') || !is_name(at))
    };
    let written = WRITES
        .iter()
        .filter(|word| has(word) && !allowed.contains(word));
    written.map(|word| format!("{file}: {word}")).collect()
}

#[test]
fn one_crate_writes_files() {
    let of_python = sources_of("python/src", "rs").into_iter();
    let of_python = of_python.map(|(file, text)| (format!("python/src/{file}"), text));
    let all = all_sources().into_iter().chain(of_python);
    let found: Vec<String> = all
        .flat_map(|(file, text)| complaints(&file, &text))
        .collect();
    assert!(
        found.is_empty(),
        "these write by themselves, and not through crates/files:\n{}",
        found.join("\n")
    );
}

#[test]
fn what_writes_by_itself_is_seen() {
    for planted in [
        "fs::write(path, text)?;",
        "let file = File::create(path)?;",
        "let file = std::fs::File::create_new(path)?;",
        "OpenOptions::new().append(true).open(path)?;",
        "options.write(true);",
        "std::fs::rename(from, to)",
        "fs::copy(from, to)",
        "file.persist(path)?;",
        "use tempfile::NamedTempFile;",
    ] {
        let text = format!("fn f() {{\n    {planted}\n}}\n");
        assert!(
            !complaints("crates/report/src/lib.rs", &text).is_empty(),
            "{planted}"
        );
        assert!(
            complaints("crates/files/src/open.rs", &text).is_empty(),
            "{planted}"
        );
        let in_test = format!("fn f() {{}}\n\n#[cfg(test)]\nmod tests {{\n{text}}}\n");
        assert!(
            complaints("crates/report/src/lib.rs", &in_test).is_empty(),
            "{planted}"
        );
    }
    let named = "tempfile::NamedTempFile::new()";
    assert!(!complaints("crates/engine/src/features/collection/store/file.rs", named).is_empty());
}

#[test]
fn each_exception_is_needed() {
    for (start, words) in &ELSEWHERE[..ELSEWHERE.len() - 1] {
        let text = std::fs::read_to_string(start).unwrap();
        for word in *words {
            assert!(text.contains(word), "{start} has no {word} any more");
        }
    }
}
