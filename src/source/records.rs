//! Files of records: JSON Lines, one document a line.
//!
//! Such a file may be far larger than memory, so it is read in batches of whole lines, which are
//! parsed and compared like files of their own.

use std::borrow::Cow;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};

/// How much is read at a time. A batch is that much or one line.
const BATCH_BYTES: usize = 1 << 20;

/// How many characters of an error message are kept.
const MESSAGE: usize = 200;

/// Which fields of a record are the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fields {
    /// The field with the text.
    pub text: String,
    /// The field with the id; by default a record is known by the number of its line.
    pub id: Option<String>,
}

impl Default for Fields {
    fn default() -> Self {
        Self {
            text: "text".into(),
            id: None,
        }
    }
}

/// Whether a file holds records, by its name: `*.jsonl` or `*.ndjson`.
#[must_use]
pub fn has_records(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|e| e.eq_ignore_ascii_case("jsonl") || e.eq_ignore_ascii_case("ndjson"))
}

/// Some lines of a file of records.
#[derive(Debug, PartialEq, Eq)]
pub enum Batch {
    /// Whole lines, and the number of the first one, from 1.
    Lines {
        /// The number of the first line.
        first: u64,
        /// The lines with their ends.
        bytes: Vec<u8>,
    },
    /// A line that is longer than a document may be; its number.
    TooLarge(u64),
}

/// Reads a file of records batch by batch.
#[derive(Debug)]
pub struct Batches<R> {
    source: R,
    limit: usize,
    line: u64,
    /// The beginning of a line whose end has not been read.
    carry: Vec<u8>,
    /// Whether the rest of a line that is too large is still to be passed over.
    is_passing: bool,
    is_done: bool,
}

impl Batches<File> {
    /// Takes a path and the largest size of a line in bytes and opens the file.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn open(path: &Path, limit: u64) -> io::Result<Self> {
        Ok(Self::new(File::open(path)?, limit))
    }
}

impl<R: Read> Batches<R> {
    fn new(source: R, limit: u64) -> Self {
        Self {
            source,
            limit: usize::try_from(limit).unwrap_or(usize::MAX),
            line: 1,
            carry: Vec::new(),
            is_passing: false,
            is_done: false,
        }
    }

    /// Gives out the first `end` bytes of what has been read, which are whole lines.
    fn lines(&mut self, end: usize) -> Batch {
        let rest = self.carry.split_off(end);
        let bytes = std::mem::replace(&mut self.carry, rest);
        let first = self.line;
        self.line += bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
        Batch::Lines { first, bytes }
    }

    /// Drops what has been read of a line that is too large, and passes over the rest of it.
    fn pass(&mut self) -> Option<Batch> {
        match self.carry.iter().position(|&byte| byte == b'\n') {
            Some(end) => {
                self.carry.drain(..=end);
                self.is_passing = false;
                self.line += 1;
                Some(Batch::TooLarge(self.line - 1))
            }
            None => {
                self.carry.clear();
                None
            }
        }
    }

    /// The next batch, or `None` at the end.
    fn read(&mut self) -> io::Result<Option<Batch>> {
        loop {
            if self.is_passing
                && let Some(batch) = self.pass()
            {
                return Ok(Some(batch));
            }
            if self.is_done {
                let is_passing = std::mem::take(&mut self.is_passing);
                return Ok(if is_passing {
                    Some(Batch::TooLarge(self.line))
                } else if self.carry.is_empty() {
                    None
                } else {
                    Some(self.lines(self.carry.len()))
                });
            }
            let before = self.carry.len();
            let read = (&mut self.source)
                .take(BATCH_BYTES as u64)
                .read_to_end(&mut self.carry)?;
            self.is_done = read < BATCH_BYTES;
            if self.is_passing {
                continue;
            }
            match self.carry[before..].iter().rposition(|&byte| byte == b'\n') {
                Some(end) => return Ok(Some(self.lines(before + end + 1))),
                None if self.carry.len() > self.limit => self.is_passing = true,
                None => {}
            }
        }
    }
}

impl<R: Read> Iterator for Batches<R> {
    type Item = io::Result<Batch>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.read();
        if batch.is_err() {
            self.is_done = true;
            self.carry.clear();
        }
        batch.transpose()
    }
}

/// Iterates over the lines of a batch that are not blank, with their numbers.
pub fn numbered_lines(first: u64, bytes: &[u8]) -> impl Iterator<Item = (u64, &[u8])> {
    let lines = (first..).zip(bytes.split(|&byte| byte == b'\n'));
    lines.filter(|(_, line)| !line.trim_ascii().is_empty())
}

/// One record's document.
#[derive(Debug, PartialEq, Eq)]
pub struct Record<'l> {
    /// The text.
    pub text: Cow<'l, str>,
    /// The id, if there is a field for it and the record has it.
    pub id: Option<Cow<'l, str>>,
}

/// Takes a line and the names of the fields, and returns the document in it.
///
/// # Errors
///
/// What is wrong with the line, in words.
pub fn parse<'l>(line: &'l [u8], fields: &Fields) -> Result<Record<'l>, String> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let mut json = serde_json::Deserializer::from_slice(line);
    let found = Wanted(fields)
        .deserialize(&mut json)
        .and_then(|found| json.end().map(|()| found));
    // The message may quote the whole line.
    let short =
        |error: serde_json::Error| error.to_string().chars().take(MESSAGE).collect::<String>();
    let (text, id) = found.map_err(short)?;
    let text = text.ok_or_else(|| format!("no field '{}' with a text in it", fields.text))?;
    Ok(Record { text, id })
}

