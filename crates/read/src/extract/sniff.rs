//! The format of a text whose name does not tell it.

use crate::extract::head;
use crate::format::Format;

/// How many bytes may be before the first tag of a page: a declaration, comments, white space.
const MOST: usize = 4 << 10;

/// Returns the format of a document, by its decoded content and the format of its name. A text that begins as a web
/// page is one: crawlers save pages under the names that servers gave them (`.aspx`, `.php`, none), and under `.txt`.
/// A text about pages begins with words.
#[must_use]
pub fn sniff(content: &str, format: Format) -> Format {
    match format {
        Format::Text | Format::Xml if is_page(content) => Format::Html,
        format => format,
    }
}

/// Returns whether a text begins with a document type or an element `html`. They may follow anything that the standard
/// allows before them.
fn is_page(content: &str) -> bool {
    let mut rest = head(content, MOST).trim_start_matches('\u{feff}');
    loop {
        rest = rest.trim_start();
        // Most texts are no pages and end here.
        let Some(behind) = rest.strip_prefix('<') else {
            return false;
        };
        let (end, skipped) = if behind.starts_with("!--") {
            ("-->", 3)
        } else if behind.starts_with("?xml") {
            ("?>", 4)
        } else {
            return begins_with_word(behind, "html") || is_document_type(behind);
        };
        let Some((_, after)) = behind[skipped..].split_once(end) else {
            return false;
        };
        rest = after;
    }
}

fn is_document_type(text: &str) -> bool {
    let Some(start) = text.get(.."!doctype".len()) else {
        return false;
    };
    start.eq_ignore_ascii_case("!doctype")
        && begins_with_word(text[start.len()..].trim_start(), "html")
}

/// Returns whether a text begins with a word, in any case, that ends there.
fn begins_with_word(text: &str, word: &str) -> bool {
    let start = text.get(..word.len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(word))
        && !text[word.len()..].starts_with(|c: char| c.is_alphanumeric() || "-_.:".contains(c))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn pages_are_recognised_by_their_beginning() {
        for page in [
            "<!DOCTYPE html>",
            "<html>",
            "<HTML lang=en>\n<p>x",
            "\u{feff}\r\n <!doctype  HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\">",
            "<?xml version=\"1.0\"?>\n<!-- saved from (0022)http://x -->\n<!DOCTYPE html>",
            "<!-- a --><!-- b --><html\n>",
        ] {
            assert_eq!(sniff(page, Format::Text), Format::Html, "{page}");
        }
        for text in [
            "",
            "<",
            "<p>",
            "<htmlx>",
            "<html-page>",
            "<!doctype svg>",
            "<!doctype htm",
            "<!DOCTYPE 网页>",
            "<?xml version=\"1.0\"?><feed>",
            "<!-- <html> -->",
            "<!-- <html>",
            "A page begins with <html>.",
            &format!("<!--{}--><html>", "x".repeat(MOST)),
        ] {
            assert_eq!(sniff(text, Format::Text), Format::Text, "{text}");
        }
    }

    #[test]
    fn a_known_name_outweighs_the_content() {
        assert_eq!(sniff("<!doctype html>", Format::Markdown), Format::Markdown);
    }

    proptest! {
        #[test]
        fn any_text_is_something(text in "\\PC{0,12}(<!--|-->|<\\?xml|\\?>|<html|<!doctype| |é){0,6}\\PC{0,8}") {
            let _ = sniff(&text, Format::Text);
        }
    }
}
