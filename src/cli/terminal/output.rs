//! Where the result is written: standard output, or a file that is replaced only when the result is complete.

use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anstream::{AutoStream, ColorChoice};
use anyhow::{Context, Result, bail};
use tempfile::NamedTempFile;

use crate::error::Error;

use crate::cli::args::output::Color;
use crate::cli::process::temporary::{self, Claim};

/// An open place for one result.
#[derive(Debug)]
pub(crate) struct Output {
    out: BufWriter<Place>,
    /// Its name in messages.
    name: String,
    /// The path of the file that is written, as it was typed.
    typed: Option<PathBuf>,
    has_failed: bool,
}

#[derive(Debug)]
enum Place {
    /// Standard output. On Windows this makes the terminal understand colours.
    Stdout(AutoStream<io::Stdout>),
    /// Not a regular file (`/dev/null`, a FIFO): written directly.
    Special(File),
    /// A temporary file beside the target. It takes the target's place when the result is complete.
    Replacing {
        file: NamedTempFile,
        target: PathBuf,
        claim: Claim,
    },
}

impl Output {
    /// Opens the target of `--output`; none and `-` mean standard output.
    ///
    /// # Errors
    ///
    /// The target cannot be written.
    pub(crate) fn open(target: Option<&Path>) -> Result<Self> {
        let target = match target {
            None => return Ok(Self::stdout()),
            Some(path) if path == Path::new("-") => return Ok(Self::stdout()),
            Some(path) => path,
        };
        let failed = || format!("cannot write {}", target.display());
        let typed = target.to_owned();
        // A link stays a link: the file it points to is replaced.
        let target = fs::canonicalize(target).unwrap_or_else(|_| target.to_owned());
        let existing = fs::metadata(&target).ok();
        match &existing {
            Some(metadata) if metadata.is_dir() => bail!("{}: it is a folder", failed()),
            Some(metadata) if !metadata.is_file() => {
                let file = File::options()
                    .write(true)
                    .open(&target)
                    .with_context(failed)?;
                return Ok(Self::new(
                    Place::Special(file),
                    target.display().to_string(),
                ));
            }
            _ => {}
        }
        let folder = folder(&target);
        if !folder.is_dir() {
            bail!("{}: there is no folder {}", failed(), folder.display());
        }
        let make = |builder: &mut tempfile::Builder<'_, '_>| {
            #[cfg(unix)]
            builder.permissions({
                use std::os::unix::fs::PermissionsExt;
                // Reduced by the umask, as for any new file.
                let new = fs::Permissions::from_mode(0o666);
                existing.as_ref().map_or(new, fs::Metadata::permissions)
            });
            let file = builder.tempfile_in(folder);
            // The path of the temporary file would mean nothing to the user.
            file.map_err(|error| io::Error::from(error.kind()))
        };
        let made = temporary::make_in(folder, "", make, NamedTempFile::path);
        let (file, claim) = made.with_context(failed)?;
        let name = target.display().to_string();
        let place = Place::Replacing {
            file,
            target,
            claim,
        };
        Ok(Self {
            typed: Some(typed),
            ..Self::new(place, name)
        })
    }

    fn stdout() -> Self {
        let stdout = AutoStream::new(io::stdout(), ColorChoice::AlwaysAnsi);
        Self::new(Place::Stdout(stdout), "standard output".into())
    }

    fn new(place: Place, name: String) -> Self {
        Self {
            out: BufWriter::new(place),
            name,
            typed: None,
            has_failed: false,
        }
    }

    /// Calls `report` to write the result, and completes it.
    pub(crate) fn write(
        mut self,
        report: impl FnOnce(&mut (dyn Write + Send)) -> Result<()>,
    ) -> Result<()> {
        report(&mut self).map_err(|error| self.explained(error))?;
        self.finish()
    }

