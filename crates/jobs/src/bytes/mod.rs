//! The data that moves from step to step, as bytes.

pub mod document;
pub(crate) mod pairs;

use dupfind_engine::Error;
use dupfind_engine::features::bytes::bytes;

/// Returns the error of bytes that no step has made.
pub(crate) fn damaged(what: &str) -> Error {
    Error::TileJob(format!("{what} are damaged: they are not what was written"))
}

/// Takes some bytes off the front; `None` if there are fewer.
pub(crate) fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    bytes(rest, N)?.try_into().ok()
}
