//! A labelled folder, ready to be judged: its features, and what every pair of documents is.

use std::collections::HashMap;
use std::path::Path;

use dupfind_engine::fingerprint::shingles::Shingler;
use dupfind_engine::join::jaccard;
use dupfind_engine::text::normalize::normalize;
use dupfind_engine::text::script::{has_runs, runs};
use dupfind_engine::text::units::units_into;
use dupfind_engine::{Options, ShingleUnit, Threshold};
use rayon::prelude::*;

use crate::features::{Features, Kind};
use crate::support;
use crate::support::labels::{labelled_folder, rows, within};

/// Pairs that share less than a tenth of their shingles, and that nobody labelled or grouped, count
/// as unrelated; what shares more may be a copy that the labels do not know, or a template.
const RELATED: Threshold = Threshold::new(1, 10).expect("a fraction below 1");

/// A labelled folder.
pub(crate) struct Folder {
    pub(crate) name: String,
    /// Normalised texts; none of them is empty.
    texts: Vec<String>,
    /// Pairs that should be found.
    pub(crate) positives: Vec<(u32, u32)>,
    /// Different pages that share a template.
    pub(crate) templates: Vec<(u32, u32)>,
    pub(crate) related: PairSet,
}

impl Folder {
    /// Takes a folder's path and reads it.
    pub(crate) fn read(path: &Path) -> Self {
        let (docs, labels) = labelled_folder(path);
        let named: Vec<(String, String)> = support::named_texts(&support::settings(docs.clone()))
            .into_par_iter()
            .map(|(name, text)| (within(&docs, &name).to_owned(), normalize(&text)))
            .filter(|(_, text)| has_runs(text))
            .collect();
        let (names, texts): (Vec<String>, Vec<String>) = named.into_iter().unzip();
        let positions: HashMap<&str, u32> = names.iter().map(String::as_str).zip(0..).collect();
        let position = |name: &str| positions.get(name).copied();

        let (mut positives, mut templates) = (Vec::new(), Vec::new());
        for pair in labels {
            let (Some(a), Some(b)) = (position(&pair.a), position(&pair.b)) else {
                continue;
            };
            if pair.label.contains("template") {
                templates.push((a, b));
            } else if pair.positive {
                positives.push((a, b));
            }
        }
        let mut related = PairSet::new(names.len());
        positives.iter().for_each(|&(a, b)| related.insert(a, b));
        let grouped = groups(path).into_iter().map(|group| {
            let members = group.iter().filter_map(|name| position(name));
            members.collect::<Vec<u32>>()
        });
        for group in grouped {
            for (at, &a) in group.iter().enumerate() {
                group[..at].iter().for_each(|&b| related.insert(a, b));
            }
        }
        let sets = shingle_sets(&texts);
        jaccard::for_each_pair(&sets, RELATED, |pair| related.insert(pair.a, pair.b))
            .expect("not too many shingles");
        let name = path.file_name().unwrap_or(path.as_os_str());
        Self {
            name: name.to_string_lossy().into_owned(),
            texts,
            positives,
            templates,
            related,
        }
    }

    /// How many documents it has.
    pub(crate) fn documents(&self) -> usize {
        self.texts.len()
    }

    /// Its documents' features of a kind.
    pub(crate) fn features(&self, kind: Kind) -> Features {
        Features::of(kind, &self.texts)
    }

    /// How many pairs of documents are unrelated.
    pub(crate) fn unrelated(&self) -> u64 {
        let n = self.documents() as u64;
        n * n.saturating_sub(1) / 2 - self.related.len()
    }
}

/// The names in each group of `groups.tsv`, if there is one.
fn groups(path: &Path) -> Vec<Vec<String>> {
    let table = path.join("groups.tsv");
    if !table.exists() {
        return Vec::new();
    }
    let mut groups: HashMap<String, Vec<String>> = HashMap::new();
    for row in rows(&table) {
        let name = row[0].strip_prefix("docs/").unwrap_or(&row[0]).to_owned();
        groups.entry(row[1].clone()).or_default().push(name);
    }
    groups.into_values().collect()
}

fn shingle_sets(texts: &[String]) -> Vec<Vec<u64>> {
    texts
        .par_iter()
        .map_init(Shingler::new, |shingler, text| {
            let mut units = Vec::new();
            units_into(text, &runs(text), ShingleUnit::Auto, &mut units);
            shingler.set(&units, Options::SHINGLE_SIZE).to_vec()
        })
        .collect()
}

/// A set of pairs of documents: one bit for each pair there is.
pub(crate) struct PairSet {
    bits: Vec<u64>,
}

impl PairSet {
    fn new(documents: usize) -> Self {
        let pairs = documents * documents.saturating_sub(1) / 2;
        Self {
            bits: vec![0; pairs.div_ceil(64)],
        }
    }

    fn insert(&mut self, a: u32, b: u32) {
        let (word, bit) = Self::place(a, b);
        self.bits[word] |= bit;
    }

    /// Whether two different documents are a pair of the set.
    pub(crate) fn contains(&self, a: u32, b: u32) -> bool {
        let (word, bit) = Self::place(a, b);
        self.bits[word] & bit != 0
    }

    fn len(&self) -> u64 {
        let ones = self.bits.iter().map(|word| u64::from(word.count_ones()));
        ones.sum()
    }

    fn place(a: u32, b: u32) -> (usize, u64) {
        let (low, high) = (a.min(b) as usize, a.max(b) as usize);
        let at = high * (high - 1) / 2 + low;
        (at / 64, 1 << (at % 64))
    }
}
