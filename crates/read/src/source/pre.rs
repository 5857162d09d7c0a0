//! Runs a program of the user for a file. The output of the program is the document.
//!
//! The program gets the path of the file among its arguments and nothing on standard input. It does not run in a
//! shell. Its time and the size of its output are bounded. If it is ended early, the programs that it has started are
//! ended too, where the system has process groups.

use std::ffi::OsString;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use ignore::overrides::Override;

use crate::format::{Format, Kind};
use crate::skipped::{Refused, SkipReason};
use crate::source::name::plain;
use crate::source::program::{Program, read_pipe};
use crate::source::walk::options::Globs;
use dupfind_engine::Result;

/// The longest time for a file.
const TIMEOUT: Duration = Duration::from_secs(30);

/// How many bytes of standard error are kept, and how many characters of these are shown.
const COMPLAINT: u64 = 4 << 10;
const SHOWN: usize = 300;

/// What the path of the file takes the place of, in the arguments of a program.
pub const PLACE: &str = "{}";

/// A program, and the files that it is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reader {
    /// The glob that the names of its files match.
    pub glob: String,
    /// The path of the program.
    pub program: PathBuf,
    /// Its arguments, with [`PLACE`] where the path of the file is.
    pub arguments: Vec<String>,
}

/// Programs that read files.
#[derive(Debug, Clone)]
pub struct Pre {
    readers: Vec<(Reader, Override)>,
    /// The absolute path of the folder that globs are relative to.
    globs_base: PathBuf,
    /// The absolute path of the folder that paths are relative to.
    base: PathBuf,
    timeout: Duration,
}

impl Pre {
    /// Returns programs. Of those whose globs match a file, the last one reads it. `globs_base` is the absolute path of the
    /// folder that globs are relative to, `base` that of paths.
    ///
    /// # Errors
    ///
    /// [`dupfind_engine::Error::Option`] if a glob does not parse.
    pub fn new(readers: Vec<Reader>, globs_base: PathBuf, base: PathBuf) -> Result<Self> {
        let compiled = |reader: Reader| {
            let globs = Globs {
                base: globs_base.clone(),
                patterns: vec![reader.glob.clone()],
            };
            Ok((reader, globs.compiled("")?))
        };
        Ok(Self {
            readers: readers.into_iter().map(compiled).collect::<Result<_>>()?,
            globs_base,
            base,
            timeout: TIMEOUT,
        })
    }

    /// Returns the same programs for the files of another folder. `globs` moves globs to that folder.
    ///
    /// # Errors
    ///
    /// As for [`Self::new`].
    pub fn moved(&self, base: PathBuf, globs: impl FnOnce(&Globs) -> Globs) -> Result<Self> {
        let readers = self.readers.iter().map(|(reader, _)| reader.clone());
        let moved = globs(&Globs {
            base: self.globs_base.clone(),
            patterns: readers.clone().map(|reader| reader.glob).collect(),
        });
        let readers = readers.zip(moved.patterns);
        let readers = readers.map(|(reader, glob)| Reader { glob, ..reader });
        Self::new(readers.collect(), moved.base, base)
    }

    /// Whether a program reads a file.
    pub fn reads(&self, path: &Path) -> bool {
        self.reader(path).is_some()
    }

    /// Returns the program that reads a file.
    fn reader(&self, path: &Path) -> Option<&Reader> {
        let place = plain(&self.base.join(path));
        let mut readers = self.readers.iter().rev();
        let found = readers.find(|(_, glob)| glob.matched(&place, false).is_whitelist());
        found.map(|(reader, _)| reader)
    }

