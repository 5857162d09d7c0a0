//! Compares two documents: how similar they are, and where.
//!
//! The measures are those of a scan, from the same shingles, terms and fingerprints. A comparison also finds the
//! passages that the documents share, the changes in them, and the text that only one of the documents has. Units are
//! matched in normalised text. Each unit has its place in the original text, which is shown.
//!
//! ```text
//! text ─> normalise, keeping places     ─> units ─┬─> shingle sets ─> Jaccard similarity, containment
//!                                                ├─> tiles, lines ─> passages ─> the rest of either document
//!                                   tokens ──────┴─> fingerprints
//! ```

pub mod passages;
pub(crate) mod refine;
pub mod search;
pub mod side;
pub(crate) mod tiling;

use std::collections::HashMap;
use std::fmt;
use std::path::Path;

use dupfind_engine::text::normalize::normalize;
use dupfind_engine::text::script::has_runs;
use dupfind_engine::{Explanation, FeatureMaker, Features, Options};
use dupfind_read::named::read_named;
use dupfind_read::source::pre::kind_of;
use dupfind_read::source::read::hash;
use dupfind_read::{Ingested, ReadOptions, Refusal, SkipReason, as_written};

use crate::compare::passages::Shared;
use crate::compare::search::find_passages;
use crate::compare::side::Side;

/// A document to be compared.
#[derive(Debug)]
pub struct Document {
    /// Its name, as in the report of a scan.
    pub name: String,
    /// What was read of it.
    pub read: Ingested<'static>,
}

/// The reason why a name has no document that can be compared.
#[derive(Debug, PartialEq, Eq)]
pub struct NotComparable {
    /// The name, as in the report of a scan.
    pub name: String,
    /// The reason.
    pub refusal: Refusal,
}

impl Document {
    /// Reads the document of a name as the user typed it: a file, or `FILE#ID` for a record. `base` is the current
    /// folder.
    ///
    /// # Errors
    ///
    /// [`NotComparable`] if there is no such document, or no text in it.
    pub fn read(path: &Path, base: &Path, options: &ReadOptions) -> Result<Self, NotComparable> {
        let read = read_named(path, base, options);
        let (name, read) = read.map_err(|(name, refusal)| NotComparable { name, refusal })?;
        if has_runs(&normalize(&read.text)) {
            Ok(Self { name, read })
        } else {
            let refusal = Refusal::Skipped(SkipReason::Empty, String::new());
            Err(NotComparable { name, refusal })
        }
    }
}

impl fmt::Display for NotComparable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        let (reason, detail) = match &self.refusal {
            Refusal::Folder => return write!(f, "{name} is a folder"),
            Refusal::Records => {
                return write!(
                    f,
                    "{name} is a file of records: name one of them, {name}#ID"
                );
            }
            Refusal::NoRecord(file) => {
                return write!(f, "{name}: there is no such record in {file}");
            }
            Refusal::Skipped(reason, detail) => (*reason, detail),
        };
        write!(f, "{name}: {}", reason.as_str())?;
        match reason {
            // The words of the system are the same once more.
            SkipReason::NotFound => Ok(()),
            SkipReason::Binary if detail.is_empty() => {
                f.write_str(": a NUL byte in its first 8 KiB, so it is no text")
            }
            SkipReason::Empty if detail.is_empty() => {
                f.write_str(": there is no letter, ideograph or digit in it")
            }
            _ if detail.is_empty() => Ok(()),
            _ => write!(f, ": {detail}"),
        }
    }
}

impl std::error::Error for NotComparable {}

/// One of the documents.
#[derive(Debug)]
pub struct Compared<'t> {
    /// The document.
    pub document: &'t Document,
    /// Its text and units.
    pub side: Side<'t>,
}

/// The result of a comparison.
#[derive(Debug)]
pub struct Comparison<'t> {
    /// How similar they are for a scan with the same options.
    pub verdict: Explanation,
    /// The first document.
    pub a: Compared<'t>,
    /// The second document.
    pub b: Compared<'t>,
    /// The passages that they share, and the text outside of them.
    pub shared: Shared,
}

