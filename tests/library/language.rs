//! Texts for people have their Chinese ones, and no pair is left of a text that is gone.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The file of English and Chinese texts.
const CHINESE: &str = "crates/report/src/language/zh.txt";

/// Calls the function with every file of source below a folder.
fn each_source(folder: &Path, take: &mut dyn FnMut(String)) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            each_source(&path, take);
        } else if path
            .extension()
            .is_some_and(|end| end == "rs" || end == "js" || end == "html")
        {
            take(fs::read_to_string(&path).unwrap());
        }
    }
}

/// Returns the source of the program and of the libraries, with strings that go on in the next line made one.
fn source() -> String {
    let mut all = String::new();
    for folder in ["src", "crates"] {
        each_source(Path::new(folder), &mut |text| all.push_str(&text));
    }
    let mut parts = all.split("\\\n");
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |all, part| all + part.trim_start())
}

/// Returns the pairs of English and Chinese texts.
fn pairs() -> Vec<(String, String)> {
    let file = fs::read_to_string(CHINESE).unwrap().replace("\\s", " ");
    let mut lines = file.lines().filter(|line| !line.starts_with('#'));
    let mut pairs = Vec::new();
    while let Some(english) = lines.find(|line| !line.is_empty()) {
        let chinese = lines.next().unwrap();
        assert!(!chinese.is_empty(), "{english} has no Chinese text");
        pairs.push((english.to_owned(), chinese.to_owned()));
    }
    assert!(pairs.len() > 300, "{}", pairs.len());
    pairs
}

/// Returns the string at the start of code.
fn string(code: &str) -> Option<String> {
    let text = code.trim_start().strip_prefix('"')?;
    let is_end = |at: usize| text[..at].chars().rev().take_while(|&c| c == '\\').count() % 2 == 0;
    let (end, _) = text.match_indices('"').find(|&(at, _)| is_end(at))?;
    Some(text[..end].replace("\\\"", "\""))
}

#[test]
fn every_text_has_a_translation() {
    let known: BTreeSet<String> = pairs().into_iter().map(|(english, _)| english).collect();
    let source = source();
    // The own tests of these say texts that nobody reads.
    let in_test = ["{} of {}"];
    let mut count = 0;
    for call in ["say!(", "phrase("] {
        for (at, _) in source.match_indices(call) {
            let Some(text) = string(&source[at + call.len()..]) else {
                continue;
            };
            count += 1;
            let is_known = known.contains(&text) || in_test.contains(&&*text);
            assert!(is_known, "{CHINESE} lacks: {text}");
        }
    }
    assert!(count > 200, "{count}");
}

#[test]
fn no_translation_is_left_over() {
    let source = source();
    let strings: BTreeSet<&str> = source.split('"').collect();
    for (english, _) in pairs() {
        // A page has values in the place of the holes, and a noun is without its number.
        let quoted = english.replace('"', "\\\"");
        let mut parts = quoted.split("{}").map(str::trim);
        let is_string = strings.contains(&*english) || source.contains(&quoted);
        let is_there = is_string || parts.all(|part| source.contains(part));
        assert!(is_there, "nothing uses: {english}");
    }
}

#[test]
fn translations_have_the_values_of_the_text() {
    let values = |text: &str| -> BTreeSet<usize> {
        let holes = text.split('{').skip(1).enumerate();
        let place =
            |(at, hole): (usize, &str)| hole.split('}').next().unwrap().parse().unwrap_or(at);
        holes.map(place).collect()
    };
    for (english, chinese) in pairs() {
        assert_eq!(values(&chinese), values(&english), "{english}: {chinese}");
    }
}
