//! The page for people: one file, with a map of the clusters, a list of the pairs, and each pair's documents
//! side by side.
//!
//! The page is a program with its data beside it. The data are JSON in script elements of a type that no
//! browser runs, escaped so that nothing in them can end the element; the program puts them into the page
//! as text only. A policy in the page forbids every script and style but its own, and all of the network.
//!
//! The data that are needed at once (measures, names, clusters) come first, then the program, then the texts, which are
//! parsed when a pair is opened.
//!
//! ```text
//! pairs ─> which have room ─> texts ─> sides ─> passages ─> rows ─┐
//! pairs, clusters, skipped ───────────────────────────────> data ─┴─> page
//! ```

mod data;
mod details;
pub(crate) mod page;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::io::{self, Write};

use dupfind_decide::compare::side::Side;
use dupfind_decide::gate::baseline::update::Lines;
use dupfind_decide::{Gate, find_passages};
use dupfind_engine::text::han::{fold, is_hangul};
use dupfind_engine::text::script::{Class, class};
use dupfind_engine::{Error, Options, Pair, Relation, Relations};
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

use crate::formats::html::data::Data;
use crate::formats::html::details::Details;
use crate::formats::html::page::{ReportPage, html as html_text, marked};
use crate::formats::{Format, Writer};
use crate::layout::Layout;
use crate::model::Report;
use crate::worklist::Worklist;

/// A page for a browser.
pub static HTML: Format = Format {
    name: "html",
    endings: &["html", "htm"],
    help: "A page to look at: the pairs, the clusters, and the documents side by side",
    writer: Writer::Whole {
        most_pairs: MAX_PAIRS,
        write: |report, _, out| {
            let listed = listed(report.pairs.unwrap_or_default(), report.gate);
            let report = Report {
                pairs: report.pairs.map(|_| &*listed),
                ..*report
            };
            let mut list = Worklist::new(&report);
            list.read((usize::MAX, usize::MAX))?;
            let details = Details::read(report.outcome, &listed, &opened(&listed, &list))?;
            write_html(&report, &details, &list, out).map_err(Error::Sink)
        },
    },
};

/// The most pairs that are listed. Nobody works through a longer list, and a browser would become slow.
const MAX_PAIRS: usize = 30_000;

/// How many pairs of an entry that sums pairs up can be opened: twice as many as a page shows at first. A family of a hundred pages
/// has thousands of pairs, and nobody opens them all.
const OPENED: usize = 12;

/// How many pairs can be opened whatever they are: all of a small folder.
const FIRST: usize = 100;

/// Returns for each listed pair whether it can be opened: it is among the best ones, one to look at by itself, or among the first
/// ones of an entry.
fn opened(pairs: &[Pair], list: &Worklist<'_>) -> Vec<bool> {
    let is_single = |(at, pair): (usize, &Pair)| {
        let relation = pair.relation();
        at < FIRST || Relations::DUPLICATES.have(relation) || relation == Relation::Related
    };
    let mut opened: Vec<bool> = pairs.iter().enumerate().map(is_single).collect();
    for entry in &list.entries {
        for member in entry.members.iter().take(OPENED) {
            opened[member.pair] = true;
        }
    }
    opened
}

/// Returns the pairs that a page lists, of all pairs with the best first. The open ones come first: the page is
/// opened for them, and accepted ones and those of code must not take their room.
fn listed<'p>(pairs: &'p [Pair], gate: &Gate) -> Cow<'p, [Pair]> {
    if gate.baseline.is_none() && gate.apart.total() == 0 {
        return Cow::Borrowed(&pairs[..pairs.len().min(MAX_PAIRS)]);
    }
    let that_are = |open| pairs.iter().filter(move |pair| gate.is_open(pair) == open);
    let in_turn = that_are(true).chain(that_are(false));
    in_turn.take(MAX_PAIRS).copied().collect()
}

/// Writes a report on pairs that are [`listed`] as a page.
fn write_html(
    report: &Report<'_>,
    details: &Details,
    list: &Worklist<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let data = Data::new(report, details, list);
    let lines = report.pairs.map(|pairs| accepting(report, pairs));
    ReportPage::new(&data, details, lines.as_ref()).write(out)
}

/// Returns the lines of a baseline that would accept pairs.
fn accepting(report: &Report<'_>, pairs: &[Pair]) -> Lines {
    let (baseline, outcome) = (report.gate.baseline.as_ref(), report.outcome);
    Lines::new(baseline, &outcome.documents, &outcome.sources, pairs)
}

