//! The title that a document has beside its text, or that its markup marks.
//!
//! | document | its title |
//! |---|---|
//! | front matter | the key `title` |
//! | web page | its only `<h1>` or the one that `<title>` begins with, or else `<title>` |
//! | Markdown | the first heading, if no other one is of level 1; as the first line it is left to the engine |
//! | lines `key: value` on top, without `---` or below one that nothing closes | `title`, `name` or `module` |
//! | RFC, Internet-Draft | the first line in the middle of the page, below the block on top |
//! | man page | name and section of `.TH` or `.Dt` |
//!
//! A document without any of these has its first line as its title, if that can be one: the engine decides that.

use std::borrow::Cow;

use crate::extract::front_matter::FrontMatter;
use crate::extract::{WebPart, head, text_of};
use crate::format::Format;

/// How many bytes of a document are its head, and how many lines.
const HEAD: (usize, usize) = (8 << 10, 60);

/// How many spaces are before a line in the middle of a page.
const MIDDLE: usize = 6;

/// Returns the title of a document, by its content, its format, its front matter, and the title that its markup marks.
pub(crate) fn title(
    content: &str,
    format: Format,
    front: &FrontMatter<'_>,
    marked: Option<String>,
) -> Option<String> {
    let of_text = || (!front.is_there()).then(|| of_head(content)).flatten();
    let written = || {
        let found = front.value("title").or_else(of_text)?;
        Some(plain(&found, format).into_owned())
    };
    match format {
        Format::Markdown | Format::Mdx => written().or(marked),
        _ if front.is_there() => written().or(marked),
        _ => marked.or_else(written),
    }
}

/// Returns the title in the first lines of a document without front matter.
fn of_head(content: &str) -> Option<String> {
    let content = content.strip_prefix('\u{feff}').unwrap_or(content);
    let head = head(content, HEAD.0);
    let lines = || head.lines().take(HEAD.1);
    of_keys(lines()).or_else(|| of_man_page(lines()).or_else(|| of_draft(lines())))
}

/// Returns the title in lines `key: value`: up to the first blank line, or below `---` up to the first line of text.
fn of_keys<'c>(lines: impl Iterator<Item = &'c str>) -> Option<String> {
    let mut lines = lines.peekable();
    let is_fenced = lines.next_if(|line| line.trim_end() == "---").is_some();
    let mut found: Option<(usize, &str)> = None;
    for line in lines {
        if line.trim().is_empty() && !is_fenced {
            break;
        }
        if line.trim().is_empty() || line.starts_with([' ', '\t', '#']) {
            continue;
        }
        let Some((key, value)) = key_and_value(line) else {
            // A list of YAML goes on. Other lines without a key are text, and the first line is one of it.
            if is_fenced && line.starts_with("- ") {
                continue;
            }
            return found.filter(|_| is_fenced).map(|(_, value)| value.into());
        };
        let keys = ["title", "name", "module"];
        let rank = keys
            .iter()
            .position(|known| key.eq_ignore_ascii_case(known));
        let value = value.trim().trim_matches(['"', '\'']);
        if let Some(rank) = rank.filter(|_| !value.is_empty())
            && found.is_none_or(|(best, _)| rank < best)
        {
            found = Some((rank, value));
        }
    }
    found.map(|(_, value)| value.into())
}

/// Returns the key and the value of a line that has a key of one word.
fn key_and_value(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let is_word = |c: char| c.is_alphanumeric() || ['-', '_'].contains(&c);
    let is_key = !key.is_empty() && key.chars().all(is_word);
    (is_key && (value.is_empty() || value.starts_with([' ', '\t']))).then_some((key, value))
}

