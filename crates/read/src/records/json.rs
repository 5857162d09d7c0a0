//! One record of JSON.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::records::Record;
use crate::records::fields::{Fields, joined};

/// How many characters of an error message are kept.
const MESSAGE: usize = 200;

/// Returns the document in an object.
///
/// # Errors
///
/// What is wrong with it, in words.
pub(super) fn parse<'l>(bytes: &'l [u8], fields: &Fields) -> Result<Record<'l>, String> {
    let found = find(bytes, fields).map_err(|error| {
        // The message may quote the whole line.
        error.to_string().chars().take(MESSAGE).collect::<String>()
    })?;
    let text = joined(found.texts.into_iter().flatten());
    let text = text.ok_or_else(|| format!("no field {} with a text in it", fields.in_words()))?;
    Ok(Record { text, id: found.id })
}

/// Checks that an element of an array is an object with a text field, whatever the value of that field is.
///
/// # Errors
///
/// The names of its fields if it has no text field, and nothing if it is not an object.
pub(super) fn probe(bytes: &[u8], fields: &Fields) -> Result<(), Option<Vec<String>>> {
    match find(bytes, fields) {
        Err(_) => Err(None),
        Ok(found) if found.has_field => Ok(()),
        Ok(_) => {
            let names = serde_json::Deserializer::from_slice(bytes).deserialize_map(Names);
            Err(names.ok())
        }
    }
}

fn find<'l>(bytes: &'l [u8], fields: &Fields) -> serde_json::Result<RecordFields<'l>> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let mut found = RecordFields {
        texts: vec![None; fields.text.len()],
        id: None,
        has_field: false,
    };
    let texts = fields.text.iter().enumerate();
    let texts = texts.map(|(at, name)| (Slot::Text(at), name.as_str()));
    let id = fields.id.iter().map(|name| (Slot::Id, name.as_str()));
    let wanted: Vec<(Slot, &str)> = texts.chain(id).collect();
    json.deserialize_map(Value {
        here: &[],
        below: &wanted,
        found: &mut found,
    })?;
    json.end()?;
    Ok(found)
}

/// The values of the wanted fields, borrowed from the bytes of the record where these have no escapes.
#[derive(Debug)]
struct RecordFields<'l> {
    /// The value of each text field.
    texts: Vec<Option<Cow<'l, str>>>,
    id: Option<Cow<'l, str>>,
    /// Whether the record has a text field.
    has_field: bool,
}

/// The use of a wanted field.
#[derive(Debug, Clone, Copy)]
enum Slot {
    Text(usize),
    Id,
}

/// The value of a wanted field, or an object around one.
struct Value<'w, 'f, 'l> {
    /// The text fields that this is the value of.
    here: &'w [usize],
    /// The fields that are wanted within this value, by their names from it on: `title` of `meta.title`, in `meta`.
    below: &'w [(Slot, &'w str)],
    found: &'f mut RecordFields<'l>,
}

impl<'l> Value<'_, '_, 'l> {
    /// Adds a value to the text fields. Several values of one field become lines.
    #[expect(clippy::needless_pass_by_value, reason = "each field has a copy")]
    fn put<E>(self, value: Cow<'l, str>) -> Result<(), E> {
        for &field in self.here {
            match &mut self.found.texts[field] {
                Some(text) => {
                    let text = text.to_mut();
                    text.push('\n');
                    text.push_str(&value);
                }
                text @ None => *text = Some(value.clone()),
            }
        }
        Ok(())
    }

    /// Reads the value of the id field, which may be a text field too.
    ///
    /// A number keeps its digits: two long numbers, parsed as floats, could become one id.
    fn with_id<E: serde::de::Error>(self, raw: &'l RawValue) -> Result<(), E> {
        let raw = raw.get();
        let id = match raw.as_bytes().first() {
            Some(b'"') => {
                let id: Chars<'l> = serde_json::from_str(raw).map_err(E::custom)?;
                Some(id.0)
            }
            // `null`, a list or an object is no id.
            Some(b'n' | b'[' | b'{') | None => None,
            Some(_) => Some(Cow::Borrowed(raw)),
        };
        if self.found.id.is_none() {
            self.found.id = id;
        }
        if self.here.is_empty() && self.below.is_empty() {
            return Ok(());
        }
        // The id is not read again: its name ends here.
        let mut json = serde_json::Deserializer::from_str(raw);
        self.deserialize(&mut json).map_err(E::custom)
    }
}

