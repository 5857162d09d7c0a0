//! Keeps shingle sets in memory, or in temporary files if they need too much.

pub mod file;
pub mod sets;
pub mod sorted;
