//! The lines of a baseline's file: the header, and one line for each accepted pair. A content is always
//! written as the same bytes.

use std::borrow::Cow;
use std::io::{self, Write};
use std::num::NonZeroUsize;

use jiff::civil::Date;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use crate::gate::baseline::accepted_pair::{AcceptedPair, DocumentIdentity};
use crate::gate::baseline::content::{BaselineContent, Cut};
use dupfind_engine::text::units::ShingleUnit;
use dupfind_engine::verdict::pair::Resemblance;
use dupfind_engine::verdict::{Relation, Relations};
use dupfind_read::ReadOptions;
use dupfind_read::extract::{ExtractOptions, Html};
use dupfind_read::format::Format;

/// The version of the format. It grows with every new key: an older program would take a key that it does not
/// know for a spelling mistake.
const VERSION: u64 = 1;

/// The bits of the largest fingerprint.
const MAX_BITS: u8 = 128;

/// How many characters of an error message are kept.
pub(super) const MESSAGE: usize = 200;

/// The content of the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BaselineHeader {
    pub(super) relations: Relations,
    pub(super) cut: Cut,
}

/// A header of any version, later ones included.
#[derive(Deserialize)]
struct VersionLine {
    dupfind_baseline: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HeaderLine<'l> {
    dupfind_baseline: u64,
    #[serde(borrow)]
    relations: Vec<Cow<'l, str>>,
    #[serde(borrow)]
    shingle_unit: Cow<'l, str>,
    shingle_size: NonZeroUsize,
    // The keys from here on are written only if they differ from the defaults.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    html: Option<Cow<'l, str>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    markdown_code: Option<Cow<'l, str>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    record_format: Option<Cow<'l, str>>,
}

/// What people read and write is at both ends of the line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PairLine<'l> {
    #[serde(borrow)]
    a: Cow<'l, str>,
    #[serde(borrow)]
    b: Cow<'l, str>,
    #[serde(borrow)]
    relation: Cow<'l, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    jaccard: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hamming: Option<u8>,
    #[serde(borrow)]
    text_a: Cow<'l, str>,
    #[serde(borrow)]
    text_b: Cow<'l, str>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    fingerprint_a: Option<Cow<'l, str>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    fingerprint_b: Option<Cow<'l, str>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    reason: Option<Cow<'l, str>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    expires: Option<Cow<'l, str>>,
}

/// Returns the first line of a file with this content, without its end.
pub(super) fn header(content: &BaselineContent) -> String {
    json(&HeaderLine::new(content))
}

/// Returns the line of a pair, without its end.
pub(super) fn line(pair: &AcceptedPair) -> String {
    json(&PairLine::new(pair))
}

fn json(line: &impl Serialize) -> String {
    serde_json::to_string(line).expect("its keys are strings")
}

impl BaselineContent {
    /// Writes the file: a header line, then one line a pair.
    ///
    /// # Errors
    ///
    /// The writer fails.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, &HeaderLine::new(self))?;
        out.write_all(b"\n")?;
        for pair in self.pairs() {
            serde_json::to_writer(&mut *out, &PairLine::new(pair))?;
            out.write_all(b"\n")?;
        }
        Ok(())
    }
}

impl HeaderLine<'static> {
    fn new(content: &BaselineContent) -> Self {
        let (cut, default) = (&content.cut, ReadOptions::default());
        let named = |differs: bool, name: &'static str| differs.then_some(name.into());
        let (extract, default_extract) = (cut.extract, default.extract);
        Self {
            dupfind_baseline: VERSION,
            relations: content
                .relations
                .iter()
                .map(|r| r.as_str().into())
                .collect(),
            shingle_unit: cut.unit.as_str().into(),
            shingle_size: cut.size,
            html: named(extract.html != default_extract.html, extract.html.as_str()),
            markdown_code: named(
                extract.skips_code != default_extract.skips_code,
                extract.code(),
            ),
            record_format: named(
                cut.record_format != default.record_format,
                cut.record_format.as_str(),
            ),
        }
    }
}

/// Returns the error in a line that is no JSON. The parser of a line with known keys would rather tell that the value
/// of one is of another type, if the line is cut off there.
fn check_json(line: &str) -> Result<(), String> {
    match serde_json::from_str::<IgnoredAny>(line) {
        Err(error) if error.is_eof() => Err("damaged JSON: the line is cut off".into()),
        Err(error) => Err(in_words(&error)),
        Ok(_) => Ok(()),
    }
}

