//! Reads the one document that a name means: a file, or a record by its name in a scan.

use std::borrow::Cow;
use std::fs;
use std::path::Path;

use encoding_rs::Encoding;

use crate::format::Kind;
use crate::records::{Batches, Numbered, Record, Refused, position};
use crate::skipped::SkipReason;
use crate::source::name::display_name;
use crate::source::pre::{Pre, kind_of};
use crate::source::read::reason;
use crate::{Ingested, ReadOptions, file, record};
use dupfind_engine::run::with_stack;

/// Why a name means no document.
#[derive(Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is a folder.
    Folder,
    /// It is a file of records, and the record is not named.
    Records,
    /// There is a file of records of this name, but no such record in it.
    NoRecord(String),
    /// A scan would skip the document for this reason, with details in words.
    Skipped(SkipReason, String),
}

/// Returns the name of a document in reports, and the document. `path` is the path as typed, `base` the folder that the
/// user is in. Devices, sockets and FIFOs are not opened.
///
/// # Errors
///
/// The name, and why it means no document.
pub fn read_named(
    path: &Path,
    base: &Path,
    settings: &ReadOptions,
) -> Result<(String, Ingested<'static>), (String, Refusal)> {
    with_stack(|| read(path, base, settings))
}

fn read(
    path: &Path,
    base: &Path,
    settings: &ReadOptions,
) -> Result<(String, Ingested<'static>), (String, Refusal)> {
    let name = display_name(path, base);
    let skipped = |(reason, detail)| Refusal::Skipped(reason, detail);
    let error = match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => return Err((name, Refusal::Folder)),
        Ok(metadata) if !metadata.is_file() => {
            return Err((name, skipped((SkipReason::NotAFile, String::new()))));
        }
        Ok(_) => {
            return match whole(path, settings) {
                Ok(Some(document)) => Ok((name, document)),
                Ok(None) => Err((name, Refusal::Records)),
                Err(error) => Err((name, skipped(error))),
            };
        }
        Err(error) => error,
    };
    let Some((file, id)) = file_and_id(path, settings.pre.as_ref()) else {
        return Err((name, skipped((reason(&error), error.to_string()))));
    };
    let file_name = display_name(file, base);
    let name = format!("{file_name}#{id}");
    match find(file, id, settings) {
        Ok(Some(Ok((text, title, encoding)))) => {
            match record(Cow::Owned(text), title, encoding, settings) {
                Ok(document) => Ok((name, document)),
                Err(error) => Err((name, skipped(error))),
            }
        }
        Ok(Some(Err(error))) => Err((name, skipped(error))),
        Ok(None) => Err((name, Refusal::NoRecord(file_name))),
        Err(error) => Err((file_name, skipped(error))),
    }
}

/// Reads a file that is one document. Returns nothing if it holds records.
fn whole(path: &Path, settings: &ReadOptions) -> Result<Option<Ingested<'static>>, Refused> {
    let kind = kind_of(path, settings.pre.as_ref());
    if Batches::open(path, kind, settings)?.is_some() {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    let document = file(path, kind, settings, &mut bytes)?;
    Ok(Some(Ingested {
        text: Cow::Owned(document.text.into_owned()),
        ..document
    }))
}

/// Returns the file that a document is read from. `path` is the path as typed.
pub fn file_of(path: &Path) -> &Path {
    match file_and_id(path, None) {
        Some((file, _)) if !path.exists() => file,
        _ => path,
    }
}

/// Cuts `FILE#ID` at the first `#` behind the name of a file of records that exists. Both parts may contain `#`.
fn file_and_id<'p>(path: &'p Path, pre: Option<&Pre>) -> Option<(&'p Path, &'p str)> {
    let text = path.to_str()?;
    let cuts = text.match_indices('#');
    cuts.map(|(at, _)| (Path::new(&text[..at]), &text[at + 1..]))
        .find(|(file, _)| kind_of(file, pre).may_hold_records() && file.is_file())
}

