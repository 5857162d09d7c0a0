//! Every text that people read is in the table of every language, and no table has a text that is gone.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::house::{sources_of, without_tests};

/// The folder of the Chinese table.
const CHINESE: &str = "src/language/zh";

/// Rooms of the command line whose messages are English: help, examples and what machines read.
const ENGLISH: [&str; 8] = [
    "/args.rs",
    "/args/",
    "command_line.rs",
    "config/dump.rs",
    "generate/",
    "serve/",
    "scan/help.rs",
    "terminal/stats.rs",
];

/// What begins a message, before its text.
const MESSAGES: [&str; 12] = [
    "bail!(",
    "anyhow!(",
    "messages::error(",
    "messages::error(&format!(",
    "messages::failed(",
    "messages::failed(&format!(",
    "messages::note(",
    "messages::note(&format!(",
    "messages::warning(",
    "messages::warning(&format!(",
    "context(",
    "context(|| format!(",
];

/// The strings of Rust code, each with what stands before it.
fn strings(code: &str) -> Vec<(&str, String)> {
    let mut strings = Vec::new();
    let mut at = 0;
    while let Some(found) = code[at..].find('"') {
        let start = at + found;
        let line = code[..start].rfind('\n').map_or(0, |end| end + 1);
        // A quotation mark as a character, or in a comment.
        if code[..start].ends_with('\'') || code[line..start].contains("//") {
            at = start + 1;
            continue;
        }
        if code[..start].trim_end_matches('#').ends_with(" r") {
            // A raw string is never a text for people.
            let marks = code[..start].len() - code[..start].trim_end_matches('#').len();
            let close = format!("\"{}", "#".repeat(marks));
            let behind = code[start + 1..].find(&close).unwrap();
            at = start + 1 + behind + close.len();
            continue;
        }
        let mut text = String::new();
        let mut chars = code[start + 1..].char_indices();
        let mut end = code.len();
        while let Some((place, c)) = chars.next() {
            match c {
                '"' => {
                    end = start + 1 + place;
                    break;
                }
                '\\' => match chars.next() {
                    // The next line goes on behind its white space.
                    Some((place, '\n')) => {
                        let rest = &code[start + 2 + place..];
                        let blank = rest.len() - rest.trim_start().len();
                        (0..blank).for_each(|_| {
                            chars.next();
                        });
                    }
                    Some((_, c)) => text.extend(['\\', c]),
                    None => {}
                },
                c => text.push(c),
            }
        }
        strings.push((&code[..start], text));
        at = (end + 1).min(code.len());
    }
    strings
}

/// A text with its holes alike: `{name}`, `{1}` and `{:.4}` are `{}`.
fn with_plain_holes(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('{') {
        plain.push_str(before);
        match behind.split_once('}') {
            Some((hole, behind)) if !hole.contains('{') => {
                plain.push_str("{}");
                rest = behind;
            }
            _ => {
                plain.push('{');
                rest = behind;
            }
        }
    }
    plain + rest
}

/// The numbers of the values that a text shows.
fn values(text: &str) -> BTreeSet<usize> {
    let holes = text.split('{').skip(1);
    let holes = holes.filter_map(|part| Some(part.split_once('}')?.0.to_owned()));
    let places = holes.enumerate();
    let places = places.map(|(at, hole)| hole.parse().unwrap_or(at));
    places.collect()
}

/// The English texts of a table, each with the Chinese one and the file.
fn table() -> Vec<(String, String, String)> {
    let mut table = Vec::new();
    for (file, code) in sources_of(CHINESE, "rs") {
        if file == "mod.rs" {
            continue;
        }
        let texts: Vec<String> = strings(&code).into_iter().map(|(_, text)| text).collect();
        assert_eq!(texts.len() % 2, 0, "{file}");
        for pair in texts.chunks(2) {
            table.push((pair[0].clone(), pair[1].clone(), file.clone()));
        }
    }
    assert!(table.len() > 500, "{}", table.len());
    table
}

/// Whether a character belongs to a name of JavaScript.
fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// The texts t`...` of a program, with `{}` for each value.
fn tagged(program: &str) -> Vec<String> {
    let mut texts = Vec::new();
    for (at, tag) in program.match_indices("t`") {
        if program[..at].ends_with(is_of_name) {
            continue;
        }
        texts.push(template(&program[at + tag.len()..]).0);
    }
    texts
}

/// The text of a template behind its first mark, and how long it is.
fn template(program: &str) -> (String, usize) {
    let mut text = String::new();
    let mut at = 0;
    while let Some(c) = program[at..].chars().next() {
        if c == '`' {
            break;
        }
        if !program[at..].starts_with("${") {
            text.push(c);
            at += c.len_utf8();
            continue;
        }
        text.push_str("{}");
        let mut depth = 0;
        while let Some(c) = program[at..].chars().next() {
            at += c.len_utf8();
            match c {
                '{' => depth += 1,
                '}' if depth == 1 => break,
                '}' => depth -= 1,
                '`' => at += template(&program[at..]).1 + 1,
                _ => {}
            }
        }
    }
    (text, at)
}

