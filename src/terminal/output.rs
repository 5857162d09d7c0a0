//! Where the result is written: standard output, or a file that is replaced only when the result is complete.

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anstream::{AutoStream, ColorChoice};
use anyhow::{Context, Result};

use dupfind_engine::Error;
use dupfind_files::{Replacement, folder, open_special};

use crate::terminal::guard::Guard;

/// How many bytes are written at a time.
const AT_A_TIME: usize = 1 << 16;

/// When to use colours.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Color {
    /// On a terminal
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

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
    /// Standard output.
    Stdout(Stdout),
    /// Not a regular file (`/dev/null`, a FIFO): written directly.
    Special(File),
    /// A temporary file beside the target. It replaces the target when the result is complete.
    Replacing(Replacement),
}

#[derive(Debug)]
struct Stdout {
    /// On Windows this makes the terminal understand colours.
    out: AutoStream<io::Stdout>,
    /// Whether the run goes on when the reader has gone away. The rest of the result is lost then.
    goes_on: bool,
    /// What keeps a terminal from harm, if it is one.
    guard: Option<Guard>,
    /// Whether the result has colours.
    has_colours: Cell<bool>,
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
        let name = target.display().to_string();
        let is_special = fs::metadata(target).is_ok_and(|it| !it.is_file() && !it.is_dir());
        if is_special {
            let file = open_special(target).with_context(failed)?;
            return Ok(Self::new(Place::Special(file), name));
        }
        let replacement = Replacement::of(target).with_context(failed)?;
        Ok(Self {
            typed: Some(target.to_owned()),
            ..Self::new(Place::Replacing(replacement), name)
        })
    }

    fn stdout() -> Self {
        let stdout = Stdout {
            out: AutoStream::new(io::stdout(), ColorChoice::AlwaysAnsi),
            goes_on: false,
            guard: io::stdout().is_terminal().then(Guard::default),
            has_colours: Cell::new(false),
        };
        Self::new(Place::Stdout(stdout), "standard output".into())
    }

    /// Lets the run go on when the reader of standard output has gone away, if it has more to do than to write this result:
    /// a gate decides, or other files are written.
    pub(crate) fn going_on(mut self, has_more: bool) -> Self {
        if let Place::Stdout(stdout) = self.out.get_mut() {
            stdout.goes_on = has_more;
        }
        self
    }

    fn new(place: Place, name: String) -> Self {
        Self {
            out: BufWriter::with_capacity(AT_A_TIME, place),
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

    /// Writes the rest. Now a file replaces the old one.
    pub(crate) fn finish(self) -> Result<()> {
        self.finish_with(Replacement::finish)
    }

    /// Finishes so that a power cut leaves either the old file or the whole new one.
    pub(crate) fn finish_durably(self) -> Result<()> {
        self.finish_with(Replacement::finish_durably)
    }

    fn finish_with(self, finish: fn(Replacement) -> io::Result<()>) -> Result<()> {
        let failed = || format!("cannot write {}", self.name);
        let place = self.out.into_inner();
        let mut place = place
            .map_err(io::IntoInnerError::into_error)
            .with_context(failed)?;
        place.flush().with_context(failed)?;
        match place {
            Place::Replacing(replacement) => finish(replacement).with_context(failed),
            Place::Stdout(_) | Place::Special(_) => Ok(()),
        }
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

    /// Returns whether to use colours, and lets them through. By default they are used on a terminal, unless `NO_COLOR` or
    /// the like forbids it.
    pub(crate) fn is_coloured(&self, color: Color) -> bool {
        let is_coloured = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                self.is_stdout() && AutoStream::choice(&io::stdout()) != ColorChoice::Never
            }
        };
        if let Place::Stdout(stdout) = self.out.get_ref() {
            stdout.has_colours.set(is_coloured);
        }
        is_coloured
    }
}

/// Returns the path of a file that is to be written, such that two names of one file give the same path; none for standard
/// output. The file need not exist.
///
/// # Errors
///
/// Something else than a regular file is there.
pub(crate) fn written(typed: &Path) -> Result<Option<PathBuf>> {
    if typed == Path::new("-") {
        return Ok(None);
    }
    let place = dupfind_files::place(typed);
    let place = place.with_context(|| format!("cannot write {}", typed.display()))?;
    Ok(Some(place))
}

/// Returns the path of a file with links followed, such that two names of one file give the same path; none for `-`. The
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

impl Stdout {
    /// Returns a result, or `lost` in place of the error that nobody reads the output any more, if the run goes on.
    fn without_reader<T>(&self, result: io::Result<T>, lost: T) -> io::Result<T> {
        match result {
            Err(error) if self.goes_on && error.kind() == io::ErrorKind::BrokenPipe => Ok(lost),
            result => result,
        }
    }
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &mut self.guard {
            None => self.out.write(bytes),
            Some(guard) => {
                let escaped = guard.escaped(bytes, self.has_colours.get());
                self.out.write_all(escaped.as_bytes()).map(|()| bytes.len())
            }
        };
        self.without_reader(written, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let rest = self.guard.as_mut().map_or(String::new(), Guard::rest);
        let flushed = self.out.write_all(rest.as_bytes());
        let flushed = flushed.and_then(|()| self.out.flush());
        self.without_reader(flushed, ())
    }
}

impl Write for Place {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(stdout) => stdout.write(bytes),
            Self::Special(file) => file.write(bytes),
            Self::Replacing(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(stdout) => stdout.flush(),
            Self::Special(file) => file.flush(),
            Self::Replacing(file) => file.flush(),
        }
    }
}

/// Returns the columns that the environment names, for a pipe.
pub(crate) fn columns_of_pipe() -> Option<usize> {
    let columns = std::env::var("COLUMNS").ok()?.parse().ok();
    columns.filter(|&columns| columns > 0)
}
