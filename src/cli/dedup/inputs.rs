//! The files that `dupfind dedup` reads: checked before anything is compared, and again when they have been copied.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File, Metadata};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result, bail};

use crate::cli::input::options::refuse_overwriting;
use crate::cli::terminal::output::place;
use crate::document::Skipped;
use crate::read::format::{Format, Kind};
use crate::read::source::expand::expand;
use crate::read::source::name::display_name;
use crate::read::source::walk::WalkOptions;
use crate::scan::ScanOptions;
use crate::scan::outcome::Outcome;

/// The files, and what they were like before they were read.
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
    pub(super) fn new(walk: &WalkOptions, outputs: &[&Path]) -> Result<Self> {
        let mut places = HashMap::new();
        for output in outputs {
            refuse_overwriting(Some(output), &walk.paths)?;
            let earlier = place(output).and_then(|place| places.insert(place, output));
            if let Some(earlier) = earlier {
                bail!("two outputs are to be written to {}", earlier.display());
            }
        }
        let mut files = Vec::new();
        let mut found: Option<(Format, &Path)> = None;
        for path in &walk.paths {
            let place = walk.on_disk(path);
            let name = path.display();
            let metadata = fs::metadata(place).with_context(|| format!("cannot read {name}"))?;
            if metadata.is_dir() {
                bail!("{name} is a folder: name its files, as in {name}/*.jsonl");
            }
            let kind = Kind::of(place);
            match kind.format {
                Format::JsonLines | Format::Csv | Format::Tsv | Format::Parquet => {}
                Format::Json => bail!(
                    "{name} is no JSON Lines; if it is an array, this makes lines of it: jq -c '.[]' {name}"
                ),
                _ => bail!(
                    "{name} is no file of records (.jsonl, .csv, .tsv, .parquet); for files and folders there is \
                     dupfind plan"
                ),
            }
            match found {
                Some((format, first)) if format != kind.format => bail!(
                    "{} and {name} are files of two kinds: give each kind to a run of its own",
                    first.display()
                ),
                _ => found = Some((kind.format, path)),
            }
            files.push((place.to_owned(), metadata.len(), modified(&metadata)));
        }
        let (format, _) = found.context("no file was named")?;
        Ok(Self { files, format })
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

/// Checks that all files were read to their ends, and that each that holds records has one with a text.
///
/// # Errors
///
/// The name of the file, and what is wrong.
pub(super) fn check_read(options: &ScanOptions, outcome: &Outcome) -> Result<()> {
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
        .map(|path| display_name(path, &options.walk.base));
    for name in names {
        let failed = |skipped: &&Skipped| skipped.path == name && skipped.records == 0;
        if let Some(skipped) = outcome.skipped.iter().find(failed) {
            let reason = skipped.reason.as_str();
            bail!("{name} was not read to its end ({reason}): nothing is written");
        }
    }
    for (number, file) in (0_u32..).zip(&outcome.sources.files) {
        let name = file.display();
        let place = options.walk.on_disk(file);
        if has_text.contains(&number) {
            let mut own = outcome.sources.documents.iter();
            if own.any(|source| source.file == number && !source.is_record()) {
                bail!(
                    "{name} is one document, and holds no records: --text-field names the field with the text"
                );
            }
        } else if let Some(names) =
            first_fields(place).with_context(|| format!("cannot read {name}"))?
        {
            let wanted = options.read.fields.text.join("' or '");
            bail!("{name}: no record has a text in the field '{wanted}'{names}");
        }
    }
    Ok(())
}

/// Returns the fields of the first record of a file, in words; `None` if it has no record.
fn first_fields(path: &Path) -> Result<Option<String>> {
    let kind = Kind::of(path);
    if kind.format != Format::JsonLines {
        return Ok(Some(String::new()));
    }
    let file = File::open(path)?;
    let mut lines = BufReader::new(expand(file, kind.compression)?);
    let mut line = Vec::new();
    while line.trim_ascii().is_empty() {
        line.clear();
        if lines.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
    }
    let object: Option<serde_json::Map<String, serde_json::Value>> =
        serde_json::from_slice(&line).ok();
    Ok(Some(match object {
        Some(object) => {
            let names: Vec<String> = object
                .keys()
                .take(12)
                .map(|name| format!("'{name}'"))
                .collect();
            format!("; the first one has {}", names.join(", "))
        }
        None => "; the first line is no JSON object".into(),
    }))
}
