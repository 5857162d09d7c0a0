//! Decides what to do about near-duplicate documents.
//!
//! Pairs go in. Decisions come out: which pairs count and which are new, which documents stay and which go, which
//! passages two documents share. This crate knows no report and no command line.
//!
//! ```text
//! pairs ─> gate ──> which pairs count, which are new
//!      ├─> clean ─> which documents stay, which go
//!      └─> compare, reuse ─> the passages that two documents share, and those that many share
//! ```
//!
//! # Rooms
//!
//! * [`gate`]: the rules and the baseline: which pairs count, and whether a run fails
//! * [`clean`]: keepers, plans, cleaned records, and the changes of `apply`
//! * [`compare`]: the passages that two documents share
//! * [`elsewhere`]: the other documents with text of one page
//! * [`reuse`]: the passages that are in several documents
//! * [`finished_scan`]: the result of a scan for other programs: pairs, texts, and which documents stay
//!
//! # Example
//!
//! A gate that lets no pair of near-duplicates pass:
//!
//! ```
//! use dupfind_decide::gate::scope::PairScope;
//! use dupfind_decide::gate::Gate;
//! use dupfind_engine::run::Silent;
//! use dupfind_engine::verdict::Relation;
//! use dupfind_scan::{ScanOptions, scan_judged};
//!
//! let folder = tempfile::tempdir()?;
//! let text = "The ferry leaves at seven from the old harbour, and returns at nine in the evening.";
//! std::fs::write(folder.path().join("a.md"), text)?;
//! std::fs::write(folder.path().join("b.md"), text)?;
//! let options = ScanOptions::for_paths([folder.path()]);
//! let gate = Gate::new(PairScope::new(&options.walk), None);
//! let mut gate = gate.only_failing([Relation::Exact].into_iter().collect(), false);
//! let outcome = scan_judged(&options, &Silent, Some(&mut gate), None)?;
//! assert_eq!(outcome.pair_counts.total(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![warn(clippy::exit, clippy::print_stdout, clippy::print_stderr)]

pub mod clean;
pub mod compare;
pub mod elsewhere;
pub mod finished_scan;
pub mod gate;
mod glob;
pub mod reuse;

pub use clean::drops::{ChosenDrops, Drops};
pub use clean::keep::{Keep, KeepRule};
pub use clean::plan::make::Plan;
pub use compare::passages::Shared;
pub use compare::search::find_passages;
pub use elsewhere::Elsewhere;
pub use gate::baseline::{Baseline, Standing, Standings};
pub use gate::scope::{LeftOut, PairScope};
pub use gate::{Gate, Tripped};
pub use reuse::ReuseOptions;
#[cfg(test)]
#[path = "../../../tests/cli/table.rs"]
mod table;
