//! The settings of a scan in `json` and `jsonl`.

use encoding_rs::Encoding;
use serde::Serialize;

use dupfind_engine::Detector;
use dupfind_engine::fingerprint::i_match::{IDF, LEXICONS};
use dupfind_engine::fingerprint::super_shingle::{HASHES, LEAST, RUN};
use dupfind_scan::ScanOptions;

/// The settings that decide which pairs are reported.
#[derive(Debug, Serialize)]
pub(crate) struct SettingsRecord {
    /// Bits of a fingerprint.
    pub(crate) simhash_bits: u32,
    /// Largest Hamming distance that makes a pair.
    pub(crate) max_hamming: u32,
    /// Least Jaccard similarity that makes a pair.
    pub(crate) min_jaccard: f64,
    /// Units in a shingle.
    pub(crate) shingle_size: usize,
    /// `auto`, `char`, `word` or `ocr`.
    pub(crate) shingle_unit: &'static str,
    /// Which part of web pages was compared: `main`, `all` or `raw`.
    pub(crate) web_part: &'static str,
    /// The encoding that was named; `null` if it was found out for each file.
    pub(crate) encoding: Option<&'static str>,
    /// Least containment that makes a pair; `null` if that detector was off.
    pub(crate) min_containment: Option<f64>,
    /// Least weighted similarity that makes a pair; missing if that detector was off, as among few documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) min_weighted: Option<f64>,
    /// Those of `simhash`, `shingle`, `super-shingle` and `i-match` that ran.
    pub(crate) detectors: Vec<&'static str>,
    /// How super-shingles were made; `null` if that detector was off.
    pub(crate) super_shingle: Option<SuperShingleRecord>,
    /// The settings of I-Match; `null` if that detector was off.
    pub(crate) i_match: Option<IMatchRecord>,
}

/// How super-shingles were made.
#[derive(Debug, Serialize)]
pub(crate) struct SuperShingleRecord {
    /// How many min-hashes there were.
    pub(crate) hashes: u32,
    /// How many of them made a super-shingle.
    pub(crate) run: u32,
    /// How many super-shingles of a pair are equal at least.
    pub(crate) min_equal: u32,
}

/// The settings of I-Match.
#[derive(Debug, Serialize)]
pub(crate) struct IMatchRecord {
    /// The IDF of the terms that counted: `5..12`.
    pub(crate) idf: String,
    /// How many lexicons there were besides the one of all terms.
    pub(crate) lexicons: u8,
}

impl SettingsRecord {
    /// The settings of a scan of so many documents.
    pub(crate) fn new(settings: &ScanOptions, documents: usize) -> Self {
        let (engine, read) = (&settings.engine, &settings.read);
        let runs = |detector| engine.detectors.have(detector);
        Self {
            simhash_bits: engine.simhash_width.bits(),
            max_hamming: engine.max_hamming,
            min_jaccard: engine.min_jaccard.as_f64(),
            shingle_size: engine.shingle_size.get(),
            shingle_unit: engine.shingle_unit.as_str(),
            web_part: read.web_part.as_str(),
            encoding: read.encoding.map(Encoding::name),
            min_containment: engine.containment.map(|c| c.least.as_f64()),
            min_weighted: engine
                .among(documents)
                .weighted()
                .map(|weighted| f64::from(weighted.least) / 10_000.0),
            detectors: engine.detectors.names().collect(),
            super_shingle: runs(Detector::SuperShingle).then_some(SuperShingleRecord {
                hashes: HASHES,
                run: RUN,
                min_equal: LEAST,
            }),
            i_match: runs(Detector::IMatch).then(|| IMatchRecord {
                idf: format!("{}..{}", IDF.start(), IDF.end()),
                lexicons: LEXICONS,
            }),
        }
    }
}