/// Returns the name and the section of a man page: `.TH LS 1` is `LS(1)`.
fn of_man_page<'c>(mut lines: impl Iterator<Item = &'c str>) -> Option<String> {
    let line = lines.find(|line| !line.trim().is_empty() && !is_comment_of_roff(line))?;
    let rest = line
        .strip_prefix(".TH ")
        .or_else(|| line.strip_prefix(".Dd "))?;
    let rest = match line.strip_prefix(".Dd ") {
        Some(_) => lines.find_map(|line| line.strip_prefix(".Dt "))?,
        None => rest,
    };
    let mut words = rest.split_whitespace().map(|word| word.trim_matches('"'));
    let (name, section) = (words.next()?, words.next()?);
    Some(format!("{}({section})", name.replace("\\-", "-")))
}

/// Returns whether a line of roff is a comment, or names the programs that are to read the page.
fn is_comment_of_roff(line: &str) -> bool {
    [".\\\"", "'\\\"", "'''", "\\\""]
        .iter()
        .any(|begin| line.starts_with(begin))
        || [".if", ".ie", ".el", ".de", "..", ".nr", ".ds"]
            .iter()
            .any(|begin| line.starts_with(begin))
}

/// Returns the title of an RFC or an Internet-Draft: the lines in the middle of the page, below the block of its head.
fn of_draft<'c>(lines: impl Iterator<Item = &'c str>) -> Option<String> {
    let mut lines = lines.skip_while(|line| line.trim().is_empty()).peekable();
    let mut is_draft = false;
    while let Some(line) = lines.next_if(|line| !line.trim().is_empty()) {
        let line = line.trim_start();
        is_draft |= [
            "Request for Comments:",
            "Internet-Draft",
            "Internet Draft",
            "INTERNET-DRAFT",
            "RFC:",
        ]
        .iter()
        .any(|begin| line.starts_with(begin));
    }
    if !is_draft {
        return None;
    }
    let mut title = String::new();
    for line in lines.skip_while(|line| line.trim().is_empty()) {
        let text = line.trim();
        if text.is_empty() || line.len() - line.trim_start().len() < MIDDLE {
            break;
        }
        if !title.is_empty() {
            title.push(' ');
        }
        title.push_str(text);
    }
    (!title.is_empty()).then_some(title)
}

