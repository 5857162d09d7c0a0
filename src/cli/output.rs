//! Where the report goes: standard output, or a file that is complete or not there.

use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anstream::{AutoStream, ColorChoice};
use anyhow::{Context, Result, bail};
use tempfile::NamedTempFile;

use crate::error::Error;
use crate::read::source::walk::UNFINISHED as UNFINISHED_NAME;

use crate::cli::args::Color;
use crate::cli::interrupt::{self, Listed};

/// An open place to write one report to.
#[derive(Debug)]
pub(crate) struct Output {
    out: BufWriter<Place>,
    /// What it is called in errors.
    name: String,
    has_failed: bool,
}

#[derive(Debug)]
enum Place {
    /// Standard output. It passes everything on; on Windows it makes the terminal understand colours.
    Stdout(AutoStream<io::Stdout>),
    /// Something that is no regular file (`/dev/null`, a FIFO): written as it is.
    Special(File),
    /// A temporary file beside the target, which takes its place when the report is complete.
    Replacing {
        file: NamedTempFile,
        target: PathBuf,
        listed: Listed,
    },
}

impl Output {
    /// Opens the target of `--output`, before any work is done, so that a wrong path fails at once.
    pub(crate) fn open(target: Option<&Path>) -> Result<Self> {
        let target = match target {
            None => return Ok(Self::stdout()),
            Some(path) if path == Path::new("-") => return Ok(Self::stdout()),
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
        let mut builder = tempfile::Builder::new();
        builder.prefix(".").suffix(UNFINISHED_NAME);
        #[cfg(unix)]
        builder.permissions({
            use std::os::unix::fs::PermissionsExt;
            // What the umask leaves of this, as for any new file.
            let new = fs::Permissions::from_mode(0o666);
            existing.map_or(new, |metadata| metadata.permissions())
        });
        let make = || {
            let file = builder.tempfile_in(folder);
            // Without the path of the temporary file, which says nothing to the user.
            file.map_err(|error| io::Error::from(error.kind()))
        };
        let made = interrupt::removes(make, NamedTempFile::path)?;
        let (file, listed) = made.with_context(failed)?;
        let name = target.display().to_string();
        let place = Place::Replacing {
            file,
            target,
            listed,
        };
        Ok(Self::new(place, name))
    }

    fn stdout() -> Self {
        let stdout = AutoStream::new(io::stdout(), ColorChoice::AlwaysAnsi);
        Self::new(Place::Stdout(stdout), "standard output".into())
    }

    fn new(place: Place, name: String) -> Self {
        Self {
            out: BufWriter::new(place),
            name,
            has_failed: false,
        }
    }

    /// Writes the report with `report` and completes it.
    pub(crate) fn write(
        mut self,
        report: impl FnOnce(&mut (dyn Write + Send)) -> Result<()>,
    ) -> Result<()> {
        report(&mut self).map_err(|error| self.explained(error))?;
        self.finish()
    }

    /// Takes what went wrong while a report was written and says where, if it was here.
    pub(crate) fn explained(&self, error: anyhow::Error) -> anyhow::Error {
        // What makes the run impossible is another matter.
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

    /// Whether writing to it went wrong.
    pub(crate) fn has_failed(&self) -> bool {
        self.has_failed
    }

    /// Writes what is left and, for a file, puts it in its place.
    pub(crate) fn finish(self) -> Result<()> {
        self.finish_with(|_| Ok(())).map(drop)
    }

    /// The same, and a power cut leaves either what was there or the whole of this.
    pub(crate) fn finish_durably(self) -> Result<()> {
        let target = self.finish_with(File::sync_all)?;
        if let Some(target) = target {
            // The name is in the folder only when that is written too. Not every system can do that, and the file is in
            // its place: it is no error.
            let _ = File::open(folder(&target)).and_then(|folder| folder.sync_all());
        }
        Ok(())
    }

    /// Does something with the file before it is put in its place, and returns that, if it is a file.
    fn finish_with(self, settle: impl FnOnce(&File) -> io::Result<()>) -> Result<Option<PathBuf>> {
        let failed = || format!("cannot write {}", self.name);
        let place = self.out.into_inner();
        let mut place = place
            .map_err(io::IntoInnerError::into_error)
            .with_context(failed)?;
        place.flush().with_context(failed)?;
        let Place::Replacing {
            listed: _listed,
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

    /// Whether it is standard output.
    pub(crate) fn is_stdout(&self) -> bool {
        matches!(self.out.get_ref(), Place::Stdout(_))
    }

    /// Whether the report goes to a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        self.is_stdout() && io::stdout().is_terminal()
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
                self.is_stdout() && AutoStream::choice(&io::stdout()) != ColorChoice::Never
            }
        }
    }
}

/// Takes what a user typed for a file that is written and returns the same path for the same place; none for standard
/// output. The file need not be there.
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

/// The folder of a file.
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
