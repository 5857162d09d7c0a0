//! Named files without a document that could be read.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use dupfind_read::records::{has_field, without_text};
use dupfind_read::{Fields, Format, Kind, SkipReason, WalkOptions, display_name};
use dupfind_report::style::shell::shown;
use dupfind_scan::{Scan, ScanOptions, Source};
use serde_json::Value;

use crate::terminal::messages;

/// Prints an error for each named file that gave no document because all of it is malformed, and returns whether there
/// is one. A folder may be empty, and a list of named files may hold pictures. The fault of a whole file is not
/// repeated if a warning has named it before.
pub(crate) fn report(options: &ScanOptions, outcome: &Scan) -> bool {
    let walk = &options.walk;
    warn_of_whole_files(walk, outcome);
    let without = without_documents(walk, outcome, messages::is_quiet());
    for message in &without {
        messages::error(message);
        if message.contains(NO_FIELD) {
            messages::advice("--text-field names the field with the text");
        }
    }
    let missing = without_fields(options, outcome);
    if let Some(words) = &missing {
        messages::error(words);
    }
    !without.is_empty() || missing.is_some()
}

/// Returns why records are not compared as the user meant: a test set for them is a table or JSON without the text field, or a
/// text field is in no record.
pub(crate) fn without_fields(options: &ScanOptions, outcome: &Scan) -> Option<String> {
    let sources = &outcome.sources;
    let mut own = sources.documents.iter().filter(|it| !it.is_against);
    let are_records = own.clone().next().is_some() && own.all(Source::is_record);
    let has_fields = |file: &PathBuf| {
        let of_file = |it: &&Source| sources.files[it.file as usize] == *file;
        let mut whole = sources.documents.iter().filter(|it| !it.is_record());
        let place = options.walk.on_disk(file);
        let kind = Kind::of(place);
        let is_whole = kind.may_hold_records() && whole.any(|it| of_file(&it));
        !is_whole && without_text(place, kind, &options.read).is_none()
    };
    let mut against = options.walk.against.iter().filter(|_| are_records);
    match against.find(|file| !has_fields(file)) {
        Some(file) => Some(format!(
            "{}: no record has the text field; --text-field names the field with the text",
            file.display()
        )),
        None => missing_field(options, outcome),
    }
}

/// Returns that no record has one of several text fields, if there are records.
pub(crate) fn missing_field(options: &ScanOptions, outcome: &Scan) -> Option<String> {
    let sources = outcome.sources.documents.iter();
    let of_records = sources.filter(|source| source.is_record());
    let files: BTreeSet<u32> = of_records.map(|source| source.file).collect();
    let has = |name: &String| {
        let mut files = files
            .iter()
            .map(|&file| &outcome.sources.files[file as usize]);
        files.any(|file| {
            let place = options.walk.on_disk(file);
            has_field(place, Kind::of(place), &options.read, name)
        })
    };
    let names = &options.read.fields.text;
    let mut names = names
        .iter()
        .filter(|_| names.len() > 1 && !files.is_empty());
    let missing = names.find(|name| !has(name))?;
    Some(format!("no record has the text field '{missing}'"))
}

/// Warns of named files that are one document each, though they have records: tables without a column with the text, and JSON
/// with a list of records within it.
fn warn_of_whole_files(walk: &WalkOptions, outcome: &Scan) {
    let sources = outcome.sources.documents.iter();
    let whole = sources.filter(|source| !source.is_record());
    let files = whole.map(|source| &outcome.sources.files[source.file as usize]);
    for file in files.filter(|file| walk.paths.contains(file)) {
        let name = file.display();
        let (fault, advice) = match Kind::of(file).format {
            Format::Csv | Format::Tsv => (
                "it has no column with the name of the text field",
                "--text-field names the field with the text".to_owned(),
            ),
            Format::Json => {
                match filter_of_records(walk.on_disk(file), &Fields::default(), false) {
                    Some(filter) => (
                        "it has records, but not one in each line",
                        format!("this makes lines of them: jq -c '{filter}' {}", shown(file)),
                    ),
                    None => continue,
                }
            }
            _ => continue,
        };
        messages::warning(&format!("{name}: compared as one document: {fault}"));
        messages::advice(&advice);
    }
}

