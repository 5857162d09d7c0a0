//! The links of a page, each with the place of its target in the source.

pub use crate::extract::html::Link;

use crate::contained::contained;
use crate::extract::{Syntax, html, markdown};
use crate::format::Format;

/// Returns whether links are found in files of a format.
#[must_use]
pub fn has_links(format: Format) -> bool {
    use Format::{Html, Markdown, Mdx, Xhtml};
    matches!(format, Markdown | Mdx | Html | Xhtml)
}

/// Returns the links of a page to other pages of its site, in their order. Links to other sites and within the page are
/// left out. The page is as its file has it.
#[must_use]
pub fn links(source: &str, format: Format) -> Vec<Link> {
    let found = contained(|| match format {
        Format::Markdown | Format::Mdx => markdown::links(source),
        Format::Html => html::links(source, Syntax::Html),
        Format::Xhtml => html::links(source, Syntax::Xml),
        _ => Vec::new(),
    });
    let mut found = found.unwrap_or_default();
    found.retain(|link| is_of_site(&link.target));
    found.sort_by_key(|link| link.at.start);
    found.dedup_by_key(|link| link.at.start);
    found
}

/// Returns whether a target is another page of the same site: it has no scheme and no host.
fn is_of_site(target: &str) -> bool {
    let first = target.find([':', '/', '?', '#']).unwrap_or(target.len());
    let has_scheme = target[first..].starts_with(':');
    !has_scheme && !target.starts_with("//") && !target.is_empty() && !target.starts_with('#')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The links of a page, as they are written, and their targets.
    fn of(source: &str, format: Format) -> Vec<(&str, String)> {
        let found = links(source, format).into_iter();
        found.map(|link| (&source[link.at], link.target)).collect()
    }

    #[test]
    fn links_of_markdown() {
        for (source, expected) in [
            ("See [the guide](b.md).", "b.md"),
            ("[a](  <b c.md> 'title' )", "b c.md"),
            ("[a](b\\(1\\).md \"t (x)\")", "b\\(1\\).md"),
            ("[a](b(1).md)", "b(1).md"),
            ("[a](b.md?x=1&amp;y=2#z)", "b.md?x=1&amp;y=2#z"),
            ("[![logo](l.png)](/b/)", "/b/"),
            ("[*a* `]( x` b](../b#c)", "../b#c"),
            ("[](b.md)", "b.md"),
            ("[a][r] and [r]\n\n[r]: <b.md> 'x'\n", "b.md"),
            ("[a]\n\n[a]:\n  /b/\n", "/b/"),
            ("> * [a](b.md)\n", "b.md"),
            ("| a |\n|---|\n| [a](b.md) |\n", "b.md"),
            ("<p class=x>\n<a\n  href='b.html#c'>b</a></p>\n", "b.html#c"),
            ("text <a href=\"b.md\">b</a> text", "b.md"),
            ("---\ntitle: '[x](y.md)'\n---\n[a](茶.md)", "茶.md"),
        ] {
            for source in [source.to_owned(), source.replace('\n', "\r\n")] {
                let found = of(&source, Format::Markdown);
                let written: Vec<&str> = found.iter().map(|(written, _)| *written).collect();
                assert_eq!(written, [expected], "{source}");
            }
        }
        let target = |source| of(source, Format::Markdown)[0].1.clone();
        assert_eq!(target("[a](b\\(1\\).md)"), "b(1).md");
        assert_eq!(target("[a](b.md?x&amp;y)"), "b.md?x&y");
        for source in [
            "`[a](b.md)`",
            "```\n[a](b.md)\n```",
            "![a](b.png)",
            "[a](https://example.org/b.md) [b](#c) [c](mailto:x@y) [d](//h/b.md) <https://b.md> [e]()",
            "<!-- [a](b.md) -->",
            "<link href=b.css>",
        ] {
            assert_eq!(of(source, Format::Markdown), [], "{source}");
        }
    }

    #[test]
    fn links_of_web_pages() {
        let page = "<!doctype html><link rel=x href=c.css><base href=/x/><p><a class=a href = \"b.html?a&amp;b\">x</a>\
                    <A HREF=c/>y</A><a href='d e.html' name=href>z</a><!-- <a href=n.html> --><script>'<a href=n>'</script>";
        assert_eq!(
            of(page, Format::Html),
            [
                ("b.html?a&amp;b", "b.html?a&b".to_owned()),
                ("c/", "c/".to_owned()),
                ("d e.html", "d e.html".to_owned()),
            ]
        );
    }

    proptest! {
        #[test]
        fn any_source_has_links_or_none(
            parts in prop::collection::vec("(\\[|\\]|\\(|\\)|<|>|<a href=|\"|'|&amp;|\\\\|b.md|: |\n|\r\n|茶| |`|!|\\PC)", 0..40),
        ) {
            let source = parts.concat();
            for format in [Format::Markdown, Format::Html, Format::Xhtml] {
                for link in links(&source, format) {
                    prop_assert!(source.get(link.at).is_some());
                }
            }
        }
    }
}
