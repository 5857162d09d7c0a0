//! `dupfind accept`: accepts one pair of a scan, a family of pages, or all pairs that there are.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use dupfind_decide::gate::baseline::content::{Family, LARGEST};
use dupfind_decide::gate::baseline::names::Names;
use dupfind_decide::{Baseline, Gate};
use dupfind_engine::{Pair, TopPairs};
use dupfind_files::{Lock, folder};
use dupfind_read::display_name;
use dupfind_report::say;
use dupfind_report::style::shell;
use dupfind_scan::Scan;

use crate::args::{BaselineArgs, ComparingArgs, DECISION, FailOnArgs, RunningArgs};
use crate::decision::accepting::{Accepting, PairToAccept};
use crate::decision::gate::{names, scope};
use crate::decision::kept_pairs::KeptPairs;
use crate::decision::messages as decided;
use crate::input::stdin;
use crate::process::{Status, current_folder};
use crate::terminal::{Progress, messages, output};

pub(crate) const EXAMPLES: &str = "\
Examples:
  A pair:    dupfind accept docs/a.md docs/b.md docs --reason 'two products, one text'
             dupfind accept drafts/a.md b.md drafts --against . --reason 'the same law'
  A family:  dupfind accept --family docs/drivers --reason 'one page for each driver'
  All:       dupfind accept --all docs

Exit status: 0 it is done, 2 an error (two documents that are no finding are one)";

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct AcceptArgs {
    /// The first document, as reports name it: a file, or FILE#ID for a record
    #[arg(value_name = "A", required_unless_present_any = ["family", "all"])]
    pub(crate) a: Option<PathBuf>,

    /// The second document
    #[arg(value_name = "B", required_unless_present_any = ["family", "all"])]
    pub(crate) b: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) comparing: ComparingArgs,
    #[command(flatten)]
    pub(crate) running: RunningArgs,

    /// Accept a family instead of two documents: all files below FOLDER may be alike, but no copies
    ///
    /// For release notes, or one page for each driver. It adds a line with a glob to the file of accepted pairs, so that new
    /// pages of the family are accepted too. To take it back, delete the line.
    #[arg(long, value_name = "FOLDER", conflicts_with = "a", help_heading = DECISION)]
    pub(crate) family: Option<PathBuf>,

    /// Accept all pairs that there are
    ///
    /// Families are kept, and so are the reasons of pairs that are still there. Pairs that are gone are dropped.
    #[arg(long, conflicts_with = "family", help_heading = DECISION)]
    pub(crate) all: bool,

    /// Why the two may be alike
    #[arg(long, value_name = "TEXT", value_parser = reason, required_unless_present = "all", conflicts_with = "all", help_heading = DECISION)]
    pub(crate) reason: Option<String>,

    #[command(flatten)]
    pub(crate) baseline: BaselineArgs,
    #[command(flatten)]
    pub(crate) fail_on: FailOnArgs,
}

impl AcceptArgs {
    /// Takes the words that stand for two documents as paths, if all pairs are accepted.
    pub(crate) fn take_paths(&mut self) {
        if self.all {
            let named = self.a.take().into_iter().chain(self.b.take());
            self.comparing.input.paths.splice(..0, named);
        }
    }

    /// Returns the names of the two documents, as reports have them.
    pub(crate) fn names(&self, base: &Path) -> [String; 2] {
        [&self.a, &self.b].map(|path| display_name(path.as_deref().unwrap_or(Path::new("")), base))
    }

    /// Returns the reason.
    pub(crate) fn reason(&self) -> &str {
        self.reason.as_deref().unwrap_or_default()
    }
}

/// Returns what to type in place of words that are refused, as some are missing.
pub(crate) fn to_type(words: &[OsString], error: &clap::Error) -> Option<String> {
    if error.kind() != ErrorKind::MissingRequiredArgument {
        return None;
    }
    let missing = error.get(ContextKind::InvalidArg)?;
    if *missing != ContextValue::Strings(vec!["--reason <TEXT>".into()]) {
        let text = "what is to be accepted? all pairs of a folder: dupfind accept --all FOLDER; one of them: \
                    dupfind accept A B FOLDER --reason '...'";
        return Some(text.into());
    }
    let typed = shell::words(words.iter().map(|word| word.to_string_lossy()))?;
    Some(format!(
        "--reason is missing: why may they be alike? dupfind accept{typed} --reason '...'"
    ))
}

/// Reads a reason.
pub(crate) fn reason(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("it is empty: why may they be alike?".into()),
        text => Ok(text.to_owned()),
    }
}

/// Runs the command.
pub(crate) fn run(args: &AcceptArgs) -> Result<Status> {
    let start = args.family.as_ref().or(args.comparing.input.paths.first());
    let path = &args.baseline.written(&args.running.config, start)?;
    if path == Path::new("-") {
        bail!("--baseline -: a baseline is kept in a file");
    }
    if !folder(path).is_dir() {
        let (path, folder) = (path.display(), folder(path).display());
        bail!("cannot write {path}: there is no folder {folder}");
    }
    if args.all {
        return accept_all(args, path);
    }
    let relations = args.fail_on.relations();
    let accepting = Accepting::begin(path, relations)?;
    let base = current_folder()?;
    let names = Names::from_folder(&base, folder(path), []);
    let names = names.with_context(|| format!("cannot tell where {} is", path.display()))?;
    if let Some(folder) = &args.family {
        let before = accept_family(folder, &accepting, &names, args.reason())?;
        let path = path.display();
        messages::note(&say!(
            "{}: accepted as a family in {}",
            folder.display(),
            path
        ));
        tell_replaced(before.as_deref(), args.reason());
        return Ok(Status::Ok);
    }
    let [a, b] = args.names(&base);
    if a == b {
        bail!("{a} was named twice, and a pair has two documents: dupfind accept A B");
    }
    let (pair, outcome) = find(args, path)?;
    let (new, before) = accepting.with(&names, &outcome, &pair, args.reason())?;
    accepting.write(&new)?;
    let path = path.display();
    messages::note(&say!("{} and {}: accepted in {}", a, b, path));
    tell_replaced(before.as_deref(), args.reason());
    Ok(Status::Ok)
}

