//! The mark that opts a page out: `<meta name="dupfind" content="ignore - the same everywhere">`.

use crate::extract::front_matter::{KEY, reason};
use crate::extract::head;
use crate::extract::html::tokens::{Syntax, Tag, tokens};

/// How many bytes of a page are searched for it: its head.
const MOST: usize = 64 << 10;

/// Returns why a page is not to be compared, by the first such element, if there is one.
pub(crate) fn opt_out(source: &str, syntax: Syntax) -> Option<String> {
    let head = head(source, MOST);
    let is_key = |word: &[u8]| word.eq_ignore_ascii_case(KEY.as_bytes());
    if !head.as_bytes().windows(KEY.len()).any(is_key) {
        return None;
    }
    let mut opt_out = None;
    tokens(head, syntax, &mut |tag: &Tag| {
        let is_ours = tag.name == b"meta"
            && tag
                .get("name")
                .is_some_and(|name| is_key(name.trim_ascii()));
        if opt_out.is_none() && is_ours {
            let content = String::from_utf8_lossy(tag.get("content").unwrap_or_default());
            opt_out = Some(reason(content.trim()));
        }
    });
    opt_out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_opt_out_in_their_head() {
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
            ("<meta name=dupfind content=skip>", Some("skip")),
            ("<meta name=dupfind>", Some("")),
            ("<!-- <meta name=dupfind content=ignore> -->", None),
            (
                "<script>'<meta name=dupfind content=ignore>'</script>",
                None,
            ),
            ("<meta name=description content='dupfind: ignore'>", None),
            ("<p>dupfind</p>", None),
            ("", None),
        ] {
            let opt_out = opt_out(source, Syntax::Html);
            assert_eq!(opt_out.as_deref(), reason, "{source}");
        }
        let page = "<title/><meta name='dupfind' content='ignore'/>";
        assert_eq!(opt_out(page, Syntax::Html), None);
        assert!(opt_out(page, Syntax::Xml).is_some());
    }

    #[test]
    fn elements_far_below_do_not_count() {
        let far = format!("{}<meta name=dupfind content=ignore>", "空".repeat(MOST));
        assert_eq!(opt_out(&far, Syntax::Html), None);
    }
}
