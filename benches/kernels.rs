//! The kernels one by one, on the documents of the fixtures or of a folder:
//!
//! ```text
//! cargo bench --bench kernels -- FOLDER
//! ```

use std::hint::black_box;

use dupfind_engine::Options;
use dupfind_engine::fingerprint::idf::Idf;
use dupfind_engine::fingerprint::shingles::Shingler;
use dupfind_engine::fingerprint::simhash::simhash;
use dupfind_engine::fingerprint::terms::{TermCounter, Terms};
use dupfind_engine::join::oracle::joined;
use dupfind_engine::text::han::fold;
use dupfind_engine::text::normalize::normalize_into;
use dupfind_engine::text::script::{Run, runs, runs_into};
use dupfind_engine::text::tokenize::tokens;
use dupfind_engine::text::units::{ShingleUnit, units_into};
use jieba_rs::Jieba;
use xxhash_rust::xxh3::xxh3_64;

#[expect(dead_code, reason = "no labels are needed here")]
mod support;
#[path = "support/timing.rs"]
mod timing;

use crate::timing::Timing;

/// Documents in every form between two kernels.
struct Documents {
    decoded: Vec<String>,
    normalized: Vec<String>,
    runs: Vec<Vec<Run>>,
    units: Vec<Vec<u64>>,
    terms: Vec<Terms>,
    sets: Vec<Vec<u64>>,
    codes: Vec<u64>,
}

impl Documents {
    fn load() -> Self {
        let folders = support::folders().into_iter();
        let decoded: Vec<String> = folders
            .flat_map(|folder| support::texts(&support::settings(folder)))
            .collect();
        let normalized: Vec<String> = decoded
            .iter()
            .map(|text| {
                let mut out = String::new();
                normalize_into(text, &mut out);
                out
            })
            .collect();
        let runs: Vec<Vec<Run>> = normalized.iter().map(|text| runs(text)).collect();
        let units: Vec<Vec<u64>> = normalized
            .iter()
            .zip(&runs)
            .map(|(text, runs)| {
                let mut units = Vec::new();
                units_into(text, runs, ShingleUnit::Auto, &mut units);
                units
            })
            .collect();
        let mut counter = TermCounter::new();
        let terms: Vec<Terms> = normalized
            .iter()
            .zip(&runs)
            .map(|(text, runs)| {
                count(text, runs, &mut counter);
                counter.terms().to_vec()
            })
            .collect();
        let sets = units
            .iter()
            .map(|units| Shingler::new().set(units, Options::SHINGLE_SIZE).to_vec())
            .collect();
        let codes = terms
            .iter()
            .map(|terms| simhash(terms, &Idf::Dictionary))
            .collect();
        Self {
            decoded,
            normalized,
            runs,
            units,
            terms,
            sets,
            codes,
        }
    }
}

fn count(text: &str, runs: &[Run], counter: &mut TermCounter) {
    counter.clear();
    tokens(text, runs, |token| {
        counter.add(xxh3_64(token.as_bytes()));
    });
}

#[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
fn main() {
    let documents = Documents::load();
    let bytes: usize = documents.normalized.iter().map(String::len).sum();
    let count_of = documents.codes.len();
    let pairs = count_of * count_of.saturating_sub(1) / 2;

    let of_text = Timing::new(bytes as f64 / 1e6, "MB", 20);
    let mut out = String::new();
    of_text.time("normalize", || {
        for text in &documents.decoded {
            out.clear();
            normalize_into(text, &mut out);
            black_box(&out);
        }
    });
    let mut out = String::new();
    of_text.time("normalize and fold", || {
        for text in &documents.decoded {
            out.clear();
            normalize_into(text, &mut out);
            fold(&mut out);
            black_box(&out);
        }
    });
    let mut out = Vec::new();
    of_text.time("runs", || {
        for text in &documents.normalized {
            runs_into(text, &mut out);
            black_box(&out);
        }
    });
    let mut out = Vec::new();
    of_text.time("units", || {
        for (text, runs) in documents.normalized.iter().zip(&documents.runs) {
            out.clear();
            units_into(text, runs, ShingleUnit::Auto, &mut out);
            black_box(&out);
        }
    });
    let mut counter = TermCounter::new();
    of_text.time("tokenise and count", || {
        for (text, runs) in documents.normalized.iter().zip(&documents.runs) {
            count(text, runs, &mut counter);
            black_box(counter.terms());
        }
    });
    let jieba = Jieba::new();
    of_text.time("jieba alone", || {
        for text in &documents.normalized {
            black_box(jieba.cut(text, true));
        }
    });

    let of_documents = Timing::new(count_of as f64, "documents", 20);
    let mut shingler = Shingler::new();
    of_documents.time("shingle set", || {
        for units in &documents.units {
            black_box(shingler.set(units, Options::SHINGLE_SIZE));
        }
    });
    let idf = Idf::Dictionary;
    of_documents.time("simhash", || {
        for terms in &documents.terms {
            black_box(simhash(terms, &idf));
        }
    });

    let of_pairs = Timing::new(pairs as f64, "pairs", 20);
    of_pairs.time("jaccard", || {
        joined::jaccard(&documents.sets, Options::MIN_JACCARD)
    });
    of_pairs.time("hamming", || {
        joined::hamming(&documents.codes, Options::MAX_HAMMING)
    });
}
