//! The output of `dupfind show`: a document at one of the stages on its way to the features.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::num::NonZeroUsize;

use dupfind_engine::fingerprint::dictionary;
use dupfind_engine::fingerprint::simhash::damped;
use dupfind_engine::fingerprint::super_shingle::{HASHES, MinHasher, RUN, WIDTH};
use dupfind_engine::fingerprint::terms::{ONE, SCALE_BITS};
use dupfind_engine::text::cutter::Cutter;
use dupfind_engine::{Detector, Document, FeatureMaker, Options, ShingleUnit};
use dupfind_scan::{Source, Sources};
use serde::Serialize;
use serde_json::json;
use xxhash_rust::xxh3::xxh3_64;

use crate::formats::jsonl::write_line;
use crate::style::escape::visible;

/// A stage on the way from a file to its features.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextStage {
    /// Decoded, without the parts that do not count: the text that reports show.
    Text,
    /// Normalised: the text that is compared.
    Normalized,
    /// Cut into units, which shingles are made of.
    Units,
    /// The distinct shingles, which are runs of units.
    Shingles,
    /// Cut into tokens, which the fingerprint is made of.
    Tokens,
    /// The distinct tokens with their votes: idf, count, weight, and for which bits they are.
    Votes,
    /// The numbers that the detectors of signatures compare, and the min-hashes that some of them are made of.
    Signatures,
}

impl TextStage {
    /// Returns its key in JSON.
    fn key(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Normalized => "normalized",
            Self::Units => "units",
            Self::Shingles => "shingles",
            Self::Tokens => "tokens",
            Self::Votes => "votes",
            Self::Signatures => "signatures",
        }
    }
}

/// How a text is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StageOptions {
    /// The unit of shingles.
    pub unit: ShingleUnit,
    /// Units in a shingle.
    pub size: NonZeroUsize,
}

/// A document at a stage.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
enum Shown {
    Text(String),
    List(Vec<String>),
    Signatures {
        /// 16 hexadecimal digits each, as a fingerprint.
        super_shingles: Vec<String>,
        /// The one of all terms first, then those of the lexicons.
        i_match: Vec<String>,
        /// For each super-shingle those that it is the hash of.
        min_hashes: Vec<Vec<u32>>,
    },
}

/// Returns a document at a stage. `text` is the text as it is in the file.
fn shown(text: &str, stage: TextStage, options: StageOptions) -> Shown {
    if stage == TextStage::Text {
        return Shown::Text(text.to_owned());
    }
    let mut cutter = Cutter::new(options.unit);
    cutter.read(text);
    let mut pieces: Vec<Cow<'_, str>> = Vec::new();
    match stage {
        TextStage::Text | TextStage::Normalized => return Shown::Text(cutter.normal().to_owned()),
        TextStage::Units | TextStage::Shingles => {
            cutter.placed_units(|_, place| pieces.push(cutter.unit_text(place)));
        }
        TextStage::Tokens => cutter.tokens(|token| pieces.push(Cow::Borrowed(token))),
        TextStage::Votes => return Shown::List(votes(&cutter)),
        TextStage::Signatures => return signatures(text, options),
    }
    // A document with fewer units than a shingle has one shingle of all of them.
    let width = match stage {
        TextStage::Shingles => options.size.get().min(pieces.len()).max(1),
        _ => 1,
    };
    let mut known = HashSet::new();
    let windows = pieces.windows(width);
    let windows = windows.filter(|window| stage != TextStage::Shingles || known.insert(*window));
    Shown::List(windows.map(|window| window.join(" ")).collect())
}

/// Returns the signatures of a text, as the detectors keep them.
fn signatures(text: &str, options: StageOptions) -> Shown {
    let detectors = [Detector::SuperShingle, Detector::IMatch];
    let options = Options {
        detectors: detectors.into_iter().collect(),
        shingle_unit: options.unit,
        shingle_size: options.size,
        ..Options::default()
    };
    let features = FeatureMaker::new(&options).features_of_any(text);
    let mut digits = features.facts.signatures.iter().map(|it| digits(*it));
    let mut hasher = MinHasher::new(0..HASHES);
    let min_hashes = hasher.values(features.shingles).chunks(RUN as usize);
    Shown::Signatures {
        super_shingles: digits.by_ref().take(WIDTH).collect(),
        i_match: digits.collect(),
        min_hashes: min_hashes.map(<[u32]>::to_vec).collect(),
    }
}

/// Returns a fingerprint or a signature as reports show it.
fn digits(hash: u64) -> String {
    format!("{hash:016x}")
}

