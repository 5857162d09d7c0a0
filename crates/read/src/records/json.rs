//! One record of JSON.

use std::borrow::Cow;
use std::fmt;

use memchr::memmem;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;
use xxhash_rust::xxh3::xxh3_64;

use crate::records::{Fields, Record, joined, listed, without_bom};

/// How many characters of an error message are kept.
const MESSAGE: usize = 200;

/// Returns the document in an object.
///
/// # Errors
///
/// The fault of the record, in words.
pub(super) fn parse<'l>(bytes: &'l [u8], fields: &Fields) -> Result<Record<'l>, String> {
    let found = match find(bytes, fields) {
        Ok(found) => found,
        Err(error) => match without_python(bytes) {
            Some(mended) => return parse(&mended, fields).map(Record::into_owned),
            // The message may quote the whole line.
            None => return Err(error.to_string().chars().take(MESSAGE).collect()),
        },
    };
    let text = joined(found.texts.into_iter().flatten());
    let text = text.ok_or_else(|| {
        let wanted = fields.in_words();
        let others = field_names(bytes).filter(|_| !found.has_field);
        match others {
            Some(others) => format!(
                "no field {wanted}; it has {}",
                listed(others.iter().map(String::as_str))
            ),
            None => format!("no field {wanted} with a text in it"),
        }
    })?;
    Ok(Record {
        text,
        id: found.id,
        title: found.files.map(Cow::into_owned),
    })
}

/// Checks that an element of an array is an object with a text field, whatever the value of that field is.
///
/// # Errors
///
/// The names of its fields if it has no text field, and nothing if it is not an object.
pub(super) fn probe(bytes: &[u8], fields: &Fields) -> Result<(), Option<Vec<String>>> {
    match find(bytes, fields) {
        Err(_) => match without_python(bytes) {
            Some(mended) => probe(&mended, fields),
            None => Err(None),
        },
        Ok(found) if found.has_field => Ok(()),
        Ok(_) => Err(field_names(bytes)),
    }
}

/// Returns a record with what Python writes and JSON does not have: `null` for its numbers, and U+FFFD for halves of
/// characters; nothing if it has none.
fn without_python(bytes: &[u8]) -> Option<Vec<u8>> {
    const NUMBERS: [&[u8]; 3] = [b"NaN", b"Infinity", b"-Infinity"];
    let mut mended = Vec::new();
    let (mut at, mut kept) = (0, 0);
    let mut is_string = false;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let (size, instead) = match rest[0] {
            b'\\' if is_string => match (half(rest), half(rest.get(6..).unwrap_or_default())) {
                (Some(0xd8..0xdc), Some(0xdc..)) => (12, None),
                (Some(_), _) => (6, Some(&br"\ufffd"[..])),
                (None, _) => (2, None),
            },
            b'"' => {
                is_string = !is_string;
                (1, None)
            }
            b'N' | b'I' | b'-' if !is_string => {
                let number = NUMBERS.iter().find(|number| rest.starts_with(number));
                number.map_or((1, None), |number| (number.len(), Some(&b"null"[..])))
            }
            _ => (1, None),
        };
        if let Some(instead) = instead {
            mended.extend_from_slice(&bytes[kept..at]);
            mended.extend_from_slice(instead);
            kept = at + size;
        }
        at += size;
    }
    mended.extend_from_slice(&bytes[kept..]);
    (kept > 0).then_some(mended)
}

/// Returns the first byte of the half of a character of UTF-16 that an escape is, if it is one.
fn half(escape: &[u8]) -> Option<u8> {
    let digits = escape.strip_prefix(b"\\u")?.get(..4)?;
    let [byte, _] = u16::from_str_radix(str::from_utf8(digits).ok()?, 16)
        .ok()?
        .to_be_bytes();
    (0xd8..=0xdf).contains(&byte).then_some(byte)
}

/// Returns the names of the fields of an object, in its order; none if it is not an object.
fn field_names(bytes: &[u8]) -> Option<Vec<String>> {
    let Entries(entries) = serde_json::from_slice(bytes).ok()?;
    let names = entries.into_iter().map(|(name, _)| chars(name));
    names.map(|name| Some(name.ok()?.into_owned())).collect()
}

