//! The files that `dupfind dedup` reads: checked before anything is compared, and again when they have been copied.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File, Metadata};
use std::io::{BufRead, BufReader};
use std::iter;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result, bail};
use serde::de::IgnoredAny;

use crate::input::refused::refuse_overwriting;
use crate::input::without_documents::{filter_of_records, missing_field};
use crate::terminal::messages;
use crate::terminal::output::place;
#[cfg(feature = "parquet")]
use dupfind_read::records::parquet::copy::widest;
use dupfind_read::records::raw::first_sign;
use dupfind_read::records::without_text;
use dupfind_read::source::name::Identity;
use dupfind_read::source::read::expand;
use dupfind_read::{
    Batches, Compression, Format, Kind, ReadOptions, SkipReason, Skipped, WalkOptions,
    display_name, identity, walk,
};
use dupfind_report::style::counted;
use dupfind_report::style::shell::shown;
use dupfind_scan::{Scan, ScanOptions};

/// How to make JSON Lines of Parquet.
const TO_LINES: &str = r#"duckdb -c "COPY (FROM 'a.parquet') TO 'a.jsonl' (FORMAT json)""#;

/// Endings of compressed files that are not written.
const NOT_WRITTEN: [&str; 7] = ["zip", "7z", "lz4", "br", "lzma", "xz", "bz2"];

/// The files, and their state before they were read.
pub(super) struct Inputs {
    files: Vec<(PathBuf, u64, Option<SystemTime>)>,
    pub(super) format: Format,
}

impl Inputs {
    /// Checks the files that were named.
    ///
    /// # Errors
    ///
    /// One is no file of records, they are of several kinds, or an output would replace one of them.
    pub(super) fn new<'o>(
        walk: &WalkOptions,
        outputs: impl Iterator<Item = &'o PathBuf>,
    ) -> Result<Self> {
        // A link to a file is the same file.
        let known = |path: &PathBuf| {
            let place = walk.on_disk(path);
            Some(identity(place, &fs::metadata(place).ok()?))
        };
        let own: HashSet<Identity> = walk.paths.iter().filter_map(known).collect();
        let is_own = |path: &&PathBuf| known(path).is_some_and(|file| own.contains(&file));
        if let Some(both) = walk.against.iter().find(is_own) {
            bail!(
                "{} is compared with itself: --against names another file",
                both.display()
            );
        }
        let mut places = HashMap::new();
        for output in outputs {
            refuse_overwriting(Some(output), &walk.paths)?;
            refuse_overwriting(Some(output), &walk.against)?;
            let is_standard = output == Path::new("-");
            let own = place(output).or_else(|| is_standard.then(|| output.clone()));
            let earlier = own.and_then(|place| places.insert(place, output));
            if let Some(earlier) = earlier {
                let name = match is_standard {
                    true => "standard output".into(),
                    false => earlier.display().to_string(),
                };
                bail!("two outputs are to be written to {name}");
            }
        }
        let mut files = Vec::new();
        let mut found: Option<(Format, &Path)> = None;
        for path in walk.paths.iter().chain(&walk.against) {
            let place = walk.on_disk(path);
            let name = path.display();
            let metadata = fs::metadata(place).with_context(|| format!("cannot read {name}"))?;
            if metadata.is_dir() {
                bail!("{name} is a folder: name its files, as in {name}/*.jsonl");
            }
            let mut kind = Kind::of(place);
            let sign = first_sign(place, kind);
            match (kind.format, sign) {
                (Format::Json, Err(error)) => {
                    return Err(error).with_context(|| format!("cannot read {name}"));
                }
                (Format::Json, Ok(Some(b'{'))) => kind.format = Format::JsonLines,
                (Format::Json, Ok(_)) | (Format::JsonLines, Ok(Some(b'['))) => bail!(
                    "{name} is no JSON Lines; if it is an array, this makes lines of it: jq -c '.[]' {}",
                    shown(path)
                ),
                // Other data that is damaged is named when it is read.
                (format, _) if format.is_of_records() => {}
                (_, Ok(Some(b'{'))) => bail!(
                    "{name} is no file of records by its name; to read it as JSON Lines, type - in its place, and this at the \
                     end: < {}",
                    shown(path)
                ),
                _ => bail!(
                    "{name} is no file of records (.jsonl, .csv, .tsv, .parquet); for files and folders there is \
                     dupfind plan"
                ),
            }
            if walk.against.contains(path) {
                continue;
            }
            match found {
                Some((format, first)) if format != kind.format => bail!(
                    "{} and {name} are files of two kinds: give each kind to a run of its own, or make JSON Lines of all",
                    first.display()
                ),
                _ => found = Some((kind.format, path)),
            }
            files.push((place.to_owned(), metadata.len(), modified(&metadata)));
        }
        let (format, _) = found.context("no file was named")?;
        Ok(Self { files, format })
    }

    /// Checks that the records can be written to the outputs that were named for them.
    ///
    /// # Errors
    ///
    /// An output has the name of another kind of file, or the columns of two files of Parquet differ.
    pub(super) fn check_outputs(&self, outputs: &[PathBuf]) -> Result<()> {
        let is_parquet = self.format == Format::Parquet;
        for output in outputs {
            let name = output.display();
            let of_output = Kind::of(output).format;
            if !is_parquet && of_output.is_of_records() && of_output != self.format {
                bail!(
                    "{name}: records are copied as they are, so the output is {} too; name it as the inputs are",
                    self.format.as_str()
                );
            }
            // Standard output, pipes and devices have no extension.
            let extension = output.extension();
            let is_end = |end: &&&str| extension.is_some_and(|own| own.eq_ignore_ascii_case(end));
            if let Some(end) = NOT_WRITTEN.iter().find(is_end) {
                bail!(
                    "{name}: {end} is not written: end the name in .gz or .zst, or write '-' and pipe it"
                );
            }
            if is_parquet && extension.is_some_and(|end| !end.eq_ignore_ascii_case("parquet")) {
                bail!(
                    "{name}: records of Parquet are copied to Parquet; name it *.parquet, or make JSON Lines of the \
                     inputs first: {TO_LINES}"
                );
            }
        }
        Ok(())
    }

    /// Returns the file of Parquet that has the columns of all.
    ///
    /// # Errors
    ///
    /// No file has: the columns of two files are others.
    #[cfg(feature = "parquet")]
    pub(super) fn widest(&self) -> Result<&Path> {
        let paths: Vec<&Path> = self.files.iter().map(|(path, ..)| &**path).collect();
        match widest(&paths).context("cannot read the columns of the files")? {
            Ok(at) => Ok(paths[at]),
            Err(two) => {
                let [first, other] = two.map(|at| paths[at].display());
                bail!(
                    "{first} and {other} have not the same columns, or one lacks a column that cannot be empty: give each to \
                     a run of its own, or make JSON Lines of both: {TO_LINES}"
                );
            }
        }
    }

    /// Checks that no file was changed since.
    ///
    /// # Errors
    ///
    /// The name of one that was.
    pub(super) fn check_unchanged(&self) -> Result<()> {
        for (path, size, time) in &self.files {
            let is_same =
                fs::metadata(path).is_ok_and(|now| now.len() == *size && modified(&now) == *time);
            if !is_same {
                bail!(
                    "{} was changed while it was read: nothing is written",
                    path.display()
                );
            }
        }
        Ok(())
    }
}

