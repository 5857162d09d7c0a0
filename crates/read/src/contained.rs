//! Calls into parsers of other crates, which may panic on the content of a file.
//!
//! A panic ends only the call. The panic hook of the process still prints it. A program that does not want that asks
//! [`is_active`] in its hook.

use std::cell::Cell;
use std::panic::{UnwindSafe, catch_unwind};

thread_local! {
    /// How many contained calls this thread is within.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// Returns the result of a call, or nothing if it panicked. A stack overflow and a lack of memory cannot be contained:
/// the caller must bound the input.
pub fn contained<T>(call: impl FnOnce() -> T + UnwindSafe) -> Option<T> {
    DEPTH.set(DEPTH.get() + 1);
    let result = catch_unwind(call);
    DEPTH.set(DEPTH.get() - 1);
    result.ok()
}

/// Whether this thread is within a contained call. A panic is then not a defect of the program.
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
