//! What the benches share: the folders they are given, and how they are read.

use std::path::PathBuf;

use dupfind::scan::Settings;

/// The folder that is used if none is given: small, and always there.
const DEFAULT: &str = "fixtures/corpus";

/// The paths given after `--` on the command line of `cargo bench`, or the fixtures.
pub(crate) fn folders() -> Vec<PathBuf> {
    let words = std::env::args().skip(1);
    let given: Vec<PathBuf> = words
        .filter(|word| !word.starts_with("--"))
        .map(PathBuf::from)
        .collect();
    if given.is_empty() {
        vec![DEFAULT.into()]
    } else {
        given
    }
}

/// The default settings for one folder, hidden and ignored files included: everything in a folder
/// of test documents is a document.
pub(crate) fn settings(folder: PathBuf) -> Settings {
    let mut settings = Settings::for_paths([folder]);
    settings.walk.hidden = true;
    settings.walk.ignore_files = false;
    settings
}