/// The texts that are looked up, each with its file.
fn looked_up() -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    for (file, code) in sources_of("src", "rs") {
        if file.starts_with("language/zh") {
            continue;
        }
        let code = without_tests(&code);
        for (before, text) in strings(code) {
            let before = before.trim_end();
            let is_said = before.ends_with("say!(") || before.ends_with(" phrase(");
            if is_said || before.ends_with("(phrase(") || before.ends_with("!phrase(") {
                texts.insert(text, file.clone());
            } else if let Some(call) = before.strip_suffix(',')
                && let Some((_, value)) = call.rsplit_once("amount(")
                && !value.contains([';', '{', '}'])
                && value.matches('(').count() == value.matches(')').count()
            {
                texts.insert(format!("{{}} {text}"), file.clone());
            }
        }
    }
    for (file, program) in sources_of("src/report/html/app", "js") {
        texts.extend(
            tagged(&program)
                .into_iter()
                .map(|text| (text, file.clone())),
        );
        for (at, call) in program.match_indices("counted(") {
            let arguments = &program[at + call.len()..];
            if let Some((_, noun)) = arguments.split_once(", '") {
                let noun = noun.split('\'').next().unwrap();
                texts.insert(format!("{{}} {noun}"), file.clone());
            }
        }
    }
    for (file, page) in sources_of("src/report", "html") {
        let places = page.split("{{say ").skip(1);
        let places = places.map(|rest| rest.split("}}").next().unwrap().to_owned());
        texts.extend(places.map(|text| (text, file.clone())));
    }
    assert!(texts.len() > 400, "{}", texts.len());
    texts
}

#[test]
fn every_text_has_a_translation() {
    let table: BTreeSet<String> = table().into_iter().map(|(text, _, _)| text).collect();
    let missing: Vec<(String, String)> = looked_up()
        .into_iter()
        .filter(|(text, _)| !table.contains(text))
        .collect();
    assert!(missing.is_empty(), "{CHINESE} lacks {missing:#?}");
}

#[test]
fn every_message_has_a_translation() {
    let table: BTreeSet<String> = table()
        .into_iter()
        .map(|(text, _, _)| with_plain_holes(&text))
        .collect();
    let mut missing = Vec::new();
    let errors = [(
        "error.rs".to_owned(),
        fs::read_to_string("src/error.rs").unwrap(),
    )];
    let of_cli = sources_of("src/cli", "rs");
    for (file, code) in of_cli.into_iter().chain(errors) {
        if ENGLISH.iter().any(|part| format!("/{file}").contains(part)) {
            continue;
        }
        for (before, text) in strings(without_tests(&code)) {
            let before = before.trim_end();
            let is_message = MESSAGES.iter().any(|start| before.ends_with(start))
                || before.ends_with("#[error(");
            let text = with_plain_holes(&text);
            // Places and names alone, or the name of an option.
            let has_words = text
                .replace("{}", "")
                .trim_matches([':', '-', ' '])
                .contains(' ');
            if is_message && has_words && !table.contains(&text) {
                missing.push(format!("{file}: {text}"));
            }
        }
    }
    assert!(missing.is_empty(), "{CHINESE} lacks {missing:#?}");
}

#[test]
fn no_translation_is_left_over() {
    let mut known: BTreeSet<String> = looked_up().into_keys().collect();
    for (file, code) in sources_of("src", "rs") {
        if !file.starts_with("language/zh") {
            let texts = strings(without_tests(&code)).into_iter();
            known.extend(texts.map(|(_, text)| with_plain_holes(&text)));
        }
    }
    let mut gone = Vec::new();
    let mut seen = BTreeSet::new();
    for (text, _, file) in table() {
        let plain = with_plain_holes(&text);
        let noun = text.strip_prefix("{} ").unwrap_or(&text);
        let is_noun = file == "nouns.rs" && known.contains(noun);
        if !known.contains(&plain) && !known.contains(&text) && !is_noun {
            gone.push(text.clone());
        }
        assert!(seen.insert(text.clone()), "{text} stands there twice");
    }
    assert!(gone.is_empty(), "{CHINESE} has what nobody says: {gone:#?}");
}

#[test]
fn translations_have_the_values_of_the_text() {
    for (text, chinese, file) in table() {
        let (has, shows) = (values(&text), values(&chinese));
        assert!(shows.is_subset(&has), "{text}: {chinese}");
        // Of a sentence from elsewhere the end of a plural is a value too.
        let may_lack = ["messages.rs", "commands.rs", "cleaning.rs"].contains(&file.as_str())
            || text.contains("{1}");
        assert!(may_lack || shows == has, "{text}: {chinese}");
        let is_chinese = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c);
        let words = text.split(|c: char| !c.is_ascii_alphabetic());
        // What is the same in both languages: a name, an option, punctuation.
        let is_name = words
            .filter(|word| word.len() > 2)
            .all(|word| chinese.contains(word));
        let says_nothing = chinese == "{}";
        assert!(
            chinese.contains(is_chinese) || is_name || says_nothing,
            "{text}: {chinese}"
        );
    }
}

#[test]
fn texts_are_found_in_code() {
    let code = "say!(\n  \"a {} b\", x) + phrase(\"c\\\n   d\") // \"no\"\n amount(f(x), \"page\")";
    let texts: Vec<String> = strings(code).into_iter().map(|(_, text)| text).collect();
    assert_eq!(texts, ["a {} b", "cd", "page"]);
    assert_eq!(
        tagged("el(t`a ${count(x, `y`)} of ${{}}`, at`no`, t`b`)"),
        ["a {} of {}", "b"]
    );
    assert_eq!(with_plain_holes("{a}: {1} {:.4}"), "{}: {} {}");
}
