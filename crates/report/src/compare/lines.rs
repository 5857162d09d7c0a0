//! The lines of a block, each with its number and with its changes.

use std::ops::Range;

use crate::compare::wrap::Span;
use dupfind_decide::compare::side::Side;

/// A line of a document, or a part of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line<'t> {
    pub(super) number: usize,
    pub(super) spans: Vec<Span<'t>>,
}

/// Marks the rest of a line that is shown in part.
const GOES_ON: Span<'_> = Span {
    text: "…",
    is_changed: false,
};

/// Returns the lines of some stretches of a text that follow each other, without blank ones.
pub(super) fn lines<'t>(stretches: &[(Range<usize>, bool)], side: &Side<'t>) -> Vec<Line<'t>> {
    let mut lines: Vec<Line<'t>> = Vec::new();
    let mut is_new = true;
    for (place, is_changed) in stretches {
        let mut at = place.start;
        for whole in side.text()[place.clone()].split_inclusive('\n') {
            let number = side.line(at);
            let mut text = whole.trim_end_matches(['\n', '\r']);
            if is_new {
                let mut spans = Vec::new();
                if side.goes_on(at) {
                    spans.push(GOES_ON);
                    text = text.trim_start();
                }
                lines.push(Line { number, spans });
            }
            is_new = whole.ends_with('\n');
            at += whole.len();
            if let Some(line) = lines.last_mut()
                && !text.is_empty()
            {
                let is_changed = *is_changed;
                line.spans.push(Span { text, is_changed });
            }
        }
    }
    if let (Some((place, _)), Some(line)) = (stretches.last(), lines.last_mut())
        && side.is_cut(place.end)
    {
        line.spans.push(GOES_ON);
    }
    let is_seen = |span: &Span<'_>| *span != GOES_ON && !span.text.trim().is_empty();
    lines.retain(|line| line.spans.iter().any(is_seen));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{Block, Layout};
    use dupfind_decide::compare::search::find_passages;
    use dupfind_engine::Options;

    fn side(text: &str) -> Side<'_> {
        Side::new(text, &Options::default())
    }

    /// The blocks of the only passage of two texts: lines as `number:text`, changes in brackets.
    fn shown(a: &str, b: &str, is_whole: bool) -> Vec<(String, String)> {
        let (a, b) = (side(a), side(b));
        let shared = &find_passages(&a, &b);
        assert_eq!(shared.passages.len(), 1);
        let layout = Layout::new(&a, &b, shared, is_whole);
        let text = |stretches: &[(Range<usize>, bool)], side| {
            let lines = lines(stretches, side).into_iter().map(|line| {
                let spans = line.spans.iter().map(|span| match span.is_changed {
                    true => format!("[{}]", span.text),
                    false => span.text.to_owned(),
                });
                format!("{}:{}", line.number, spans.collect::<String>())
            });
            lines.collect::<Vec<_>>().join("|")
        };
        let blocks = layout.passage(&shared.passages[0]).into_iter();
        blocks
            .map(|block| match block {
                Block::Places([in_a, in_b]) => (text(&in_a, &a), text(&in_b, &b)),
                Block::Hidden(units) => (units.to_string(), String::new()),
            })
            .filter(|shown| *shown != Default::default())
            .collect()
    }

    #[test]
    fn blocks_end_where_both_documents_begin_a_line() {
        let a = "一二三四五六七八，\n九十。\n\n甲乙丙丁戊己庚辛\n";
        let b = "一二三四五六七八，九十。\r\n甲乙丙丁戊己庚新辛";
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(
            shown(a, b, false),
            [
                pair(
                    "1:一二三四五六七八，|2:九十。",
                    "1:一二三四五六七八，九十。"
                ),
                pair("4:甲乙丙丁戊己庚辛", "2:甲乙丙丁戊己庚[新]辛"),
            ]
        );
    }

    #[test]
    fn lines_that_begin_or_end_with_a_change_have_blocks_of_their_own() {
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        let a = "一二三四五六七八旧\n- 老九十甲乙丙丁戊己\n庚辛壬癸";
        let b = "一二三四五六七八新\n- 少九十甲乙丙丁戊己\n插入\n庚辛壬癸";
        assert_eq!(
            shown(a, b, false),
            [
                pair(
                    "1:一二三四五六七八[旧]|2:[- 老]九十甲乙丙丁戊己",
                    "1:一二三四五六七八[新]|2:[- 少]九十甲乙丙丁戊己"
                ),
                pair("", "3:[插入]"),
                pair("3:庚辛壬癸", "4:庚辛壬癸"),
            ]
        );
        let a = "一二三四五六七八\n- 老九十甲乙丙丁戊旧\n庚辛壬癸";
        let b = "一二三四五六七八\n- 少九十甲乙丙丁戊新\n庚辛壬癸";
        assert_eq!(
            shown(a, b, false),
            [
                pair("1:一二三四五六七八", "1:一二三四五六七八"),
                pair("2:- [老]九十甲乙丙丁戊[旧]", "2:- [少]九十甲乙丙丁戊[新]"),
                pair("3:庚辛壬癸", "3:庚辛壬癸"),
            ]
        );
    }

    #[test]
    fn long_stretches_are_shortened_at_line_ends_near_by() {
        let line = "一二三四五六七八九十甲乙丙丁戊己庚辛壬癸\n";
        let text: String = (0..20).map(|n| format!("{n} {line}")).collect();
        let blocks = shown(&text, &text, false);
        let hidden: Vec<&str> = blocks
            .iter()
            .filter(|(_, b)| b.is_empty())
            .map(|(units, _)| units.as_str())
            .collect();
        assert_eq!(hidden, ["336"]);
        assert!(blocks.iter().all(|(a, _)| !a.contains('…')), "{blocks:?}");
        assert_eq!(shown(&text, &text, true).len(), 20);
        // Without lines the cut is marked.
        let text = text.replace('\n', "");
        let blocks = shown(&text, &text, false);
        assert_eq!(blocks.len(), 3);
        assert!(blocks[0].0.ends_with('…') && blocks[2].0.starts_with("1:…"));
    }
}
