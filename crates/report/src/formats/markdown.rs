//! Markdown for a comment on a pull request, or for the summary of a job.
//!
//! The first line is an HTML comment, by which a bot finds the comment it wrote before. Rows that do not fit are left
//! out and counted.

use std::io::{self, Write};

use crate::formats::findings::words::counts_in_words;
use crate::formats::findings::{Finding, Findings};
use crate::formats::{Format, Writer};
use crate::language::english;
use crate::model::ToolRecord;
use crate::style::counted;
use crate::style::escape::{Lines, shortened, visible};
use dupfind_decide::{LeftOut, Tripped};
use dupfind_read::source::data::MARKDOWN_REPORT;

pub(crate) static MARKDOWN: Format = Format {
    name: "markdown",
    endings: &["md", "markdown"],
    help: "A comment on a pull request",
    writer: Writer::Findings(|findings, out| write_markdown(findings, COMMENT_LIMIT, out)),
};

/// The longest comment that GitHub accepts, in characters. A report has no more bytes, and so no more characters
/// either.
const COMMENT_LIMIT: usize = 65_536;

const TABLE_HEAD: &str = "| document | is | other document | how much |\n|---|---|---|---|\n";

/// Bytes that are kept free for the line that counts the documents left out.
const FOR_COUNT: usize = 200;

/// The most characters of an option that left out pairs.
const OPTION: usize = 200;

/// Writes a verdict and a table of the findings, in at most `limit` bytes.
pub fn write_markdown(
    findings: &Findings<'_>,
    limit: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let foot = foot(findings);
    let mut page = LimitedText {
        text: head(findings),
        limit: limit.saturating_sub(foot.len() + FOR_COUNT),
    };
    if !findings.list.is_empty() {
        page.text.push_str(TABLE_HEAD);
        let shown = page.take(findings.list.iter().map(|finding| row(findings, finding)));
        page.text.push('\n');
        page.count_rest(findings.list.len() - shown, "more document");
        page.text
            .push_str("`dupfind compare A B` shows what two documents share.\n");
    }
    let mut lines = Lines::new(out);
    lines.write_all(page.text.as_bytes())?;
    lines.write_all(foot.as_bytes())?;
    lines.finish()
}

/// A text that grows up to a limit.
struct LimitedText {
    text: String,
    limit: usize,
}

impl LimitedText {
    /// Adds pieces as long as they fit and returns how many did.
    fn take(&mut self, pieces: impl Iterator<Item = String>) -> usize {
        let mut taken = 0;
        for piece in pieces {
            if self.text.len() + piece.len() > self.limit {
                break;
            }
            self.text.push_str(&piece);
            taken += 1;
        }
        taken
    }

    /// Adds how many pieces did not fit.
    fn count_rest(&mut self, count: usize, noun: &str) {
        if count > 0 {
            let more = counted(count, noun);
            self.text
                .push_str(&format!("… and {more} that did not fit here.\n\n"));
        }
    }
}

/// Returns the marker, the verdict and why the check fails, if it does.
fn head(findings: &Findings<'_>) -> String {
    let count = findings.list.len() as u64;
    let new = if findings.report.gate.baseline.is_some() {
        "new "
    } else {
        ""
    };
    let verdict = match findings.listing.tripped {
        Some(Tripped::Empty) => "nothing was compared".into(),
        _ if count == 0 => format!("no {new}duplicates"),
        _ => counts_in_words(findings.counts()),
    };
    let why = match findings.listing.tripped {
        None => String::new(),
        Some(Tripped::Empty) => {
            "No document was found, or none to compare with, which usually means a wrong path. **The check fails.**\n\n"
                .into()
        }
        Some(Tripped::Pairs {
            counts,
            allowed,
            only_new,
        }) => {
            let pairs = match (only_new, counts.total()) {
                (true, count) => counted(count, "new pair"),
                (false, count) => counted(count, "pair"),
            };
            let allowed = match allowed {
                0 => "none".into(),
                allowed => allowed.to_string(),
            };
            format!("**The check fails**: {pairs}, {allowed} allowed.\n\n")
        }
    };
    format!("{MARKDOWN_REPORT}\n### dupfind: {verdict}\n\n{why}")
}

