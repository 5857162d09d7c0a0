//! `dupfind ignore`: writes a rule that leaves out one pair of a scan.

pub(crate) mod args;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::gate::baseline::names::Names;
use crate::gate::scope::ignore_file::rule_lines;
use crate::language::say;

use crate::cli::ignore::args::IgnoreArgs;
use crate::cli::process::current_folder;
use crate::cli::process::exit::Status;
use crate::cli::process::lock::Lock;
use crate::cli::scan::gate::baseline::folder;
use crate::cli::scan::gate::messages::waits;
use crate::cli::terminal::messages;
use crate::cli::terminal::output::{self, Output};

/// Runs the command.
pub(crate) fn run(args: &IgnoreArgs) -> Result<Status> {
    let path = &file(args)?;
    let place = output::place(path).filter(|_| !args.dry_run);
    let lock = place.map(|place| Lock::wait_for(&place, || waits(args.pair.run.quiet, path)));
    let _lock = lock.transpose()?;
    let old = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        read => read.with_context(|| format!("cannot read {}", path.display()))?,
    };
    let base = current_folder()?;
    let names = Names::from_folder(&base, folder(path), []);
    let names = names.with_context(|| format!("cannot tell where {} is", path.display()))?;
    let [a, b] = args.pair.names(&base);
    let documents = [&a, &b].map(|name| names.of_document(name));
    let (new, lines) = if args.remove {
        without(&old, &documents)
            .with_context(|| format!("{} has no rule of {a} and {b} alone", path.display()))?
    } else {
        if without(&old, &documents).is_some() {
            bail!("{} has a rule of {a} and {b} already", path.display());
        }
        args.pair.find(path)?;
        let lines = rule_lines(&documents, args.reason.as_deref().unwrap_or_default());
        let gap = match old.as_str() {
            "" => "",
            old if old.ends_with('\n') => "\n",
            _ => "\n\n",
        };
        (format!("{old}{gap}{lines}"), lines)
    };
    toml::de::DeTable::parse(&new).map_err(|error| {
        let (path, reason) = (path.display(), error.message());
        anyhow::anyhow!("{path}: a rule cannot be added to it: {reason}")
    })?;
    let sign = if args.remove { '-' } else { '+' };
    if args.dry_run {
        let lines: String = lines
            .lines()
            .map(|line| format!("{sign} {line}\n"))
            .collect();
        Output::open(None)?.write(|out| Ok(out.write_all(lines.as_bytes())?))?;
        return Ok(Status::Ok);
    }
    Output::open(Some(path))?.write(|out| Ok(out.write_all(new.as_bytes())?))?;
    if !args.pair.run.quiet {
        let path = path.display();
        messages::note(&match args.remove {
            true => say!("{} and {}: rule removed from {}", a, b, path),
            false => say!("{} and {}: rule added to {}", a, b, path),
        });
    }
    Ok(Status::Ok)
}

/// Returns the file that the rule is written to.
fn file(args: &IgnoreArgs) -> Result<PathBuf> {
    let named = args.pair.scope.ignore_pairs.last().map(PathBuf::as_path);
    let used = args.pair.config.used.as_ref();
    match named.or(used.map(|used| Path::new(&used.name))) {
        Some(file) if file != Path::new("-") => Ok(file.to_owned()),
        _ => bail!(
            "no dupfind.toml is in force that could hold the rule; --ignore-pairs FILE names a file of rules"
        ),
    }
}

/// Returns a file without the rule of two documents as this program writes it, and the lines of the rule; none if it has
/// no such rule.
fn without(text: &str, documents: &[String; 2]) -> Option<(String, String)> {
    let [a, b] = documents.clone();
    [[a.clone(), b.clone()], [b, a]]
        .iter()
        .find_map(|documents| {
            let head = rule_lines(documents, "");
            let head = &head[..head.find("reason = ")? + "reason = ".len()];
            let start = text.find(head)?;
            let rest = &text[start + head.len()..];
            let end = rest
                .find('\n')
                .map_or(text.len(), |at| start + head.len() + at + 1);
            let before = text[..start]
                .strip_suffix("\n\n")
                .map_or_else(|| text[..start].to_owned(), |before| format!("{before}\n"));
            Some((before + &text[end..], text[start..end].to_owned()))
        })
}
