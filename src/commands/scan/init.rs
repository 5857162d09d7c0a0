//! `dupfind scan --init`: a configuration with the typed options.

use std::ffi::OsString;
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use dupfind_report::model::layout::proposed;
use dupfind_report::say;
use dupfind_scan::outcome::Outcome;

use crate::commands::scan::args::{ScanArgs, TypedFor};
use crate::config::find::NAME;
use crate::terminal::messages;
use crate::terminal::output::Output;
use dupfind_decide::gate::Gate;

/// Refuses to replace a configuration.
pub(super) fn check(args: &ScanArgs) -> Result<()> {
    if args.init && Path::new(NAME).symlink_metadata().is_ok() {
        bail!("--init: there is a {NAME} already, which is not replaced");
    }
    Ok(())
}

/// Writes the configuration to the current folder.
///
/// # Errors
///
/// It cannot be written, or a word is not UTF-8.
pub(super) fn write(args: &ScanArgs, outcome: &Outcome, gate: &Gate) -> Result<()> {
    let Some(typed) = args.typed.as_ref().filter(|_| args.init) else {
        return Ok(());
    };
    let layout = proposed(outcome, gate);
    let text = text(typed, layout.as_ref().map(|layout| &*layout.pattern))?;
    let output = Output::open(Some(Path::new(NAME)))?;
    output.write(|out| Ok(out.write_all(text.as_bytes())?))?;
    messages::note(&say!("{} has the options of this run", NAME));
    Ok(())
}

/// Returns the lines of the configuration: a key for the paths and one for each option.
fn text(typed: &TypedFor, within: Option<&str>) -> Result<String> {
    let mut keys: Vec<(String, Vec<String>)> = Vec::new();
    let word = |word: &OsString| {
        let text = word.to_str().map(str::to_owned);
        text.ok_or_else(|| anyhow!("--init: {}: it is not UTF-8", word.display()))
    };
    let paths = typed
        .paths
        .iter()
        .map(word)
        .collect::<Result<Vec<String>>>()?;
    if !paths.is_empty() {
        keys.push(("paths".into(), paths));
    }
    for words in &typed.each {
        // A flag is alone. Each value follows a repeat of the option.
        let values = words.iter().skip(1).step_by(2).map(word);
        let option = words.first().map(word).transpose()?.unwrap_or_default();
        let name = option.trim_start_matches('-').to_owned();
        if name != "init" {
            keys.push((name, values.collect::<Result<_>>()?));
        }
    }
    let within = within.map(|pattern| ("within".to_owned(), vec![pattern.to_owned()]));
    let mut text = String::new();
    for (key, values) in keys.into_iter().chain(within) {
        let value = match values.as_slice() {
            [] => "true".to_owned(),
            [value] if key != "paths" => serde_json::to_string(value)?,
            values => serde_json::to_string(values)?,
        };
        text.push_str(&format!("{key} = {value}\n"));
    }
    Ok(text)
}