/// Returns the votes of the distinct tokens of a text, those first that come first. The highest bit is the first one.
fn votes(cutter: &Cutter) -> Vec<String> {
    let mut counts: Vec<(String, u32)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    cutter.tokens(|token| {
        let place = *places.entry(token.to_owned()).or_insert(counts.len());
        match counts.get_mut(place) {
            Some((_, count)) => *count += 1,
            None => counts.push((token.to_owned(), 1)),
        }
    });
    let lines = counts.into_iter().map(|(token, count)| {
        let hash = xxh3_64(token.as_bytes());
        let idf = dictionary::weight(hash);
        let weight = fixed(damped(idf, count), ONE);
        let idf = fixed(u64::from(idf), 1 << SCALE_BITS);
        let bits = format!("{hash:064b}").replace('0', "-").replace('1', "+");
        format!("{idf:>7} {count:>3} {weight:>8} {bits} {token}")
    });
    lines.collect()
}

/// Returns a number in units of 1 / `one` with four decimals, rounded down.
fn fixed(number: u64, one: u64) -> String {
    format!("{}.{:04}", number / one, number % one * 10_000 / one)
}

/// Writes a document at a stage: its text as it is, one unit, shingle or token a line, or its signatures as a line of JSON.
/// `text` is the text as it is in the file. For a terminal everything is escaped that would act on it.
pub fn write_stage(
    name: &str,
    text: &str,
    stage: TextStage,
    options: StageOptions,
    is_terminal: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let lines = match shown(text, stage, options) {
        Shown::Text(text) => return write_text(&text, is_terminal, out),
        Shown::List(lines) => lines,
        shown @ Shown::Signatures { .. } => return writeln!(out, "{}", line(name, stage, &shown)),
    };
    for line in lines {
        match is_terminal {
            true => writeln!(out, "{}", visible(&line))?,
            false => writeln!(out, "{line}")?,
        }
    }
    Ok(())
}

/// Returns a document at a stage as a line of JSON Lines, without its end.
///
/// # Panics
///
/// Never: what is shown can be written as JSON.
pub fn stage_line(name: &str, text: &str, stage: TextStage, options: StageOptions) -> String {
    line(name, stage, &shown(text, stage, options))
}

fn line(name: &str, stage: TextStage, shown: &Shown) -> String {
    // A value of `json!` would have the signatures in the order of their names.
    let shown = serde_json::to_string(shown).expect("it has texts and numbers only");
    format!(r#"{{"path":{},"{}":{shown}}}"#, json!(name), stage.key())
}

/// Writes a text as it is; for a terminal escaped, but for its lines and tabs.
fn write_text(text: &str, is_terminal: bool, out: &mut dyn Write) -> io::Result<()> {
    if !is_terminal {
        return out.write_all(text.as_bytes());
    }
    for line in text.lines() {
        let columns: Vec<String> = line.split('\t').map(visible).collect();
        writeln!(out, "{}", columns.join("\t"))?;
    }
    Ok(())
}

/// One document.
#[derive(Debug, Serialize)]
struct FingerprintRecord<'r> {
    /// Its name.
    path: &'r str,
    /// The SimHash: 16 hexadecimal digits.
    fingerprint: String,
    /// How many tokens it has.
    tokens: u32,
    /// How many distinct terms.
    terms: u32,
    /// How many distinct shingles.
    shingles: u32,
    /// The format of its file.
    format: &'static str,
    /// The encoding it was decoded from.
    encoding: &'static str,
}

impl<'r> FingerprintRecord<'r> {
    fn new(document: &'r Document, source: &Source) -> Self {
        Self {
            path: &document.name,
            fingerprint: digits(document.fingerprint().unwrap_or_default()),
            tokens: document.tokens,
            terms: document.terms,
            shingles: document.shingles,
            format: source.format.as_str(),
            encoding: source.encoding,
        }
    }
}

