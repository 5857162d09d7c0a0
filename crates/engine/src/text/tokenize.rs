//! Cuts normalised text into words, and words into tokens. The SimHash fingerprint is made of these tokens.
//!
//! jieba cuts text with Han in it. It hands back other text letter by letter (a Russian word becomes its letters, a
//! Korean one its syllables), so all other text is cut here: a word of a script written with spaces stays whole, so
//! does a run of kana, and one of Thai, Lao, Khmer or Burmese, which have no spaces between words. Letters and digits
//! directly beside ideographs (`使用docker部署`) go to jieba with them.
//!
//! Korean and Japanese glue endings to their words, so that the same word hardly ever looks the
//! same. There the tokens are the overlapping pairs of syllables or kana of a word, as search engines
//! for these languages have it. Share of revised pages at distance <= 3, and unrelated pairs there:
//!
//! | tokens | Korean pages | Japanese pages | unrelated of 478,000 pairs |
//! |---|---|---|---|
//! | words, runs of kana | .492 | .769 | 0 |
//! | pairs of characters | .562 | .808 | 0 |
//! | single characters, as jieba has them | .610 | .873 | 35 |

use crate::text::lexicon::stretches::{Source, Stretches};
use crate::text::script::{Class, Run, class, with_marks};

/// Calls `token` with each token of a normalised text, in order. `runs` are the runs of the text. A token has
/// at least one letter, ideograph or digit.
pub fn tokens<'t>(text: &'t str, runs: &[Run], mut token: impl FnMut(&'t str)) {
    cut(text, runs, |word, source| {
        let is_whole = || word.is_ascii() || word.starts_with(|c| class(c) == Class::Han);
        if source == Source::Stretch || is_whole() {
            token(word);
        } else {
            pairs_where_glued(word, &mut token);
        }
    });
}

/// Cuts the stretches of a word in Hangul, kana or a script without spaces into overlapping pairs of characters, each with
/// its marks, and leaves the others whole.
fn pairs_where_glued<'t>(word: &'t str, token: &mut impl FnMut(&'t str)) {
    let is_glued = |c| {
        matches!(
            class(c),
            Class::Hiragana | Class::Katakana | Class::Unspaced
        )
    };
    let mut from = 0;
    while let Some(first) = word[from..].chars().next() {
        let glued = is_glued(first);
        let rest = &word[from..];
        let stretch = &rest[..rest.find(|c| is_glued(c) != glued).unwrap_or(rest.len())];
        from += stretch.len();
        if !glued || with_marks(stretch).nth(2).is_none() {
            token(stretch);
            continue;
        }
        let mut start = 0;
        for (first, second) in with_marks(stretch).zip(with_marks(stretch).skip(1)) {
            token(&stretch[start..start + first.len() + second.len()]);
            start += first.len();
        }
    }
}

/// Calls `word` with each word of a normalised text, in order. Words are the tokens of [`tokens`], except in
/// languages that glue endings to their words, and in scripts without spaces, whose runs are whole.
pub fn words<'t>(text: &'t str, runs: &[Run], mut word: impl FnMut(&'t str)) {
    cut(text, runs, |piece, _| word(piece));
}

/// Calls `word` with each word that jieba-rs cuts a text into, in order, if it has a letter, ideograph or digit.
pub fn jieba_words<'t>(text: &'t str, mut word: impl FnMut(&'t str)) {
    let mut stretches = Stretches::of(text, |piece, _| word(piece));
    stretches.cut(0, text.len());
    stretches.finish();
}

/// Calls `word` with each word, in order, and with where it comes from.
fn cut<'t>(text: &'t str, runs: &[Run], word: impl FnMut(&'t str, Source)) {
    let mut cutter = WordCutter {
        text,
        stretches: Stretches::of(text, word),
        open: None,
        held: None,
    };
    for &run in runs {
        match run.class {
            Class::Han => cutter.han(run),
            Class::Word => cutter.letters(run),
            _ => cutter.other(run),
        }
    }
    cutter.end_stretch();
    cutter.stretches.finish();
}

/// A piece of the text that is cut at once: runs of Han with their adjoining ASCII words, and the separators between
/// them.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    start: usize,
    end: usize,
}

