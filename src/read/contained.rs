//! Calls into parsers of others that may panic on what a file contains.
//!
//! A panic ends the parse and nothing else. The hook of the process would still print it; a program that wants
//! silence asks [`is_active`] in its hook, since hooks belong to programs, not to libraries.

use std::cell::Cell;
use std::panic::{UnwindSafe, catch_unwind};

thread_local! {
    /// How many contained calls this thread is in.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// Takes a call that may panic and returns what it returns, or None if it panicked. Neither a stack overflow nor
/// a lack of memory can be contained: whoever calls has to bound the input.
pub fn contained<T>(call: impl FnOnce() -> T + UnwindSafe) -> Option<T> {
    DEPTH.set(DEPTH.get() + 1);
    let result = catch_unwind(call);
    DEPTH.set(DEPTH.get() - 1);
    result.ok()
}

/// Whether this thread is in a contained call, so that a panic of it is no defect of the program.
#[must_use]
pub fn is_active() -> bool {
    DEPTH.get() > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_ends_the_call_alone() {
        assert_eq!(contained(|| 7), Some(7));
        let words = String::from("out of bounds");
        assert_eq!(contained(move || -> u8 { panic!("{words}") }), None);
        assert!(!is_active());
    }

    #[test]
    fn calls_within_calls_are_contained() {
        let outer = contained(|| {
            assert_eq!(contained(|| -> u8 { panic!("inner") }), None);
            is_active()
        });
        assert_eq!(outer, Some(true));
        assert!(!is_active());
        // Another thread has calls of its own.
        let elsewhere = contained(|| std::thread::spawn(is_active).join());
        assert!(matches!(elsewhere, Some(Ok(false))));
    }
}
