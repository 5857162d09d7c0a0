//! Keeps shingle sets and pairs in memory, or in temporary files if they need too much.

pub mod file;
pub mod sets;
pub mod sorted;