/// A record's text and title, and the encoding of its file, or why it has none.
type RecordText = Result<(String, Option<String>, &'static Encoding), Refused>;

/// Returns the record of this id in a file of records. The second record with an id is called `ID@NUMBER`.
fn find(file: &Path, id: &str, settings: &ReadOptions) -> Result<Option<RecordText>, Refused> {
    let batches = Batches::open(file, Kind::of(file), settings)?;
    for batch in batches.into_iter().flatten() {
        // Records before an error count.
        let batch = batch?;
        for Numbered {
            number,
            lines,
            record,
        } in batch.records(&settings.fields)
        {
            let number = position(number, lines.0);
            let (name, text) = match record {
                Err(error) => (number.to_string(), Err(error)),
                Ok(Record { text, id, title }) => {
                    let name = id.map_or_else(|| number.to_string(), Into::into);
                    (name, Ok((text, title)))
                }
            };
            let rest = id.strip_prefix(&*name);
            if rest.is_some_and(|rest| rest.is_empty() || *rest == format!("@{number}")) {
                let text = text.map(|(text, title)| (text.into_owned(), title, batch.encoding()));
                return Ok(Some(text));
            }
        }
    }
    Ok(None)
}

/// Adds `@NUMBER` to the names of all documents but the first of each name, for documents in the order of their names.
/// Returns whether a name was changed: the new names may be taken too. `parts` gives the name and the number of a
/// document.
pub fn number_repeats<T>(
    documents: &mut [T],
    parts: impl Fn(&mut T) -> (&mut String, u64),
) -> bool {
    let mut first: Option<String> = None;
    let mut is_changed = false;
    for document in documents {
        let (name, number) = parts(document);
        if first.as_ref() == Some(name) {
            name.push_str(&format!("@{number}"));
            is_changed = true;
        } else {
            first = Some(name.clone());
        }
    }
    is_changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::Fields;

    fn with(files: &[(&str, &str)], path: &str) -> Result<(String, String), (String, Refusal)> {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in files {
            fs::write(folder.path().join(name), content).unwrap();
        }
        let fields = Fields {
            id: Some("id".into()),
            ..Fields::default()
        };
        let path = folder.path().join(path);
        let settings = ReadOptions {
            max_filesize: 100,
            fields,
            ..ReadOptions::default()
        };
        let (name, document) = read_named(&path, folder.path(), &settings)?;
        Ok((name, document.text.into_owned()))
    }

    fn record(id: &str, text: &str) -> String {
        format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n")
    }

    #[test]
    fn files_and_records_by_their_names() {
        let lines = ["{\"text\":\"one\"}\n", "\n", &record("x#1", "three")].concat();
        let files = [
            ("a.md", "bytes"),
            ("r.jsonl", &*lines),
            ("#h#.ndjson", &*lines),
        ];
        for (path, content) in [
            ("a.md", "bytes"),
            ("r.jsonl#1", "one"),
            ("r.jsonl#x#1", "three"),
            ("#h#.ndjson#x#1", "three"),
        ] {
            assert_eq!(with(&files, path), Ok((path.into(), content.into())));
        }
    }

    #[test]
    fn records_with_the_same_id_have_the_names_of_a_scan() {
        let ids = ["x", "x", "x@2", "x@2@3", "x"];
        let lines = ids.iter().enumerate();
        let lines = lines.map(|(n, id)| record(id, &format!("line {}", n + 1)));
        let lines: String = lines.collect();
        for (id, line) in [
            ("x", 1),
            ("x@2", 2),
            ("x@2@3", 3),
            ("x@2@3@4", 4),
            ("x@5", 5),
        ] {
            let (_, content) = with(&[("r.jsonl", &lines)], &format!("r.jsonl#{id}")).unwrap();
            assert_eq!(content, format!("line {line}"), "{id}");
        }
    }

    #[test]
    fn other_names_are_refused_with_the_reason() {
        let long = record("long", &"x".repeat(100));
        let files = [
            ("a.md", &*"x".repeat(101)),
            ("r.jsonl", &*format!("{}{long}[]\n", record("a", "b"))),
        ];
        let refused = |path| with(&files, path).unwrap_err().1;
        assert_eq!(refused("."), Refusal::Folder);
        assert_eq!(refused("r.jsonl"), Refusal::Records);
        assert_eq!(refused("r.jsonl#c"), Refusal::NoRecord("r.jsonl".into()));
        for (path, reason) in [
            ("a.md", SkipReason::TooLarge),
            ("a.md#1", SkipReason::NotFound),
            ("gone.jsonl#1", SkipReason::NotFound),
            ("r.jsonl#2", SkipReason::TooLarge),
            ("r.jsonl#3", SkipReason::Malformed),
        ] {
            let Refusal::Skipped(found, _) = refused(path) else {
                panic!("{path}");
            };
            assert_eq!(found, reason, "{path}");
        }
    }
}