/// Compares two documents. `judge` gets the features of both, with their names, and returns what the two are to each other,
/// by themselves or among others. A document without units has no passages.
///
/// # Errors
///
/// Those of `judge`.
pub fn compare<'t>(
    a: &'t Document,
    b: &'t Document,
    options: &Options,
    judge: impl FnOnce([(String, &Features); 2]) -> dupfind_engine::Result<Explanation>,
) -> dupfind_engine::Result<Comparison<'t>> {
    let sides = [a, b].map(|Document { read, .. }| Side::of_file(&read.text, read.format, options));
    let shared = find_passages(&sides[0], &sides[1]);
    let mut maker = FeatureMaker::new(options);
    let features = [a, b].map(|document| maker.features_of_any(document.read.titled()));
    let verdict = judge([
        (a.name.clone(), &features[0]),
        (b.name.clone(), &features[1]),
    ])?;
    let [side_a, side_b] = sides;
    let compared = |document, side| Compared { document, side };
    Ok(Comparison {
        a: compared(a, side_a),
        b: compared(b, side_b),
        verdict,
        shared,
    })
}

/// A line of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceLine<'s> {
    /// Its number, from 1.
    pub number: usize,
    /// What is in it, without the white space at its ends.
    pub text: &'s str,
}

/// Two files as they are written: decoded, with all that does not count as their texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sources {
    texts: [String; 2],
    is_same: bool,
    has_same_bytes: bool,
}

impl Sources {
    /// Returns the sources of two files that were decoded.
    pub fn new(texts: [String; 2]) -> Self {
        let [a, b] = [0, 1].map(|which: usize| texts[which].chars().filter(|c| !c.is_whitespace()));
        Self {
            is_same: a.eq(b),
            has_same_bytes: false,
            texts,
        }
    }

    /// Reads two files that are one document each. Returns nothing if one of them cannot be read, or has no lines that
    /// people write, as a PDF.
    pub fn read(paths: [&Path; 2], options: &ReadOptions) -> Option<Self> {
        let read = |path| as_written(path, kind_of(path, options.pre.as_ref()), options).ok()?;
        let [a, b] = paths.map(read);
        let sources = Self::new([a?, b?]);
        let [a, b] = paths.map(|path| hash(path).ok());
        Some(Self {
            has_same_bytes: a.is_some() && a == b,
            ..sources
        })
    }

    /// Whether they are the same byte for byte, as far as it is known.
    pub fn have_same_bytes(&self) -> bool {
        self.has_same_bytes
    }

    /// Whether they are the same but for white space.
    pub fn are_same(&self) -> bool {
        self.is_same
    }

    /// Returns the lines that only the first one (0) or only the second one (1) has, in their order. Blank lines and white
    /// space at the ends of lines do not count. Of a line that one has more often, the last ones are returned. If the two
    /// are the same but for white space, there are none.
    pub fn only_in(&self, which: usize) -> impl Iterator<Item = SourceLine<'_>> {
        let [own, other] = [which, 1 - which].map(|which| match self.is_same {
            true => "",
            false => &self.texts[which],
        });
        let mut shared: HashMap<&str, usize> = HashMap::new();
        for line in lines(other) {
            *shared.entry(line.text).or_default() += 1;
        }
        lines(own).filter(move |line| match shared.get_mut(line.text) {
            Some(left @ 1..) => {
                *left -= 1;
                false
            }
            _ => true,
        })
    }
}

