//! `dupfind plan`: which document of each group stays, which go, and why.

use std::fmt::Display;
use std::path::Path;

use anyhow::{Result, bail};
use dupfind_decide::clean::keep::candidate::keep_homes;
use dupfind_decide::clean::plan::line::{Drop, Line};
use dupfind_decide::clean::plan::make::Summary;
use dupfind_decide::clean::records::verdict::Verdicts;
use dupfind_decide::clean::ties::Left;
use dupfind_decide::{Drops, Keep, KeepRule, Plan};
use dupfind_engine::Relation;
use dupfind_read::display_name;
use dupfind_report::language::filled;
use dupfind_report::style::shell::{shown, word};
use dupfind_report::{amount, phrase, say};
use dupfind_scan::{Scan, ScanOptions, Source};

use crate::args::{BaselineArgs, ComparingArgs, KeepArgs, LinkedArgs, OutputArgs, RunningArgs};
use crate::commands::scan::next::dedup_command;
use crate::decision::keepers::{facts, pages_left_alone, too_many};
use crate::decision::open_pairs;
use crate::decision::open_pairs::{OpenPairs, gate};
use crate::input::stdin;
use crate::process::{Status, current_folder};
use crate::terminal::{Output, Progress, messages};

pub(crate) const EXAMPLES: &str = "\
Examples:
  Input:      dupfind plan docs -o plan.jsonl
  Text:       dupfind plan docs --shingle-size 5 -o plan.jsonl
  Detection:  dupfind plan docs --min-containment 0.8 --drop exact,contains -o plan.jsonl
  Scope:      dupfind plan drafts --against published -o plan.jsonl
  Decision:   dupfind plan docs --keep in:docs/current,newest --drop exact,near -o plan.jsonl
              dupfind plan docs --keep field:weight:min -o plan.jsonl
  Output:     dupfind plan docs | jq -r 'select(.type == \"drop\") | [.drop, .keep] | @tsv'
  Running:    dupfind plan docs --threads 1 --stats

Lines of a plan:
  drop        'drop' goes for 'keep'. The measures are those of the two
  unresolved  'document' stays: it is like a document that goes, and not alike enough to the one
              that stays for that one
To change the plan, delete lines, or exchange the two names in a line. 'dupfind apply' checks it first.

Exit status:
  0  it ran, whether or not there is anything to drop
  2  an error: a wrong option, a path that does not exist, a file that cannot be read
     (everything else is still compared)";

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct PlanArgs {
    #[command(flatten)]
    pub(crate) comparing: ComparingArgs,
    #[command(flatten)]
    pub(crate) keep: KeepArgs,
    #[command(flatten)]
    pub(crate) linked: LinkedArgs,
    #[command(flatten)]
    pub(crate) baseline: BaselineArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) running: RunningArgs,
}

/// Runs the command.
pub(crate) fn run(args: &PlanArgs) -> Result<Status> {
    let output = Output::open(args.output.file())?;
    let base = current_folder()?;
    let drops = args.keep.drops().or(Drops::COPIES);
    if drops.relations.have(Relation::Short) {
        bail!(
            "--drop short: texts that are too short to judge are in no plan; to list them: dupfind scan --show short"
        );
    }
    let keep = Keep::new(
        args.keep.rules(),
        &base,
        !args.comparing.scope.against.is_empty(),
    )?;
    let baseline = args
        .baseline
        .read(&args.running.config, args.comparing.input.paths.first())?;
    let target = args.output.file();
    let (scope, running) = (&args.comparing.scope, &args.running);
    let options = (args.comparing).options(running, target.as_slice(), baseline.as_deref())?;
    if stdin::is_named(&options.walk.paths) {
        bail!(
            "'-': a plan names files, and standard input is not a file; dupfind dedup removes records"
        );
    }
    let is_named = args.baseline.baseline.is_some();
    let mut gate = gate(
        scope,
        &running.config,
        &options,
        baseline.as_deref(),
        is_named,
    )?;
    let mut open = OpenPairs::new(&gate, drops);
    let outcome = Progress::of_scan(&options, &mut gate, &mut open).map_err(too_many)?;
    running.print_stats(&outcome)?;
    refuse_records(args, &options, &outcome)?;
    let (collected, stay) = open.finish();
    let (read, files) = (&outcome.options.read, &outcome.sources.files);
    let left = collected.left;
    let mut tied = open_pairs::tied(&outcome, collected, &stay);
    if let Some(rule) = keep.unmatched(files.iter().map(|file| &**file)).next() {
        bail!("--keep {rule}: no document matches the glob");
    }
    keep_homes(
        &mut tied.candidates,
        files,
        &args.comparing.input.paths,
        &base,
    );
    let mut facts = facts(&keep, &tied.candidates, read, &base)?;
    facts.even_if_linked = args.linked.even_if_linked;
    // Only pages that are like others are asked for the field. That none of them has it may be no mistake.
    if let Some(said) = facts.unused_field(&keep) {
        messages::warning(&format!("--keep: {said}"));
    }
    facts.check_dates(&keep)?;
    let mut plan = Plan::new(&Verdicts::new(&tied, &keep, &facts), drops, read, &base);
    if let [folder] = &*args.comparing.input.paths
        && folder.is_dir()
    {
        plan.header.folder = Some(display_name(folder, &base));
    }
    output.write(|out| {
        let header = Line::Plan(plan.header.clone());
        for line in std::iter::once(&header).chain(&plan.lines) {
            serde_json::to_writer(&mut *out, line)?;
            out.write_all(b"\n")?;
        }
        Ok(())
    })?;
    for (file, error) in &plan.unreadable {
        messages::error(&format!("{}: {error}", file.display()));
    }
    let has_ages = facts.made.is_empty() || facts.made.iter().any(Option::is_some);
    open_pairs::print_accepted(gate.accepted, baseline.as_deref());
    print_summary(&plan, args, left, drops, has_ages);
    Ok(match plan.unreadable.is_empty() {
        true => Status::of(&outcome.skipped),
        false => Status::Error,
    })
}

