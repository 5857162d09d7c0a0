//! Writes reports about near-duplicate documents, for people and for programs, in English and Chinese.
//!
//! Values go in: the result of a scan, a plan, a comparison. Bytes come out, to a writer. Nothing here prints. This crate
//! decides nothing about a pair, and it knows no command line.
//!
//! ```text
//! a scan, a plan, a comparison ... ─> model ─┬─> formats: the report of a scan, a file or folder for each format
//!                                            └─> compare, reuse, listings: the reports of other commands
//! ```
//!
//! # Rooms
//!
//! * [`formats`]: the formats of the report of a scan
//! * [`compare`], [`reuse`], [`listings`]: the reports of the other commands
//! * [`worklist`]: what to look at first
//! * `again`: documents that are read and compared again
//! * `layout`: two documents side by side, for the terminal and for pages
//! * [`model`]: the content of reports, as values that serialise
//! * [`language`]: English and Chinese
//! * [`style`]: colours, widths, and escapes of characters that could act on a terminal
//!
//! # Example
//!
//! ```
//! use dupfind_decide::gate::Gate;
//! use dupfind_engine::run::Silent;
//! use dupfind_report::formats::JSON;
//! use dupfind_report::formats::Writer;
//! use dupfind_report::model::Report;
//! use dupfind_report::style::TableStyle;
//! use dupfind_scan::{ScanOptions, scan};
//!
//! let folder = tempfile::tempdir()?;
//! let options = ScanOptions::for_paths([folder.path()]);
//! let outcome = scan(&options, &Silent, None)?;
//! let (gate, mut out) = (Gate::default(), Vec::new());
//! let report = Report::new(&outcome, &gate);
//! if let Writer::Whole { write, .. } = &JSON.writer {
//!     write(&report, TableStyle::default(), &mut out)?;
//! }
//! assert!(String::from_utf8(out)?.contains("\"schema_version\""));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![warn(clippy::exit, clippy::print_stdout, clippy::print_stderr)]

mod again;
pub mod compare;
pub mod formats;
pub mod language;
mod layout;
pub mod listings;
pub mod model;
pub mod reuse;
pub mod style;
pub mod worklist;

pub use formats::findings::Findings;
pub use formats::{FORMATS, Format, GITHUB, LIST, TABLE};
pub use language::{Language, phrase};
pub use model::Report;
pub use style::escape::inert;
pub use style::escape::visible;
pub use style::{TableStyle, amount};

#[cfg(test)]
#[path = "../../../tests/cli/table.rs"]
mod table;
#[cfg(test)]
mod tests;