/// Returns the lines of a source that are not blank.
fn lines(source: &str) -> impl Iterator<Item = SourceLine<'_>> {
    let numbered = (1..).zip(source.lines());
    let trimmed = numbered.map(|(number, text)| SourceLine {
        number,
        text: text.trim(),
    });
    trimmed.filter(|line| !line.text.is_empty())
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use dupfind_engine::text::blocks::Layout;
    use dupfind_engine::verdict::pair::measure;
    use dupfind_engine::{Relation, Resemblance};
    use dupfind_read::{Format, Ingested};
    use proptest::prelude::*;

    use super::*;
    use crate::compare::side::LEAST;

    fn document(text: &str) -> Document {
        let read = Ingested {
            text: text.to_owned().into(),
            title: None,
            layout: Layout::default(),
            format: Format::Text,
            encoding: "UTF-8",
            is_repaired: false,
            opt_out: None,
            is_generated: false,
            leads_elsewhere: false,
            is_own_output: false,
            source: None,
            bytes: text.len(),
        };
        let name = "a.md".into();
        Document { name, read }
    }

    fn compared<'t>(a: &'t Document, b: &'t Document) -> Comparison<'t> {
        let options = Options::default();
        let alone = |features: [(String, &Features); 2]| {
            let (documents, pair) = measure(&options, features, None);
            Ok(Explanation::new(documents, pair))
        };
        compare(a, b, &options, alone).unwrap()
    }

    fn steps(found: &Comparison<'_>) -> u64 {
        found.verdict.pair.jaccard().map_or(0, Resemblance::steps)
    }

    /// Asserts the laws of every comparison.
    #[track_caller]
    fn assert_lawful(a: &str, b: &str) {
        let (document_a, document_b) = (document(a), document(b));
        let found = compared(&document_a, &document_b);
        let (units_a, units_b) = (found.a.side.units(), found.b.side.units());
        let (mut in_a, mut in_b) = (vec![0; units_a.len()], vec![0; units_b.len()]);
        let mut count = |a: &Range<usize>, b: &Range<usize>| {
            in_a[a.clone()].iter_mut().for_each(|count| *count += 1);
            in_b[b.clone()].iter_mut().for_each(|count| *count += 1);
        };
        for passage in &found.shared.passages {
            count(&passage.a, &passage.b);
            let (mut end_a, mut end_b) = (passage.a.start, passage.b.start);
            let mut is_same_before = None;
            for part in &passage.parts {
                assert_eq!((part.a.start, part.b.start), (end_a, end_b));
                (end_a, end_b) = (part.a.end, part.b.end);
                assert_ne!(is_same_before, Some(part.is_same));
                is_same_before = Some(part.is_same);
                let (old, new) = (&units_a[part.a.clone()], &units_b[part.b.clone()]);
                assert_eq!(part.is_same, old == new);
                assert!(!(old.is_empty() && new.is_empty()));
            }
            assert_eq!((end_a, end_b), (passage.a.end, passage.b.end));
            let (first, last) = (&passage.parts[0], &passage.parts[passage.parts.len() - 1]);
            assert!(first.is_same || (first.a.start, first.b.start) == (0, 0));
            let ends = (units_a.len(), units_b.len());
            assert!(last.is_same || (last.a.end, last.b.end) == ends);
            let least = LEAST.min(units_a.len()).min(units_b.len());
            // A line that both documents have may be that short.
            assert!(passage.same() >= least.min(2));
            let texts = passage.texts(&found.a.side, &found.b.side);
            for (places, (side, whole)) in texts
                .iter()
                .zip([(&found.a.side, &passage.a), (&found.b.side, &passage.b)])
            {
                let text: String = places.iter().map(|p| &side.text()[p.clone()]).collect();
                assert_eq!(text, side.text()[side.stretch(whole)]);
            }
        }
        let [only_a, only_b] = &found.shared.only;
        only_a.iter().for_each(|only| count(only, &(0..0)));
        only_b.iter().for_each(|only| count(&(0..0), only));
        assert!(in_a.iter().chain(&in_b).all(|&count| count == 1));
        assert!(
            found
                .shared
                .passages
                .is_sorted_by_key(|passage| passage.a.start)
        );
    }

    #[test]
    fn shuffled_paragraphs_are_shared_and_marked_as_moved() {
        let one = "河边的老公园三十年前向市民开放。\n";
        let two = "去年城市沿着北边的小路种了四百棵枫树，并更换了所有的木头长椅。\n";
        let (a, b) = (format!("{one}{two}"), format!("{two}{one}"));
        let (a, b) = (document(&a), document(&b));
        let found = compared(&a, &b);
        let moved: Vec<bool> = found.shared.passages.iter().map(|p| p.is_moved).collect();
        assert_eq!(moved, [true, false]);
        assert!(found.shared.only.iter().all(Vec::is_empty));
    }

    proptest! {
        #[test]
        fn the_laws_hold(
            a in "[ab中文，\n ㍿ﷺ]{0,120}", b in "[ab中文，\n ㍿ﷺ]{0,120}", any_a in any::<String>(), any_b in any::<String>(),
        ) {
            assert_lawful(&a, &b);
            assert_lawful(&any_a, &any_b);
            assert_lawful(&format!("{any_a}{b}{a}"), &format!("{a}{any_b}{b}"));
        }

        #[test]
        fn the_laws_hold_for_edited_texts(
            words in prop::collection::vec("[a-e]{1,2}|[一-五]{1,3}", 1..150),
            edits in prop::collection::vec((any::<prop::sample::Index>(), "[a-z一-十]{0,3}"), 0..12),
            turn in any::<prop::sample::Index>(),
        ) {
            let mut edited = words.clone();
            for (at, word) in &edits {
                let at = at.index(edited.len());
                edited[at].clone_from(word);
            }
            edited.rotate_left(turn.index(words.len()));
            assert_lawful(&words.join(" "), &edited.join(" "));
        }

        #[test]
        fn a_document_is_one_passage_of_itself(text in "[ab中文，\n ㍿ﷺ]{0,60}|\\PC{0,60}") {
            let text = document(&text);
            let found = compared(&text, &text);
            let units = found.a.side.units().len();
            prop_assert_eq!(found.shared.passages.len(), usize::from(units > 0));
            prop_assert!(found.shared.passages.iter().all(|p| p.parts.len() == 1 && !p.is_moved));
            prop_assert!(found.shared.only.iter().all(Vec::is_empty));
            prop_assert_eq!(steps(&found), if units > 0 { 10_000 } else { 0 });
            prop_assert_eq!(found.verdict.pair.hamming, Some(0));
            prop_assert_eq!(found.verdict.pair.relation(), Relation::Exact);
        }
    }

    /// The lines that only one of two sources has, as `number:text`.
    fn only(a: &str, b: &str) -> [Vec<String>; 2] {
        let sources = Sources::new([a.into(), b.into()]);
        [0, 1].map(|which| {
            let lines = sources.only_in(which);
            lines
                .map(|line| format!("{}:{}", line.number, line.text))
                .collect()
        })
    }

    #[test]
    fn lines_of_one_source_are_found_with_their_numbers() {
        assert_eq!(
            only("one\n\n[two](a.md)\n", "one\n<!-- x -->\n\n[two](b.md)"),
            [
                vec!["3:[two](a.md)".to_owned()],
                vec!["2:<!-- x -->".into(), "4:[two](b.md)".into()],
            ]
        );
        // As often as the other one does not have it.
        assert_eq!(only("x\ny\nx\nx", "x\ny"), [vec!["3:x", "4:x"], vec![]]);
        // In another order.
        let swapped = Sources::new(["x\ny".into(), "y\nx".into()]);
        assert!(!swapped.are_same());
        assert_eq!(only("x\ny", "y\nx"), [vec![""; 0], vec![]]);
    }

    #[test]
    fn files_of_the_same_bytes_are_told_from_others() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b, c] = ["a.md", "b.md", "c.md"].map(|name| folder.path().join(name));
        for (path, text) in [(&a, "one\ntwo\n"), (&b, "one\ntwo\n"), (&c, "one\r\ntwo")] {
            std::fs::write(path, text).unwrap();
        }
        for (other, expected) in [(&b, true), (&c, false)] {
            let sources = Sources::read([&a, other], &ReadOptions::default()).unwrap();
            assert!(sources.are_same());
            assert_eq!(sources.have_same_bytes(), expected);
        }
    }

    #[test]
    fn white_space_is_no_difference() {
        for (a, b) in [
            ("one two\nthree", "one\r\n\ttwo three\r\n"),
            ("一二\n三", "一二三"),
            ("", " \n"),
        ] {
            assert!(Sources::new([a.into(), b.into()]).are_same(), "{a:?}");
            assert_eq!(only(a, b), [vec![""; 0], vec![]], "{a:?}");
        }
        // Other lines are told, and these lines differ in nothing that counts.
        assert_eq!(only("  one\r\ntwo", "one \nTwo"), [["2:two"], ["2:Two"]]);
    }
}