/// The values of the wanted fields, borrowed from the bytes of the record where these have no escapes.
#[derive(Debug)]
struct RecordFields<'l> {
    /// The value of each text field.
    texts: Vec<Option<Cow<'l, str>>>,
    id: Option<Cow<'l, str>>,
    /// Hashes of the files in the text fields. They are its title: records with other files are no near-copies.
    files: Option<Cow<'l, str>>,
    /// Whether the record has a text field.
    has_field: bool,
}

fn find<'l>(bytes: &'l [u8], fields: &Fields) -> serde_json::Result<RecordFields<'l>> {
    let bytes = without_bom(bytes);
    let Entries(entries) = match simdutf8::basic::from_utf8(bytes) {
        Ok(text) => serde_json::from_str(text)?,
        // The error names the place.
        Err(_) => serde_json::from_slice(bytes)?,
    };
    let mut found = RecordFields {
        texts: vec![None; fields.text.len()],
        id: None,
        files: None,
        has_field: false,
    };
    // Of a key that comes twice the last value counts, as everywhere.
    let mut wanted: Vec<(Cow<'l, str>, &'l RawValue)> = Vec::new();
    for (key, raw) in entries {
        let key = chars(key)?;
        let mut names = fields.text.iter().chain(&fields.id);
        if names.all(|name| below(name, &key).is_none()) {
            continue;
        }
        match wanted.iter_mut().find(|(known, _)| *known == key) {
            Some(known) => known.1 = raw,
            None => wanted.push((key, raw)),
        }
    }
    for (key, raw) in wanted {
        for (text, name) in found.texts.iter_mut().zip(&fields.text) {
            let Some(path) = below(name, &key) else {
                continue;
            };
            match raw.get().as_bytes() {
                [b'"', ..] if path.is_empty() => {
                    found.has_field = true;
                    put(text, chars(raw)?);
                }
                _ => {
                    let value: Value = serde_json::from_str(raw.get())?;
                    found.has_field |= put_values(&value, path, false, text, &mut found.files);
                }
            }
        }
        if let (None, Some(name)) = (&found.id, &fields.id) {
            found.id =
                below(name, &key).map_or(Ok(None), |path| id(raw, path, fields.takes_lists))?;
        }
    }
    Ok(found)
}

/// Returns the rest of a name behind a key: `title` of `meta.title` behind `meta`, and nothing of a name that is the key,
/// which may have dots in it.
fn below<'n>(name: &'n str, key: &str) -> Option<&'n str> {
    let rest = name.strip_prefix(key)?;
    if rest.is_empty() {
        return Some(rest);
    }
    rest.strip_prefix('.')
}

/// What a message says beside its `content`, which is empty then or leaves it out.
const BESIDE_CONTENT: [&str; 6] = [
    "tool_calls",
    "function_call",
    "reasoning_content",
    "reasoning",
    "thinking",
    "refusal",
];

/// Adds the texts that a path leads to from a value. Returns whether the path leads anywhere. Where it ends, all of the value
/// is text: the parts of a message, and what calls of tools are given. Programs write the `type` of such a part. `is_in_file`
/// says that the value tells which picture, sound or file a part is.
fn put_values(
    value: &Value,
    path: &str,
    is_in_file: bool,
    text: &mut Option<Cow<'_, str>>,
    files: &mut Option<Cow<'_, str>>,
) -> bool {
    match value {
        Value::Array(list) => {
            let mut is_any = path.is_empty();
            for value in list {
                is_any |= put_values(value, path, is_in_file, text, files);
            }
            is_any
        }
        Value::Object(map) => {
            let is_part = path.is_empty();
            let of_part = is_part.then(|| map.get("type")?.as_str()).flatten();
            let is_in_file = is_in_file || of_part.is_some_and(is_type_of_file);
            let mut is_any = is_part;
            for (key, value) in map {
                let path = match is_part {
                    true => (key != "type").then_some(path),
                    false if path == "content" && BESIDE_CONTENT.contains(&&**key) => Some(""),
                    false => below(path, key),
                };
                let is_in_file = is_part && key != "text" && (is_in_file || is_key_of_file(key));
                is_any |= path.is_some_and(|path| put_values(value, path, is_in_file, text, files));
            }
            is_any
        }
        _ if !path.is_empty() => false,
        // Another picture makes another record.
        Value::String(value) if is_file(value, is_in_file) => {
            let hash = format!("{:016x}", xxh3_64(value.as_bytes()));
            put(text, Cow::Owned(hash.clone()));
            put(files, Cow::Owned(hash));
            true
        }
        Value::String(value) => {
            put(text, Cow::Owned(value.clone()));
            true
        }
        Value::Number(number) => {
            put(text, Cow::Owned(number.to_string()));
            true
        }
        _ => true,
    }
}

