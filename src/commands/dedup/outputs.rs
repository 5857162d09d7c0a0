//! The files that records are written to. The ending of a name decides the compression.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use dupfind_decide::clean::records::copy::{Copier, Counts};
use dupfind_decide::clean::records::verdict::Verdicts;
#[cfg(feature = "parquet")]
use dupfind_read::Format;
#[cfg(feature = "parquet")]
use dupfind_read::records::parquet::copy::{RowWriter, widest};
use dupfind_read::records::raw::RawRecords;
use dupfind_read::{Compression, Kind, ReadOptions, STDIN};
use dupfind_scan::{Scan, ScanOptions};

use crate::commands::dedup::inputs::Inputs;
use crate::terminal::Output;

/// The files that records are to be written to.
#[derive(Default)]
pub(super) struct Outputs {
    pub(super) paths: Vec<PathBuf>,
    /// The folder that has one for each input; without one, the records of all inputs go to one file.
    pub(super) folder: Option<PathBuf>,
}

impl Outputs {
    /// Returns those that an option names: a folder, if it is one or ends with a slash.
    ///
    /// # Errors
    ///
    /// Two inputs have one name.
    pub(super) fn of(named: Option<&Path>, inputs: &[PathBuf]) -> Result<Self> {
        let Some(named) = named else {
            return Ok(Self::default());
        };
        let ends = named.as_os_str().as_encoded_bytes().last();
        if !named.is_dir() && ends.is_none_or(|end| *end != b'/') {
            return Ok(Self {
                paths: vec![named.to_owned()],
                folder: None,
            });
        }
        let mut names = HashSet::new();
        let output = |input: &PathBuf| {
            let name = input.file_name().filter(|_| input != Path::new(STDIN));
            let name = name.with_context(|| {
                format!("{} has no name for {}", input.display(), named.display())
            })?;
            if !names.insert(name.to_owned()) {
                bail!(
                    "two files are called {}, and {} has room for one: -o FILE writes all to one file",
                    name.display(),
                    named.display()
                );
            }
            Ok(named.join(name))
        };
        Ok(Self {
            paths: inputs.iter().map(output).collect::<Result<_>>()?,
            folder: Some(named.to_owned()),
        })
    }

    pub(super) fn open(&self) -> Result<Vec<CompressedOutput>> {
        if let Some(folder) = &self.folder {
            let failed = || format!("cannot make {}", folder.display());
            fs::create_dir_all(folder).with_context(failed)?;
        }
        let outputs = self.paths.iter().map(|path| CompressedOutput::open(path));
        outputs.collect()
    }
}

/// The records that are copied, and their outputs.
pub(super) struct Copying<'c> {
    pub(super) options: &'c ScanOptions,
    pub(super) outcome: &'c Scan,
    pub(super) verdicts: &'c Verdicts<'c>,
    pub(super) inputs: &'c Inputs,
}

impl Copying<'_> {
    /// Writes the records that stay, if they were requested, and the verdicts, if they were; returns how many stay and how many
    /// go. If writing ends early, all files are as they were before.
    pub(super) fn write(
        &self,
        mut outputs: Vec<CompressedOutput>,
        is_each: bool,
        listed: Option<CompressedOutput>,
    ) -> Result<Counts> {
        let mut counts = Counts::default();
        let removals = self.removals();
        if is_each {
            // Every output is written, that of an empty file too.
            for (path, output) in self.options.walk.paths.iter().zip(&mut outputs) {
                let of_one = self.copy(&[path], output, &removals)?;
                counts.kept += of_one.kept;
                counts.removed += of_one.removed;
            }
        } else if let [output] = &mut *outputs {
            let files: Vec<&PathBuf> = self.files().collect();
            counts = self.copy(&files, output, &removals)?;
        } else {
            let going = self.verdicts.going().count() as u64;
            counts = Counts {
                kept: self.outcome.sources.own() as u64 - going,
                removed: going,
            };
        }
        if let Some(mut listed) = listed {
            let written = self.verdicts.write(&mut listed);
            written.with_context(|| format!("cannot write {}", listed.name))?;
            outputs.push(listed);
        }
        self.inputs.check_unchanged()?;
        // No file is replaced before all of them are written.
        let outputs = outputs.into_iter().map(|output| {
            let name = output.name.clone();
            let ended = output.end();
            Ok((ended.with_context(|| format!("cannot write {name}"))?, name))
        });
        for (output, name) in outputs.collect::<Result<Vec<_>>>()? {
            let finished = output.finish_durably();
            finished.with_context(|| format!("cannot write {name}"))?;
        }
        Ok(counts)
    }

    /// Copies the records of some files in their order.
    fn copy(
        &self,
        files: &[&PathBuf],
        kept: &mut CompressedOutput,
        removals: &HashMap<&Path, Vec<u64>>,
    ) -> Result<Counts> {
        let removals_of = |path: &Path| removals.get(path).map_or(&[][..], Vec::as_slice);
        #[cfg(feature = "parquet")]
        if self.inputs.format == Format::Parquet {
            return self.copy_rows(files, kept, removals_of);
        }
        let mut copier = Copier::new(kept);
        for path in files {
            let name = path.display();
            let place = self.options.walk.on_disk(path);
            let records = RawRecords::open(place, Kind::of(place), &self.options.read)
                .map_err(|(reason, detail)| anyhow!("{name}: {}: {detail}", reason.as_str()))?;
            copier
                .copy(records, removals_of(path))
                .with_context(|| format!("cannot copy the records of {name}"))?;
        }
        Ok(copier.counts)
    }

    /// Copies the rows of all files that stay to one file.
    #[cfg(feature = "parquet")]
    fn copy_rows<'r>(
        &self,
        files: &[&PathBuf],
        out: &mut CompressedOutput,
        removals_of: impl Fn(&Path) -> &'r [u64],
    ) -> Result<Counts> {
        let walk = &self.options.walk;
        let mut counts = Counts::default();
        let like = match files {
            [one] => walk.on_disk(one),
            _ => self.inputs.widest()?,
        };
        let mut writer = RowWriter::like(like, out)?;
        for path in files {
            let removals = removals_of(path);
            let stays = |row| removals.binary_search(&row).is_err();
            let rows = writer
                .copy(walk.on_disk(path), stays)
                .with_context(|| format!("cannot copy the records of {}", path.display()))?;
            let removed = removals.len() as u64;
            counts.removed += removed;
            counts.kept += rows - removed;
        }
        writer.finish()?;
        Ok(counts)
    }

    /// Returns the files that were read, in the order in which they were named. One that was named twice was read once.
    fn files(&self) -> impl Iterator<Item = &PathBuf> {
        let mut seen = HashSet::new();
        let files = self.options.walk.paths.iter();
        files.filter(move |path| self.outcome.sources.files.contains(path) && seen.insert(*path))
    }

    /// Returns the records of each file that go, ascending.
    fn removals(&self) -> HashMap<&Path, Vec<u64>> {
        let mut by_file: HashMap<&Path, Vec<u64>> = HashMap::new();
        for (_, candidate, _) in self.verdicts.going() {
            let removals = by_file.entry(candidate.file).or_default();
            removals.push(candidate.source.record);
        }
        by_file
            .values_mut()
            .for_each(|removals| removals.sort_unstable());
        by_file
    }
}

