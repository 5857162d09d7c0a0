//! The files that `dupfind dedup` reads: checked before anything is compared, and again when they have been copied.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result, bail};

use crate::cli::input::options::refuse_overwriting;
use crate::cli::terminal::output::place;
use crate::read::format::{Format, Kind};
use crate::read::source::walk::WalkOptions;

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
        for (at, output) in outputs.iter().enumerate() {
            refuse_overwriting(Some(output), &walk.paths)?;
            let others = outputs[at + 1..].iter();
            if place(output).is_some_and(|own| {
                others
                    .clone()
                    .any(|other| place(other).as_ref() == Some(&own))
            }) {
                bail!("two outputs are to be written to {}", output.display());
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