fn modified(metadata: &Metadata) -> Option<SystemTime> {
    metadata.modified().ok()
}

/// Returns the files of records in the folders among some paths, and the other paths. A named folder is read whole, whatever
/// ignore files say: data is seldom kept in a repository. JSON without records in lines is named and left out.
///
/// # Errors
///
/// A folder has no file of records.
pub(super) fn files(
    paths: &[PathBuf],
    base: &Path,
    settings: &ReadOptions,
) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !base.join(path).is_dir() {
            files.push(path.clone());
            continue;
        }
        let options = WalkOptions {
            ignore_files: false,
            ..WalkOptions::new(vec![path.clone()], base.to_owned())
        };
        let before = files.len();
        let mut left_out = Vec::new();
        for entry in walk(&options, u64::MAX, None)?.entries {
            let (kind, place) = (entry.kind, options.on_disk(&entry.typed));
            if kind.format.is_of_records()
                || kind.format == Format::Json && holds_lines(place, kind, settings)
            {
                files.push(entry.typed);
            } else if kind.format == Format::Json {
                left_out.push(entry.typed);
            }
        }
        if let [first, ..] = &*left_out {
            messages::warning(&format!(
                "{} of JSON in {} left out, such as {}: not every line is a record with the text field",
                counted(left_out.len(), "file"),
                path.display(),
                first.display()
            ));
        }
        if files.len() == before {
            bail!(
                "{} has no file of records (.jsonl, .csv, .tsv, .parquet); for files and folders there is dupfind plan",
                path.display()
            );
        }
    }
    Ok(files)
}

/// Returns whether a file of JSON holds a record in each line.
fn holds_lines(path: &Path, kind: Kind, settings: &ReadOptions) -> bool {
    first_sign(path, kind).is_ok_and(|sign| sign == Some(b'{'))
        && matches!(Batches::open(path, kind, settings), Ok(Some(_)))
}

