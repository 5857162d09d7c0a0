//! Opens, writes, replaces and locks files. This is the one place where dupfind opens a file for writing: an index, a
//! baseline, a plan, a list, a report.
//!
//! A path goes in. An open file comes out, or a whole new file in the place of the old one. This crate knows nothing of
//! the content of a file: no text, no pair, no format.
//!
//! The rule: **no link is followed**. The folder of a file is the user's choice, with the links in its path. The file itself
//! is
//!
//! * a new file, where nothing is ([`write_new`]);
//! * or the whole replacement of a regular file ([`Replacement`]): a temporary file beside it that takes its
//!   place. Another name of the old file (a hard link) keeps the old content;
//! * or a lock, which is written only when it is held ([`Lock`]);
//! * or a device or a pipe, which is written as it is ([`open_special`]).
//!
//! A link in the place of a file is refused. Clippy finds any other way to write.
//!
//! # Rooms
//!
//! * `open`: opens new files, regular files, devices and pipes
//! * `replace`: writes a file so that it is the old one or the whole new one, and moves a file to a place where nothing is
//! * `temporary`: files and folders that go with the run that made them
//! * `lock`: one writer at a time
//! * `inside`: whether a path stays within a folder
//!
//! # Example
//!
//! ```
//! use std::io::Write;
//!
//! use dupfind_files::Replacement;
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

mod inside;
mod lock;
mod open;
mod replace;
mod temporary;

pub use inside::{Outside, inside, plain};
pub use lock::{Lock, LockError, LockedFolders};
pub use open::{open_end, open_named, open_regular, open_special, read_regular, write_new};
pub use replace::move_file;
pub use replace::{Replacement, folder, place, sync_folder};
pub use temporary::remove_all;
pub use temporary::{TemporaryFile, TemporaryFolder};

/// The end of the name of a file that is still being written. Such a file is never a document.
pub const UNFINISHED: &str = ".dupfind.tmp";
