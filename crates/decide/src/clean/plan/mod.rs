//! A plan: which documents go, for which ones, and why, as a file of lines that people read, edit and check.

pub mod check;
pub mod line;
pub mod make;