/// Checks that all files were read to their ends, and that one that holds records has one with a text.
///
/// # Errors
///
/// The name of the file, and its error.
pub(super) fn check_read(options: &ScanOptions, outcome: &Scan) -> Result<()> {
    let has_text: HashSet<u32> = outcome
        .sources
        .documents
        .iter()
        .map(|source| source.file)
        .collect();
    let names = options
        .walk
        .paths
        .iter()
        .chain(&options.walk.against)
        .map(|path| display_name(path, &options.walk.base));
    for name in names {
        let failed = |skipped: &&Skipped| skipped.path == name && skipped.records == 0;
        if let Some(skipped) = outcome.skipped.iter().find(failed) {
            let place = options.walk.on_disk(Path::new(&name));
            let kind = Kind::of(place);
            if without_text(place, kind, &options.read).is_some() {
                continue;
            }
            if kind.format == Format::Json {
                match filter_of_records(place, &options.read.fields, true) {
                    Some(filter) => bail!(
                        "{name} has no record in a line; this makes lines of them: jq -c '{filter}' {}",
                        shown(Path::new(&name))
                    ),
                    None => bail!("{name} has no record in a line, and none in a list within it"),
                }
            }
            let reason = skipped.reason.as_str();
            bail!("{name} was not read to its end ({reason}): nothing is written");
        }
    }
    // Another input may have no record, or other fields: its records stay. Of the other side every file counts.
    let inputs = iter::once(&options.walk.paths[..]);
    for paths in inputs.chain(options.walk.against.chunks(1)) {
        let of_side = (0_u32..).zip(&outcome.sources.files);
        let mut of_side = of_side.filter(|(_, file)| paths.contains(file));
        if of_side
            .clone()
            .any(|(number, _)| has_text.contains(&number))
        {
            continue;
        }
        let refused = of_side.find_map(|(_, file)| Some((file, reason(outcome, file)?)));
        let Some((file, reason)) = refused else {
            // Tables of headings alone, or empty files.
            continue;
        };
        let name = file.display();
        if reason == SkipReason::Empty {
            bail!("{name}: no record has a text with a letter or a digit");
        }
        if reason == SkipReason::TooLarge {
            bail!("{name}: every record with a text is too large; --max-filesize sets the limit");
        }
        let place = options.walk.on_disk(file);
        if let Some(words) = without_text(place, Kind::of(place), &options.read) {
            bail!("{name}: {words}; --text-field names the field with the text");
        }
        if let Some(names) = first_fields(place).with_context(|| format!("cannot read {name}"))? {
            let wanted = options.read.fields.text.join("' or '");
            bail!("{name}: no record has a text in the field '{wanted}'{names}");
        }
    }
    missing_field(options, outcome).map_or(Ok(()), |words| bail!(words))
}

/// Returns why a record of a file is not compared, or the whole file.
fn reason(outcome: &Scan, file: &Path) -> Option<SkipReason> {
    let name = display_name(file, Path::new(""));
    let mut skipped = outcome.skipped.iter();
    let refused = skipped.find(|skipped| {
        let record = skipped.path.strip_prefix(&name);
        record.is_some_and(|record| record.starts_with('#')) || skipped.path == name
    });
    refused.map(|refused| refused.reason)
}

/// Returns the fields of the first record of a file, in words; `None` if it has no record.
fn first_fields(path: &Path) -> Result<Option<String>> {
    let kind = Kind::of(path);
    if kind.format != Format::JsonLines {
        return Ok(Some(String::new()));
    }
    let line = first_line(path, kind)?;
    if line.is_empty() {
        return Ok(None);
    }
    Ok(Some(match names_of_fields(&line) {
        Some(names) => {
            let names = names.iter().take(12).map(|name| format!("'{name}'"));
            format!(
                "; the first one has {}",
                names.collect::<Vec<_>>().join(", ")
            )
        }
        None => match Compression::of_content(&line) {
            Some(compression) => format!(
                "; what is in it is compressed with {}: expand it first",
                compression.as_str()
            ),
            None => match serde_json::from_slice::<IgnoredAny>(&line) {
                // An object of several lines.
                Err(error) if error.is_eof() && line.trim_ascii_start().starts_with(b"{") => {
                    format!(
                        "; a record is a line, and this makes lines of objects: jq -c . {}",
                        shown(path)
                    )
                }
                Err(error) => format!("; the first line is no JSON: {error}"),
                Ok(_) if str::from_utf8(&line).is_err() => {
                    "; the first line is no UTF-8: -E names the encoding".into()
                }
                Ok(_) => "; the first line is no JSON object".into(),
            },
        },
    }))
}

/// Returns the first line with a text of a file of JSON Lines; an empty one if there is none.
fn first_line(path: &Path, kind: Kind) -> Result<Vec<u8>> {
    let mut lines = BufReader::new(expand(File::open(path)?, kind.compression)?);
    let mut line = Vec::new();
    while line.trim_ascii().is_empty() {
        line.clear();
        if lines.read_until(b'\n', &mut line)? == 0 {
            break;
        }
    }
    Ok(line)
}

/// Returns the names of the fields of a record of JSON.
fn names_of_fields(line: &[u8]) -> Option<Vec<String>> {
    let object: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(line).ok()?;
    Some(object.into_iter().map(|(name, _)| name).collect())
}

/// Fields that tell which picture, recording or film a text is about.
const OF_MEDIA: [&str; 6] = ["image", "images", "audio", "audios", "video", "videos"];

/// Returns the field of JSON Lines that tells which picture or the like the text of a record is about, if there is one beside
/// the text.
pub(super) fn field_of_media(path: &Path) -> Option<&'static str> {
    let kind = Kind::of(path);
    if kind.format != Format::JsonLines {
        return None;
    }
    let names = names_of_fields(&first_line(path, kind).ok()?)?;
    OF_MEDIA
        .into_iter()
        .find(|known| names.iter().any(|name| name == known))
}