pub(super) fn read_header(line: &str) -> Result<BaselineHeader, String> {
    check_json(line)?;
    let version: VersionLine = serde_json::from_str(line).map_err(|error| in_words(&error))?;
    match version.dupfind_baseline {
        VERSION => {}
        newer if newer > VERSION => {
            return Err(format!(
                "written by a newer dupfind (version {newer} of the format; this one reads {VERSION}): \
                 use that one"
            ));
        }
        other => return Err(format!("there is no version {other} of the format")),
    }
    let header: HeaderLine<'_> = serde_json::from_str(line).map_err(|error| in_words(&error))?;
    let relations = header.relations.iter().map(|name| relation(name));
    let relations = relations.collect::<Result<_, _>>()?;
    let default = ReadOptions::default();
    let html = match &header.html {
        Some(name) => Html::named(name).ok_or("html: expected main, all or raw")?,
        None => default.extract.html,
    };
    let skips_code = match header.markdown_code.as_deref() {
        Some("skip") => true,
        Some("text") => false,
        Some(_) => return Err("markdown_code: expected text or skip".into()),
        None => default.extract.skips_code,
    };
    let record_format = match &header.record_format {
        Some(name) => Format::named(name).ok_or("record_format: no such format")?,
        None => default.record_format,
    };
    let units = [
        ShingleUnit::Auto,
        ShingleUnit::Char,
        ShingleUnit::Word,
        ShingleUnit::Ocr,
    ];
    let mut units = units.into_iter();
    let unit = units.find(|unit| unit.as_str() == header.shingle_unit);
    Ok(BaselineHeader {
        relations,
        cut: Cut {
            unit: unit.ok_or("shingle_unit: expected auto, char, word or ocr")?,
            size: header.shingle_size,
            extract: ExtractOptions { html, skips_code },
            record_format,
        },
    })
}

impl<'l> PairLine<'l> {
    fn new(pair: &'l AcceptedPair) -> Self {
        let hex = |number: u64| Cow::Owned(format!("{number:016x}"));
        let AcceptedPair { a, b, .. } = pair;
        let jaccard = pair.jaccard.map(u64::from);
        Self {
            a: a.name.as_str().into(),
            b: b.name.as_str().into(),
            relation: pair.relation.as_str().into(),
            jaccard: jaccard.map(Resemblance::as_number),
            hamming: pair.hamming,
            text_a: hex(a.text),
            text_b: hex(b.text),
            fingerprint_a: a.fingerprint.map(hex),
            fingerprint_b: b.fingerprint.map(hex),
            reason: pair.reason.as_deref().map(Cow::from),
            expires: pair.expires.map(|date| date.to_string().into()),
        }
    }
}

pub(super) fn read_pair(line: &str) -> Result<AcceptedPair, String> {
    check_json(line)?;
    let line: PairLine<'_> = serde_json::from_str(line).map_err(|error| in_words(&error))?;
    let identity = |name: Cow<'_, str>, text: &str, fingerprint: Option<&str>| {
        Ok::<_, String>(DocumentIdentity {
            name: name.into_owned(),
            text: hash(text)?,
            fingerprint: fingerprint.map(hash).transpose()?,
        })
    };
    if let Some(distance) = line.hamming.filter(|&distance| distance > MAX_BITS) {
        return Err(format!("hamming: {distance} is more than {MAX_BITS} bits"));
    }
    let reason = line.reason.map(Cow::into_owned);
    Ok(AcceptedPair {
        a: identity(line.a, &line.text_a, line.fingerprint_a.as_deref())?,
        b: identity(line.b, &line.text_b, line.fingerprint_b.as_deref())?,
        relation: relation(&line.relation)?,
        jaccard: line.jaccard.map(similarity).transpose()?,
        hamming: line.hamming,
        reason: reason.filter(|reason| !reason.trim().is_empty()),
        expires: line.expires.as_deref().map(date).transpose()?,
    })
}

fn relation(name: &str) -> Result<Relation, String> {
    Relation::named(name).ok_or_else(|| {
        let names = Relation::ALL.map(Relation::as_str).join(", ");
        let name = shortened(name);
        format!("there is no relation '{name}': expected one of {names}")
    })
}

/// Reads 16 hexadecimal digits.
fn hash(digits: &str) -> Result<u64, String> {
    let is_whole = digits.len() == 16 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let number = is_whole.then(|| u64::from_str_radix(digits, 16).ok());
    number.flatten().ok_or_else(|| {
        let digits = shortened(digits);
        format!("'{digits}' is no hash: expected 16 hexadecimal digits")
    })
}

/// Returns a number from 0 to 1 in ten-thousandths.
fn similarity(number: f64) -> Result<u16, String> {
    if !(0.0..=1.0).contains(&number) {
        return Err(format!("jaccard: {number} is not between 0 and 1"));
    }
    #[expect(clippy::cast_precision_loss, reason = "10,000")]
    let steps = (number * Resemblance::STEPS as f64).round();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and 10,000"
    )]
    Ok(steps as u16)
}

/// Reads a day, which is written as `2027-03-31` and in no other way.
fn date(text: &str) -> Result<Date, String> {
    let date = text.parse().ok();
    date.filter(|date: &Date| date.to_string() == text)
        .ok_or_else(|| {
            let text = shortened(text);
            format!("expires: '{text}' is no date; expected one such as 2027-03-31")
        })
}

/// Returns the message of the parser, without the number of the line, which is 1 for every line.
fn in_words(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let words = match text.rfind(" at line ") {
        Some(at) => &text[..at],
        None => &text,
    };
    if error.is_data() {
        shortened(words)
    } else {
        let column = error.column();
        format!("damaged JSON in column {column}: {}", shortened(words))
    }
}

/// Returns the first characters of a text that may be very long.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(MESSAGE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