/// Writes one JSON object a line for each document.
pub fn write_fingerprints_jsonl(
    documents: &[Document],
    sources: &Sources,
    out: &mut dyn Write,
) -> io::Result<()> {
    for (document, source) in documents.iter().zip(&sources.documents) {
        write_line(&FingerprintRecord::new(document, source), &mut *out)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use dupfind_scan::Scan;
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;
    use crate::tests::canned;

    fn written(text: &str, stage: TextStage, is_terminal: bool) -> String {
        let options = StageOptions {
            unit: ShingleUnit::Auto,
            size: NonZeroUsize::new(3).unwrap(),
        };
        let mut out = Vec::new();
        write_stage("a.md", text, stage, options, is_terminal, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    /// Checks that the votes that are printed make the fingerprint.
    fn assert_votes(text: &str) {
        let printed = written(text, TextStage::Votes, false);
        let (mut sums, mut total) = ([0.0; 64], 0.0);
        for line in printed.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [idf, count, weight] = [0, 1, 2].map(|at| words[at].parse::<f64>().unwrap());
            assert!(((1.0 + count.ln()) * idf - weight).abs() < 0.001, "{line}");
            total += weight;
            for (sum, _) in sums
                .iter_mut()
                .zip(words[3].chars())
                .filter(|(_, c)| *c == '+')
            {
                *sum += weight;
            }
        }
        let set = sums.iter().map(|&sum| u64::from(2.0 * sum > total));
        let voted = set.fold(0, |bits, bit| bits << 1 | bit);
        let options = Options::default();
        let features = FeatureMaker::new(&options).features(text).unwrap();
        assert_eq!(features.fingerprint(&options), Some(voted), "{printed}");
    }

    /// Checks that the super-shingles are hashes of the min-hashes, and the others those of the detector.
    fn assert_signatures(text: &str) {
        let printed = written(text, TextStage::Signatures, false);
        let record: Value = serde_json::from_str(&printed).unwrap();
        assert_eq!(record["path"], "a.md");
        let printed = &record["signatures"];
        let runs: Vec<Vec<u32>> = serde_json::from_value(printed["min_hashes"].clone()).unwrap();
        let hashes = runs.iter().map(|run| {
            let bytes: Vec<u8> = run.iter().flat_map(|hash| hash.to_le_bytes()).collect();
            digits(xxh3_64(&bytes))
        });
        assert_eq!(printed["super_shingles"], json!(hashes.collect::<Vec<_>>()));
        assert!(runs.len() == 6 && runs.iter().all(|run| run.len() == 14));
        let options = Options {
            detectors: Detector::IMatch.into(),
            ..Options::default()
        };
        let features = FeatureMaker::new(&options).features(text).unwrap();
        let hashes = features.facts.signatures.iter().map(|it| digits(*it));
        assert_eq!(printed["i_match"], json!(hashes.collect::<Vec<_>>()));
    }

    #[test]
    fn every_stage() {
        let text = "# 圖書館，Open\tＡＢ！\r\n";
        for (stage, expected) in [
            (TextStage::Text, text),
            (TextStage::Normalized, "# 图书馆,open\tab!\r\n"),
            (TextStage::Units, "图\n书\n馆\nopen\nab\n"),
            (TextStage::Shingles, "图 书 馆\n书 馆 open\n馆 open ab\n"),
            (TextStage::Tokens, "图书馆\nopen\nab\n"),
        ] {
            assert_eq!(written(text, stage, false), expected, "{stage:?}");
        }
        let expected = "a b a\nb a b\n";
        assert_eq!(written("a b a b a b", TextStage::Shingles, false), expected);
        assert_eq!(written("a b", TextStage::Shingles, false), "a b\n");
        // Four characters of Thai are compared as one unit.
        let expected = "เมือง มืองไ องไท\nมืองไ องไท งไทย\n";
        assert_eq!(written("เมืองไทย", TextStage::Shingles, false), expected);
        assert_eq!(written("!", TextStage::Shingles, false), "");
        assert_votes("茶农改采一芽一叶，春茶迟到，春茶上市。茶农与合作社");
        assert_signatures("茶农改采一芽一叶，春茶迟到，春茶上市。茶农与合作社");
        let options = StageOptions {
            unit: ShingleUnit::Auto,
            size: NonZeroUsize::new(3).unwrap(),
        };
        let line = |stage| stage_line("a.md", "A \u{1b} b", stage, options);
        let expected = r#"{"path":"a.md","units":["a","b"]}"#;
        assert_eq!(line(TextStage::Units), expected);
        let expected = r#"{"path":"a.md","text":"A \u001b b"}"#;
        assert_eq!(line(TextStage::Text), expected);
    }

    #[test]
    fn a_terminal_gets_visible_characters() {
        let text = "a\t\u{1b}[31mb\r\n\u{202e}c";
        let expected = "a\t\\u{1b}[31mb\n\\u{202e}c\n";
        assert_eq!(written(text, TextStage::Text, true), expected);
        assert_eq!(written(text, TextStage::Text, false), text);
    }

    proptest! {
        #[test]
        fn nothing_acts_on_a_terminal(text in any::<String>()) {
            for stage in [TextStage::Text, TextStage::Normalized, TextStage::Units, TextStage::Tokens] {
                let shown = written(&text, stage, true);
                prop_assert!(!shown.chars().any(|c| c.is_control() && c != '\n' && c != '\t'));
            }
        }
    }

    #[test]
    fn one_line_a_document() {
        let Scan {
            documents, sources, ..
        } = canned().outcome;
        let mut out = Vec::new();
        write_fingerprints_jsonl(&documents[..2], &sources, &mut out).unwrap();
        let lines = String::from_utf8(out).unwrap();
        let expected = "{\"path\":\"docs/a.md\",\"fingerprint\":\"00000000000000ab\",\
             \"tokens\":20,\"terms\":15,\"shingles\":30,\"format\":\"text\",\"encoding\":\"UTF-8\"}";
        assert_eq!(lines.lines().next().unwrap(), expected);
        assert_eq!(lines.lines().count(), 2);
    }
}