/// Returns a title without the markup of its format, and with what its entities stand for.
fn plain(title: &str, format: Format) -> Cow<'_, str> {
    if !title.contains(['&', '<', '*', '_', '`', '[', '{', '#']) {
        return title.into();
    }
    // The mark of a heading, so that the title is not read as an item of a list or the like.
    let mark = match format {
        Format::Markdown | Format::Mdx => "# ",
        Format::Asciidoc => "= ",
        Format::Html | Format::Xhtml => "",
        _ => return title.into(),
    };
    let written = format!("{mark}{title}");
    let text = text_of(&written, format, WebPart::All).text;
    let text = text.trim();
    if text.is_empty() {
        title.into()
    } else {
        text.to_owned().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::table;

    fn of(content: &str, format: Format) -> Option<String> {
        let marked = text_of(content, format, WebPart::Main).title;
        title(content, format, &FrontMatter::of(content), marked)
    }

    #[test]
    fn titles_are_found_in_the_head_of_many_kinds_of_documents() {
        for [content, expected] in table(
            r#"---\ntitle: A & B\n---\n# C\n                                | A & B
               ---\ntitle: >-\n  A\n  B\n---\nC\n                           | A B
               ---\n"title":\n  "A"\n---\nC\n                              | A
               ---\nTitle: A\n---\n# NAME\n                                 | A
               Title: This week\nDate: today\n\nThe text.\n                  | This week
               PEP: 8\nTitle: Style\n  of code\nAuthor: x\n\nThe text.\n     | Style
               name: copy\ndescription: It copies.\n                        | copy
               ---\nmodule: copy\nauthors:\n- x\n\nshort: y\n\n# text\n      | copy
               ---\ntitle: QUIC\nauthor:\n -\n  name: x\n\n--- abstract\n\nThe text.\n | QUIC
               name: x\ntitle: "y"\n                                        | y
               Title: This week\nis a line of a text.\n                     |
               Title:\nNote: x\n                                            |
               A key of words: value\nTitle: x\n                            |
               The text.\n\nTitle: x\n                                      |
               https://a.b\nTitle: x\n                                      |
               .\" A comment\n.TH "LS" 1 "today"\n.SH NAME\n                | LS(1)
               '\" t\n.TH apt\-get 8\n                                     | apt-get(8)
               .Dd today\n.Dt LS 1\n.Os\n                                   | LS(1)
               A text\n.TH LS 1\n                                           |
               \n\nNetwork Working Group      J. Doe\nRequest for Comments: 7     May 1990\n\n\n         THE FERRY\n          PROTOCOL\n\nStatus\n | THE FERRY PROTOCOL
               QUIC\nInternet-Draft    J. Doe\n\n           QUIC\n   draft-x-00\n | QUIC
               A text\n\n           in the middle\n                         |
                                                                            |"#,
        ) {
            let expected = (!expected.is_empty()).then_some(expected);
            assert_eq!(of(content, Format::Text).as_deref(), expected, "{content}");
        }
    }

    #[test]
    fn a_page_of_markdown_has_a_title_below_pictures_tables_and_notes() {
        let far = format!("{}\n\n# A", "A long text. ".repeat(700));
        for (content, expected) in [
            ("|key|x|\n|-|-|\n\n# A **b** `c`\n\n## D\n", Some("A b c")),
            ("![logo](x)\n\n[a note](y)\n\nA\n===\n\ntext\n", Some("A")),
            ("> A note\n\n# A\n\n# B\n", None),
            ("A note\n\n## B\n\n# A\n", None),
            ("A note\n\n## A\n", None),
            ("# A\n\ntext\n", None),
            (&*far, None),
            ("---\ntitle: Front\n---\nA note\n\n# A\n", Some("Front")),
            ("A note\n\n# A\n", Some("A")),
            ("name: x\n\n# A\n", Some("x")),
        ] {
            let found = of(content, Format::Markdown);
            assert_eq!(found.as_deref(), expected, "{content}");
        }
    }

    #[test]
    fn titles_are_plain_text() {
        for (title, format, expected) in [
            ("A &amp; B", Format::Markdown, "A & B"),
            (
                "The `scan` *command* {#scan}",
                Format::Markdown,
                "The scan command",
            ),
            ("1. The &lt;b&gt; tag", Format::Markdown, "1. The <b> tag"),
            ("A_b_c and [x](y)", Format::Markdown, "A_b_c and x"),
            ("The [.small]#ferry#", Format::Asciidoc, "The ferry"),
            ("A &amp; <b>B</b>", Format::Html, "A & B"),
            ("A &amp; B", Format::Text, "A &amp; B"),
            ("#", Format::Markdown, "#"),
        ] {
            assert_eq!(plain(title, format), expected, "{title}");
        }
    }

    #[test]
    fn a_page_has_the_title_that_its_reader_sees() {
        let body = "<p>The ferry leaves at seven.</p>";
        for [page, expected] in table(
            r"<title>Ferries - Town</title><h1>Ferries &amp; <a href=x>times</a></h1> | Ferries & times
             <title>Ferries - Town</title>                                | Ferries - Town
             <title>Ferries - Town</title><h1>Town</h1><h1>Ferries</h1>   | Ferries
             <title>Ferries - Town</title><h1>One</h1><h1>Two</h1>        | Ferries - Town
             <title>Ferries - Town</title><h1><img></h1>                  | Ferries - Town
             <header><h1>Town</h1></header><title>Ferries - Town</title>  | Ferries - Town
             <h1>One</h1><h1>Two</h1>                                     | One
             ---\ntitle: Front\n---\n<h1>One</h1>                         | Front
             ---\nlayout: x\n---\n<h1>One</h1>                            | One",
        ) {
            let page = format!("{page}{body}");
            assert_eq!(of(&page, Format::Html).as_deref(), Some(expected), "{page}");
        }
        assert_eq!(of(body, Format::Html), None);
    }
}
