//! Calls into parsers of other crates, which may panic on the content of a file.
//!
//! A panic ends only the call. The panic hook of the process still prints it. To prevent that, a program calls
//! [`is_contained`] in its hook.

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

/// Returns whether this thread is within a contained call. A panic hook asks this.
pub fn is_contained() -> bool {
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
        assert_eq!(DEPTH.get(), 0);
    }

    #[test]
    fn calls_within_calls_are_contained() {
        let outer = contained(|| {
            assert_eq!(contained(|| -> u8 { panic!("inner") }), None);
            DEPTH.get()
        });
        assert_eq!(outer, Some(1));
        assert_eq!(DEPTH.get(), 0);
        // Another thread has calls of its own.
        let elsewhere = contained(|| std::thread::spawn(|| DEPTH.get()).join());
        assert!(matches!(elsewhere, Some(Ok(0))));
    }
}
