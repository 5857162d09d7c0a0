//! `dupfind query`: the documents of a folder that are like some others.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::Result;
use dupfind_decide::elsewhere::elsewhere;
use dupfind_decide::{Elsewhere, Gate};
use dupfind_engine::features::hash_of_text;
use dupfind_engine::{DocId, Document, Features};
use dupfind_index::Wanted;
use dupfind_read::{Ingested, SkipReason, Skipped, display_name};
use dupfind_report::listings::query::{Answer, Answers, write_answers_json, write_answers_table};
use dupfind_scan::indexed::{QueryDocuments, read_query_documents};
use dupfind_scan::{Live, ScanOptions, read_documents};
use rayon::prelude::*;

use crate::args::{AnswerArgs, CollectionArgs, INPUT, OUTPUT, Reader, RunArgs, values};
use crate::decision::live::collection;
use crate::input::refused::refuse_overwriting;
use crate::input::stdin;
use crate::process::{Status, current_folder};
use crate::terminal::{Output, Progress, messages};

pub(crate) const EXAMPLES: &str = "\
Examples:
  Ask:      dupfind query docs draft.md
            pbpaste | dupfind query docs -
            zcat new.jsonl.gz | dupfind query docs - --format json | jq -c '.pairs[]'
  Nearest:  dupfind query docs draft.md --top 5
  In CI:    dupfind query docs new/*.md --format json | jq -e '.summary.relations.near == 0'

Exit status: 0 it ran, 2 an error (a document that was named and cannot be compared is one)";

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct QueryArgs {
    /// The folder of the pages
    ///
    /// The index of its pages is in '.dupfind' in this folder, which git ignores. It is brought up to date first.
    #[arg(value_name = "PATH")]
    pub(crate) pages: PathBuf,

    /// What to ask about: files, or '-' for a text or JSON Lines on standard input
    #[arg(value_name = "DRAFT", required = true)]
    pub(crate) drafts: Vec<PathBuf>,

    /// Keep the index in FILE instead of '.dupfind' in PATH
    #[arg(id = "own_index", hide_short_help = true, long = "index", value_name = "FILE", help_heading = INPUT)]
    pub(crate) index: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) collection: CollectionArgs,

    /// List the N documents that are most like each one, also below the thresholds
    ///
    /// Pairs come first. Then come the documents that have most of the rare text of the one in question, however little
    /// that is.
    #[arg(id = "own_top", long = "top", value_name = "N", value_parser = values::count::<usize>, help_heading = OUTPUT)]
    pub(crate) top: Option<usize>,

    #[command(flatten)]
    pub(crate) answer: AnswerArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// Runs the command.
pub(crate) fn run(args: &QueryArgs) -> Result<Status> {
    let output = Output::open(args.answer.output.file())?;
    let threads = args.run.threads();
    let mut live = collection(
        &args.pages,
        &args.collection,
        threads,
        args.index.as_deref(),
    )?;
    let progress = Progress::new(true);
    live.refresh(&progress)?;
    let mut options = options(args, &live)?;
    let _stdin = stdin::spool_by_content(&mut options)?;
    let asked = read_query_documents(&options, &progress);
    progress.clear();
    let asked = asked?;
    let corpus = &asked.corpus;
    messages::documents(&options.walk, &[], &corpus.notes, &corpus.warnings);
    let refused = refused(&options, &corpus.skipped);
    for skipped in &refused {
        messages::error(&format!("{}: {}", skipped.path, reason(skipped)));
    }
    let pages = Pages::new(&live, &args.pages)?;
    // The best answer may be in one of them.
    let unread = live.unread().iter().map(|skipped| Skipped {
        path: pages.shown_name(&skipped.path),
        ..skipped.clone()
    });
    let unread: Vec<Skipped> = unread.collect();
    for skipped in &unread {
        messages::error(&messages::in_words(skipped));
    }
    let wanted = Wanted {
        top: args.top,
        ..Wanted::default()
    };
    let documents = &corpus.collection.documents;
    let answers: Vec<Answer> = asked.in_threads(|| {
        let all: Vec<_> = documents.iter().zip(&asked.features).collect();
        let answer = |(document, features): (&Document, &Features)| {
            let own = pages.own_name(&document.name);
            let mut hits = live.hits(own, features, wanted, &mut Gate::default())?;
            for hit in &mut hits {
                hit.document.name = pages.shown_name(&hit.document.name);
            }
            Ok(Answer {
                document: document.clone(),
                hits,
                is_there: live.has(own),
                passages: None,
            })
        };
        let answers = all.into_par_iter().map(answer);
        let mut answers = answers.collect::<dupfind_engine::Result<Vec<Answer>>>()?;
        let numbered = (0_u32..).zip(&answers);
        let alone = numbered.filter(|(_, answer)| !answer.hits.iter().any(|hit| hit.is_pair));
        let alone: Vec<DocId> = alone.map(|(at, _)| at.into()).collect();
        for (id, found) in passages(&pages, &asked, &alone)? {
            answers[id.index()].passages = Some(found);
        }
        Ok(answers)
    })?;
    let skipped = [&*corpus.skipped, &unread].concat();
    let status = match refused.is_empty() {
        true => Status::of(&skipped),
        false => Status::Error,
    };
    let is_for_person = matches!(args.answer.format, Reader::Person);
    if is_for_person && answers.is_empty() && status == Status::Error {
        return Ok(status);
    }
    let answers = Answers {
        options: &options,
        answers,
        documents: live.documents(),
        skipped: &skipped,
        notes: &corpus.notes,
    };
    output.write(|out| {
        match args.answer.format {
            Reader::Person => write_answers_table(&answers, out)?,
            Reader::Program => write_answers_json(&answers, out)?,
        }
        Ok(())
    })?;
    Ok(status)
}

/// Returns how the drafts are read: as the pages are.
fn options(args: &QueryArgs, live: &Live) -> Result<ScanOptions> {
    let output = args.answer.output.file();
    refuse_overwriting(output, &args.drafts)?;
    let (own, config) = (&args.collection, &args.collection.config);
    Ok(ScanOptions {
        walk: own
            .walk
            .options(config, args.drafts.clone(), output.as_slice())?,
        index: None,
        ..live.scan_options()
    })
}

/// The names of the pages: the index has them from its folder on, and people from the current folder on.
struct Pages<'l> {
    live: &'l Live,
    /// What is before a name of the index, with a slash.
    before: String,
}

impl<'l> Pages<'l> {
    /// `typed` is the folder as the user names it.
    fn new(live: &'l Live, typed: &Path) -> Result<Self> {
        let before = match display_name(typed, &current_folder()?) {
            name if name == "." => String::new(),
            name => format!("{name}/"),
        };
        Ok(Self { live, before })
    }

    fn shown_name(&self, name: &str) -> String {
        format!("{}{name}", self.before)
    }

    /// Returns the name that a draft has in the index, if it is one of the pages; else its own.
    fn own_name<'n>(&self, name: &'n str) -> &'n str {
        name.strip_prefix(&self.before).unwrap_or(name)
    }
}

/// Returns where the passages of documents that are in no pair are.
fn passages(
    pages: &Pages<'_>,
    asked: &QueryDocuments<'_>,
    ids: &[DocId],
) -> dupfind_engine::Result<Vec<(DocId, Elsewhere)>> {
    let (corpus, options) = (&asked.corpus, asked.options);
    let find = |at: usize, page: &Ingested<'_>| {
        let document = &corpus.collection.documents[ids[at].index()];
        // It may have been changed since it was compared.
        if hash_of_text(&page.text, &options.engine) != document.text_hash {
            return Ok(None);
        }
        let own = pages.own_name(&document.name);
        let mut found = elsewhere(pages.live, Gate::default(), own, page)?;
        for place in found.iter_mut().flat_map(|found| &mut found.places) {
            place.page = pages.shown_name(&place.page);
        }
        let found = found.filter(|found| !found.passages.is_empty());
        Ok(found.map(|found| (ids[at], found)))
    };
    let found = read_documents(options, &corpus.sources, ids, find);
    found.into_iter().filter_map(Result::transpose).collect()
}

/// Returns the documents that were named and cannot be compared.
fn refused<'s>(options: &ScanOptions, skipped: &'s [Skipped]) -> Vec<&'s Skipped> {
    let walk = &options.walk;
    let named = walk.paths.iter().map(|path| display_name(path, &walk.base));
    let named: HashSet<String> = named.collect();
    skipped
        .iter()
        .filter(|skipped| named.contains(&skipped.path))
        .collect()
}

fn reason(skipped: &Skipped) -> String {
    let reason = match skipped.reason {
        SkipReason::Empty => "it is empty: it has no letter, ideograph or digit",
        reason => reason.as_str(),
    };
    match skipped.detail.as_str() {
        "" => format!("cannot ask about it: {reason}"),
        detail => format!("cannot ask about it: {reason}: {detail}"),
    }
}
