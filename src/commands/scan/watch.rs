//! `dupfind scan --watch`: a scan after each change of the documents.
//!
//! Each scan is one like any other, by the same function: whether two pages are `near` or `variant` depends on other
//! pages, so one saved page may change the relations of others. With an index only changed files are read.
//!
//! Where nothing in the list has changed, nothing is printed. So the output may go to a file in a folder that is
//! watched.
//!
//! The sizes and times of the files are looked at again and again. A notification of the system would come sooner, but not on
//! network drives and in containers, and not for every folder if there are many; the rules of ignored files would have to be
//! applied a second time; and it would need crates of its own.

use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::Result;
use dupfind_report::formats::table::changes::Changes;
use dupfind_report::say;
use dupfind_scan::live::files::Files;
use dupfind_scan::scan_judged;

use crate::commands::scan::args::ScanArgs;
use crate::commands::scan::{options, report_of};
use crate::process::exit::Status;
use crate::terminal::{messages, output};

/// The pause between two looks at the files.
const PAUSE: Duration = Duration::from_millis(300);

/// A pause is at least this many times as long as a look.
const REST: u32 = 20;

/// After this time files are read even if a program still writes to them.
const AT_LAST: Duration = Duration::from_secs(3);

/// Scans, and scans again after each change. Returns when the reader of the output is gone. An interrupt ends the program.
///
/// # Errors
///
/// The first scan fails, or the output cannot be written. A later error is printed, and the scan is tried again after
/// the next change.
pub(super) fn run(args: &ScanArgs) -> Result<Status> {
    let mut changes = Changes::default();
    let mut seen = look(args);
    report_of(args, Some(&mut changes), scan_judged)?;
    messages::note(&say!("the documents are watched; Ctrl-C ends it"));
    // Warnings would be the same after each save. Files that cannot be read are named as long as that lasts.
    messages::set_quiet(true);
    while let Some(now) = next(args, &seen) {
        // A change from now on is seen by the next look.
        seen = now;
        if let Err(error) = report_of(args, Some(&mut changes), scan_judged) {
            if output::is_closed() {
                break;
            }
            messages::error(&format!("{error:#}"));
        }
    }
    Ok(Status::Ok)
}

/// The files at one time, or why they cannot be looked at.
type Look = Result<Files, String>;

fn look(args: &ScanArgs) -> Look {
    let files = options(args).and_then(|options| {
        let others = [&args.gate.baseline, &args.gate.accepted];
        Ok(Files::of(&options, others.into_iter().flatten().cloned())?)
    });
    files.map_err(|error| format!("{error:#}"))
}

/// Returns the files as soon as they differ from those that were seen and are at rest; `None` if nobody reads the
/// output any more.
fn next(args: &ScanArgs, seen: &Look) -> Option<Look> {
    let mut last: Option<(Look, Instant)> = None;
    while !output::is_closed() {
        let begin = Instant::now();
        let now = look(args);
        let took = begin.elapsed();
        last = match last {
            _ if now == *seen => None,
            None => Some((now, begin)),
            Some((before, since)) if before == now || since.elapsed() > AT_LAST => {
                return Some(now);
            }
            Some((_, since)) => Some((now, since)),
        };
        sleep(match last {
            None => PAUSE.max(took * REST),
            Some(_) => PAUSE,
        });
    }
    None
}
