//! From pairs to decisions: which document stays, which go, and the changes of their files and records.
//!
//! ```text
//! pairs ─> ties ─┐                             ┌─> plan (a file of lines) ─> apply (files)
//!                ├─> stars ─> decisions ───────┤
//! rules ─> order ┘                             └─> records (kept, removed)
//! ```
//!
//! * [`keep`]: the rules that choose which of two documents stays
//! * [`ties`]: the pairs that let a document go
//! * [`tied`]: the documents of these pairs, and what is decided about each
//! * [`settled`]: decides round by round, until nothing more goes
//! * `similar`: the ties of records that go by their similarity alone
//! * [`stars`]: chooses the documents that stay, and never makes a chain
//! * [`plan`]: the decisions as lines of a file, and the faults of such a file
//! * [`apply`]: carries out a plan, and undoes it
//! * `doubt`: why a page may not go although its text is elsewhere
//! * [`mentions`]: where a site names its pages
//! * [`redirects`]: redirects from pages that go, for a web site
//! * [`records`]: copies the records of files to those that stay and those that go

pub mod apply;
mod doubt;
pub mod drops;
mod heads;
pub mod keep;
pub mod mentions;
pub mod plan;
pub mod records;
pub mod redirects;
pub mod settled;
mod similar;
pub mod stars;
pub mod tied;
pub mod ties;

pub use doubt::LEAST_SIZE;