/// Cuts the runs of a text into words, one run after the other.
struct WordCutter<'t, F> {
    text: &'t str,
    stretches: Stretches<'t, F>,
    /// The stretch that the next run may continue.
    open: Option<Stretch>,
    /// A word after the stretch. It begins a new stretch if Han follows it directly.
    held: Option<Run>,
}

impl<'t, F: FnMut(&'t str, Source)> WordCutter<'t, F> {
    /// Adds a run of Han to the stretch, with the ASCII word that ends right where it begins: jieba must
    /// see both.
    fn han(&mut self, run: Run) {
        let mut start = run.start;
        match self.held {
            Some(before) if before.end == run.start && before.of(self.text).is_ascii() => {
                self.held = None;
                start = before.start;
            }
            Some(_) => self.end_stretch(),
            None => {}
        }
        self.open = Some(Stretch {
            start: self.open.map_or(start, |open| open.start),
            end: run.end,
        });
    }

    /// Adds an ASCII word to the stretch that ends right before it; holds any other word.
    fn letters(&mut self, run: Run) {
        if self.held.is_some() {
            self.end_stretch();
        }
        match &mut self.open {
            Some(open) if open.end == run.start && run.of(self.text).is_ascii() => {
                open.end = run.end;
            }
            _ => self.held = Some(run),
        }
    }

    /// Cuts a run that jieba has no part in.
    fn other(&mut self, run: Run) {
        self.end_stretch();
        let piece = run.of(self.text);
        let mut start = run.start;
        let mut word = |size: usize| {
            self.stretches.word(start, start + size);
            start += size;
        };
        match run.class {
            Class::Ideograph => piece.chars().for_each(|c| word(c.len_utf8())),
            _ => word(piece.len()),
        }
    }

    /// Has the open stretch cut, and then hands on the word that is held.
    fn end_stretch(&mut self) {
        if let Some(Stretch { start, end }) = self.open.take() {
            self.stretches.cut(start, end);
        }
        if let Some(before) = self.held.take() {
            self.stretches.word(before.start, before.end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::table;
    use crate::text::normalize::normalize;
    use crate::text::script::runs;

    /// The tokens of a text, with a space between them.
    fn cut(text: &str) -> String {
        let text = normalize(text);
        let mut out = Vec::new();
        tokens(&text, &runs(&text), |token| {
            out.push(token);
        });
        out.join(" ")
    }

    #[test]
    fn texts_and_their_tokens() {
        // Chinese is cut by jieba, and words of scripts with spaces stay whole. Korean and kana become pairs, as do scripts
        // without spaces, each character with its marks. Latin words are between ideographs, and scripts side by side keep
        // their order.
        for [text, expected] in table(
            "我来到北京清华大学，很高兴。 | 我 来到 北京 清华大学 很 高兴
             The QUICK fox, 2024: naïve Привет мир हिन्दी | the quick fox 2024 naïve привет мир हिन्दी
             안녕하세요 세계 a   | 안녕 녕하 하세 세요 세계 a
             Pod를 쓰기         | pod 를 쓰기
             ひらがな           | ひら らが がな
             ที่นี่มี ภาษาไทย      | ที่นี่ นี่มี ภา าษ ษา าไ ไท ทย
             ခေါင်း             | ခေါင်း
             使用docker部署     | 使用 docker 部署
             使用 docker 部署 web 服务 | 使用 docker 部署 web 服务
             docker部署         | docker 部署
             部署docker compose up | 部署 docker compose up
             café部署           | café 部署
             第3c号             | 第 3c 号
             東京タワーの高さ、ไทย和中文 | 東京 タワ ワー の 高 さ ไท ทย 和 中文",
        ) {
            assert_eq!(cut(text), expected);
        }
        let mut whole = Vec::new();
        let text = "안녕하세요 ひらがな ที่นี่";
        words(text, &runs(text), |word| {
            whole.push(word);
        });
        assert_eq!(whole, ["안녕하세요", "ひらがな", "ที่นี่"]);
    }

    #[test]
    fn nothing_but_separators_gives_no_token() {
        assert!(cut("……!? --- 🙂\n").is_empty());
    }
}
