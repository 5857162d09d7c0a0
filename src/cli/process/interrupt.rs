//! What an interrupt (Ctrl-C) does before the program ends: it stops started programs and removes temporary files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use anyhow::{Context, Result};

/// What the first interrupt does instead, in a run that ends in order by itself.
static ORDERLY: OnceLock<Box<dyn Fn() + Send + Sync>> = OnceLock::new();

/// Makes the first interrupt call `stop`, after which the run ends by itself. A second interrupt ends the program
/// at once.
pub(crate) fn on_first(stop: impl Fn() + Send + Sync + 'static) {
    let _ = ORDERLY.set(Box::new(stop));
}

/// A function that ends started programs.
type Stop = Box<dyn Fn() + Send>;

/// The functions that end started programs.
static STOPS: Mutex<Vec<Stop>> = Mutex::new(Vec::new());

/// Makes an interrupt call `stop`, which ends the programs that this one has started.
pub(crate) fn ends_programs(stop: impl Fn() + Send + 'static) {
    STOPS.lock().expect("never poisoned").push(Box::new(stop));
}

/// Whether an interrupt is ending the program.
static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// Never returns if an interrupt is ending the program: what the rest of the program would say or return comes from the
/// interrupt.
pub(crate) fn wait_for_end() {
    while IS_ENDING.load(Ordering::SeqCst) {
        std::thread::park();
    }
}

/// The temporary files and folders that exist.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// An interrupt removes a temporary file or folder as long as this value exists.
#[derive(Debug)]
pub(crate) struct Removal(PathBuf);

impl Drop for Removal {
    fn drop(&mut self) {
        let mut temporary = TEMPORARY.lock().expect("never poisoned");
        temporary.retain(|known| *known != self.0);
    }
}

/// Makes a temporary file or folder that an interrupt removes. `path` tells its path.
///
/// Returns what `make` returned, with the [`Removal`], which must be dropped after it.
///
/// # Errors
///
/// The error of `make`.
pub(crate) fn temporary<T>(
    make: impl FnOnce() -> io::Result<T>,
    path: impl FnOnce(&T) -> &Path,
) -> io::Result<(T, Removal)> {
    // An interrupt waits for this lock, so that it sees what is being made.
    let mut known = TEMPORARY.lock().expect("never poisoned");
    let made = make()?;
    let path = path(&made).to_owned();
    known.push(path.clone());
    Ok((made, Removal(path)))
}

/// Makes an interrupt remove a file that exists.
pub(crate) fn removal(path: &Path) -> Removal {
    let mut known = TEMPORARY.lock().expect("never poisoned");
    known.push(path.to_owned());
    Removal(path.to_owned())
}

/// Makes interrupts and signals to end do what this module says. It is called once, before anything else of the run.
///
/// # Errors
///
/// Interrupts cannot be handled.
pub(crate) fn watch() -> Result<()> {
    let is_asked = AtomicBool::new(false);
    ctrlc::set_handler(move || {
        if let Some(stop) = ORDERLY.get()
            && !is_asked.swap(true, Ordering::Relaxed)
        {
            return stop();
        }
        IS_ENDING.store(true, Ordering::SeqCst);
        for stop in STOPS.lock().iter().flat_map(|stops| stops.iter()) {
            stop();
        }
        let temporary = TEMPORARY
            .lock()
            .map(|mut paths| std::mem::take(&mut *paths));
        for path in temporary.into_iter().flatten() {
            if path.is_dir() {
                // Again: what is ending may have put another file there meanwhile.
                let mut attempts = 0..50;
                while path.exists() && attempts.next().is_some() {
                    if fs::remove_dir_all(&path).is_err() {
                        std::thread::sleep(Duration::from_millis(5));
                    }
                }
            } else {
                let _ = fs::remove_file(path);
            }
        }
        // 128 + SIGINT, as shells expect it.
        std::process::exit(130);
    })
    .context("cannot watch for interrupts")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::NamedTempFile;

    #[test]
    fn a_file_is_forgotten_when_it_is_no_longer_temporary() {
        let folder = tempfile::tempdir().unwrap();
        let known = || {
            let temporary = TEMPORARY.lock().unwrap();
            let ours = temporary.iter().filter(|path| path.starts_with(&folder));
            ours.count()
        };
        let make = || NamedTempFile::new_in(&folder);
        let made = temporary(make, NamedTempFile::path).unwrap();
        assert_eq!(known(), 1);
        drop(made);
        assert_eq!(known(), 0);
        assert!(
            temporary(
                || Err::<NamedTempFile, _>(io::ErrorKind::Other.into()),
                NamedTempFile::path
            )
            .is_err()
        );
        assert_eq!(known(), 0);
    }
}
