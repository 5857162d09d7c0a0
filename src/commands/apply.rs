//! `dupfind apply`: carries out a plan, and undoes it.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use dupfind_decide::clean::apply::Removal;
use dupfind_decide::clean::apply::removed::{RemovedFolder, Undone};
use dupfind_decide::clean::plan::check::{Checked, Step, check};
use dupfind_decide::clean::plan::line::read;
use dupfind_decide::clean::redirects::RedirectLine;
use dupfind_files::{Lock, LockedFolders, open_named};
use dupfind_report::language::filled;
use dupfind_report::style::shell;
use dupfind_report::{amount, phrase, say};

use crate::args::{LangArgs, LinkedArgs, OUTPUT, QuietArgs};
use crate::process::{Status, current_folder};
use crate::terminal::{Output, messages};

pub(crate) const EXAMPLES: &str = "\
Examples:
  Action:   dupfind apply plan.jsonl
            dupfind apply plan.jsonl --yes
            dupfind apply plan.jsonl --undo
            dupfind apply plan.jsonl --to ../removed --yes
  Output:   dupfind apply plan.jsonl --redirects '{from} {to} 301' >> static/_redirects
  Running:  dupfind apply plan.jsonl --yes --quiet

Without --yes nothing is touched: it says what would be done.

Exit status:
  0  all lines were carried out, or can be
  2  an error: a plan that contradicts itself, a file that was changed since, one that cannot be
     moved (all other lines are still carried out)";

const ACTION: &str = "Action";

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct ApplyArgs {
    /// A plan, made by 'dupfind plan'
    ///
    /// Run this in the folder where the plan was made. Only files below that folder are touched.
    #[arg(value_name = "PLAN")]
    pub(crate) plan: PathBuf,

    /// Do it; without this, show what would be done
    #[arg(short, long, help_heading = ACTION)]
    pub(crate) yes: bool,

    /// Folder that the files move to, each to its path below it [default: PLAN.removed]
    ///
    /// It is a new one, or one with files of an earlier run. No scan reads it, and git ignores it.
    #[arg(long, value_name = "DIR", help_heading = ACTION)]
    pub(crate) to: Option<PathBuf>,

    /// Delete the files instead of moving them, for those who have them in git
    ///
    /// Nothing is kept, so that --undo cannot bring them back.
    #[arg(long, conflicts_with_all = ["to", "undo"], help_heading = ACTION)]
    pub(crate) delete: bool,

    /// Move all files back that are in the folder
    #[arg(long, conflicts_with = "redirects", help_heading = ACTION)]
    pub(crate) undo: bool,

    /// Write a redirect from each page that goes to the one that stays: a line with {from} and {to}
    ///
    /// To standard output, or to --output, also those of lines that were carried out before. In a plan of 'dupfind plan docs' the
    /// address of docs/guide/start.md is /guide/start/. {from} and {to} are the
    /// addresses of the two pages, encoded as in a URL. {from:text} and {to:text} are the addresses as text; pages whose
    /// address has quotes, brackets or control characters get no redirect then.
    #[arg(long, value_name = "LINE", help_heading = OUTPUT)]
    pub(crate) redirects: Option<RedirectLine>,

    /// Write redirects to FILE instead of standard output ('-' is standard output)
    #[arg(id = "own_output", short = 'o', long = "output", value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) linked: LinkedArgs,
    #[command(flatten)]
    quiet: QuietArgs,
    #[command(flatten)]
    lang: LangArgs,
}

/// Runs the command.
pub(crate) fn run(args: &ApplyArgs) -> Result<Status> {
    let root = current_folder()?;
    if args.undo {
        return undo(args, &root);
    }
    let plan = args.plan.display();
    let refused = |why: String| anyhow!("{plan}: {why}; nothing was done");
    let to = folder(args)?;
    let open = || RemovedFolder::open(&to, &root).map_err(refused);
    if !args.delete {
        open()?;
    }
    let _lock = match args.yes {
        true => Some(lock(&root, &to)?),
        false => None,
    };
    let mut checked = read_and_check(&args.plan, &root)?;
    if !args.linked.even_if_linked {
        checked.refuse_mentioned(&root);
    }
    for fault in &checked.faults {
        messages::error(&format!("{plan}:{}: {}", fault.line, fault.what));
    }
    if checked.faults.iter().any(|fault| fault.is_of_plan) {
        bail!("{plan} contradicts itself: nothing was done");
    }
    let steps = checked.steps.iter().cloned();
    let removals: Result<Vec<Removal>, String> =
        steps.map(|step| Removal::new(step, &root)).collect();
    let removals = removals.map_err(refused)?;
    let removed = match args.delete {
        true => None,
        false => Some(open()?),
    };
    for removal in &removals {
        removed
            .iter()
            .try_for_each(|to| to.check(removal))
            .map_err(refused)?;
    }
    if args.redirects.is_some() {
        write_redirects(args, &checked)?;
    }
    let is_complete = match args.yes {
        true => perform(args, &root, &removals, removed)?,
        false => {
            preview(args, &checked, &removals, removed.as_ref());
            true
        }
    };
    Ok(match is_complete && checked.faults.is_empty() {
        true => Status::Ok,
        false => Status::Error,
    })
}

