//! Accepts a family: the files below a folder may be alike, but no copies.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use dupfind_decide::gate::scope::ignore_rule::IgnoreRule;
use dupfind_files::lock::Lock;
use dupfind_read::source::name::display_name;
use dupfind_report::say;

use crate::commands::accept::args::AcceptArgs;
use crate::commands::accept::tell_replaced;
use crate::config::find;
use crate::decision::messages::waits;
use crate::process::current_folder;
use crate::process::exit::Status;
use crate::terminal::messages;
use crate::terminal::output;
use crate::terminal::output::Output;

/// Adds a table `[[ignore]]` to the configuration in force, or to a new one in the current folder.
///
/// # Errors
///
/// There is no such folder, or the configuration cannot be read or written.
pub(super) fn accept(args: &AcceptArgs, folder: &Path) -> Result<Status> {
    let base = current_folder()?;
    let Ok(place) = fs::canonicalize(folder) else {
        bail!("--family {}: there is no such folder", folder.display());
    };
    if !place.is_dir() {
        bail!(
            "--family {}: this is a file, and a family is a folder",
            folder.display()
        );
    }
    let used = args.pair.running.config.used.as_ref();
    let (file, name, root) = match used {
        Some(used) => (used.file.clone(), used.name.clone(), used.folder.clone()),
        None => (base.join(find::NAME), find::NAME.to_owned(), base),
    };
    let lock = output::written(&file)?;
    let lock = lock.map(|place| Lock::wait_for(&place, || waits(&file)));
    let _lock = lock.transpose()?;
    let old = match file.exists() {
        true => find::text(&file, &name).map_err(anyhow::Error::msg)?,
        false => String::new(),
    };
    let root = fs::canonicalize(&root).with_context(|| format!("cannot tell where {name} is"))?;
    let documents = match literal(&display_name(&place, &root)) {
        whole if whole.is_empty() => ".".to_owned(),
        // A name with a leading `!` would remove documents from the rule.
        below if below.starts_with('!') => format!("./{below}/"),
        below => format!("{below}/"),
    };
    let (text, before) = IgnoreRule::with_family(&old, &documents, args.reason());
    Output::open(Some(&file))?.write(|out| Ok(out.write_all(text.as_bytes())?))?;
    messages::note(&say!(
        "{}: accepted as a family in {}",
        folder.display(),
        name
    ));
    tell_replaced(before.as_deref(), args.reason());
    Ok(Status::Ok)
}

/// Returns a glob that matches a name alone.
fn literal(name: &str) -> String {
    let mut glob = String::new();
    for c in name.chars() {
        if r"\*?[]{}".contains(c) {
            glob.push('\\');
        }
        glob.push(c);
    }
    glob
}
