//! The file of accepted pairs.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use dupfind_decide::gate::baseline::content::{BaselineContent, Damage, LARGEST};

/// Returns the bytes of a file, if it exists.
pub(crate) fn bytes(path: &Path) -> Result<Option<Vec<u8>>> {
    let failed = || format!("cannot read the baseline {}", path.display());
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(failed),
        Ok(metadata) if metadata.is_dir() => bail!("{}: it is a folder", failed()),
        Ok(metadata) if !metadata.is_file() => bail!("{}: it is no regular file", failed()),
        Ok(_) => {}
    }
    let mut bytes = Vec::new();
    let file = File::open(path).with_context(failed)?;
    let read = file.take(LARGEST + 1).read_to_end(&mut bytes);
    read.with_context(failed)?;
    if bytes.len() as u64 > LARGEST {
        bail!("{}: it is larger than {} MB", failed(), LARGEST >> 20);
    }
    Ok(Some(bytes))
}

/// Parses the bytes of a baseline.
pub(crate) fn content(path: &Path, bytes: &[u8]) -> Result<BaselineContent> {
    BaselineContent::read(bytes)
        .map_err(|Damage { line, reason }| anyhow!("{}:{line}: {reason}", path.display()))
}