    /// Replaces the content of `bytes` by the output of the program for a file.
    ///
    /// # Errors
    ///
    /// [`SkipReason::PreFailed`] with the output of the program on standard error, [`SkipReason::TooLarge`] if it prints
    /// more bytes than `limit`.
    pub fn read_into(
        &self,
        path: &Path,
        limit: u64,
        bytes: &mut Vec<u8>,
    ) -> std::result::Result<(), Refused> {
        let Some(reader) = self.reader(path) else {
            return Err((SkipReason::PreFailed, "no program reads it".into()));
        };
        let deadline = Instant::now() + self.timeout;
        let left = || deadline.saturating_duration_since(Instant::now());
        let late = || reader.failed(&format!("it took more than {} s", self.timeout.as_secs()));
        let failed = |error: io::Error| reader.failed(&error.to_string());
        let mut command = reader.command(path);
        let mut run = Program::start(&mut command).map_err(failed)?;
        // Both pipes are read at the same time, so that neither blocks the program.
        let mut buffer = std::mem::take(bytes);
        let printed = read_pipe(run.child.stdout.take(), move |pipe| {
            buffer.clear();
            pipe.take(limit.saturating_add(1))
                .read_to_end(&mut buffer)?;
            Ok(buffer)
        });
        let complained = read_pipe(run.child.stderr.take(), |mut pipe| {
            let mut complaint = Vec::new();
            // Standard error is shown only if the program fails; an error of reading it does not count.
            let _ = pipe.by_ref().take(COMPLAINT).read_to_end(&mut complaint);
            let _ = io::copy(&mut pipe, &mut io::sink());
            Ok(complaint)
        });
        let (printed, complained) = (printed.map_err(failed)?, complained.map_err(failed)?);
        let printed = printed.recv_timeout(left()).map_err(|_| late())?;
        *bytes = printed.map_err(failed)?;
        if bytes.len() as u64 > limit {
            let words = format!("it prints more than {limit} bytes");
            return Err((SkipReason::TooLarge, words));
        }
        let complaint = complained.recv_timeout(left()).map_err(|_| late())?;
        match run.end(left()) {
            Ok(None) => Err(late()),
            Ok(Some(status)) if status.success() => Ok(()),
            Ok(Some(status)) => {
                let complaint = shown(&complaint.map_err(failed)?);
                let dash = if complaint.is_empty() { "" } else { ": " };
                Err(reader.failed(&format!("{status}{dash}{complaint}")))
            }
            Err(error) => Err(failed(error)),
        }
    }
}

