//! The word segmenter of scripts that are written without spaces (Thai, Lao, Khmer, Burmese): ICU4X's models.
//!
//! A build without the feature `unspaced-scripts` lacks it. There every character of such a script, with the marks on it,
//! is a word of its own.

#[cfg(feature = "unspaced-scripts")]
use std::sync::OnceLock;

#[cfg(feature = "unspaced-scripts")]
use icu_segmenter::{
    WordSegmenter, WordSegmenterBorrowed, options::WordBreakInvariantOptions as Invariant,
};

#[cfg(not(feature = "unspaced-scripts"))]
use unicode_normalization::char::is_combining_mark;

/// How this build cuts Thai, Lao, Khmer and Burmese into words. Features of texts in these scripts are comparable only
/// between builds that cut them in the same way.
pub const UNSPACED_WORDS: &str = if cfg!(feature = "unspaced-scripts") {
    "lstm"
} else {
    "characters"
};

/// Holds the models, which are loaded when they are first needed. Share it between threads.
#[derive(Debug, Default)]
pub struct Segmenter {
    #[cfg(feature = "unspaced-scripts")]
    complex: OnceLock<WordSegmenterBorrowed<'static>>,
}

impl Segmenter {
    /// Returns a segmenter that has loaded nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Calls `word` with each word of a run of an unspaced script (Thai, Lao, Khmer, Burmese), in order. The models are
    /// the LSTM ones of ICU4X.
    #[cfg(feature = "unspaced-scripts")]
    pub fn unspaced_words<'t>(&self, run: &'t str, mut word: impl FnMut(&'t str)) {
        let segmenter = self
            .complex
            .get_or_init(|| WordSegmenter::new_lstm(Invariant::default()));
        let mut start = 0;
        for end in segmenter.segment_str(run) {
            if end > start {
                word(&run[start..end]);
                start = end;
            }
        }
    }

    /// Calls `word` with each character of a run of an unspaced script (Thai, Lao, Khmer, Burmese), in order, with the
    /// combining marks behind it.
    #[cfg(not(feature = "unspaced-scripts"))]
    pub fn unspaced_words<'t>(&self, run: &'t str, mut word: impl FnMut(&'t str)) {
        let mut start = 0;
        for (end, character) in run.char_indices().skip(1) {
            if !is_combining_mark(character) {
                word(&run[start..end]);
                start = end;
            }
        }
        if start < run.len() {
            word(&run[start..]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unspaced_words_cover_the_run() {
        let segmenter = Segmenter::new();
        for run in ["ประเทศไทยมีประชากรมาก", "ພາສາລາວ", "ភាសាខ្មែរ", "မြန်မာစာ", "ก"]
        {
            let mut words = Vec::new();
            segmenter.unspaced_words(run, |word| words.push(word));
            assert_eq!(words.concat(), run);
        }
        let mut words = Vec::new();
        segmenter.unspaced_words("ประเทศไทยมีประชากรมาก", |word| words.push(word));
        assert!(words.len() > 2, "{words:?}");
    }
}
