//! Laws for every page, however broken or hostile.

use std::thread;

use proptest::prelude::*;

use super::*;

/// As much stack as an eighth of a worker's.
const SMALL: usize = 256 << 10;

/// The ways to read a page.
const READINGS: [fn(&str) -> String; 3] = [
    |source| article(source, Syntax::Html).text,
    |source| all(source, Syntax::Html).text,
    |source| all(source, Syntax::Xml).text,
];

/// The texts of a page, made with little stack, where a recursion that follows the page does not get far.
fn texts(source: String) -> [String; 3] {
    let small = thread::Builder::new().stack_size(SMALL);
    let made = small.spawn(move || READINGS.map(|read| read(&source)));
    made.unwrap().join().unwrap()
}

/// An article long enough for someone to look for it.
fn paragraphs() -> String {
    "<p>A paragraph, with commas, of an article that is long enough to be one, if there is one.</p>\n"
        .repeat(8)
}

#[test]
fn pages_that_nest_without_end() {
    // A call for each would overflow the stack: it takes more than 210 bytes.
    let many = SMALL / 210;
    for (open, close) in [
        ("<div>", "</div>"),
        ("<div>", ""),
        ("<b>", ""),
        ("<table><tr><td>", ""),
        ("<ul><li>", "</ul>"),
        ("<a href=x>", "</a>"),
        ("<svg>", ""),
        ("<article><p>", ""),
        ("<x-y>", "</x-z>"),
        ("<blockquote>", "</blockquote></b>"),
    ] {
        let source = format!(
            "{}word {}{}",
            open.repeat(many),
            paragraphs(),
            close.repeat(many)
        );
        let [main, all, _] = texts(source);
        // A paragraph ends any picture.
        assert_eq!(all.contains("word"), !open.contains("svg"), "{open}");
        assert!(main.contains("A paragraph"), "{open}");
    }
}

#[test]
fn formatting_that_is_never_closed_does_not_multiply() {
    let formats = (0..2_000).map(|i| format!("<p><font size={i}><b class=c{i}>x"));
    let formats: String = formats.collect();
    let [main, ..] = texts(format!("{formats}{}", paragraphs().repeat(20)));
    assert!(main.contains("A paragraph"));
}

#[test]
fn every_attribute_is_read_however_many_there_are() {
    for quote in ["", "'", "\""] {
        for count in 0..100 {
            let others = format!(" a={quote}1{quote}").repeat(count);
            for (attribute, is_seen) in [(" hidden", false), (" title='hidden'", true)] {
                let [main, all, xml] = texts(format!("<p{others}{attribute}{others}>word</p>"));
                for text in [main, all, xml] {
                    assert_eq!(text.contains("word"), is_seen, "{count} {quote}{attribute}");
                }
            }
        }
        let source = format!(
            "<p {}>word</p>",
            format!("a={quote}1{quote} ").repeat(5_000)
        );
        assert!(
            texts(source).iter().all(|text| text.contains("word")),
            "{quote}"
        );
    }
}

#[test]
fn many_attributes_and_long_ones() {
    let attributes: String = (0..20_000).map(|i| format!(" a{i}=x class=y")).collect();
    let long = "z".repeat(1 << 20);
    let source = format!("<div{attributes} id={long} style='{long}'>word<img alt={long}>");
    let [main, all, _] = texts(source);
    assert!(main.contains("word") && all.len() < 10_000);
}

/// Tags and texts that matter to a reader of pages.
fn parts() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        "</?(p|div|b|a|table|tr|td|li|ul|h1|nav|main|pre|svg|ruby|rt|title|script|br|select|option)( (class|id|hidden|alt|href|style)(=['\"]?[a-z >\n]{0,9}['\"]?)?)?/?>?",
        "[a-z]{1,6}[ \n]",
        "[\u{4e00}-\u{4e20}]{1,6}[\n]?",
        "&(amp|lt|#10|#x4e2d|eacute|x)?;?",
        "<!(--|doctype|\\[CDATA\\[)?|-->|\\]\\]>|<\\?|\r\n?|\0|\u{feff}|[\u{f0000}-\u{f0010}]",
        "\\PC{0,4}",
    ];
    prop::collection::vec(part, 0..60).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn no_page_and_no_source_of_one_is_too_broken(
        page in parts(), tags in prop::collection::vec("\\{[{%#<]?|[}%#>]?\\}|(end)?comment|.|\n", 0..40),
    ) {
        let template = format!("---\nlayout: x\n---\n{page}{}\n{page}", tags.concat());
        for source in [page, template] {
            for read in READINGS {
                let text = read(&source);
                prop_assert_eq!(text.matches('\n').count(), source.matches('\n').count());
            }
        }
    }

    #[test]
    fn no_long_page_is_too_broken(source in parts(), seed in 0..8usize) {
        // Long enough for someone to look for an article in it.
        let source = format!("{}{source}{}", paragraphs().repeat(seed), paragraphs().repeat(8 - seed));
        let text = article(&source, Syntax::Html).text;
        prop_assert_eq!(text.matches('\n').count(), source.matches('\n').count());
    }

    #[test]
    fn words_are_on_their_lines(lines in prop::collection::vec(
        prop::collection::vec(("[a-z]{1,5}|[\u{4e00}-\u{4e20}]{1,3}", 0..8usize), 0..5), 0..12)) {
        // Each word in an element of its own, some of which go on over the end of the line.
        let mut source = String::new();
        for line in &lines {
            for (word, how) in line {
                let (before, after) = [
                    ("<p>", "</p>"), ("<b>", "</b> "), ("", " "), ("<li class='a > b'>", " "),
                    ("<!-- x --> ", " &amp; "), ("<td\n>", "</td>"), ("<pre>", "</pre>"), ("<div>", " "),
                ][*how];
                source.push_str(&format!("{before}{word}{after}"));
            }
            source.push('\n');
        }
        let text = all(&source, Syntax::Html).text;
        let (out, lines) = (text.split('\n'), source.split('\n'));
        prop_assert_eq!(out.clone().count(), lines.clone().count());
        let is_of_word = |c: &char| c.is_ascii_lowercase() || *c >= '\u{4e00}';
        for (out, line) in out.zip(lines) {
            for word in out.split(|c| !is_of_word(&c)).filter(|word| !word.is_empty()) {
                prop_assert!(line.contains(word), "{word} is not in {line}");
            }
        }
    }

    #[test]
    fn a_text_without_markup_is_itself(words in prop::collection::vec("[a-z\u{4e00}-\u{4e20}.,]{1,9}", 1..30)) {
        let source = words.join(" ");
        prop_assert_eq!(fragment(&source).text, source);
    }
}
