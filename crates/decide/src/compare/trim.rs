//! Makes passages begin and end where lines do.
//!
//! A paragraph that was moved is before another paragraph in each document. These two may begin with the same
//! character, which is no part of the passage. The same is true of the paragraphs before it.

use crate::compare::passages::{LEAST, Passage};
use crate::compare::side::Side;

/// Cuts off fewer than [`LEAST`] units before the first common line break of each passage and behind the last one,
/// unless they are whole lines.
pub(super) fn trim(passages: &mut [Passage], a: &Side<'_>, b: &Side<'_>) {
    let breaks = |in_a: usize, in_b: usize| {
        let starts = |side: &Side<'_>, unit: usize| {
            unit == 0 || unit == side.units().len() || side.line_break(unit).is_some()
        };
        starts(a, in_a) && starts(b, in_b)
    };
    for passage in passages {
        let mut same = passage.same();
        // Returns how many units a part may lose.
        let spare = |len: usize, same: usize| {
            let most = len.saturating_sub(1).min(LEAST - 1);
            most.min(same.saturating_sub(LEAST))
        };
        if let Some(last) = passage.parts.last_mut()
            && !breaks(last.a.end, last.b.end)
            && let Some(cut) = (1..=spare(last.a.len(), same))
                .find(|cut| breaks(last.a.end - cut, last.b.end - cut))
        {
            same -= cut;
            last.a.end -= cut;
            last.b.end -= cut;
            (passage.a.end, passage.b.end) = (last.a.end, last.b.end);
        }
        if let Some(first) = passage.parts.first_mut()
            && !breaks(first.a.start, first.b.start)
            && let Some(cut) = (1..=spare(first.a.len(), same))
                .find(|cut| breaks(first.a.start + cut, first.b.start + cut))
        {
            first.a.start += cut;
            first.b.start += cut;
            (passage.a.start, passage.b.start) = (first.a.start, first.b.start);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::search::find_passages;
    use dupfind_engine::Options;

    fn shared(a: &str, b: &str) -> Vec<String> {
        let [a, b] = [a, b].map(|text| Side::new(text, &Options::default()));
        let passages = find_passages(&a, &b).passages;
        let text = |passage: &Passage| a.text()[a.stretch(&passage.a)].trim().to_owned();
        passages.iter().map(text).collect()
    }

    #[test]
    fn the_next_paragraph_is_not_begun() {
        let moved = "春天的早晨跑步的人绕着湖边。";
        let a = format!("旧城区的梧桐树安静\n{moved}\n当日下了一整夜的大雨\n");
        let b = format!("修鞋摊已经摆了三十年\n{moved}\n当然没有人知道是为什么\n");
        assert_eq!(shared(&a, &b), [moved]);
        let (a, b) = (
            format!("昨天和今天的天气都好得了。\n{moved}"),
            format!("窗外远处的风景十分美丽得了。\n{moved}"),
        );
        assert_eq!(shared(&a, &b), [moved]);
    }

    #[test]
    fn whole_lines_and_whole_documents_stay() {
        let text = "春天的早晨跑步的人绕着湖边。\n完\n";
        assert_eq!(shared(text, text), [text.trim()]);
        let (a, b) = (
            format!("天地玄黄宇宙洪荒\n{text}日月盈昃辰宿列张"),
            format!("寒来暑往秋收冬藏\n{text}闰余成岁律吕调阳"),
        );
        assert_eq!(shared(&a, &b), [text.trim()]);
    }
}
