//! The content of a baseline, and its file: JSON Lines, a header and one family or accepted pair a line.
//!
//! The file is merged by git and edited by people, so lines may come in any order, a pair may come twice, and lines may
//! be blank. Everything else that is not understood is an error, so that no reason is lost. A content is always written
//! as the same bytes.

use crate::glob::FileGlob;
use dupfind_engine::{Pair, Relation, Relations};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The largest file that is read, in bytes: some million entries.
pub const LARGEST: u64 = 1 << 29;

/// The version of the format. It grows with every new key: to an older program, an unknown key is a spelling mistake.
const VERSION: u64 = 2;

/// How many characters of an error message are kept.
pub(super) const MESSAGE: usize = 200;

const CONFLICT: &str = "an unresolved conflict of a merge: keep the lines of both sides";

const NO_BASELINE: &str =
    "this is no baseline: its first line is not the header {\"dupfind_baseline\":2,...}";

/// Accepted pairs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaselineContent {
    /// The relations of the pairs it holds. A pair of another relation is neither accepted nor new.
    pub relations: Relations,
    /// In the order of their globs, each once.
    pub(super) families: Vec<Family>,
    /// In the order of their names. No two pairs have the same names.
    pairs: Vec<AcceptedPair>,
}

/// Pages that may be alike, but no copies, such as release notes. It is a line of the file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Family {
    /// A glob of their files, from the folder of the baseline.
    pub family: String,
    /// Why they may be alike.
    pub reason: String,
}

impl Family {
    /// Returns its glob, if that is one. Those of a file were checked.
    pub(super) fn glob(&self) -> dupfind_engine::Result<FileGlob> {
        FileGlob::new(&self.family, Path::new(""))
    }
}

/// A fault of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// In which line, from 1.
    pub line: usize,
    /// The fault, in words.
    pub reason: String,
}

/// A header of any version, later ones included.
#[derive(Deserialize)]
struct VersionLine {
    dupfind_baseline: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HeaderLine {
    dupfind_baseline: u64,
    relations: Vec<Relation>,
}

/// The parts for people are at both ends of the line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PairLine {
    a: String,
    b: String,
    relation: Relation,
    text_a: String,
    text_b: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

impl BaselineContent {
    /// Sorts the pairs, and joins those of the same names, as a merge of two branches leaves them: the stronger relation is
    /// kept, and a reason that one has.
    pub fn new(relations: Relations, pairs: Vec<AcceptedPair>) -> Self {
        let mut pairs: Vec<AcceptedPair> = pairs.into_iter().map(AcceptedPair::in_order).collect();
        let key = |pair: &AcceptedPair| (pair.relation, pair.a.text, pair.b.text);
        pairs.sort_by(|x, y| (x.names(), key(x)).cmp(&(y.names(), key(y))));
        pairs.dedup_by(|later, first| {
            let is_same = later.names() == first.names();
            if is_same {
                first.reason = first.reason.take().max(later.reason.take());
            }
            is_same
        });
        Self {
            relations,
            families: Vec::new(),
            pairs,
        }
    }

    /// Returns the content with families. Of two with the same glob the last one counts.
    #[must_use]
    pub(super) fn with_families(mut self, families: impl IntoIterator<Item = Family>) -> Self {
        for family in families {
            self.families.retain(|known| known.family != family.family);
            self.families.push(family);
        }
        self.families.sort_unstable();
        self
    }

    /// Returns the content with a family, and the reason that it had before.
    pub fn with_family(self, family: Family) -> (Self, Option<String>) {
        let mut known = self.families.iter();
        let before = known.find(|known| known.family == family.family);
        let before = before.map(|known| known.reason.clone());
        (self.with_families([family]), before)
    }

    /// Returns the pairs.
    pub fn into_pairs(self) -> Vec<AcceptedPair> {
        self.pairs
    }

    pub(crate) fn pairs(&self) -> &[AcceptedPair] {
        &self.pairs
    }

    /// Returns the content of a file with these bytes.
    ///
    /// # Errors
    ///
    /// The error in the first wrong line.
    pub fn read(bytes: &[u8]) -> Result<Self, Damage> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let (mut relations, mut families, mut pairs) = (None, Vec::new(), Vec::new());
        for (line, text) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
            let text = str::from_utf8(text).map_err(|_| "not valid UTF-8".into());
            let text = text.map(str::trim_ascii);
            let added = text.and_then(|text| match is_family(text) {
                true => read_family(text).map(|family| families.push(family)),
                false => add(text, &mut relations, &mut pairs),
            });
            added.map_err(|reason| Damage { line, reason })?;
        }
        let none = || Damage {
            line: 1,
            reason: NO_BASELINE.into(),
        };
        let content = Self::new(relations.ok_or_else(none)?, pairs);
        // A merge may leave one with two reasons, in any order.
        families.sort_unstable();
        Ok(content.with_families(families))
    }

    /// Returns the bytes of the file.
    pub fn bytes(&self) -> Vec<u8> {
        let lines = [header(self.relations)].into_iter();
        let lines = lines.chain(self.families.iter().map(json));
        let lines = lines.chain(self.pairs.iter().map(line));
        lines.flat_map(|line| (line + "\n").into_bytes()).collect()
    }
}

