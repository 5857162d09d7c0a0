//! The two word segmenters: jieba for Han, ICU4X's models for scripts written without spaces.
//!
//! A build without the feature `unspaced-scripts` lacks the second one. There every character of such a script, with
//! the marks on it, is a word of its own.
//!
//! Loading jieba's whole dictionary takes 70 ms or more and 33 MiB. It is loaded once, on a thread of its own, and only
//! when there is much text with Han in it. Until then each text is cut with the words that occur in it.

use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use jieba_rs::Jieba;

use crate::text::lexicon;
use crate::text::lexicon::Part;

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

/// How many bytes of text with Han are cut before the whole dictionary is loaded. Looking up the words of so much text
/// costs less than loading them all.
const LOAD_FROM: u64 = 1 << 20;

/// Holds both segmenters and loads them when they are first needed. Share it between threads.
#[derive(Debug, Default)]
pub struct Segmenter {
    whole: Arc<Whole>,
    /// jieba with the words of the texts so far, one for each thread that cuts texts.
    parts: Mutex<Vec<Part>>,
    /// How many bytes of text were cut with them.
    cut: AtomicU64,
    #[cfg(feature = "unspaced-scripts")]
    complex: OnceLock<WordSegmenterBorrowed<'static>>,
}

/// jieba with its whole dictionary, once it is loaded.
#[derive(Debug, Default)]
struct Whole {
    jieba: OnceLock<Jieba>,
    load_nanos: AtomicU64,
}

impl Whole {
    /// Returns jieba; waits while it is being loaded.
    fn load(&self) -> &Jieba {
        self.jieba.get_or_init(|| {
            let start = Instant::now();
            let jieba = lexicon::whole();
            let nanos = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
            self.load_nanos.store(nanos, Ordering::Relaxed);
            jieba
        })
    }
}

/// jieba, for one text.
#[derive(Debug)]
pub struct JiebaFor<'s>(Loaded<'s>);

#[derive(Debug)]
enum Loaded<'s> {
    Whole(&'s Jieba),
    /// With the words of the text. It goes back to the others afterwards.
    Part(Option<Part>, &'s Mutex<Vec<Part>>),
}

impl Deref for JiebaFor<'_> {
    type Target = Jieba;

    fn deref(&self) -> &Jieba {
        match &self.0 {
            Loaded::Whole(jieba) => jieba,
            Loaded::Part(part, _) => part
                .as_ref()
                .expect("it is taken when this is dropped")
                .jieba(),
        }
    }
}

impl Drop for JiebaFor<'_> {
    fn drop(&mut self) {
        if let Loaded::Part(part, parts) = &mut self.0
            && let Some(part) = part.take()
            && let Ok(mut parts) = parts.lock()
        {
            parts.push(part);
        }
    }
}

impl Segmenter {
    /// Returns a segmenter that has loaded nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns jieba for cutting a text, and no other text. It waits for the whole dictionary only if the text is long.
    pub fn jieba_for(&self, text: &str) -> JiebaFor<'_> {
        if let Some(jieba) = self.whole.jieba.get() {
            return JiebaFor(Loaded::Whole(jieba));
        }
        let size = text.len() as u64;
        if size >= LOAD_FROM {
            return JiebaFor(Loaded::Whole(self.whole.load()));
        }
        let before = self.cut.fetch_add(size, Ordering::Relaxed);
        if before < LOAD_FROM && before + size >= LOAD_FROM {
            let whole = Arc::clone(&self.whole);
            // If no thread can be had, the texts that follow are cut with their own words.
            let _ = thread::Builder::new().name("jieba".into()).spawn(move || {
                whole.load();
            });
        }
        let free = self.parts.lock().ok().and_then(|mut parts| parts.pop());
        let mut part = free.unwrap_or_else(Part::new);
        part.add_words_of(text);
        JiebaFor(Loaded::Part(Some(part), &self.parts))
    }

    /// How long loading jieba's whole dictionary took; zero if it was not loaded.
    #[must_use]
    pub fn load_time(&self) -> Duration {
        Duration::from_nanos(self.whole.load_nanos.load(Ordering::Relaxed))
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
    fn the_whole_dictionary_is_loaded_for_much_text_only() {
        let segmenter = Segmenter::new();
        let is_part = |text: &str| matches!(segmenter.jieba_for(text).0, Loaded::Part(..));
        assert!(is_part("中国"));
        assert_eq!(segmenter.load_time(), Duration::ZERO);
        let long = "中".repeat(usize::try_from(LOAD_FROM).unwrap() / 3 + 1);
        assert!(!is_part(&long));
        assert!(segmenter.load_time() > Duration::ZERO);
        assert!(!is_part("中国"));
    }

    #[test]
    fn many_short_texts_have_the_whole_dictionary_loaded() {
        let segmenter = Segmenter::new();
        let text = "中".repeat(1 << 14);
        while matches!(segmenter.jieba_for(&text).0, Loaded::Part(..)) {}
        assert!(segmenter.load_time() > Duration::ZERO);
    }
}
