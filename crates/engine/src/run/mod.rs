//! A run beside its data: its threads, its memory, its progress, its costs, and why it fails.

pub mod error;
pub mod observer;
pub mod threads;
