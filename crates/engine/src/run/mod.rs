//! A run beside its data: its threads, its memory, its progress, its costs, and why it fails.

pub mod budget;
pub mod error;
pub mod observer;
pub mod stats;
pub mod threads;
