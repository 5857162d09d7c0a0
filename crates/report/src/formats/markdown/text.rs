//! Makes text mean nothing in Markdown but itself: no markup, HTML, link, mention or image.

use crate::style::escape::{shortened, visible};

/// The most columns of a name. Longer ones are cut in the middle.
const WIDEST: usize = 160;

/// Returns a name as code, in which neither Markdown nor GitHub sees markup, mentions or links. It is a code
/// span, or an element with every sign escaped if a code span cannot hold it: because of a backtick, or of
/// something that a table reads first.
pub(crate) fn code(name: &str) -> String {
    let name = shortened(&visible(name), WIDEST);
    let is_trimmed = name.trim() == name && !name.is_empty();
    if is_trimmed && !name.contains(['`', '|', '\\']) {
        return format!("`{name}`");
    }
    format!("<code>{}</code>", escaped(&name))
}

/// Returns text of one line with every sign that Markdown might act on as a character reference. An empty
/// comment splits mail addresses, which would be found all the same.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '@' => out.push_str("&#64;<!-- -->"),
            // Signs of figures and of the words around them.
            '%' | ';' | ',' | '-' | '(' | ')' => out.push(c),
            '.' if !text.contains("www") => out.push(c),
            _ if c.is_ascii_punctuation() => out.push_str(&format!("&#{};", u32::from(c))),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Options, Parser, Tag};

    /// The text of a table cell or an item that has a name in it. Fails if there is anything else.
    fn read_back(markdown: &str) -> String {
        let mut text = String::new();
        for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
            match event {
                Event::Text(part) | Event::Code(part) => text.push_str(&part),
                Event::InlineHtml(html) => {
                    assert!(
                        ["<code>", "</code>", "<!-- -->"].contains(&&*html),
                        "{html}"
                    );
                }
                Event::Start(
                    Tag::Table(_)
                    | Tag::TableHead
                    | Tag::TableRow
                    | Tag::TableCell
                    | Tag::List(None)
                    | Tag::Item,
                )
                | Event::End(_) => {}
                other => panic!("{other:?} in {markdown}"),
            }
        }
        text
    }

    #[track_caller]
    fn assert_is_text(name: &str) {
        let shown = shortened(&visible(name), WIDEST);
        let table = format!("|x|y|\n|---|---|\n| {} | z |\n", code(name));
        assert_eq!(read_back(&table), format!("xy{shown}z"), "{table}");
        assert_eq!(read_back(&format!("- {}\n", code(name))), shown);
    }

    #[test]
    fn hostile_names_are_text() {
        for name in [
            "docs/a.md",
            "城市 公园.md",
            "a|b`c`|.md",
            "``|``",
            "<script>alert(1)</script>.md",
            "[x](https://example.com).md",
            "![x](y).md",
            "@user.md",
            "`@user",
            "`www.example.com",
            "`a@b.example",
            "a\\|b.md",
            "\\",
            "`\\|<!-- -->",
            "&lt;b&gt;`",
            " spaces ",
            "new\nline\n# heading",
            "*_~#1!`",
            "",
        ] {
            assert_is_text(name);
        }
        // A mention is one wherever it is not code.
        assert_eq!(code("@user"), "`@user`");
        assert_eq!(code("`a@b"), "<code>&#96;a&#64;<!-- -->b</code>");
        assert_eq!(code("`www.a"), "<code>&#96;www&#46;a</code>");
    }

    #[test]
    fn figures_stay_readable() {
        let figures = "94 % of it is there, 90 % the other way; lines 3-80";
        assert_eq!(escaped(figures), figures);
    }

    proptest! {
        #[test]
        fn every_name_is_text(name in "[a`|\\\\<>&;#!\\[\\]()@*_~ .\n-]{0,12}|\\PC{0,20}") {
            assert_is_text(&name);
        }
    }
}
