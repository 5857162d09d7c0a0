//! The labelled pairs of a set in parts: by label, by language, and by how similar the two documents are.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::metrics::Decision;
use crate::support::labels::Labelled;

/// The results of a part: the reported pairs, and the duplicates among them.
#[derive(Default)]
pub(super) struct Part {
    pub(super) taken: [Decision; 2],
}

impl Part {
    pub(super) fn positives(&self) -> u32 {
        self.taken[0].positives()
    }

    pub(super) fn negatives(&self) -> u32 {
        self.taken[0].negatives()
    }
}

/// The parts of a set, by what makes them and by name.
pub(super) struct Parts {
    docs: PathBuf,
    /// The language of each document that was looked at.
    languages: BTreeMap<String, &'static str>,
    parts: BTreeMap<(&'static str, String), Part>,
}

impl Parts {
    /// Returns the parts of a folder of documents, without any pair.
    pub(super) fn new(docs: &Path) -> Self {
        Self {
            docs: docs.to_owned(),
            languages: BTreeMap::new(),
            parts: BTreeMap::new(),
        }
    }

    /// Counts a pair: whether it was reported, and whether it was called a duplicate.
    pub(super) fn add(&mut self, pair: &Labelled, taken: [bool; 2]) {
        let docs = &self.docs;
        let language = self.languages.entry(pair.a.clone()).or_insert_with(|| {
            let bytes = std::fs::read(docs.join(&pair.a)).unwrap_or_default();
            language(&String::from_utf8_lossy(&bytes))
        });
        let mut names = vec![
            ("label", pair.label.clone()),
            ("language", (*language).into()),
        ];
        names.extend(
            pair.similarity
                .map(|similarity| ("similarity", band(similarity).into())),
        );
        for name in names {
            let part = self.parts.entry(name).or_default();
            for (decision, taken) in part.taken.iter_mut().zip(taken) {
                decision.add(taken, pair.positive);
            }
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&(&'static str, String), &Part)> {
        self.parts.iter()
    }
}

/// Returns the language of a text, by its script.
fn language(text: &str) -> &'static str {
    let count = |from, to| text.chars().filter(|c| (from..=to).contains(c)).count();
    let kana = count('\u{3041}', '\u{30ff}');
    let hangul = count('\u{ac00}', '\u{d7a3}');
    let han = count('\u{4e00}', '\u{9fff}');
    let latin = text.chars().filter(char::is_ascii_alphabetic).count();
    // Technical pages are full of Latin words.
    if (kana + hangul + han) * 10 < latin.max(1) {
        "Latin"
    } else if hangul > kana + han {
        "Korean"
    } else if kana * 10 >= han {
        "Japanese"
    } else {
        "Chinese"
    }
}

/// Returns the band of a Jaccard similarity in ten-thousandths.
fn band(similarity: u32) -> &'static str {
    match similarity {
        0..2_000 => "below 0.2",
        2_000..5_000 => "0.2 to 0.5",
        5_000..8_000 => "0.5 to 0.8",
        _ => "0.8 and more",
    }
}
