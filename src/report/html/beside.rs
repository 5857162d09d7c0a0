//! Two texts side by side, as a piece of HTML for a notebook. What only one of them has is marked.
//!
//! It has no script, and its colours are those of the page, so that it looks like a part of it.

use std::ops::Range;

use crate::compare::passages::Passage;
use crate::compare::search::find_passages;
use crate::compare::side::Side;
use crate::engine::Options;
use crate::report::html::embed::html as html_text;
use crate::text::segmenter::Segmenter;

/// How much of a text is shown, in bytes.
const LONGEST: usize = 4 << 10;

/// The mark of what only one of the texts has, in each of them.
const MARKS: [&str; 2] = [
    "background:light-dark(#ffdfb8,#6b4413);border-radius:3px",
    "background:light-dark(#bfead9,#14533f);border-radius:3px",
];

const CARD: &str = "flex:1 1 20em;min-width:0;padding:8px 12px;border:1px solid light-dark(#e5e1da,#2d323b);\
                    border-radius:8px;white-space:pre-wrap;overflow-wrap:anywhere;text-align:left";

/// Returns two texts with their names, side by side.
pub(crate) fn beside(options: &Options, names: [&str; 2], texts: [&str; 2]) -> String {
    let segmenter = Segmenter::new();
    let texts = texts.map(beginning);
    let side = |text| Side::new(text, options.shingle_unit, options.han, &segmenter);
    let [a, b] = texts.map(side);
    let passages = find_passages(&a, &b);
    let same = |which: usize| {
        let of_passage = |passage: &Passage| {
            let ranges = passage.texts(&a, &b)[which].clone().into_iter();
            let parts = passage.parts.iter().zip(ranges);
            let same = parts.filter(|(part, _)| part.is_same);
            same.map(|(_, range)| range).collect::<Vec<_>>()
        };
        passages.iter().flat_map(of_passage).collect::<Vec<_>>()
    };
    let mut html = String::from("<div style=\"display:flex;flex-wrap:wrap;gap:12px\">");
    for which in 0..2 {
        html.push_str(&format!(
            "<div style=\"{CARD}\"><b>{}</b>\n",
            html_text(names[which])
        ));
        marked(texts[which], same(which), MARKS[which], &mut html);
        html.push_str("</div>");
    }
    html.push_str("</div>");
    html
}

/// Writes a text in which all is marked but these ranges.
fn marked(text: &str, mut same: Vec<Range<usize>>, mark: &str, html: &mut String) {
    same.sort_unstable_by_key(|range| range.start);
    let mut at = 0;
    same.push(text.len()..text.len());
    for range in same {
        let own = &text[at.min(range.start)..range.start];
        match own.trim().is_empty() {
            true => html.push_str(&html_text(own)),
            false => html.push_str(&format!(
                "<mark style=\"{mark};color:inherit\">{}</mark>",
                html_text(own)
            )),
        }
        html.push_str(&html_text(&text[range.start.max(at)..range.end.max(at)]));
        at = at.max(range.end);
    }
}

/// Returns as much of a text as is shown.
fn beginning(text: &str) -> &str {
    let mut end = LONGEST.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Returns a text in which nothing is markup.
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_one_has_is_marked() {
        let page = "the old park by the river opened to the public thirty years ago <today>";
        let other = page.replace("thirty", "fifty");
        let html = beside(&Options::default(), ["a", "b&"], [page, &other]);
        let marks: Vec<&str> = html
            .split("inherit\">")
            .skip(1)
            .filter_map(|rest| rest.split("</mark>").next())
            .map(str::trim)
            .collect();
        assert_eq!(marks, ["thirty", "fifty"]);
        assert!(html.contains("&lt;today&gt;") && html.contains("<b>b&amp;</b>"));
    }
}