/// Returns whether the records of some files can be copied as they are to one file, as far as their beginnings tell.
pub(crate) fn can_be_copied(files: &[PathBuf], options: &ReadOptions) -> bool {
    #[cfg(feature = "parquet")]
    if let Some(Format::Parquet) = files.first().map(|file| Kind::of(file).format) {
        let paths: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
        return widest(&paths).is_ok_and(|widest| widest.is_ok());
    }
    let mut nowhere = io::sink();
    let mut copier = Copier::new(&mut nowhere);
    let mut can = |file: &PathBuf| {
        let records = RawRecords::open(file, Kind::of(file), options).ok()?;
        copier.copy(records.beginning(BEGINNING), &[]).ok()
    };
    files.iter().all(|file| can(file).is_some())
}

/// How many bytes of a file tell whether its records can be copied.
const BEGINNING: u64 = 64 << 10;

/// How many bytes are written at a time.
const CHUNK: usize = 256 << 10;

/// An output with an encoder before it.
pub(super) struct CompressedOutput {
    out: BufWriter<Box<dyn Encoder>>,
    /// The path of the file, as it was typed.
    name: String,
}

/// An encoder of an output, or the output itself.
trait Encoder: Write + Send {
    /// Writes the rest.
    fn end(self: Box<Self>) -> io::Result<Output>;
}

impl Encoder for Output {
    fn end(self: Box<Self>) -> io::Result<Output> {
        Ok(*self)
    }
}

macro_rules! encoders {
    ($($encoder:ty),*) => {
        $(impl Encoder for $encoder {
            fn end(self: Box<Self>) -> io::Result<Output> {
                (*self).finish()
            }
        })*
    };
}

encoders!(
    flate2::write::GzEncoder<Output>,
    zstd::stream::write::Encoder<'static, Output>
);

impl CompressedOutput {
    /// Opens a file. The extension of its name decides its compression.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let output = Output::open(Some(path))?;
        let encoder = match Kind::of(path).compression {
            None => Box::new(output),
            Some(compression) => encoder(output, compression)?,
        };
        Ok(Self {
            out: BufWriter::with_capacity(CHUNK, encoder),
            name: path.display().to_string(),
        })
    }

    /// Writes the rest. Returns the output, which replaces the file when it is finished.
    fn end(self) -> io::Result<Output> {
        let encoder = self.out.into_inner();
        let mut output = encoder.map_err(io::IntoInnerError::into_error)?.end()?;
        output.flush()?;
        Ok(output)
    }
}

fn encoder(output: Output, compression: Compression) -> Result<Box<dyn Encoder>> {
    Ok(match compression {
        Compression::Gzip => Box::new(flate2::write::GzEncoder::new(
            output,
            flate2::Compression::default(),
        )),
        Compression::Zstd => Box::new(zstd::stream::write::Encoder::new(output, 0)?),
        // They are refused by their names.
        Compression::Xz | Compression::Bzip2 => {
            return Err(io::Error::from(io::ErrorKind::Unsupported).into());
        }
    })
}

impl Write for CompressedOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