/// Reads a plan and checks it.
fn read_and_check(path: &Path, root: &Path) -> Result<Checked> {
    let text = open_named(path)
        .and_then(std::io::read_to_string)
        .with_context(|| format!("cannot read the plan {}", path.display()))?;
    match read(&text) {
        Some(plan) => Ok(check(plan, root)),
        None => bail!(
            "{} is no plan; this makes one: dupfind plan FOLDER -o plan.jsonl",
            path.display()
        ),
    }
}

/// Returns the folder that files move to. A link in the place of the usual one leads to a place that nobody has named.
fn folder(args: &ApplyArgs) -> Result<PathBuf> {
    let usual = || RemovedFolder::of_plan(&args.plan);
    let folder = args.to.clone().unwrap_or_else(usual);
    if args.to.is_none() && !args.delete && folder.is_symlink() {
        bail!(
            "{0} is a link, and no link is followed: --to {0} names it; nothing was done",
            folder.display()
        );
    }
    Ok(folder)
}

/// Locks the folders whose files change: one run at a time changes the files below them. Where the system does not lock
/// folders, the lock file keeps runs of one folder apart.
fn lock(root: &Path, to: &Path) -> Result<(Lock, LockedFolders)> {
    let is_locked = |folder: &Path| {
        anyhow!(
            "another dupfind apply changes files of {}: nothing was done; run this again when it has ended",
            folder.display()
        )
    };
    let lock = Lock::of(&root.join(".dupfind-apply"))?.ok_or_else(|| is_locked(root))?;
    let to = root.join(to);
    let existing = to.ancestors().find(|folder| folder.is_dir());
    let folders = LockedFolders::of(existing.into_iter().chain([root]));
    Ok((lock, folders.map_err(|folder| is_locked(&folder))?))
}

/// Removes the files. Returns whether all could be removed.
fn perform(
    args: &ApplyArgs,
    root: &Path,
    removals: &[Removal],
    mut removed: Option<RemovedFolder>,
) -> Result<bool> {
    if removals.is_empty() {
        messages::note(phrase("there is nothing to do"));
        return Ok(true);
    }
    let mut is_new = false;
    if let Some(folder) = &mut removed {
        is_new = !folder.path().exists();
        let name = folder.path().display().to_string();
        folder.add(removals).map_err(|error| {
            anyhow!("cannot write the list of files in {name}: {error}: nothing was touched")
        })?;
    }
    let (mut done, mut failed) = (0, 0);
    for removal in removals {
        match removal.perform(root, removed.as_ref()) {
            Ok(()) => {
                done += 1;
                messages::note(&what_becomes(removal, removed.as_ref(), true));
            }
            Err(why) => {
                failed += 1;
                messages::error(&format!("{why}: it was left alone"));
            }
        }
    }
    match removed.as_ref().filter(|_| is_new && done == 0) {
        // Its list has only files that stayed.
        Some(folder) => folder.undo(|_| {})?,
        None => tell_end(args, done, removed.as_ref()),
    }
    Ok(failed == 0)
}

