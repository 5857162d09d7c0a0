//! A page as somebody else would tell it: the same things in another order, and some of them left out.

use super::edits::paragraphs;
use super::random::Random;

/// One sentence of so many is left out.
const LEFT_OUT: usize = 12;

/// The page with the sentences of each paragraph in pairs of another order, the parts of half of the sentences
/// exchanged, and some sentences left out.
pub(super) fn rearranged(text: &str, random: &mut Random) -> String {
    let paragraphs = paragraphs(text);
    let paragraphs = paragraphs.iter().map(|text| paragraph(text, random));
    paragraphs.collect::<Vec<_>>().join("\n\n") + "\n"
}

fn paragraph(text: &str, random: &mut Random) -> String {
    let mut sentences: Vec<String> = text
        .split_inclusive(['\n', '。', '！', '？', '.', '!', '?'])
        .map(str::to_owned)
        .collect();
    if sentences.len() > 2 {
        sentences.retain(|_| random.below(LEFT_OUT) > 0);
    }
    for pair in sentences.chunks_exact_mut(2) {
        if random.below(2) == 0 {
            pair.swap(0, 1);
        }
    }
    for sentence in &mut sentences {
        let parts: Vec<&str> = sentence.splitn(2, ['，', ',']).collect();
        if let ([before, after], 0) = (parts.as_slice(), random.below(2)) {
            *sentence = format!("{after}，{before}");
        }
    }
    sentences.concat()
}