/// Writes a value as JSON in which no character means anything to HTML. `<`, `>` and `&` are escaped, and so are
/// the line separators that old scripts cannot read and the characters that turn the reading direction. The
/// value is the same.
fn write_json<T: Serialize + ?Sized>(value: &T, out: &mut dyn Write) -> io::Result<()> {
    let mut serializer = Serializer::with_formatter(out, Harmless);
    value.serialize(&mut serializer).map_err(io::Error::from)
}

/// JSON without white space, harmless in HTML.
struct Harmless;

impl Formatter for Harmless {
    fn write_string_fragment<W: Write + ?Sized>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        while let Some(at) = rest.find(is_special) {
            let (plain, special) = rest.split_at(at);
            out.write_all(plain.as_bytes())?;
            let mut chars = special.chars();
            if let Some(c) = chars.next() {
                write!(out, "\\u{:04x}", u32::from(c))?;
            }
            rest = chars.as_str();
        }
        out.write_all(rest.as_bytes())
    }
}

fn is_special(c: char) -> bool {
    matches!(c, '<' | '>' | '&' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// How many characters of a text are looked at.
const LOOKED_AT: usize = 2_000;

/// Fewer Han characters without kana may be Japanese, or in both Chinese scripts alike.
const LEAST_HAN: usize = 50;

/// Fewer letters tell nothing.
const LEAST_LETTERS: usize = 20;

/// Returns the language of a text as BCP 47 has it, if it is sure.
fn lang(text: &str) -> Option<&'static str> {
    let (mut han, mut kana, mut hangul, mut others) = (String::new(), 0, 0, 0);
    for c in text.chars().take(LOOKED_AT) {
        match class(c) {
            Class::Han => han.push(c),
            Class::Hiragana | Class::Katakana => kana += 1,
            _ if is_hangul(c) => hangul += 1,
            _ => others += usize::from(c.is_alphabetic()),
        }
    }
    let han_count = han.chars().count();
    let all = han_count + kana + hangul;
    // A character has as much text in it as a short word of Latin letters.
    if 4 * all <= others {
        None
    } else if hangul >= LEAST_LETTERS && 2 * hangul > all {
        Some("ko")
    } else if kana >= LEAST_LETTERS && 5 * kana > all {
        Some("ja")
    } else {
        let is_chinese = han_count >= LEAST_HAN && 100 * (kana + hangul) <= all;
        is_chinese.then(|| chinese(&han, han_count))
    }
}

/// Tells the two scripts of Chinese apart. A third of the characters of a text differ in them.
fn chinese(han: &str, count: usize) -> &'static str {
    let mut folded = han.to_owned();
    fold(&mut folded);
    let pairs = han.chars().zip(folded.chars());
    let traditional = pairs.filter(|(c, folded)| c != folded).count();
    match 100 * traditional / count {
        0..=2 => "zh-Hans",
        18.. => "zh-Hant",
        _ => "zh",
    }
}

/// How much of a text is shown, in bytes.
const LONGEST: usize = 4 << 10;

/// The marks of text that only one of the two has, in each of them.
const MARKS: [&str; 2] = [
    "<mark style=\"background:light-dark(#ffdfb8,#6b4413);border-radius:3px;color:inherit\">",
    "<mark style=\"background:light-dark(#bfead9,#14533f);border-radius:3px;color:inherit\">",
];

const CARD: &str = "flex:1 1 20em;min-width:0;padding:8px 12px;border:1px solid light-dark(#e5e1da,#2d323b);\
                    border-radius:8px;white-space:pre-wrap;overflow-wrap:anywhere;text-align:left";

/// Returns two texts with their names, side by side, as a piece of HTML for a notebook. It has no script, and its colours are
/// those of the page.
pub(crate) fn beside(options: &Options, names: [&str; 2], texts: [&str; 2]) -> String {
    let texts = texts.map(beginning);
    let [a, b] = texts.map(|text| Side::new(text, options));
    let shared = find_passages(&a, &b);
    let layout = Layout::new(&a, &b, &shared, true);
    let mut html = String::from("<div style=\"display:flex;flex-wrap:wrap;gap:12px\">");
    for which in 0..2 {
        let own = layout.own(which).into_iter();
        let own = own.filter(|place| !texts[which][place.clone()].trim().is_empty());
        let marks = own.map(|place| (place, MARKS[which]));
        html.push_str(&format!(
            "<div style=\"{CARD}\"><b>{}</b>\n{}</div>",
            html_text(names[which]),
            marked(texts[which], marks, html_text)
        ));
    }
    html.push_str("</div>");
    html
}

/// Returns the part of a text that is shown.
fn beginning(text: &str) -> &str {
    let mut end = LONGEST.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
