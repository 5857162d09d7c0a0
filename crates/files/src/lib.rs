//! Opens, writes, replaces and locks files. This is the one place where dupfind opens a file for writing: an index, a
//! baseline, a plan, a list, a report.
//!
//! A path goes in. An open file comes out, or a whole new file in the place of the old one. This crate knows nothing of
//! the content of a file: no text, no pair, no format.
//!
//! The rule: **no link is followed**. The folder of a file is the user's choice, with the links in its path. The file itself
//! is
//!
//! * a new file, where nothing is ([`open::write_new`]);
//! * or the whole replacement of a regular file ([`replace::Replacement`]): a temporary file beside it that takes its
//!   place. Another name of the old file (a hard link) keeps the old content;
//! * or a lock, which is written only when it is held ([`lock::Lock`]);
//! * or a device or a pipe, which is written as it is ([`open::open_special`]).
//!
//! A link in the place of a file is refused. A test walks the source and finds any other way to write.
//!
//! # Rooms
//!
//! * [`open`]: opens new files, regular files, devices and pipes
//! * [`replace`]: writes a file so that it is the old one or the whole new one
//! * [`temporary`]: files and folders that go with the run that made them
//! * [`lock`]: one writer at a time
//! * [`inside`]: whether a path stays within a folder
//! * [`moved`]: moves a file to a place where nothing is
//! * [`removal`]: removes temporary files when the run is ended by a signal
//!
//! # Example
//!
//! ```
//! use std::io::Write;
//!
//! use dupfind_files::replace::Replacement;
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("plan.jsonl");
//! std::fs::write(&path, "old")?;
//! let mut file = Replacement::of(&path)?;
//! file.write_all(b"new")?;
//! assert_eq!(std::fs::read_to_string(&path)?, "old");
//! file.finish()?;
//! assert_eq!(std::fs::read_to_string(&path)?, "new");
//! # Ok::<(), std::io::Error>(())
//! ```

#![warn(clippy::exit, clippy::print_stdout, clippy::print_stderr)]

pub mod inside;
pub mod lock;
pub mod moved;
pub mod open;
pub mod removal;
pub mod replace;
pub mod temporary;

/// The end of the name of a file that is still being written. Such a file is never a document.
pub const UNFINISHED: &str = ".dupfind.tmp";
