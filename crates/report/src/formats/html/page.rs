//! The page itself: its program, and the data beside it.

use std::io::{self, Write};
use std::ops::Range;

use serde::Serialize;

use crate::formats::html::data::Data;
use crate::formats::html::details::Details;
use crate::formats::html::write_json;
use crate::language;
use crate::language::phrase;
use dupfind_decide::gate::baseline::update::Lines;

const PAGE: &str = include_str!("page.html");

const STYLE: &str = concat!(
    include_str!("style/base.css"),
    include_str!("style/list.css"),
    include_str!("style/work.css"),
    include_str!("style/pair.css"),
);

/// The program: one scope of several files, each of which uses those before it.
const SCRIPT: &str = concat!(
    "'use strict';\n(() => {\n",
    include_str!("app/data.js"),
    include_str!("app/dom.js"),
    include_str!("app/theme.js"),
    include_str!("app/terms.js"),
    include_str!("app/decisions.js"),
    include_str!("app/filter.js"),
    include_str!("app/summary.js"),
    include_str!("app/map.js"),
    include_str!("app/worklist.js"),
    include_str!("app/documents.js"),
    include_str!("app/list.js"),
    include_str!("app/lines.js"),
    include_str!("app/pair.js"),
    include_str!("app/main.js"),
    "})();\n",
);

/// The hash of the only script that the policy of the page allows (CSP, `script-src`). A test fails when it must
/// be renewed.
const SCRIPT_HASH: &str = "sha256-AQkISv0FsSwS4qQAAz+MwJJabPHthAoqTtIhZia6Bm0=";

/// The same for the style.
const STYLE_HASH: &str = "sha256-aBMN5rmobJbqc6DQt8GWGPT0XGahQwiemDdep7DAMZw=";

/// How many pairs have their rows in one script element. An element for all pairs would take long to parse when a
/// pair is opened; an element for each pair would slow the page down as it opens.
const ROWS_TOGETHER: usize = 32;

/// A page, ready to be written.
pub(super) struct ReportPage<'p> {
    data: &'p Data,
    details: &'p Details,
    lines: Option<&'p Lines>,
}

impl<'p> ReportPage<'p> {
    pub(super) fn new(data: &'p Data, details: &'p Details, lines: Option<&'p Lines>) -> Self {
        Self {
            data,
            details,
            lines,
        }
    }

    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut rest = PAGE;
        while let Some((before, behind)) = rest.split_once("{{") {
            let (place, behind) = behind.split_once("}}").expect("the template is ours");
            out.write_all(before.as_bytes())?;
            match place.strip_prefix("say ") {
                Some(text) => out.write_all(phrase(text).as_bytes())?,
                None => self.fill(place, out)?,
            }
            rest = behind;
        }
        out.write_all(rest.as_bytes())
    }

    /// Writes the content of a place of the page.
    fn fill(&self, place: &str, out: &mut dyn Write) -> io::Result<()> {
        let text = match place {
            "script-hash" => SCRIPT_HASH,
            "style-hash" => STYLE_HASH,
            "style" => STYLE,
            "script" => SCRIPT,
            "lang" => language::current().tag(),
            "version" => env!("CARGO_PKG_VERSION"),
            "details" => return self.details(out),
            "data" => {
                element("data", &self.data.json, out)?;
                let words = language::of_page();
                return match words.is_empty() {
                    true => Ok(()),
                    false => element("words", &words, out),
                };
            }
            _ => unreachable!("the page has no {place}"),
        };
        out.write_all(text.as_bytes())
    }

    /// The texts, each in an element of its own, the rows, and the lines of a baseline.
    fn details(&self, out: &mut dyn Write) -> io::Result<()> {
        for text in &self.details.texts {
            if let Some(number) = self.data.number(text.id) {
                element(&format!("t{number}"), text.text.as_str(), out)?;
            }
        }
        for (number, rows) in self.details.rows.chunks(ROWS_TOGETHER).enumerate() {
            open(&format!("r{number}"), out)?;
            let mut separator = "[";
            for (_, rows) in rows {
                write!(out, "{separator}{rows}")?;
                separator = ",\n";
            }
            out.write_all(b"]")?;
            close(out)?;
        }
        if let Some(lines) = self.lines.filter(|lines| !lines.pairs.is_empty()) {
            element("lines", &(&lines.header, &lines.pairs), out)?;
        }
        Ok(())
    }
}

fn element<T: Serialize + ?Sized>(id: &str, value: &T, out: &mut dyn Write) -> io::Result<()> {
    open(id, out)?;
    write_json(value, out)?;
    close(out)
}

fn open(id: &str, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "<script type=\"application/json\" id=\"{id}\">")
}

fn close(out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"</script>\n")
}

/// Returns text for HTML, between tags or in a quoted attribute.
pub fn html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(c),
        }
    }
    out
}

/// Returns a text for HTML in which some parts are marked. `marks` are these parts, in order, in bytes, each with its
/// opening tag; a part that overlaps the one before it is not marked. `shown` makes HTML of a piece of the text.
pub(crate) fn marked(
    text: &str,
    marks: impl Iterator<Item = (Range<usize>, &'static str)>,
    shown: impl Fn(&str) -> String,
) -> String {
    let (mut out, mut at) = (String::new(), 0);
    for (place, tag) in marks.filter(|(place, _)| !place.is_empty()) {
        if place.start < at {
            continue;
        }
        out.push_str(&shown(&text[at..place.start]));
        out.push_str(tag);
        out.push_str(&shown(&text[place.clone()]));
        out.push_str("</mark>");
        at = place.end;
    }
    out.push_str(&shown(&text[at..]));
    out
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use proptest::prelude::*;
    use sha2::{Digest, Sha256};

    use super::*;
    use crate::formats::html::is_special;

    /// The hash of the content of an element, as a browser makes it, however the sources were checked out.
    fn hash(content: &str) -> String {
        let content = content.replace("\r\n", "\n");
        format!("sha256-{}", STANDARD.encode(Sha256::digest(content)))
    }

    #[test]
    fn the_policy_allows_the_content_of_the_page() {
        assert_eq!(SCRIPT_HASH, hash(SCRIPT), "renew SCRIPT_HASH");
        assert_eq!(STYLE_HASH, hash(STYLE), "renew STYLE_HASH");
    }

    #[test]
    fn nothing_of_ours_ends_its_element() {
        for end in ["</script", "<!--", "{{"] {
            assert!(!SCRIPT.contains(end), "{end}");
        }
        assert!(!STYLE.contains("</"));
        // Names of sinks that would take text for HTML.
        for sink in "innerHTML outerHTML insertAdjacentHTML document.write eval(".split(' ') {
            assert!(!SCRIPT.contains(sink), "{sink}");
        }
    }

    fn json(text: &str) -> String {
        let mut out = Vec::new();
        write_json(text, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn nothing_ends_the_element() {
        let expected = r#""\u003c/script\u003e\u003c!--\u0026\u2028\u202e\"\\\n""#;
        assert_eq!(json("</script><!--&\u{2028}\u{202e}\"\\\n"), expected);
        let expected = "&lt;b title=&#39;&quot;&#39;&gt;&amp;&lt;/b&gt;";
        assert_eq!(html("<b title='\"'>&</b>"), expected);
    }

    proptest! {
        #[test]
        fn any_text_comes_back(text in "[<>&\"'\\\\!/a\u{2028}\u{2029}\u{0}\r\n]{0,20}|\\PC*") {
            let json = json(&text);
            prop_assert!(!json.contains(is_special), "{json}");
            prop_assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
        }
    }
}