impl Reader {
    /// Returns the command that reads a file.
    fn command(&self, path: &Path) -> Command {
        let path = argument(path);
        let arguments = self
            .arguments
            .iter()
            .map(|argument| placed(argument, &path));
        let mut command = Command::new(&self.program);
        command
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn failed(&self, what: &str) -> Refused {
        let name = self.program.file_name().unwrap_or_default();
        let words = format!("{}: {what}", name.to_string_lossy());
        (SkipReason::PreFailed, words)
    }
}

/// Returns an argument with a path in its place.
fn placed(argument: &str, path: &OsString) -> OsString {
    let mut placed = OsString::new();
    for (number, part) in argument.split(PLACE).enumerate() {
        if number > 0 {
            placed.push(path);
        }
        placed.push(part);
    }
    placed
}

/// Returns a path as an argument that is never read as an option.
fn argument(path: &Path) -> OsString {
    let path = path.as_os_str();
    let mut argument = OsString::new();
    if path.as_encoded_bytes().starts_with(b"-") {
        argument.push("./");
    }
    argument.push(path);
    argument
}

/// Returns the first lines of standard error as one line of at most [`SHOWN`] characters.
fn shown(complaint: &[u8]) -> String {
    let text = String::from_utf8_lossy(complaint);
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines: Vec<&str> = lines.take(3).collect();
    lines.join("; ").chars().take(SHOWN).collect()
}

/// Returns the kind of a file. `pre` has the programs of the user, which may read it.
pub fn kind_of(path: &Path, pre: Option<&Pre>) -> Kind {
    match pre {
        Some(pre) if pre.reads(path) => Kind {
            format: Format::Pre,
            compression: None,
        },
        _ => Kind::of(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(glob: &str, program: &str, arguments: &[&str]) -> Reader {
        Reader {
            glob: glob.into(),
            program: program.into(),
            arguments: arguments.iter().map(ToString::to_string).collect(),
        }
    }

    fn pre(readers: Vec<Reader>) -> Pre {
        Pre::new(readers, "/site".into(), "/site/docs".into()).unwrap()
    }

    #[test]
    fn globs_choose_its_files() {
        for (glob, taken, left) in [
            (
                "*.pdf",
                &["a.pdf", "../b/c.pdf", "/site/a.pdf"][..],
                &["a.md"][..],
            ),
            ("*", &["a.pdf", "b/c"], &[]),
            (
                "/docs/*.pdf",
                &["a.pdf", "./x/../a.pdf"],
                &["b/a.pdf", "../a.pdf"],
            ),
        ] {
            let pre = pre(vec![reader(glob, "none", &[PLACE])]);
            let kind = |path: &&str| kind_of(Path::new(path), Some(&pre)).format;
            assert!(taken.iter().all(|path| kind(path) == Format::Pre), "{glob}");
            assert!(left.iter().all(|path| kind(path) != Format::Pre), "{glob}");
        }
        assert_eq!(kind_of(Path::new("a.docx"), None).format, Format::Docx);
    }

    #[test]
    fn the_last_program_that_is_for_a_file_reads_it() {
        let pre = pre(vec![
            reader("*.{a,b}", "first", &[]),
            reader("*.b", "last", &[]),
        ]);
        let program = |path: &str| pre.reader(Path::new(path)).map(|reader| &reader.program);
        assert_eq!(program("x.a"), Some(&"first".into()));
        assert_eq!(program("x.b"), Some(&"last".into()));
        assert_eq!(program("x.c"), None);
        let moved = pre.moved("/other/docs".into(), |globs| Globs {
            base: "/other".into(),
            ..globs.clone()
        });
        assert!(moved.unwrap().reads(Path::new("x.b")));
    }

    #[test]
    fn the_path_takes_its_place_and_is_no_option() {
        let arguments = |path: &str| -> Vec<OsString> {
            let reader = reader("*", "none", &["-t", PLACE, "--from={}.x", "-"]);
            let command = reader.command(Path::new(path));
            command.get_args().map(OsString::from).collect()
        };
        assert_eq!(arguments("/a b"), ["-t", "/a b", "--from=/a b.x", "-"]);
        assert_eq!(arguments("-o"), ["-t", "./-o", "--from=./-o.x", "-"]);
    }

    #[test]
    fn complaints_are_a_line() {
        assert_eq!(shown(b"\n one \n\ntwo\r\nthree\nfour"), "one; two; three");
        assert_eq!(shown(&[b'x'; 4000]).len(), SHOWN);
        assert_eq!(shown(b"\xff"), "\u{fffd}");
    }

    #[test]
    fn a_program_that_is_not_there_fails() {
        let pre = pre(vec![reader("*", "/none", &[PLACE])]);
        let (reason, words) = pre
            .read_into(Path::new("a"), 9, &mut Vec::new())
            .unwrap_err();
        assert_eq!(reason, SkipReason::PreFailed);
        assert!(words.starts_with("none: "), "{words}");
    }

    #[cfg(unix)]
    #[test]
    fn what_a_program_prints_is_read_up_to_a_limit() {
        let pre = pre(vec![reader("*", "/bin/echo", &[PLACE])]);
        let mut bytes = Vec::new();
        assert_eq!(pre.read_into(Path::new("a"), 9, &mut bytes), Ok(()));
        assert_eq!(bytes, b"a\n");
        let long = pre.read_into(Path::new("long"), 3, &mut bytes);
        assert_eq!(long.unwrap_err().0, SkipReason::TooLarge);
    }

    #[cfg(unix)]
    #[test]
    fn what_takes_too_long_is_ended_with_all_that_it_has_started() {
        use nix::sys::signal::killpg;
        use nix::unistd::Pid;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a");
        let script = "echo $$ > \"$0\"; sleep 1000 & sleep 1000";
        let pre = Pre {
            timeout: Duration::from_secs(2),
            ..pre(vec![reader("*", "/bin/sh", &["-c", script, PLACE])])
        };
        let late = pre.read_into(&file, 9, &mut Vec::new()).unwrap_err();
        let expected = (SkipReason::PreFailed, "sh: it took more than 2 s".into());
        assert_eq!(late, expected);
        let group: i32 = std::fs::read_to_string(&file)
            .unwrap()
            .trim()
            .parse()
            .unwrap();
        let patience = Instant::now() + Duration::from_secs(60);
        // A process that nobody waits for is still there for a moment.
        while killpg(Pid::from_raw(group), None).is_ok() {
            assert!(Instant::now() < patience);
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}