    /// Returns an error with the name of this output, if writing to this output failed.
    pub(crate) fn explained(&self, error: anyhow::Error) -> anyhow::Error {
        let error = match error.downcast::<Error>() {
            Ok(Error::Sink(error)) => error.into(),
            Ok(error) => return error.into(),
            Err(error) => error,
        };
        if self.has_failed {
            error.context(format!("cannot write {}", self.name))
        } else {
            error
        }
    }

    /// Returns whether writing failed.
    pub(crate) fn has_failed(&self) -> bool {
        self.has_failed
    }

    /// Writes what is left. A file takes its place now.
    pub(crate) fn finish(self) -> Result<()> {
        self.finish_with(|_| Ok(())).map(drop)
    }

    /// Finishes so that a power cut leaves either the old file or the whole new one.
    pub(crate) fn finish_durably(self) -> Result<()> {
        let target = self.finish_with(File::sync_all)?;
        if let Some(target) = target {
            // The folder is written too, because it holds the name. Systems that cannot do that report no error.
            let _ = File::open(folder(&target)).and_then(|folder| folder.sync_all());
        }
        Ok(())
    }

    /// Finishes, and calls `settle` with the file before it takes its place. Returns its path, if it is a file.
    fn finish_with(self, settle: impl FnOnce(&File) -> io::Result<()>) -> Result<Option<PathBuf>> {
        let failed = || format!("cannot write {}", self.name);
        let place = self.out.into_inner();
        let mut place = place
            .map_err(io::IntoInnerError::into_error)
            .with_context(failed)?;
        place.flush().with_context(failed)?;
        let Place::Replacing {
            claim: _claim,
            file,
            target,
        } = place
        else {
            return Ok(None);
        };
        settle(file.as_file()).with_context(failed)?;
        let path = file.into_temp_path();
        path.persist(&target).with_context(failed)?;
        Ok(Some(target))
    }

    /// Returns whether this is standard output.
    pub(crate) fn is_stdout(&self) -> bool {
        matches!(self.out.get_ref(), Place::Stdout(_))
    }

    /// Returns the path of the regular file that is written, as it was typed.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.typed.as_deref()
    }

    /// Returns whether this is a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        self.is_stdout() && io::stdout().is_terminal()
    }

    /// Returns the columns of the terminal, if this is a terminal whose size is known.
    pub(crate) fn columns(&self) -> Option<usize> {
        if !self.is_terminal() {
            return None;
        }
        let (width, _) = terminal_size::terminal_size()?;
        Some(usize::from(width.0))
    }

    /// Returns whether to use colours. By default they are used on a terminal, unless `NO_COLOR` or the like forbids it.
    pub(crate) fn is_coloured(&self, color: Color) -> bool {
        match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                self.is_stdout() && AutoStream::choice(&io::stdout()) != ColorChoice::Never
            }
        }
    }
}

/// Returns the path of an output such that two names of one file give the same path; none for standard output. The
/// file need not exist.
pub(crate) fn place(typed: &Path) -> Option<PathBuf> {
    if typed == Path::new("-") {
        return None;
    }
    let by_folder = || {
        let folder = fs::canonicalize(folder(typed)).ok()?;
        Some(folder.join(typed.file_name()?))
    };
    let known = fs::canonicalize(typed).ok().or_else(by_folder);
    Some(known.unwrap_or_else(|| typed.to_owned()))
}

/// Returns the folder of a file.
fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes);
        self.has_failed |= written.is_err();
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.out.flush();
        self.has_failed |= flushed.is_err();
        flushed
    }
}

impl Write for Place {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(stdout) => stdout.write(bytes),
            Self::Special(file) => file.write(bytes),
            Self::Replacing { file, .. } => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(stdout) => stdout.flush(),
            Self::Special(file) => file.flush(),
            Self::Replacing { file, .. } => file.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_there_when_it_is_finished_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("report");
        let entries = || fs::read_dir(&folder).unwrap().count();
        drop(Output::open(Some(&target)).unwrap());
        assert_eq!(entries(), 0);
        Output::open(Some(&target))
            .unwrap()
            .finish_durably()
            .unwrap();
        assert_eq!((entries(), target.is_file()), (1, true));
    }
}
