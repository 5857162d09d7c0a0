//! What an interrupt must not leave behind.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};

use anyhow::{Context, Result};

/// What asks the run to come to an orderly end.
static ORDERLY: OnceLock<Box<dyn Fn() + Send + Sync>> = OnceLock::new();

/// Takes what asks the run to come to an orderly end, for the first interrupt to do. A second one does not wait
/// for it.
pub(crate) fn asks(stop: impl Fn() + Send + Sync + 'static) -> Result<()> {
    let _ = ORDERLY.set(Box::new(stop));
    watch()
}

/// What ends the programs that run.
type Stop = Box<dyn Fn() + Send>;

/// How the programs that may run are ended.
static STOPS: Mutex<Vec<Stop>> = Mutex::new(Vec::new());

/// Takes what ends the programs that this one runs, for an interrupt to do.
pub(crate) fn stops(stop: impl Fn() + Send + 'static) -> Result<()> {
    watch()?;
    STOPS.lock().expect("never poisoned").push(Box::new(stop));
    Ok(())
}

/// The temporary files and folders there are.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Has an interrupt remove something temporary, until this is dropped: then it is no longer temporary, or no longer
/// there.
#[derive(Debug)]
pub(crate) struct Listed(PathBuf);

impl Drop for Listed {
    fn drop(&mut self) {
        let mut temporary = TEMPORARY.lock().expect("never poisoned");
        temporary.retain(|known| *known != self.0);
    }
}

/// Makes something temporary that an interrupt removes. Returns it with what is to be dropped after it, or why it
/// could not be made.
pub(crate) fn removes<T>(
    make: impl FnOnce() -> io::Result<T>,
    path: impl FnOnce(&T) -> &Path,
) -> Result<io::Result<(T, Listed)>> {
    watch()?;
    // An interrupt waits for this lock, so that it never misses what is being made.
    let mut temporary = TEMPORARY.lock().expect("never poisoned");
    Ok(make().map(|made| {
        let path = path(&made).to_owned();
        temporary.push(path.clone());
        (made, Listed(path))
    }))
}

/// On an interrupt, ends what runs and removes what is temporary before the program ends as it would have.
fn watch() -> Result<()> {
    static WATCHING: OnceLock<()> = OnceLock::new();
    if WATCHING.set(()).is_err() {
        return Ok(());
    }
    let is_asked = AtomicBool::new(false);
    ctrlc::set_handler(move || {
        if let Some(stop) = ORDERLY.get()
            && !is_asked.swap(true, Ordering::Relaxed)
        {
            return stop();
        }
        for stop in STOPS.lock().iter().flat_map(|stops| stops.iter()) {
            stop();
        }
        let temporary = TEMPORARY
            .lock()
            .map(|mut paths| std::mem::take(&mut *paths));
        for path in temporary.into_iter().flatten() {
            if path.is_dir() {
                // Once more, for what a program that is ending too has still put there.
                let _ = fs::remove_dir_all(&path).or_else(|_| fs::remove_dir_all(&path));
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
    use crate::cli::output::Output;

    #[test]
    fn what_is_not_finished_is_not_remembered() {
        let folder = tempfile::tempdir().unwrap();
        let known = || {
            let temporary = TEMPORARY.lock().unwrap();
            let ours = temporary.iter().filter(|path| path.starts_with(&folder));
            ours.count()
        };
        let target = folder.path().join("report");
        let open = || Output::open(Some(&target)).unwrap();
        let output = open();
        assert_eq!(known(), 1);
        drop(output);
        assert_eq!(known(), 0);
        open().finish_durably().unwrap();
        assert_eq!(known(), 0);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
