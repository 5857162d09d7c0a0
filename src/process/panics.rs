//! Panics of the libraries that read documents, which are caught, are not printed.

use std::panic::{PanicHookInfo, set_hook, take_hook};

use dupfind_read::contained::note_contained;

/// Installs a hook that prints nothing for panics that are caught. Others are printed as before.
pub fn silence_contained() {
    set_hook(Box::new(unless_contained(take_hook())));
}

/// Returns a hook that calls another one, except for panics that are caught.
fn unless_contained(
    next: impl Fn(&PanicHookInfo<'_>) + Send + Sync,
) -> impl Fn(&PanicHookInfo<'_>) + Send + Sync {
    move |info| {
        if !note_contained(info) {
            next(info);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use dupfind_read::contained::{contained, source_of_panic};

    use super::*;

    #[test]
    fn a_contained_panic_is_silent_and_others_are_not() {
        let said = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&said);
        let previous = Arc::new(take_hook());
        let kept = Arc::clone(&previous);
        set_hook(Box::new(unless_contained(move |info| {
            match info.payload().downcast_ref() {
                Some(&"counted") => {
                    count.fetch_add(1, Ordering::SeqCst);
                }
                // A panic of a test that runs at the same time.
                _ => kept(info),
            }
        })));
        assert!(contained(|| panic!("counted")).is_none());
        assert_eq!(said.load(Ordering::SeqCst), 0);
        assert_eq!(source_of_panic().as_deref(), Some(file!()));
        assert!(catch_unwind(|| panic!("counted")).is_err());
        assert_eq!(said.load(Ordering::SeqCst), 1);
        set_hook(Box::new(move |info| previous(info)));
    }
}
