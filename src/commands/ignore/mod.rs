//! `dupfind ignore`: writes a rule that leaves out one pair of a scan to `dupfind.toml`.

pub(crate) mod args;

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use dupfind_decide::gate::baseline::names::Names;
use dupfind_decide::gate::scope::ignore_rule::rule_lines;
use dupfind_report::say;

use crate::commands::ignore::args::IgnoreArgs;
use crate::commands::scan::gate::messages::waits;
use crate::config::find::new_file;
use crate::process::current_folder;
use crate::process::exit::Status;
use crate::terminal::messages;
use crate::terminal::output;
use crate::terminal::output::Output;
use dupfind_files::lock::Lock;
use dupfind_files::open::open_named;
use dupfind_files::replace::folder;

/// Runs the command.
pub(crate) fn run(args: &IgnoreArgs) -> Result<Status> {
    let base = current_folder()?;
    let path = &file(args, &base)?;
    let place = output::written(path)?.filter(|_| !args.dry_run);
    let lock = place.map(|place| Lock::wait_for(&place, || waits(args.pair.run.quiet, path)));
    let _lock = lock.transpose()?;
    let old = match open_named(path).and_then(io::read_to_string) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        read => Some(read.with_context(|| format!("cannot read {}", path.display()))?),
    };
    let (is_made, old) = (old.is_none(), old.unwrap_or_default());
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
            false if is_made => say!("{} and {}: rule written to {}, a new file", a, b, path),
            false => say!("{} and {}: rule added to {}", a, b, path),
        });
    }
    Ok(Status::Ok)
}

/// Returns the file that the rule is written to: the configuration in force, or one that is to be made.
fn file(args: &IgnoreArgs, cwd: &Path) -> Result<PathBuf> {
    if args.pair.config.no_config {
        bail!("the rule is written to a dupfind.toml: leave out --no-config");
    }
    if let Some(used) = &args.pair.config.used {
        return Ok(PathBuf::from(&used.name));
    }
    new_file(args.pair.start(), cwd).context(
        "there is no dupfind.toml, and one that is made here is not found, because every user may write to this folder: \
         make one elsewhere, and name it with --config",
    )
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
