//! The two word segmenters: jieba for Han, ICU4X's models for scripts written without spaces.
//!
//! A build without the feature `unspaced-scripts` lacks the second one. There every character of such a script, with
//! the marks on it, is a word of its own.
//!
//! Loading jieba takes about 0.1 s and 33 MiB, so it is done once, on a thread of its own, and only
//! when a document turns up that has Han text in it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use jieba_rs::Jieba;

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

/// Holds both segmenters and loads them when they are first needed. Share it between threads.
#[derive(Debug, Default)]
pub struct Segmenter {
    jieba: OnceLock<Jieba>,
    requested: AtomicBool,
    load_nanos: AtomicU64,
    #[cfg(feature = "unspaced-scripts")]
    complex: OnceLock<WordSegmenterBorrowed<'static>>,
}

impl Segmenter {
    /// Returns a segmenter that has loaded nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts loading jieba on its own thread, unless that was done before. Returns at once.
    pub fn request(self: &Arc<Self>) {
        if self.requested.swap(true, Ordering::Relaxed) {
            return;
        }
        let this = Arc::clone(self);
        // If no thread can be had, the first caller of `jieba` loads it.
        let _ = thread::Builder::new().name("jieba".into()).spawn(move || {
            this.jieba();
        });
    }

    /// Whether jieba can be used without waiting.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.jieba.get().is_some()
    }

    /// Returns jieba with its default dictionary; waits while it is being loaded.
    pub fn jieba(&self) -> &Jieba {
        self.jieba.get_or_init(|| {
            let start = Instant::now();
            let jieba = Jieba::new();
            let nanos = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
            self.load_nanos.store(nanos, Ordering::Relaxed);
            jieba
        })
    }

    /// How long loading jieba took; zero if it was not loaded.
    #[must_use]
    pub fn load_time(&self) -> Duration {
        Duration::from_nanos(self.load_nanos.load(Ordering::Relaxed))
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

    #[test]
    fn jieba_is_loaded_on_request_and_only_once() {
        let segmenter = Arc::new(Segmenter::new());
        assert!(!segmenter.is_ready());
        assert_eq!(segmenter.load_time(), Duration::ZERO);
        segmenter.request();
        segmenter.request();
        assert!(segmenter.jieba().has_word("中国"));
        assert!(segmenter.is_ready());
        assert!(segmenter.load_time() > Duration::ZERO);
    }
}
