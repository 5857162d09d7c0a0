//! Records that stay and records that go, copied byte by byte as they are in their files.

pub mod copy;
pub mod verdict;