/// Refuses documents that are all records: nobody moves or deletes a part of a file.
///
/// # Errors
///
/// The command that removes records.
fn refuse_records(args: &PlanArgs, options: &ScanOptions, outcome: &Scan) -> Result<()> {
    let sources = &outcome.sources.documents;
    if sources.is_empty() || !sources.iter().all(Source::is_record) {
        return Ok(());
    }
    // The records of one file have one date.
    let is_of_date = |rule: &KeepRule| matches!(rule, KeepRule::Newest | KeepRule::Oldest);
    let command = dedup_command(outcome, options, &args.running.config);
    match command.filter(|_| !args.keep.rules().iter().any(is_of_date)) {
        Some(command) => bail!(
            "a plan is for files, and all documents are records; this writes those that stay: {command}"
        ),
        None => bail!(
            "a plan is for files, and all documents are records; dupfind dedup removes records"
        ),
    }
}

/// How many documents that go are named.
const NAMED: usize = 20;

/// Prints the documents that go and the counts of a plan, and how to go on. `left` are the pairs that let no document
/// go. `has_ages` is whether git knows the age of a page.
fn print_summary(made: &Plan, args: &PlanArgs, left: Left, drops: Drops, has_ages: bool) {
    let plan = args.output.file().filter(|plan| *plan != Path::new("-"));
    if plan.is_some() {
        list(made);
    }
    let Summary {
        groups,
        drops: dropped,
        unresolved,
        bytes,
    } = made.summary;
    let mut words = match dropped {
        0 => phrase("nothing goes").to_owned(),
        _ => {
            let text = match (dropped, groups) {
                (1, _) => phrase("{} goes ({}) for {} that stays"),
                (_, 1) => phrase("{} go ({}) for {} that stays"),
                _ => phrase("{} go ({}) for {} that stay"),
            };
            let dropped = amount(dropped as u64, "document");
            filled(text, &[&dropped, &size(bytes), &groups])
        }
    };
    if !has_ages && dropped > 0 {
        words.push_str(phrase(
            "; their age decided nothing, as git does not know it",
        ));
    }
    if unresolved > 0 {
        words.push_str(&say!("; unresolved, and kept: {}", unresolved));
    }
    messages::note(&words);
    losses(made);
    if let Some(left) = pages_left_alone(left, drops) {
        messages::note(&left);
    }
    let Some(plan) = plan else {
        return;
    };
    messages::note(&match dropped {
        0 => say!("{} has a plan that drops nothing", plan.display()),
        _ => {
            let dropped = amount(dropped as u64, "document");
            let text = phrase("{} has the plan to drop {}; look at it, then: dupfind apply {}{}");
            let option = match args.linked.even_if_linked {
                true => " --even-if-linked",
                false => "",
            };
            filled(text, &[&plan.display(), &dropped, &shown(plan), &option])
        }
    });
}

/// Prints how many documents go whose files have more than the files that stay, though their texts are the same.
fn losses(made: &Plan) {
    let mut drops = made.lines.iter().filter_map(|line| match line {
        Line::Drop(line) if line.only_in_drop > Some(0) => Some(line),
        _ => None,
    });
    let Some(first) = drops.next() else {
        return;
    };
    let words = [&first.keep, &first.drop].map(|name| word(name));
    let command = match &words {
        [Some(keep), Some(drop)] => format!("dupfind compare {keep} {drop}"),
        _ => "dupfind compare A B".to_owned(),
    };
    let kinds = phrase("links, pictures, comments, front matter, capitals");
    messages::note(&say!(
        "lines that are not in the file that stays ({}): in {}; look first: {}",
        kinds,
        amount(drops.count() + 1, "file"),
        command
    ));
}

/// Prints which documents go, and why the others stay.
fn list(made: &Plan) {
    for (line, reason) in made.lines.iter().zip(&made.reasons).take(NAMED) {
        let Line::Drop(Drop {
            keep,
            drop,
            linked_from,
            ..
        }) = line
        else {
            continue;
        };
        let values: Vec<&dyn Display> = reason
            .values
            .iter()
            .map(|value| value as &dyn Display)
            .collect();
        let reason = filled(phrase(reason.text), &values);
        let mut words = say!("{} goes for {}: {}", drop, keep, reason);
        if !linked_from.is_empty() {
            words.push_str(&say!("; it is named in {}", linked_from.join(", ")));
        }
        messages::note(&words);
    }
    if let Some(more @ 1..) = made.reasons.len().checked_sub(NAMED) {
        messages::note(&say!("… and {} more", more));
    }
}

/// Returns a number of bytes as people read it.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => say!("{} bytes of text", bytes),
        1_000..1_000_000 => say!("{}.{} kB of text", bytes / 1_000, bytes % 1_000 / 100),
        _ => say!(
            "{}.{} MB of text",
            bytes / 1_000_000,
            bytes % 1_000_000 / 100_000
        ),
    }
}
