//! Cuts texts into units and tokens for their features. It cuts one text after the other in the same memory.

use std::borrow::Cow;
use std::ops::Range;

use crate::text::han::{fold, is_traditional};
use crate::text::normalize::{begins_anew, normalize_into};
use crate::text::origin::{Origin, normalize_with_origin};
use crate::text::script::{Class, Run, runs_into, with_marks};
use crate::text::tokenize::tokens;
use crate::text::units::{CHARACTERS, ShingleUnit, Unit, placed_units, units_into};

/// The version of how texts are cut. Raise it when normalising, runs, units, tokens or titles change: indexes, states of streams
/// and files of features of another version are refused. `fixtures/oracle.py` cuts texts in the same way, and must change too.
pub const CUT_VERSION: u32 = 11;

/// How many bytes a buffer may keep after a huge text.
const KEEP_BYTES: usize = 4 << 20;

/// The least part of a text that is code, if its prose is compared by itself: one of so many bytes.
pub const PART_OF_CODE: usize = 6;

/// Normalises texts, and cuts them into units and tokens.
///
/// # Examples
///
/// ```
/// use dupfind_engine::text::cutter::Cutter;
/// use dupfind_engine::text::units::ShingleUnit;
///
/// let mut cutter = Cutter::new(ShingleUnit::Auto);
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
    normal: String,
    /// Where the code blocks are in the normalised text.
    code: Vec<Range<usize>>,
    runs: Vec<Run>,
    units: Vec<Unit>,
}

impl Cutter {
    /// Returns a cutter without a text.
    pub fn new(unit: ShingleUnit) -> Self {
        Self {
            unit,
            normal: String::new(),
            code: Vec::new(),
            runs: Vec::new(),
            units: Vec::new(),
        }
    }

    /// Normalises a text and makes it the current one. Traditional Chinese becomes Simplified: see
    /// [`is_traditional`].
    pub fn read(&mut self, text: &str) {
        self.read_watched(text, &[], |_, _| {});
    }

    /// As [`Self::read`], of a text with code at these places. Also calls `watch` with the normalised text before
    /// Traditional characters are folded. If they are folded, it calls `watch` again with the folded text and `true`.
    pub(crate) fn read_watched(
        &mut self,
        text: &str,
        code: &[Range<usize>],
        mut watch: impl FnMut(&str, bool),
    ) {
        self.normal.clear();
        self.code.clear();
        let mut done = 0;
        for block in code {
            let [start, end] =
                [block.start, block.end].map(|place| boundary(text, place.max(done)));
            normalize_into(&text[done..start], &mut self.normal);
            let begins = self.normal.len();
            normalize_into(&text[start..end], &mut self.normal);
            self.code.push(begins..self.normal.len());
            done = end;
        }
        normalize_into(&text[done..], &mut self.normal);
        watch(&self.normal, false);
        if self.cut_runs() {
            watch(&self.normal, true);
        }
    }

    /// As [`Self::read`]. Also returns where each character of the normalised text comes from.
    pub fn read_with_origin(&mut self, text: &str) -> Origin {
        let (normal, origin) = normalize_with_origin(text);
        self.normal = normal;
        self.code.clear();
        self.cut_runs();
        origin
    }

    /// Finds the runs of the current text, and folds Traditional Chinese. Returns whether it did. Nothing changes its
    /// place.
    fn cut_runs(&mut self) -> bool {
        runs_into(&self.normal, &mut self.runs);
        let folds = is_traditional(&self.normal, &self.runs);
        if folds {
            fold(&mut self.normal);
        }
        folds
    }

    /// Returns the normalised text.
    pub fn normal(&self) -> &str {
        &self.normal
    }

    /// Returns whether the text has no letter, ideograph or digit.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Returns the runs of the text, in order.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// Returns the units of the text, in order.
    pub fn units(&mut self) -> &[Unit] {
        self.units.clear();
        units_into(&self.normal, &self.runs, self.unit, &mut self.units);
        &self.units
    }

    /// Returns the units that are in no code block; none if less than a sixth of the text is code.
    pub(crate) fn prose_units(&self) -> Vec<Unit> {
        let mut prose = Vec::new();
        let in_code: usize = self.code.iter().map(Range::len).sum();
        if PART_OF_CODE * in_code < self.normal.len() || in_code == 0 {
            return prose;
        }
        let mut code = self.code.iter().peekable();
        let is_prose = |run: &&Run| {
            while code.next_if(|block| block.end <= run.start).is_some() {}
            code.peek().is_none_or(|block| run.start < block.start)
        };
        let runs: Vec<Run> = self.runs.iter().filter(is_prose).copied().collect();
        units_into(&self.normal, &runs, self.unit, &mut prose);
        prose
    }

    /// Calls `take` with each unit of the text and its place in the normalised text, in bytes.
    pub fn placed_units(&self, take: impl FnMut(Unit, Range<usize>)) {
        placed_units(&self.normal, &self.runs, self.unit, take);
    }

    /// Returns the characters that are compared as the unit at a place of [`Self::placed_units`]. Units of a script without
    /// spaces overlap: what is compared is longer than the place.
    pub fn unit_text(&self, place: Range<usize>) -> Cow<'_, str> {
        let first = self.runs.partition_point(|run| run.end <= place.start);
        let words = matches!(self.unit, ShingleUnit::Auto | ShingleUnit::Word);
        if !words || self.runs[first].class != Class::Unspaced {
            return Cow::Borrowed(&self.normal[place]);
        }
        let stretch = self.runs[first..]
            .iter()
            .take_while(|run| run.class == Class::Unspaced);
        let texts = stretch.map(|run| &self.normal[run.start.max(place.start)..run.end]);
        Cow::Owned(texts.flat_map(with_marks).take(CHARACTERS).collect())
    }

    /// Calls `take` with each token of the text, in order.
    pub fn tokens<'t>(&'t self, take: impl FnMut(&'t str)) {
        tokens(&self.normal, &self.runs, take);
    }

    /// Shrinks the buffers that a huge text has made large.
    pub fn give_back(&mut self) {
        self.normal.shrink_to(KEEP_BYTES);
        self.runs.shrink_to(KEEP_BYTES / size_of::<Run>());
        self.units.shrink_to(KEEP_BYTES / size_of::<Unit>());
    }
}

/// Returns the first place from this one on where a text may be cut and normalised piece by piece.
fn boundary(text: &str, from: usize) -> usize {
    let rest = (from..text.len()).find(|&at| {
        text.is_char_boundary(at) && text[at..].chars().next().is_some_and(begins_anew)
    });
    rest.unwrap_or(text.len())
}