impl<'l> DeserializeSeed<'l> for Value<'_, '_, 'l> {
    type Value = ();

    fn deserialize<D: Deserializer<'l>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'l> Visitor<'l> for Value<'_, '_, 'l> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_borrowed_str<E>(self, text: &'l str) -> Result<(), E> {
        self.put(Cow::Borrowed(text))
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.put(Cow::Owned(text.to_owned()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<(), E> {
        self.put(Cow::Owned(number.to_string()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<(), E> {
        self.put(Cow::Owned(number.to_string()))
    }

    /// A number with a fraction is not a text.
    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'l>>(self, mut list: A) -> Result<(), A::Error> {
        loop {
            let element = Value {
                here: self.here,
                below: self.below,
                found: &mut *self.found,
            };
            if list.next_element_seed(element)?.is_none() {
                return Ok(());
            }
        }
    }

    fn visit_map<A: MapAccess<'l>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<Chars<'l>>()? {
            // A name that equals the key may have dots in it. Otherwise the key is the first part of a name.
            let mut here = Vec::new();
            let mut below = Vec::new();
            let mut is_id = false;
            for &(slot, name) in self.below {
                let Some(rest) = name.strip_prefix(&*key.0) else {
                    continue;
                };
                if rest.is_empty() {
                    match slot {
                        Slot::Text(field) => here.push(field),
                        Slot::Id => is_id = true,
                    }
                } else if let Some(rest) = rest.strip_prefix('.') {
                    below.push((slot, rest));
                }
            }
            if here.is_empty() && below.is_empty() && !is_id {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            self.found.has_field |= !here.is_empty();
            let value = Value {
                here: &here,
                below: &below,
                found: self.found,
            };
            if is_id {
                value.with_id(map.next_value()?)?;
            } else {
                map.next_value_seed(value)?;
            }
        }
        Ok(())
    }
}

/// A string, borrowed where it has no escapes.
#[derive(serde::Deserialize)]
struct Chars<'l>(#[serde(borrow)] Cow<'l, str>);

/// Reads the names of the fields of an object, in its order.
struct Names;

impl<'l> Visitor<'l> for Names {
    type Value = Vec<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'l>>(self, mut map: A) -> Result<Vec<String>, A::Error> {
        let mut names = Vec::new();
        while let Some((name, IgnoredAny)) = map.next_entry()? {
            names.push(name);
        }
        Ok(names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fields(text: &[&str], id: Option<&str>) -> Fields {
        Fields {
            text: text.iter().map(|&name| name.into()).collect(),
            id: id.map(Into::into),
            is_named: true,
        }
    }

    #[test]
    fn text_and_id_of_a_record() {
        let wanted = fields(&["text"], Some("id"));
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
            (
                r#"{"text":["a",["b"],null,1.5,{"text":"no"},"c"]}"#,
                "a\nb\nc",
                None,
            ),
        ] {
            let record = parse(line.as_bytes(), &wanted).unwrap();
            assert_eq!(
                (record.text.as_ref(), record.id.as_deref()),
                (text, id),
                "{line}"
            );
        }
        let same = parse(br#"{"t":"x"}"#, &fields(&["t"], Some("t"))).unwrap();
        assert_eq!(same.id.as_deref(), Some("x"));
    }

    #[test]
    fn an_id_is_what_is_written() {
        let wanted = fields(&["text"], Some("id"));
        for (id, expected) in [
            ("12345678901234567890123", Some("12345678901234567890123")),
            ("-99999999999999999999", Some("-99999999999999999999")),
            ("7.5", Some("7.5")),
            ("7.50", Some("7.50")),
            ("1E3", Some("1E3")),
            ("-0", Some("-0")),
            ("true", Some("true")),
            ("false", Some("false")),
            (r#""a\u0062""#, Some("ab")),
            (" 8 ", Some("8")),
            ("null", None),
            ("[1]", None),
            (r#"{"id":1}"#, None),
        ] {
            let line = format!(r#"{{"id":{id},"text":"x"}}"#);
            let record = parse(line.as_bytes(), &wanted).unwrap();
            assert_eq!(record.id.as_deref(), expected, "{line}");
        }
        // In a field that is the text too, and behind one that is no id.
        for (line, text, id) in [
            (r#"{"t":7.5,"x":"y"}"#, "y", Some("7.5")),
            (r#"{"t":["a","b"]}"#, "a\nb", None),
            (r#"{"t":{"s":"deep"}}"#, "deep", None),
            (r#"{"t":null,"t":"late"}"#, "late", Some("late")),
        ] {
            let record = parse(line.as_bytes(), &fields(&["t", "t.s", "x"], Some("t"))).unwrap();
            assert_eq!((&*record.text, record.id.as_deref()), (text, id), "{line}");
        }
        for open in ["[", "{\"id\":"] {
            let deep = format!("{{\"text\":\"x\",\"id\":{}", open.repeat(1 << 20));
            assert!(parse(deep.as_bytes(), &wanted).is_err());
        }
        for bad in ["01", "1.", "tru", "nan"] {
            let line = format!(r#"{{"id":{bad},"text":"x"}}"#);
            assert!(parse(line.as_bytes(), &wanted).is_err(), "{line}");
        }
    }

    #[test]
    fn names_lead_into_objects_and_through_lists() {
        let line = r#"{"messages":[{"role":"a","content":"one"},{"content":"two"},3],
            "meta":{"title":"T","a.b":{"c":"deep"}},"meta.title":"literal","meta":{"id":{"n":7}},"x":"y"}"#;
        for (names, id, text) in [
            (&["messages.content"][..], "x", "one\ntwo"),
            (
                &["meta.title", "messages.content"],
                "x",
                "T\nliteral\n\none\ntwo",
            ),
            (&["meta.a.b.c"], "x", "deep"),
            (&["gone", "x"], "meta.id.n", "y"),
            (&["meta", "meta.title"], "meta.id.n", "T\nliteral"),
        ] {
            let record = parse(line.as_bytes(), &fields(names, Some(id))).unwrap();
            assert_eq!(record.text, text, "{names:?}");
            let expected = if id == "x" { "y" } else { "7" };
            assert_eq!(record.id.as_deref(), Some(expected));
        }
    }

    #[test]
    fn one_field_without_escapes_is_not_copied() {
        let record = parse(br#"{"a":{"b":"plain"}}"#, &fields(&["a.b"], None)).unwrap();
        assert!(matches!(record.text, Cow::Borrowed("plain")));
    }

    #[test]
    fn what_is_wrong_with_a_record_is_said() {
        for (line, part) in [
            ("{\"id\":1}", "no field 'text'"),
            ("{\"text\":[{}]}", "no field 'text'"),
            ("{\"text\":\"a\"", "EOF"),
            ("[1,2]", "an object"),
            ("{\"text\":\"a\"} x", "trailing"),
            ("not json", "expected"),
        ] {
            let error = parse(line.as_bytes(), &Fields::default()).unwrap_err();
            assert!(error.contains(part), "{line}: {error}");
        }
        let none = parse(b"{}", &fields(&["a", "b"], None)).unwrap_err();
        assert!(none.contains("no field 'a' or 'b'"), "{none}");
        assert!(parse(b"{\"text\":\"\xff\"}", &Fields::default()).is_err());
        let quoted = format!("\"{}\"", "long ".repeat(10_000));
        let error = parse(quoted.as_bytes(), &Fields::default()).unwrap_err();
        assert!(error.len() <= 200, "{}", error.len());
        let deep = format!("{{\"text\":{}", "[".repeat(1 << 20));
        let error = parse(deep.as_bytes(), &Fields::default()).unwrap_err();
        assert!(error.contains("recursion limit"), "{error}");
    }

    #[test]
    fn an_element_is_a_record_if_it_has_the_field() {
        let wanted = Fields::default();
        assert_eq!(probe(br#"{"text":null}"#, &wanted), Ok(()));
        let names = vec!["id".to_owned(), "body".to_owned()];
        assert_eq!(probe(br#"{"id":1,"body":{}}"#, &wanted), Err(Some(names)));
        for other in [&b"[1]"[..], b"\"text\"", b"{"] {
            assert_eq!(probe(other, &wanted), Err(None));
        }
    }

    proptest! {
        #[test]
        fn any_line_is_a_record_or_an_error(line in prop::collection::vec(any::<u8>(), 0..100)) {
            let _ = parse(&line, &Fields::default());
            let _ = probe(&line, &Fields::default());
        }
    }
}
