//! What is said on standard error about a run.

use dupfind::document::{Note, Skipped};
use dupfind::report::escape::visible;

use crate::cli::to_stderr;

/// Says what ended the run.
pub(crate) fn error(text: &str) {
    to_stderr(&format!("dupfind: error: {}", visible(text)));
}

/// Says what could not be read, and what to know about single documents. What was skipped by rule
/// (binary, empty, too large, ...) is in the report and is not repeated here.
pub(crate) fn documents(quiet: bool, skipped: &[Skipped], notes: &[Note], warnings: &[String]) {
    for skipped in skipped.iter().filter(|skipped| skipped.reason.is_error()) {
        let Skipped {
            path,
            reason,
            detail,
        } = skipped;
        error(&format!("{path}: {}: {detail}", reason.as_str()));
    }
    if quiet {
        return;
    }
    for warning in warnings {
        to_stderr(&format!("dupfind: warning: {}", visible(warning)));
    }
    for Note { path, note } in notes {
        to_stderr(&format!(
            "dupfind: warning: {}",
            visible(&format!("{path}: {note}"))
        ));
    }
}
