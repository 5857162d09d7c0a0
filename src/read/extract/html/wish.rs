//! The wish of a page not to be compared: `<meta name="dupfind" content="ignore - the same everywhere">`.

use crate::read::extract::front_matter::{KEY, Wish, said};
use crate::read::extract::head;
use crate::read::extract::html::tokens::{Sink, Syntax, Tag, Text, tokens};

/// How much of a page may say so, in bytes: its head.
const MOST: usize = 64 << 10;

/// Takes the source of a page and how it is written; returns what it says to this program, if anything.
pub(crate) fn wish(source: &str, syntax: Syntax) -> Option<Wish> {
    let head = head(source, MOST);
    let is_named = |word: &[u8]| word.eq_ignore_ascii_case(KEY.as_bytes());
    if !head.as_bytes().windows(KEY.len()).any(is_named) {
        return None;
    }
    let mut metas = Metas { wish: None };
    tokens(head, syntax, &mut metas);
    metas.wish
}

/// Looks for the first element that says something.
struct Metas {
    wish: Option<Wish>,
}

impl Sink for Metas {
    fn start(&mut self, tag: &Tag, _end: usize) {
        let is_ours = || {
            let name = tag.get("name").map(<[u8]>::trim_ascii);
            name.is_some_and(|name| name.eq_ignore_ascii_case(KEY.as_bytes()))
        };
        if self.wish.is_none() && tag.name == b"meta" && is_ours() {
            let content = String::from_utf8_lossy(tag.get("content").unwrap_or_default());
            self.wish = Some(match said(content.trim()) {
                Wish::Unclear(said) => Wish::Unclear(format!("meta element: {said}")),
                ignore @ Wish::Ignore(_) => ignore,
            });
        }
    }

    fn end(&mut self, _name: &[u8]) {}

    fn text(&mut self, _text: &Text<'_>) {}

    fn is_foreign(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_page_says_in_its_head() {
        for (source, reason) in [
            ("<meta name=dupfind content=ignore>", Some("")),
            (
                "<!doctype html><title>x</title><META content='ignore - 法律文本' NAME='DupFind'/>",
                Some("法律文本"),
            ),
            (
                "<meta name=\"dupfind\" content=\"ignore: a &amp; b\">",
                Some("a & b"),
            ),
            ("<!-- <meta name=dupfind content=ignore> -->", None),
            (
                "<script>'<meta name=dupfind content=ignore>'</script>",
                None,
            ),
            ("<meta name=description content='dupfind: ignore'>", None),
            ("<p>dupfind</p>", None),
            ("", None),
        ] {
            let wish = wish(source, Syntax::Html);
            assert_eq!(wish, reason.map(|r| Wish::Ignore(r.into())), "{source}");
        }
        for source in [
            "<meta name=dupfind content=skip>",
            "<meta name=dupfind>",
            "<meta name=dupfind content=ignore-case>",
        ] {
            let wish = wish(source, Syntax::Html);
            assert!(matches!(wish, Some(Wish::Unclear(_))), "{source}");
        }
        let page = "<title/><meta name='dupfind' content='ignore'/>";
        assert_eq!(wish(page, Syntax::Html), None);
        assert!(wish(page, Syntax::Xml).is_some());
    }

    #[test]
    fn what_stands_far_below_says_nothing() {
        let far = format!("{}<meta name=dupfind content=ignore>", "空".repeat(MOST));
        assert_eq!(wish(&far, Syntax::Html), None);
    }
}