/// Returns whether the `type` of a part says that it is a file: `image_url`, `input_audio`, `file`.
fn is_type_of_file(name: &str) -> bool {
    is_key_of_file(name) || matches!(name, "file" | "input_file")
}

/// Returns whether a key leads to a file: `image`, `image_url`, `input_audio`, `fileData`.
fn is_key_of_file(name: &str) -> bool {
    let kinds = ["image", "audio", "video"];
    kinds.iter().any(|kind| name.contains(kind)) || matches!(name, "fileData" | "file_data")
}

/// Returns whether a value is a file, or the address of one: bytes in base64, or any word where a part tells which file it is.
fn is_file(value: &str, is_in_file: bool) -> bool {
    /// From how many characters on a word of small and capital letters and digits is no word of a text.
    const ENCODED: usize = 64;
    let head = &value.as_bytes()[..value.len().min(100)];
    if head.starts_with(b"data:") && memmem::find(head, b";base64,").is_some() {
        return true;
    }
    if is_in_file {
        return !value.contains(char::is_whitespace);
    }
    let is_sign = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/-_=".contains(byte);
    let has = |is: fn(&u8) -> bool| head.iter().any(is);
    value.len() >= ENCODED
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_digit)
        && value.bytes().all(|byte| is_sign(&byte))
}

/// Adds a value to a text. Several values of one field become lines.
fn put<'l>(text: &mut Option<Cow<'l, str>>, value: Cow<'l, str>) {
    match text {
        Some(text) => {
            let text = text.to_mut();
            text.push('\n');
            text.push_str(&value);
        }
        None => *text = Some(value),
    }
}

/// Returns the id that a path leads to from a value. A number keeps its digits: two long numbers, parsed as floats, could
/// become one id. `null` is no id, and a list or an object is one if it `takes_lists`.
fn id<'l>(
    raw: &'l RawValue,
    path: &str,
    takes_lists: bool,
) -> serde_json::Result<Option<Cow<'l, str>>> {
    match (raw.get().as_bytes().first(), path) {
        (Some(b'"'), "") => chars(raw).map(Some),
        (Some(b'n') | None, "") => Ok(None),
        (Some(b'[' | b'{'), "") if !takes_lists => Ok(None),
        (Some(_), "") => Ok(Some(Cow::Borrowed(raw.get()))),
        (Some(b'{'), path) => {
            let Entries(entries) = serde_json::from_str(raw.get())?;
            for (key, raw) in entries {
                if let Some(path) = below(path, &chars(key)?)
                    && let Some(id) = id(raw, path, takes_lists)?
                {
                    return Ok(Some(id));
                }
            }
            Ok(None)
        }
        _ => Ok(None),
    }
}

/// Returns the text of a string, borrowed where it has no escapes.
fn chars(raw: &RawValue) -> serde_json::Result<Cow<'_, str>> {
    #[derive(serde::Deserialize)]
    struct Chars<'l>(#[serde(borrow)] Cow<'l, str>);
    serde_json::from_str(raw.get()).map(|Chars(chars)| chars)
}

/// The keys of an object and their values, as they are written.
#[derive(Debug)]
pub struct Entries<'r>(pub Vec<(&'r RawValue, &'r RawValue)>);

impl<'r> Deserialize<'r> for Entries<'r> {
    fn deserialize<D: Deserializer<'r>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'r> Visitor<'r> for Object {
            type Value = Entries<'r>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'r>>(self, mut map: M) -> Result<Entries<'r>, M::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

#[cfg(test)]
mod tests;