/// Moves all files back.
fn undo(args: &ApplyArgs, root: &Path) -> Result<Status> {
    let folder = folder(args)?;
    let name = folder.display();
    let read = || {
        let removed = RemovedFolder::read(&folder, root);
        removed.map_err(|why| anyhow!("there is nothing to undo: {why}; nothing was done"))
    };
    read()?;
    let _lock = lock(root, &folder)?;
    let removed = read()?;
    let (mut restored, mut failed) = (0, 0);
    let undone = removed.undo(|result| match result {
        Ok(Undone::Restored) => restored += 1,
        Ok(Undone::Untouched) => {}
        Err(why) => {
            failed += 1;
            messages::error(&why);
        }
    });
    undone.with_context(|| format!("cannot remove {name}"))?;
    messages::note(&say!("{} restored", amount(restored, "file")));
    if failed > 0 {
        messages::note(&say!(
            "{} keeps what could not be restored; once the way is free, run this again",
            name
        ));
        return Ok(Status::Error);
    }
    Ok(Status::Ok)
}

/// Writes the redirects of the lines that can be carried out, and of those that were.
fn write_redirects(args: &ApplyArgs, checked: &Checked) -> Result<()> {
    let Some(line) = &args.redirects else {
        return Ok(());
    };
    let mut steps: Vec<&Step> = checked.steps.iter().chain(&checked.done).collect();
    steps.sort_by_key(|step| step.line);
    let pages = steps.iter().map(|step| (&*step.keep, &*step.drop));
    let written = line.write(pages, &checked.folder);
    // Pages that an earlier run left alone. Before the first run all pages are there, and a run with --yes removes them.
    if !checked.done.is_empty() && !args.yes {
        let has_redirect =
            |step: &&Step| written.without.iter().all(|(page, _)| *page != step.drop);
        for Step { drop, keep, .. } in checked.steps.iter().filter(has_redirect) {
            messages::warning(&format!(
                "{} is still there: its redirect to {} would hide it",
                drop.display(),
                keep.display()
            ));
        }
    }
    for (page, why) in &written.without {
        messages::warning(&format!("{}: no redirect: {why}", page.display()));
    }
    Output::open(args.output.as_deref())?.write(|out| Ok(out.write_all(written.text.as_bytes())?))
}

/// Tells what would be done.
fn preview(args: &ApplyArgs, checked: &Checked, removals: &[Removal], to: Option<&RemovedFolder>) {
    if args.redirects.is_some() {
        return;
    }
    for removal in removals {
        messages::note(&what_becomes(removal, to, false));
    }
    let steps = removals.iter().map(|removal| &removal.step);
    let losses = steps.filter(|step| step.only_in_drop > Some(0)).count();
    if losses > 0 {
        messages::note(&say!(
            "lines that are not in the file that stays: in {}; dupfind compare shows them",
            amount(losses, "file")
        ));
    }
    if checked.records > 0 {
        messages::note(&say!(
            "{} of the plan are records, which dupfind dedup removes",
            amount(checked.records as u64, "line")
        ));
    }
    if !checked.done.is_empty() {
        messages::note(&say!(
            "done before: {}",
            amount(checked.done.len() as u64, "line")
        ));
    }
    messages::note(phrase(match (removals.is_empty(), to) {
        (true, _) => "there is nothing to do",
        (false, Some(_)) => "nothing was touched; --yes does it",
        (false, None) => "nothing was touched; --yes does it, and nothing brings these files back",
    }));
}

/// Returns what becomes of a file, done or planned.
fn what_becomes(removal: &Removal, to: Option<&RemovedFolder>, is_done: bool) -> String {
    let Step { keep, drop, .. } = &removal.step;
    let (path, keep) = (drop.display(), keep.display());
    match to {
        None if is_done => say!("{} was deleted; {} stays for it", path, keep),
        None => say!("{} would be deleted; {} stays for it", path, keep),
        Some(to) => {
            let text = match is_done {
                true => phrase("{} was moved to {}; {} stays for it"),
                false => phrase("{} would be moved to {}; {} stays for it"),
            };
            filled(
                text,
                &[&path, &to.path().join(&removal.names).display(), &keep],
            )
        }
    }
}

/// Tells how many files went, and how to undo that.
fn tell_end(args: &ApplyArgs, done: u64, to: Option<&RemovedFolder>) {
    let done = amount(done, "file");
    let Some(to) = to else {
        messages::note(&say!("{} deleted; nothing brings them back but git", done));
        return;
    };
    let mut undo = format!("dupfind apply {} --undo", shell::shown(&args.plan));
    if let Some(folder) = &args.to {
        undo.push_str(&format!(" --to {}", shell::shown(folder)));
    }
    let folder = to.path().display();
    messages::note(&say!(
        "{} moved to {}; {} moves them back",
        done,
        folder,
        undo
    ));
}