/// Prints that a reason was replaced, if another one was there before.
fn tell_replaced(before: Option<&str>, reason: &str) {
    if let Some(before) = before.filter(|before| *before != reason) {
        messages::note(&say!("reason replaced: {} -> {}", before, reason));
    }
}

/// Writes all pairs of a scan as accepted, with the reasons that are there. The file stays as it is if a document could
/// not be read, because its pairs are not known.
///
/// # Errors
///
/// The scan fails, or the file is damaged or cannot be written.
fn accept_all(args: &AcceptArgs, path: &Path) -> Result<Status> {
    let mut options = (args.comparing).options(&args.running, &[], Some(path))?;
    let _stdin = stdin::spool(&mut options)?;
    let place = output::written(path)?;
    options
        .walk
        .outputs
        .extend(place.as_deref().map(Lock::file));
    // A narrower --fail-on keeps the accepted pairs of the other relations, with their reasons.
    let accepting = Accepting::begin(path, args.fail_on.relations())?;
    let scope = scope(&args.comparing.scope, &args.running.config, &options)?;
    let names = names(path, &options.walk)?;
    let baseline = Baseline::new(accepting.known.clone(), names);
    let mut gate = Gate::new(scope, Some(baseline));
    let kept = KeptPairs::of_baseline("--all", TopPairs::room(options.engine.budget.limit));
    let mut sink = kept.sink();
    let outcome = Progress::of_scan(&options, &mut gate, &mut sink);
    let outcome = outcome.map_err(|error| kept.explained(error.into()))?;
    gate.set_aside(&outcome.skipped);
    let status = Status::of(&outcome.skipped);
    if status != Status::Ok {
        decided::not_updated(path);
        return Ok(status);
    }
    let pairs = sink.into_pairs();
    let pairs: Vec<Pair> = pairs
        .into_iter()
        .filter(|pair| !gate.is_apart(pair))
        .collect();
    let Some(baseline) = gate.baseline.as_ref() else {
        return Ok(status);
    };
    let (content, changes) = baseline.updated(&pairs, accepting.known.relations);
    let new = content.bytes();
    if new.len() as u64 > LARGEST {
        bail!(
            "--all: the baseline would have more than {} MB, which cannot be read again; --exclude leaves out documents",
            LARGEST >> 20
        );
    }
    let is_written = new != accepting.old;
    if is_written {
        accepting.write(&content)?;
    }
    decided::updated(path, changes, is_written);
    Ok(status)
}

/// Adds the family to the file of accepted pairs, and returns the reason that it had there before.
///
/// # Errors
///
/// There is no such folder below that of the file, or the file cannot be written.
fn accept_family(
    folder: &Path,
    accepting: &Accepting<'_>,
    names: &Names,
    reason: &str,
) -> Result<Option<String>> {
    let named = folder.display();
    let Ok(place) = fs::canonicalize(folder) else {
        bail!("--family {named}: there is no such folder");
    };
    if !place.is_dir() {
        bail!("--family {named}: this is a file, and a family is a folder");
    }
    let below = names.of_document(&display_name(&place, Path::new("")));
    if below.split('/').next() == Some("..") {
        bail!(
            "--family {named}: it is not below the folder of the file of accepted pairs; --baseline FILE names another one"
        );
    }
    let family = match below.as_str() {
        "" => "**".to_owned(),
        below => format!("{}/**", literal(below)),
    };
    accepting.add_family(Family {
        family,
        reason: reason.to_owned(),
    })
}

/// Returns a glob that matches a name alone.
fn literal(name: &str) -> String {
    let mut glob = String::new();
    for (at, c) in name.char_indices() {
        // At the start of a line of a `.gitignore` the last two mean something else.
        if r"\*?[]{}".contains(c) || at == 0 && "!#".contains(c) {
            glob.push('\\');
        }
        glob.push(c);
    }
    glob
}

/// Scans the documents and returns the pair. `written` are the files that the command writes.
///
/// # Errors
///
/// The scan fails, it does not have one of the documents, or they are no pair, or one that does not count.
fn find(args: &AcceptArgs, written: &Path) -> Result<(Pair, Scan)> {
    let options = (args.comparing).options(&args.running, &[], Some(written))?;
    let names = args.names(&options.walk.base);
    let scope = scope(&args.comparing.scope, &args.running.config, &options)?;
    let mut gate = Gate::new(scope, None);
    let mut wanted = PairToAccept::new(names.each_ref().map(String::as_str));
    let outcome = Progress::of_scan(&options, &mut gate, &mut wanted)?;
    let has = |name: &String| outcome.documents.iter().any(|known| known.name == *name);
    let [a, b] = &names;
    if let Some(missing) = names.iter().find(|name| !has(name)) {
        bail!("{missing} is none of the documents that were compared");
    }
    match wanted.found {
        Some(pair) => Ok((pair, outcome)),
        None if gate.left_out > 0 => bail!(
            "{a} and {b} are no pair that counts: they are not alike, or --against or --within leaves them out"
        ),
        None => bail!(
            "{a} and {b} are no pair: a scan does not report them; 'dupfind compare' shows what they share"
        ),
    }
}
