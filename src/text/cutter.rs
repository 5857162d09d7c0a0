//! Cuts texts into what features are made of, one text after the other in the same memory.

use std::ops::Range;
use std::sync::Arc;

use crate::text::han::Han;
use crate::text::normalize::normalize_into;
use crate::text::script::{Run, runs_into};
use crate::text::segmenter::Segmenter;
use crate::text::tokenize::{has_han, tokens};
use crate::text::units::{ShingleUnit, Unit, placed_units, units_into};

/// A buffer that one huge text has made larger than this is given back.
const KEEP_BYTES: usize = 4 << 20;

/// Normalises texts, and cuts them into units and tokens.
///
/// # Examples
///
/// ```
/// use dupfind::text::cutter::Cutter;
/// use dupfind::text::han::Han;
/// use dupfind::text::units::ShingleUnit;
///
/// let mut cutter = Cutter::new(ShingleUnit::Auto, Han::Kept, Default::default());
/// cutter.read("图书馆, Ｏpen!");
/// assert_eq!(cutter.normal(), "图书馆, open!");
/// assert_eq!(cutter.units().len(), 4);
/// let mut tokens = Vec::new();
/// cutter.tokens(|token| tokens.push(token.to_owned()));
/// assert_eq!(tokens, ["图书馆", "open"]);
/// ```
#[derive(Debug)]
pub struct Cutter {
    unit: ShingleUnit,
    han: Han,
    segmenter: Arc<Segmenter>,
    normal: String,
    runs: Vec<Run>,
    units: Vec<Unit>,
}

impl Cutter {
    /// Returns a cutter without a text. Share the segmenter between the cutters of all threads.
    #[must_use]
    pub fn new(unit: ShingleUnit, han: Han, segmenter: Arc<Segmenter>) -> Self {
        Self {
            unit,
            han,
            segmenter,
            normal: String::new(),
            runs: Vec::new(),
            units: Vec::new(),
        }
    }

    /// Normalises a text, which is the one at hand from now on.
    pub fn read(&mut self, text: &str) {
        self.read_watched(text, |_, _| {});
    }

    /// As [`Self::read`]. Calls `watch` with the normalised text before Traditional characters are folded, and
    /// again with `true` if folding changed it.
    pub(crate) fn read_watched(&mut self, text: &str, mut watch: impl FnMut(&str, bool)) {
        self.normal.clear();
        normalize_into(text, Han::Kept, &mut self.normal);
        watch(&self.normal, false);
        if self.han.apply(&mut self.normal, 0) {
            watch(&self.normal, true);
        }
        runs_into(&self.normal, &mut self.runs);
    }

    /// Makes a text that is normalised already the one at hand.
    pub fn read_normal(&mut self, normal: &str) {
        self.normal.clear();
        self.normal.push_str(normal);
        runs_into(&self.normal, &mut self.runs);
    }

    /// The normalised text.
    #[must_use]
    pub fn normal(&self) -> &str {
        &self.normal
    }

    /// Whether the text has no letter, ideograph or digit.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Whether words of the text are cut by jieba.
    #[must_use]
    pub fn has_han(&self) -> bool {
        has_han(&self.runs)
    }

    /// The segmenter.
    #[must_use]
    pub fn segmenter(&self) -> &Arc<Segmenter> {
        &self.segmenter
    }

    /// Returns the units of the text, in order.
    pub fn units(&mut self) -> &[Unit] {
        self.units.clear();
        units_into(
            &self.normal,
            &self.runs,
            self.unit,
            &self.segmenter,
            &mut self.units,
        );
        &self.units
    }

    /// Calls `take` with each unit of the text and its place in the normalised text, in bytes.
    pub fn placed_units(&self, take: impl FnMut(Unit, Range<usize>)) {
        placed_units(&self.normal, &self.runs, self.unit, &self.segmenter, take);
    }

    /// Calls `take` with each token of the text, in order.
    pub fn tokens<'t>(&'t self, take: impl FnMut(&'t str)) {
        tokens(&self.normal, &self.runs, &self.segmenter, take);
    }

    /// Gives back the memory that a huge text has taken.
    pub fn give_back(&mut self) {
        self.normal.shrink_to(KEEP_BYTES);
        self.runs.shrink_to(KEEP_BYTES / size_of::<Run>());
        self.units.shrink_to(KEEP_BYTES / size_of::<Unit>());
    }
}
