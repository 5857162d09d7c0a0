//! The blocks of the formats.

use crate::extract::{WebPart, extract};
use crate::format::Format;
use dupfind_engine::text::blocks::blocks;

/// Checks the blocks of a source: `kind first-last: text` for each, with one space between words.
#[track_caller]
fn check(format: Format, source: &str, expected: &[&str]) {
    let extracted = extract(source, format, WebPart::Main);
    let told: Vec<String> = blocks(&extracted.text, &extracted.layout)
        .iter()
        .map(|block| {
            let words: Vec<&str> = block.text.split_whitespace().collect();
            let (kind, words) = (block.kind.as_str(), words.join(" "));
            format!("{kind} {}-{}: {words}", block.start_line, block.end_line)
        })
        .collect();
    assert_eq!(told, expected);
}

#[test]
fn blocks_of_markdown() {
    let source = "---\ntitle: x\n---\n# One\n\ntwo\nthree\n\n- four\n- five\n  six\n  - seven\n\n  eight\n\n\
        > nine\n\n> [!NOTE]\n> ten\n\n:::tip Title\neleven\n:::\n\n| a | b |\n|---|---|\n| c | d |\n\n\
        ```sh\ncode\n\nmore\n```\n<table>\n<tr><td>e</td>\n<td><p>f</p></td></tr>\n<tr><td>g</td></tr>\n</table>\n\n\
        !!! note\n    twelve\n\nthirteen";
    check(
        Format::Markdown,
        source,
        &[
            "heading 4-4: One",
            "paragraph 6-7: two three",
            "list item 9-9: four",
            "list item 10-11: five six",
            "list item 12-12: seven",
            "list item 14-14: eight",
            "quotation 16-16: nine",
            "quotation 19-19: ten",
            "paragraph 21-22: Title eleven",
            "table row 25-25: a b",
            "table row 27-27: c d",
            "code 30-32: code more",
            "table row 35-36: e f",
            "table row 37-37: g",
            "paragraph 41-41: twelve",
            "paragraph 43-43: thirteen",
        ],
    );
}

#[test]
fn blocks_of_web_pages() {
    let source = "<title>T</title><body><h2>One</h2>\n<p>two\n<b>three</b></p><ul><li>four<ul><li>five</li></ul>six</li></ul>\n\
        <div class='note big'>\n<p>seven</p></div><blockquote><p>eight</p></blockquote><table><caption>nine</caption>\
        <tr><th>a</th><td><p>b</p><p>c</p></td></tr></table>\n<pre>x\ny</pre>ten<br>eleven<div>twelve</div>\
        <table><tr><td><h2>thirteen</h2><p>fourteen</p><p>fifteen</p></td></tr></table>";
    check(
        Format::Html,
        source,
        &[
            "heading 1-1: T",
            "heading 1-1: One",
            "paragraph 2-3: two three",
            "list item 3-3: four",
            "list item 3-3: five",
            "list item 3-3: six",
            "paragraph 5-5: seven",
            "quotation 5-5: eight",
            "caption 5-5: nine",
            "table row 5-5: a b c",
            "code 6-7: x y",
            "paragraph 7-7: ten eleven",
            "paragraph 7-7: twelve",
            "heading 7-7: thirteen",
            "paragraph 7-7: fourteen",
            "paragraph 7-7: fifteen",
        ],
    );
}

#[test]
fn blocks_of_restructuredtext_and_asciidoc() {
    let source = "One\n===\n\ntwo\nthree\n\n* four\n* five\n  six\n\n.. note::\n   seven\n   eight\n\n   nine\n\n\
        ten::\n\n   code\n\n   more\n\n+---+---+\n| a | b |\n+---+---+\n\neleven\n";
    check(
        Format::Rst,
        source,
        &[
            "heading 1-1: One",
            "paragraph 4-5: two three",
            "list item 7-7: four",
            "list item 8-9: five six",
            "paragraph 12-13: seven eight",
            "paragraph 15-15: nine",
            "paragraph 17-17: ten",
            "code 19-21: code more",
            "table row 24-24: a b",
            "paragraph 27-27: eleven",
        ],
    );
    let source = "= One\n\n== Two\n\nthree\nfour\n\n* five\n. six\n\nNOTE: seven\n\n.eight\n|===\n|a |b\n|c |d\n|===\n\n\
        ----\ncode\n----\n\nnine\n";
    check(
        Format::Asciidoc,
        source,
        &[
            "heading 1-1: One",
            "heading 3-3: Two",
            "paragraph 5-6: three four",
            "list item 8-8: five",
            "list item 9-9: six",
            "paragraph 11-11: seven",
            "caption 13-13: eight",
            "table row 15-15: a b",
            "table row 16-16: c d",
            "code 20-20: code",
            "paragraph 23-23: nine",
        ],
    );
}