/// The text and the id of a record, borrowed from the line where it has no escapes.
type Found<'l> = (Option<Cow<'l, str>>, Option<Cow<'l, str>>);

/// Picks the wanted fields out of an object and builds nothing of the rest.
struct Wanted<'f>(&'f Fields);

impl<'l> DeserializeSeed<'l> for Wanted<'_> {
    type Value = Found<'l>;

    fn deserialize<D: Deserializer<'l>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'l> Visitor<'l> for Wanted<'_> {
    type Value = Found<'l>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'l>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut text, mut id) = (None, None);
        while let Some(key) = map.next_key_seed(Scalar)? {
            let key = key.unwrap_or_default();
            if key == self.0.text {
                text = map.next_value_seed(Scalar)?;
                if self.0.id.as_deref() == Some(&*key) {
                    id.clone_from(&text);
                }
            } else if self.0.id.as_deref() == Some(&*key) {
                id = map.next_value_seed(Scalar)?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok((text, id))
    }
}

/// A string or a whole number as text; nothing for anything else.
struct Scalar;

impl<'l> DeserializeSeed<'l> for Scalar {
    type Value = Option<Cow<'l, str>>;

    fn deserialize<D: Deserializer<'l>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'l> Visitor<'l> for Scalar {
    type Value = Option<Cow<'l, str>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_borrowed_str<E>(self, text: &'l str) -> Result<Self::Value, E> {
        Ok(Some(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Some(Cow::Owned(text.into())))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Some(Cow::Owned(number.to_string())))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
        Ok(Some(Cow::Owned(number.to_string())))
    }

    /// Not exact: two long ids could become one.
    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_seq<A: serde::de::SeqAccess<'l>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn visit_map<A: MapAccess<'l>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fields(text: &str, id: Option<&str>) -> Fields {
        Fields {
            text: text.into(),
            id: id.map(Into::into),
        }
    }

    fn batches(bytes: &[u8], limit: u64) -> Vec<Batch> {
        Batches::new(bytes, limit).map(Result::unwrap).collect()
    }

    #[test]
    fn text_and_id_of_a_record() {
        let wanted = fields("text", Some("id"));
        for (line, text, id) in [
            (r#"{"id":"a","text":"hello"}"#, "hello", Some("a")),
            (
                r#"{"text":"x\ny","meta":{"text":1,"k":[1,2]},"id":17}"#,
                "x\ny",
                Some("17"),
            ),
            (r#" {"text":"\u4e2d文"} "#, "中文", None),
            ("\u{feff}{\"text\":\"bom\",\"id\":null}", "bom", None),
            (r#"{"text":5}"#, "5", None),
        ] {
            let record = parse(line.as_bytes(), &wanted).unwrap();
            assert_eq!(
                (record.text.as_ref(), record.id.as_deref()),
                (text, id),
                "{line}"
            );
        }
        let long = parse(br#"{"text":"x","id":12345678901234567890123}"#, &wanted).unwrap();
        assert_eq!(long.id, None);
        let same = parse(br#"{"t":"x"}"#, &fields("t", Some("t"))).unwrap();
        assert_eq!(same.id.as_deref(), Some("x"));
    }

    #[test]
    fn what_is_wrong_with_a_record_is_said() {
        for (line, part) in [
            ("{\"id\":1}", "no field 'text'"),
            ("{\"text\":[1]}", "no field 'text'"),
            ("{\"text\":\"a\"", "EOF"),
            ("[1,2]", "an object"),
            ("{\"text\":\"a\"} x", "trailing"),
            ("not json", "expected"),
        ] {
            let error = parse(line.as_bytes(), &Fields::default()).unwrap_err();
            assert!(error.contains(part), "{line}: {error}");
        }
        assert!(parse(b"{\"text\":\"\xff\"}", &Fields::default()).is_err());
        let quoted = format!("\"{}\"", "long ".repeat(10_000));
        let error = parse(quoted.as_bytes(), &Fields::default()).unwrap_err();
        assert!(error.len() <= 200, "{}", error.len());
    }

    #[test]
    fn lines_longer_than_the_limit_are_passed_over() {
        let long = vec![b'x'; 3 * BATCH_BYTES];
        let content = [b"a\n".as_slice(), &long, b"\nb\nc"].concat();
        let found = batches(&content, 100);
        let lines = |first, bytes: &[u8]| Batch::Lines {
            first,
            bytes: bytes.to_vec(),
        };
        assert_eq!(
            found,
            [lines(1, b"a\n"), Batch::TooLarge(2), lines(3, b"b\nc")]
        );
        assert_eq!(batches(&long, 100), [Batch::TooLarge(1)]);
    }

    proptest! {
        #[test]
        fn batches_hold_every_line_once(lines in prop::collection::vec("[a-z]{0,9}", 0..40), copies in 1_usize..20_000) {
            let content = lines.join("\n").repeat(copies.min(20_000 / (lines.len() + 1)));
            let mut found = Vec::new();
            for batch in batches(content.as_bytes(), 1 << 30) {
                let Batch::Lines { first, bytes } = batch else { panic!("no line is too large") };
                found.extend(numbered_lines(first, &bytes).map(|(n, line)| (n, line.to_vec())));
            }
            let expected: Vec<(u64, Vec<u8>)> = (1..)
                .zip(content.split('\n'))
                .filter(|(_, line)| !line.is_empty())
                .map(|(n, line)| (n, line.as_bytes().to_vec()))
                .collect();
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn any_line_is_a_record_or_an_error(line in prop::collection::vec(any::<u8>(), 0..100)) {
            let _ = parse(&line, &Fields::default());
        }
    }
}
