//! Records on standard input, which are kept in a temporary file: reports read documents again.

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::Path;

use crate::read::format::Compression;
use crate::read::format::PARQUET_MAGIC;
use crate::read::source::walk::STDIN;
use crate::scan::ScanOptions;
use anyhow::{Context, Result, bail};
use tempfile::TempPath;

use crate::cli::interrupt::{self, Listed};

/// How many bytes tell how it is compressed.
const HEAD: u64 = 6;

/// The file of what came on standard input, which is removed in the end.
#[derive(Debug)]
pub(crate) struct Spooled {
    path: TempPath,
    _listed: Listed,
}

/// Takes settings and, if standard input is among what is to be read, keeps it in a file and says so in the
/// settings. The file is there as long as what is returned.
pub(crate) fn spool(settings: &mut ScanOptions) -> Result<Option<Spooled>> {
    let walk = &mut settings.walk;
    if !is_among(walk.paths.iter().chain(&walk.against)) {
        return Ok(None);
    }
    let stdin = io::stdin();
    if stdin.is_terminal() {
        bail!(
            "'-' reads JSON Lines from standard input, and that is the terminal; pipe them in, as in \
             'zcat pages.jsonl.gz | dupfind scan -', or name a file ('./-' if it is called so)"
        );
    }
    let folder = settings.engine.budget.temp_dir.clone();
    let folder = folder.unwrap_or_else(std::env::temp_dir);
    let mut stdin = stdin.lock();
    let mut head = Vec::new();
    let read = (&mut stdin).take(HEAD).read_to_end(&mut head);
    read.context("cannot read standard input")?;
    let suffix = match Compression::of_content(&head) {
        Some(compression) => format!(".jsonl.{}", compression.extension()),
        // Whether it can be read is found out with the rest.
        None if head.starts_with(&PARQUET_MAGIC) => ".parquet".to_owned(),
        None => ".jsonl".to_owned(),
    };
    let make = || {
        let mut builder = tempfile::Builder::new();
        let file = builder
            .prefix("dupfind-")
            .suffix(&suffix)
            .tempfile_in(&folder);
        file.map(tempfile::NamedTempFile::into_parts)
    };
    let made = interrupt::removes(make, |(_, path): &(File, TempPath)| path)?;
    let failed = || {
        let folder = folder.display();
        format!("cannot keep standard input in a file in {folder}; TMPDIR names another folder")
    };
    let ((mut file, path), listed) = made.with_context(failed)?;
    let spooled = Spooled {
        path,
        _listed: listed,
    };
    io::copy(&mut head.as_slice().chain(stdin), &mut file).with_context(failed)?;
    walk.stdin = Some(spooled.path.to_path_buf());
    Ok(Some(spooled))
}

/// Whether paths mean standard input.
pub(crate) fn is_among<'p>(paths: impl IntoIterator<Item = &'p (impl AsRef<Path> + 'p)>) -> bool {
    let mut paths = paths.into_iter();
    paths.any(|path| path.as_ref() == Path::new(STDIN))
}
