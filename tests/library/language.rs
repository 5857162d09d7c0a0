//! Every text that people read has its Chinese one, and no pair is left of a text that is gone.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::house::{all_sources, sources_of, without_tests};

/// The file of English and Chinese texts.
const CHINESE: &str = "crates/report/src/language/zh.txt";

/// The line of the file before which the texts of pages are.
const END_OF_PAGES: &str = "# Tables and messages";

/// The code before a text that is English in every language.
const ENGLISH: [&str; 6] = ["!(", "context(", "error(", "failed(", "warning(", "advice("];

/// The strings of Rust code, each with the code before it.
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

/// The numbers of the values that a text shows.
fn values(text: &str) -> BTreeSet<usize> {
    let holes = text.split('{').skip(1);
    let holes = holes.filter_map(|part| Some(part.split_once('}')?.0.to_owned()));
    let places = holes.enumerate();
    let places = places.map(|(at, hole)| hole.parse().unwrap_or(at));
    places.collect()
}

/// The pairs of English and Chinese texts, as code has them.
fn pairs(file: &str) -> Vec<(String, String)> {
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    let text = lines.collect::<Vec<_>>().join("\n").replace("\\s", " ");
    let blocks = text.split("\n\n").map(|block| block.trim_matches('\n'));
    let pairs = blocks.filter(|block| !block.is_empty()).map(|block| {
        let (english, chinese) = block.split_once('\n').unwrap_or((block, ""));
        assert!(
            !chinese.is_empty() && !chinese.contains('\n'),
            "no pair of lines: {block}"
        );
        (english.replace('"', "\\\""), chinese.to_owned())
    });
    pairs.collect()
}

/// All pairs.
fn table() -> Vec<(String, String)> {
    let table = pairs(&fs::read_to_string(CHINESE).unwrap());
    assert!(table.len() > 300, "{}", table.len());
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
    for (file, code) in all_sources() {
        for (before, text) in strings(without_tests(&code)) {
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
    for (file, program) in sources_of("crates/report/src/formats/html/app", "js") {
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
    for (file, page) in sources_of("crates/report/src", "html") {
        let places = page.split("{{say ").skip(1);
        let places = places.map(|rest| rest.split("}}").next().unwrap().to_owned());
        texts.extend(places.map(|text| (text, file.clone())));
    }
    assert!(texts.len() > 300, "{}", texts.len());
    texts
}

#[test]
fn every_text_has_a_translation() {
    let file = fs::read_to_string(CHINESE).unwrap();
    let (of_pages, _) = file.split_once(END_OF_PAGES).unwrap();
    let names = |pairs: Vec<(String, String)>| -> BTreeSet<String> {
        pairs.into_iter().map(|(text, _)| text).collect()
    };
    let (all, of_pages) = (names(table()), names(pairs(of_pages)));
    let is_missing = |(text, file): &(String, String)| match file.ends_with(".js") {
        true => !of_pages.contains(text),
        false => !all.contains(text),
    };
    let missing: Vec<_> = looked_up().into_iter().filter(is_missing).collect();
    assert!(
        missing.is_empty(),
        "{CHINESE} lacks {missing:#?}; those of a program are above '{END_OF_PAGES}'"
    );
}

#[test]
fn what_a_command_did_is_in_both_languages() {
    let mut english = Vec::new();
    for (file, code) in sources_of("src", "rs") {
        for (before, text) in strings(without_tests(&code)) {
            let before = before.trim_end();
            let before = before.strip_suffix("&format!(").unwrap_or(before);
            if before.trim_end().ends_with("note(") && text != "dupfind: {}" {
                english.push(format!("{file}: {text}"));
            }
        }
    }
    assert!(english.is_empty(), "without say! or phrase: {english:#?}");
}

#[test]
fn no_translation_is_left_over() {
    let mut known: BTreeSet<String> = looked_up().into_keys().collect();
    for (_, code) in all_sources() {
        let texts = strings(without_tests(&code)).into_iter();
        let texts = texts.filter(|(before, _)| {
            let before = before.trim_end();
            before.ends_with("say!(") || !ENGLISH.iter().any(|start| before.ends_with(start))
        });
        known.extend(texts.map(|(_, text)| text));
    }
    let mut gone = Vec::new();
    let mut seen = BTreeSet::new();
    for (text, _) in table() {
        let is_noun = text
            .strip_prefix("{} ")
            .is_some_and(|noun| known.contains(noun));
        if !known.contains(&text) && !is_noun {
            gone.push(text.clone());
        }
        assert!(seen.insert(text.clone()), "{text} is there twice");
    }
    assert!(
        gone.is_empty(),
        "{CHINESE} has what nothing uses: {gone:#?}"
    );
}

#[test]
fn translations_have_the_values_of_the_text() {
    for (text, chinese) in table() {
        assert_eq!(values(&chinese), values(&text), "{text}: {chinese}");
        let is_chinese = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c);
        let words = text.split(|c: char| !c.is_ascii_alphabetic());
        // Parts that are the same in both languages: a name, an option, punctuation.
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

/// The terms of the Chinese glossary, each with its English one in lower case.
fn glossary() -> Vec<(String, String)> {
    let page = fs::read_to_string("docs/zh/README.md").unwrap();
    let (_, glossary) = page.split_once("## 术语").unwrap();
    let mut terms = Vec::new();
    for row in glossary.lines().filter(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let (chinese, english) = (cells[1].split('、'), cells[2].split(['、', ',']));
        let pairs = chinese.zip(english.map(|term| term.trim().to_lowercase()));
        // The heading and the line below it have no English word.
        let pairs = pairs.filter(|(_, term)| term.starts_with(|c: char| c.is_ascii_lowercase()));
        terms.extend(pairs.map(|(chinese, term)| (chinese.to_owned(), term)));
    }
    assert!(terms.len() > 30, "{terms:?}");
    terms
}

/// Whether a text has a term as words, in the singular or the plural.
fn has_term(text: &str, term: &str) -> bool {
    let singular = |words: String| words.replace("ies", "y").trim_end_matches('s').to_owned();
    let text = text.to_lowercase();
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '-');
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let mut parts = words.windows(term.split(' ').count());
    parts.any(|part| singular(part.join(" ")) == singular(term.to_owned()))
}

#[test]
fn the_glossary_has_the_words_of_the_texts() {
    let table = table();
    for (chinese, term) in glossary() {
        let texts = table.iter().filter(|(text, _)| has_term(text, &term));
        let (with, without): (Vec<_>, Vec<_>) =
            texts.partition(|(_, text)| text.contains(&chinese));
        // A word can have another meaning, such as that of the verb.
        assert!(
            with.len() >= without.len(),
            "the glossary of docs/zh/README.md has {chinese} for {term}, and {CHINESE} has {without:#?}"
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
    assert_eq!(
        pairs("# c\n\na\\s\n一\n\nb\n二\n")[0],
        ("a ".into(), "一".into())
    );
}
