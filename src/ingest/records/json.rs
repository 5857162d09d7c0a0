//! One record of JSON.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};

use crate::ingest::records::{Fields, Record};

/// How many characters of an error message are kept.
const MESSAGE: usize = 200;

/// Takes a line and the names of the fields, and returns the document in it.
///
/// # Errors
///
/// What is wrong with the line, in words.
pub(super) fn parse<'l>(line: &'l [u8], fields: &Fields) -> Result<Record<'l>, String> {
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

    proptest! {
        #[test]
        fn any_line_is_a_record_or_an_error(line in prop::collection::vec(any::<u8>(), 0..100)) {
            let _ = parse(&line, &Fields::default());
        }
    }
}