/// Returns the filter of `jq` for the records within a file of JSON: objects with one of these fields. A single object is one
/// document, unless one record is enough.
pub(crate) fn filter_of_records(path: &Path, fields: &Fields, takes_one: bool) -> Option<String> {
    let content = fs::read_to_string(path).ok()?;
    let mut values = serde_json::Deserializer::from_str(&content).into_iter::<Value>();
    let first = values.next()?.ok()?;
    let names = fields.text.iter().filter_map(|name| name.split('.').next());
    let is_record = |value: &Value| names.clone().any(|name| value.get(name).is_some());
    if is_record(&first) {
        return (takes_one || values.next().is_some()).then(|| ".".to_owned());
    }
    let mut lists = Vec::new();
    add_lists(&first, Some(String::new()), &is_record, &mut lists);
    let lists: Option<Vec<String>> = lists.into_iter().collect();
    let lists = lists.filter(|lists| !lists.is_empty())?.into_iter();
    let filters = lists.map(|path| match &*path {
        "" => ".[]".to_owned(),
        _ => format!("{path}[]"),
    });
    Some(filters.collect::<Vec<_>>().join(", "))
}

/// Adds the paths of the lists of records in a value; `None` for one with a name that needs quotes.
fn add_lists(
    value: &Value,
    path: Option<String>,
    is_record: &dyn Fn(&Value) -> bool,
    lists: &mut Vec<Option<String>>,
) {
    let is_letter = |byte: u8| byte == b'_' || byte.is_ascii_alphabetic();
    match value {
        Value::Array(list) if list.iter().any(is_record) => lists.push(path),
        Value::Object(fields) => {
            for (key, value) in fields {
                let is_plain = !key.is_empty() && key.bytes().all(is_letter);
                let path = path.as_ref().filter(|_| is_plain);
                let path = path.map(|path| format!("{path}.{key}"));
                add_lists(value, path, is_record, lists);
            }
        }
        _ => {}
    }
}

/// The beginning of the message about a record without the text field.
const NO_FIELD: &str = ": no field ";

/// Returns the message about each of these files; with the reason for a whole file if it is `wordy`.
pub(crate) fn without_documents(walk: &WalkOptions, outcome: &Scan, wordy: bool) -> Vec<String> {
    let mut without = Vec::new();
    for path in walk.paths.iter().chain(&walk.against) {
        let gave_one = || {
            let mut sources = outcome.sources.documents.iter();
            sources.any(|source| outcome.sources.files[source.file as usize] == *path)
        };
        let Some((count, detail)) = malformed(&display_name(path, &walk.base), outcome) else {
            continue;
        };
        if Path::new(path).is_dir() || gave_one() {
            continue;
        }
        let reason = match count {
            0 if wordy => format!(": {detail}"),
            0 => String::new(),
            1 => format!(": its only record is malformed: {detail}"),
            _ => format!(": all of its {count} records are malformed; the first one: {detail}"),
        };
        without.push(format!("{}: no document in it{reason}", path.display()));
    }
    without
}

/// Returns how many malformed records a file has, 0 if it is malformed as a whole, and the message about the first one;
/// none if nothing in it is malformed.
fn malformed<'o>(file: &str, outcome: &'o Scan) -> Option<(u64, &'o str)> {
    let of_file = |path: &str| {
        let rest = path.strip_prefix(file)?;
        (rest.is_empty() || rest.starts_with('#')).then_some(!rest.is_empty())
    };
    let (mut count, mut first) = (0, None);
    for skipped in &outcome.skipped {
        if skipped.reason != SkipReason::Malformed {
            continue;
        }
        if let Some(is_record) = of_file(&skipped.path) {
            count += if is_record { 1 } else { skipped.records };
            // The line for several records has no details of them.
            if skipped.records == 0 {
                first.get_or_insert(skipped.detail.as_str());
            }
        }
    }
    first.map(|first| (count, first))
}
