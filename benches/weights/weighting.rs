//! The weightings that are compared: how much a feature of a document counts.

use dupfind_engine::fingerprint::terms::{ONE, SCALE_BITS, ln};

use crate::features::{Feature, Kind};

/// A feature of a document weighs `tf(occurrences) * idf(feature)`.
pub(crate) struct Weighting {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// In units of 1/[`ONE`].
    pub(crate) tf: fn(u32) -> u64,
    /// In units of 2^-12.
    pub(crate) idf: fn(&Feature) -> u32,
}

/// How often a feature occurs, made into a weight, and what that is called.
type Tf = (&'static str, fn(u32) -> u64);

/// How rare a feature is, made into a weight, and what that is called.
type Rarity = (&'static str, fn(&Feature) -> u32);

const LOG: Tf = ("1 + ln tf", |n| ONE + ln(u64::from(n)));
const RAW: Tf = ("tf", |n| u64::from(n) * ONE);
const AT_MOST_10: Tf = ("min(tf, 10)", |n| u64::from(n.min(10)) * ONE);
const BINARY: Tf = ("1", |_| ONE);

/// Beside [`LOG`] and [`AT_MOST_10`].
const OTHER_COUNTS: [Tf; 10] = [
    BINARY,
    ("sqrt tf", |n| scaled(f64::from(n).sqrt())),
    ("tf^0.75", |n| scaled(f64::from(n).powf(0.75))),
    RAW,
    ("min(tf, 6)", |n| u64::from(n.min(6)) * ONE),
    ("min(tf, 16)", |n| u64::from(n.min(16)) * ONE),
    // The saturation of BM25 (Robertson and Walker 1994), with k1 = 10 instead of 1.2.
    ("11 tf / (tf + 10)", |n| {
        scaled(f64::from(n) * 11.0 / (f64::from(n) + 10.0))
    }),
    ("(1 + ln tf)^1.5", |n| scaled(one_plus_ln(n).powf(1.5))),
    ("(1 + ln tf)^2", |n| scaled(one_plus_ln(n).powi(2))),
    ("(1 + ln min(tf, 16))^2", |n| {
        scaled(one_plus_ln(n.min(16)).powi(2))
    }),
];

const DICTIONARY: Rarity = ("dictionary", |f| f.dictionary);
const CORPUS: Rarity = ("corpus", |f| f.corpus);
const NONE: Rarity = ("1", |_| weight(1.0));

/// Beside [`DICTIONARY`].
const OTHER_RARITIES: [Rarity; 14] = [
    CORPUS,
    NONE,
    ("dictionary^0.5", |f| weight(value(f.dictionary).sqrt())),
    ("dictionary^1.5", |f| weight(value(f.dictionary).powf(1.5))),
    ("dictionary^2", |f| weight(value(f.dictionary).powi(2))),
    ("geometric mean of both", |f| {
        weight((value(f.dictionary) * value(f.corpus)).sqrt())
    }),
    ("mean of both", |f| f.dictionary.midpoint(f.corpus)),
    ("larger of both", |f| f.dictionary.max(f.corpus)),
    ("dictionary, else corpus", |f| {
        if f.is_known { f.dictionary } else { f.corpus }
    }),
    ("dictionary, else half of the median", |f| {
        if f.is_known {
            f.dictionary
        } else {
            f.dictionary / 2
        }
    }),
    ("dictionary, none below 4", |f| {
        keep(f, value(f.dictionary) >= 4.0)
    }),
    ("dictionary, none below 6", |f| {
        keep(f, value(f.dictionary) >= 6.0)
    }),
    ("dictionary, none in half the folder", |f| {
        keep(f, f.share < 0.5)
    }),
    ("dictionary, no single ideographs", |f| {
        keep(f, !f.is_character)
    }),
];

/// All weightings, the library's first.
pub(crate) fn weightings() -> Vec<Weighting> {
    let mut all = Vec::new();
    let mut add = |kind, tf: Tf, idf: Rarity| {
        let product = format!("{} * {}", tf.0, idf.0);
        let name = match kind {
            Kind::Terms => product,
            Kind::KnownWords => format!("no guessed words: {product}"),
            Kind::CharacterPairs => format!("pairs of ideographs: {product}"),
            Kind::TermPairs => format!("terms and their pairs: {product}"),
            Kind::Shingles => format!("shingles: {product}"),
        };
        let (tf, idf) = (tf.1, idf.1);
        all.push(Weighting {
            name,
            kind,
            tf,
            idf,
        });
    };
    for tf in [LOG, AT_MOST_10] {
        add(Kind::Terms, tf, DICTIONARY);
    }
    for tf in OTHER_COUNTS {
        add(Kind::Terms, tf, DICTIONARY);
    }
    add(Kind::Terms, RAW, CORPUS);
    for tf in [LOG, AT_MOST_10] {
        for idf in OTHER_RARITIES {
            add(Kind::Terms, tf, idf);
        }
        for kind in [Kind::KnownWords, Kind::CharacterPairs] {
            add(kind, tf, DICTIONARY);
        }
        for idf in [DICTIONARY, CORPUS, NONE] {
            add(Kind::TermPairs, tf, idf);
        }
    }
    for idf in [NONE, CORPUS] {
        add(Kind::Shingles, BINARY, idf);
    }
    all
}

fn one_plus_ln(n: u32) -> f64 {
    1.0 + f64::from(n).ln()
}

/// A number in units of 1/[`ONE`].
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "positive, and far below 2^48"
)]
fn scaled(number: f64) -> u64 {
    (number * ONE as f64).round() as u64
}

/// A weight in units of 2^-12 as a number.
fn value(weight: u32) -> f64 {
    f64::from(weight) / f64::from(1 << SCALE_BITS)
}

/// A number as a weight in units of 2^-12.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "positive, and far below 2^20"
)]
fn weight(number: f64) -> u32 {
    (number * f64::from(1 << SCALE_BITS)).round() as u32
}

/// The weight in the dictionary of a feature that is kept.
fn keep(feature: &Feature, is_kept: bool) -> u32 {
    if is_kept { feature.dictionary } else { 0 }
}