/// Returns a line on the program and the documents that it compared.
fn foot(findings: &Findings<'_>) -> String {
    let summary = findings.report.summary();
    let ToolRecord { name, version } = ToolRecord::THIS;
    let documents = counted(summary.documents, "document");
    let skipped = match summary.skipped {
        0 => String::new(),
        skipped => format!(", {skipped} skipped"),
    };
    let relations: Vec<&str> = findings
        .listing
        .watched
        .iter()
        .map(|r| r.as_str())
        .collect();
    let pairs = counted(findings.pairs.total(), "pair");
    let relations = relations.join(", ");
    let mut foot = format!(
        "\n<sub>{name} {version}: {documents} compared{skipped}; {pairs} to look at ({relations}).</sub>\n"
    );
    for LeftOut { rule, count } in summary.left_out {
        let pairs = counted(count, "pair");
        let rule: String = rule.chars().take(OPTION).collect();
        foot.push_str(&format!("\n{pairs} left out by {}\n", code(&rule)));
    }
    foot
}

fn row(findings: &Findings<'_>, finding: &Finding) -> String {
    let name = |id| code(&findings.document(id).name);
    let other = name(finding.other(finding.best()));
    let more = findings.see_also(english, finding, name);
    format!(
        "| {} | {} | {other}{more} | {} |\n",
        name(finding.subject),
        findings.verdict(finding),
        escaped(&findings.measures(english, finding)),
    )
}

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
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Options, Parser, Tag};

    use super::*;
    use crate::style::TableStyle;
    use crate::tests::{canned, copies, empty, listed, written, written_with};
    use dupfind_engine::{Counts, Relation};

    #[test]
    fn a_report_has_all_its_parts() {
        let text = written(&canned(), &MARKDOWN);
        let expected = "<!-- dupfind -->
### dupfind: 1 copy, 1 near-duplicate

| document | is | other document | how much |
|---|---|---|---|
| `docs/a.md` | copy of | `docs/城市公园.md` | the same text but for case, width and white space |
| <code>docs&#47;evil&#92;n&#92;u&#123;1b&#125;&#91;31m.md</code> | near-duplicate of | `docs/a.md` | 50 % of it is there, 50 % of that page is here |

`dupfind compare A B` shows what two documents share.

<sub>dupfind VERSION: 4 documents compared, 2 skipped; 2 pairs to look at (exact, near, contains).</sub>
";
        assert_eq!(text, expected.replace("VERSION", env!("CARGO_PKG_VERSION")));
    }

    #[test]
    fn the_verdict_comes_first() {
        let mut counts = Counts::default();
        counts.add(Relation::Exact, 3);
        let pairs = |allowed| Tripped::Pairs {
            counts,
            allowed,
            only_new: false,
        };
        for (tripped, expected) in [
            (None, "### dupfind: no duplicates\n"),
            (Some(Tripped::Empty), "### dupfind: nothing was compared\n"),
            (
                Some(pairs(0)),
                "**The check fails**: 3 pairs, none allowed.",
            ),
            (Some(pairs(2)), "**The check fails**: 3 pairs, 2 allowed."),
        ] {
            let text = written_with(&empty(), &MARKDOWN, TableStyle::default(), tripped);
            assert!(text.starts_with(MARKDOWN_REPORT), "{text}");
            assert!(text.contains(expected), "{text}");
        }
    }

    #[test]
    fn rows_that_do_not_fit_are_left_out_and_counted() {
        let canned = copies(3_000);
        for limit in [2_000, 10_000, COMMENT_LIMIT, 1 << 20] {
            let text = listed(&canned, None, |findings, out| {
                write_markdown(findings, limit, out)
            });
            assert!(text.len() <= limit, "{} {limit}", text.len());
            assert!(
                text.len() > limit.min(400_000) * 3 / 4,
                "{} {limit}",
                text.len()
            );
            let rows = text.matches("| copy of |").count();
            let rest = format!("… and {} more documents", 2_999 - rows);
            assert_eq!(text.contains(&rest), rows < 2_999);
            assert!(text.ends_with(".</sub>\n"));
        }
    }

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

    #[test]
    fn mentions_and_addresses_are_no_links() {
        assert_eq!(code("@user"), "`@user`");
        assert_eq!(code("`a@b"), "<code>&#96;a&#64;<!-- -->b</code>");
        assert_eq!(code("`www.a"), "<code>&#96;www&#46;a</code>");
    }

    #[test]
    fn figures_stay_readable() {
        let figures = "94 % of it is there, 90 % of that page is here; lines 3-80";
        assert_eq!(escaped(figures), figures);
    }

    proptest! {
        #[test]
        fn every_name_is_text(name in "[a`|\\\\<>&;#!\\[\\]()@*_~ .\n-]{0,12}|\\PC{0,20}") {
            let shown = shortened(&visible(&name), WIDEST);
            let table = format!("|x|y|\n|---|---|\n| {} | z |\n", code(&name));
            prop_assert_eq!(read_back(&table), format!("xy{shown}z"), "{}", table);
            prop_assert_eq!(read_back(&format!("- {}\n", code(&name))), shown);
        }
    }
}
