//! Where the report goes: standard output, or a file that is complete or not there.

use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anstream::{AutoStream, ColorChoice};
use anyhow::{Context, Result, bail};
use tempfile::{NamedTempFile, TempPath};

use dupfind::error::Error;
use dupfind::source::walk::UNFINISHED as UNFINISHED_NAME;

use crate::cli::args::Color;

/// An open place to write one report to.
pub(crate) enum Output {
    /// Standard output.
    Stdout,
    /// Something that is no regular file (`/dev/null`, a FIFO): written as it is.
    Special(File, PathBuf),
    /// A temporary file beside the target, which takes its place when the report is complete.
    Replacing(Option<NamedTempFile>, PathBuf),
}

/// The temporary file that an interrupt must not leave behind.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

impl Output {
    /// Opens the target of `--output`, before any work is done, so that a wrong path fails at once.
    pub(crate) fn open(target: Option<&Path>) -> Result<Self> {
        let target = match target {
            None => return Ok(Self::Stdout),
            Some(path) if path == Path::new("-") => return Ok(Self::Stdout),
            Some(path) => path,
        };
        let failed = || format!("cannot write {}", target.display());
        // A link stays a link: what it points to is replaced.
        let target = fs::canonicalize(target).unwrap_or_else(|_| target.to_owned());
        let existing = fs::metadata(&target).ok();
        match &existing {
            Some(metadata) if metadata.is_dir() => bail!("{}: it is a folder", failed()),
            Some(metadata) if !metadata.is_file() => {
                let file = File::options()
                    .write(true)
                    .open(&target)
                    .with_context(failed)?;
                return Ok(Self::Special(file, target));
            }
            _ => {}
        }
        let folder = match target.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        if !folder.is_dir() {
            bail!("{}: there is no folder {}", failed(), folder.display());
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(".").suffix(UNFINISHED_NAME);
        #[cfg(unix)]
        builder.permissions({
            use std::os::unix::fs::PermissionsExt;
            // What the umask leaves of this, as for any new file.
            let new = fs::Permissions::from_mode(0o666);
            existing.map_or(new, |metadata| metadata.permissions())
        });
        remove_on_interrupt()?;
        // An interrupt waits for this lock, so that it never misses the file.
        let mut unfinished = UNFINISHED.lock().expect("never poisoned");
        let file = builder
            .tempfile_in(folder)
            // Without the path of the temporary file, which says nothing to the user.
            .map_err(|error| io::Error::from(error.kind()))
            .with_context(failed)?;
        *unfinished = Some(file.path().to_owned());
        Ok(Self::Replacing(Some(file), target))
    }

    /// Calls for the report and, for a file, puts it in its place.
    pub(crate) fn write<T>(
        &mut self,
        report: impl FnOnce(&mut (dyn Write + Send)) -> Result<T>,
    ) -> Result<T> {
        match self {
            Self::Stdout => {
                // Passes everything on; on Windows it makes the terminal understand colours.
                let stdout = AutoStream::new(io::stdout(), ColorChoice::AlwaysAnsi);
                let mut out = BufWriter::new(stdout);
                written(report(&mut out), &mut out, "standard output")
            }
            Self::Special(file, target) => {
                let mut out = BufWriter::new(file);
                written(report(&mut out), &mut out, &target.display().to_string())
            }
            Self::Replacing(file, target) => {
                let name = target.display().to_string();
                let file = file.take().context("the report has been written already")?;
                let mut out = BufWriter::new(file);
                let value = written(report(&mut out), &mut out, &name)?;
                let file = out.into_inner().map_err(io::IntoInnerError::into_error);
                let failed = || format!("cannot write {name}");
                let path: TempPath = file.with_context(failed)?.into_temp_path();
                path.persist(&*target).with_context(failed)?;
                *UNFINISHED.lock().expect("never poisoned") = None;
                Ok(value)
            }
        }
    }

    /// Whether the report goes to a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        matches!(self, Self::Stdout) && io::stdout().is_terminal()
    }

    /// The columns of the terminal, if the report goes to one and it has a size.
    pub(crate) fn columns(&self) -> Option<usize> {
        if !self.is_terminal() {
            return None;
        }
        let (width, _) = terminal_size::terminal_size()?;
        Some(usize::from(width.0))
    }

    /// Whether the report is to have colours: as asked, or by default on a terminal that
    /// `NO_COLOR` and its kin leave coloured.
    pub(crate) fn is_coloured(&self, color: Color) -> bool {
        match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                matches!(self, Self::Stdout)
                    && AutoStream::choice(&io::stdout()) != ColorChoice::Never
            }
        }
    }
}

/// Writes what is left of a report, and says where it could not be written.
fn written<T>(report: Result<T>, out: &mut dyn Write, target: &str) -> Result<T> {
    let failed = || format!("cannot write {target}");
    let value = match report {
        Ok(value) => value,
        Err(error) => {
            // What makes the run impossible is another matter.
            return Err(match error.downcast::<Error>() {
                Ok(Error::Sink(error)) => anyhow::Error::from(error).context(failed()),
                Ok(error) => error.into(),
                Err(error) => error.context(failed()),
            });
        }
    };
    out.flush().with_context(failed)?;
    Ok(value)
}

/// On an interrupt, removes the temporary file before the program ends as it would have.
fn remove_on_interrupt() -> Result<()> {
    ctrlc::set_handler(|| {
        if let Ok(Some(path)) = UNFINISHED.lock().map(|mut path| path.take()) {
            let _ = fs::remove_file(path);
        }
        // 128 + SIGINT, as shells expect it.
        std::process::exit(130);
    })
    .context("cannot watch for interrupts")
}