/// Adds the content of a line.
fn add(
    line: &str,
    relations: &mut Option<Relations>,
    pairs: &mut Vec<AcceptedPair>,
) -> Result<(), String> {
    let marks = ["<<<<<<<", "|||||||", "=======", ">>>>>>>"];
    if marks.iter().any(|mark| line.starts_with(mark)) {
        return Err(CONFLICT.into());
    }
    // In a JSON text the quotes would have backslashes.
    if line.starts_with('{') && line.contains("\"dupfind_baseline\"") {
        let header = read_header(line)?;
        if *relations.get_or_insert(header) != header {
            return Err("another header than the first one".into());
        }
    } else if !line.is_empty() {
        match read_pair(line) {
            Ok(pair) => pairs.push(pair),
            // A file of another kind is distinguished from a damaged one by its first line.
            Err(_) if relations.is_none() && pairs.is_empty() => return Err(NO_BASELINE.into()),
            Err(reason) => return Err(reason),
        }
    }
    Ok(())
}

/// Returns the first line of a file, without its end.
pub(super) fn header(relations: Relations) -> String {
    json(&HeaderLine {
        dupfind_baseline: VERSION,
        relations: relations.iter().collect(),
    })
}

/// Returns the line of a pair, without its end.
pub(super) fn line(pair: &AcceptedPair) -> String {
    let AcceptedPair { a, b, .. } = pair;
    let [text_a, text_b] = [a, b].map(|document| format!("{:016x}", document.text));
    json(&PairLine {
        a: a.name.clone(),
        b: b.name.clone(),
        relation: pair.relation,
        text_a,
        text_b,
        reason: pair.reason.clone(),
    })
}

fn json(line: &impl Serialize) -> String {
    serde_json::to_string(line).expect("its keys are strings")
}

fn read_header(line: &str) -> Result<Relations, String> {
    let version: VersionLine = serde_json::from_str(line).map_err(|error| in_words(&error))?;
    if version.dupfind_baseline != VERSION {
        let version = version.dupfind_baseline;
        return Err(format!(
            "written by another dupfind (version {version} of the format; this one reads {VERSION}): use that one, or delete \
             the file and accept the pairs anew"
        ));
    }
    let header: HeaderLine = serde_json::from_str(line).map_err(|error| in_words(&error))?;
    Ok(header.relations.into_iter().collect())
}

/// Whether a line has the key of a family.
fn is_family(line: &str) -> bool {
    // In a JSON text the quotes would have backslashes.
    let mut keys = line.split("\"family\"").skip(1);
    keys.any(|rest| rest.trim_start().starts_with(':'))
}

fn read_family(line: &str) -> Result<Family, String> {
    let family: Family = serde_json::from_str(line).map_err(|error| in_words(&error))?;
    family.glob().map_err(|error| error.to_string())?;
    Ok(family)
}

fn read_pair(line: &str) -> Result<AcceptedPair, String> {
    let known = |words: String| words.replace("expected one of ", "expected `family`, or one of ");
    let line: PairLine = serde_json::from_str(line).map_err(|error| {
        match error.to_string().starts_with("unknown field") {
            true => known(in_words(&error)),
            false => in_words(&error),
        }
    })?;
    let identity = |name, text: &str| {
        Ok::<_, String>(DocumentIdentity {
            name,
            text: hash(text)?,
        })
    };
    Ok(AcceptedPair {
        a: identity(line.a, &line.text_a)?,
        b: identity(line.b, &line.text_b)?,
        relation: line.relation,
        reason: line.reason.filter(|reason| !reason.trim().is_empty()),
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

/// Returns the message of the parser, without the number of the line, which is 1 for every line.
fn in_words(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let words = text.rfind(" at line ").map_or(&*text, |at| &text[..at]);
    match error.is_data() {
        true => shortened(words),
        false => format!(
            "damaged JSON in column {}: {}",
            error.column(),
            shortened(words)
        ),
    }
}

/// Returns the first characters of a text that may be very long.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(MESSAGE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The name and the text by which a document is recognised: the present ones, or those when a pair of it was accepted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct DocumentIdentity {
    /// Its path from the folder of the baseline.
    pub name: String,
    /// The hash of its normalised text.
    pub(crate) text: u64,
}

/// An accepted pair, as it was when it was accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptedPair {
    /// The first document by name.
    pub a: DocumentIdentity,
    /// The second document by name.
    pub b: DocumentIdentity,
    pub(crate) relation: Relation,
    /// Why it is accepted.
    pub(crate) reason: Option<String>,
}

impl AcceptedPair {
    /// Returns the first line of a file with these bytes that has the names of the pair, from 1.
    pub fn line(&self, bytes: &[u8]) -> Option<usize> {
        let is_own = |line: &[u8]| {
            let pair = str::from_utf8(line)
                .ok()
                .and_then(|line| read_pair(line).ok());
            pair.is_some_and(|pair| pair.in_order().names() == self.names())
        };
        let mut lines = bytes.split(|&byte| byte == b'\n');
        lines.position(is_own).map(|at| at + 1)
    }

    pub(super) fn new(documents: &[DocumentIdentity], pair: &Pair) -> Self {
        let [a, b] = [pair.a, pair.b].map(|id| documents[id.index()].clone());
        Self {
            a,
            b,
            relation: pair.relation(),
            reason: None,
        }
        .in_order()
    }

    /// Returns the pair with its documents in the order of their names.
    pub(super) fn in_order(mut self) -> Self {
        if self.b < self.a {
            std::mem::swap(&mut self.a, &mut self.b);
        }
        self
    }

    /// Returns the names of both documents. Pairs are sorted by them, and no two pairs have the same.
    pub(super) fn names(&self) -> (&str, &str) {
        (&self.a.name, &self.b.name)
    }

    /// Whether a pair of the same documents has a stronger relation than the accepted one. A sentence may turn `near` into
    /// `contains` or back, so these two count as one.
    pub(super) fn is_exceeded_by(&self, pair: &Pair) -> bool {
        let strength = |relation| match relation {
            Relation::Contains => Relation::Near,
            other => other,
        };
        strength(pair.relation()) < strength(self.relation)
    }
}
