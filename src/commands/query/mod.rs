//! `dupfind query`: the documents of a folder that are like some others.

pub(crate) mod args;

use std::collections::HashSet;
use std::path::Path;

use anyhow::Result;
use dupfind_decide::gate::Gate;
use dupfind_engine::DocId;
use dupfind_engine::features::document::Document;
use dupfind_engine::features::text_hash::hash_of_text;
use dupfind_index::gather::Part;
use dupfind_index::query::Wanted;
use dupfind_read::named::read_named;
use dupfind_read::skipped::{SkipReason, Skipped};
use dupfind_read::source::name::{display_name, path_of_name};
use dupfind_report::listings::query::{
    Answer, Answers, Explained, write_answers_json, write_answers_table,
};
use dupfind_scan::ScanOptions;
use dupfind_scan::indexed::{QueryDocuments, read_query_documents};
use dupfind_scan::live::Live;
use dupfind_scan::texts::read_texts_of;
use rayon::prelude::*;

use crate::args::output::Reader;
use crate::commands::query::args::QueryArgs;
use crate::decision::live::collection;
use crate::input::refused::refuse_overwriting;
use crate::input::stdin;
use crate::process::current_folder;
use crate::process::exit::Status;
use crate::terminal::messages;
use crate::terminal::output::Output;
use crate::terminal::progress::Progress;

/// The most documents that explain one, unless another number is requested.
const MAX_PARTS: usize = 20;

/// The most documents in which passages of one are looked for.
const MAX_SOURCES: usize = 200;

/// Runs the command.
pub(crate) fn run(args: &QueryArgs) -> Result<Status> {
    let output = Output::open(args.output.output.as_deref())?;
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
    let asked = read_query_documents(&options, &progress, live.index());
    progress.clear();
    let asked = asked?;
    let corpus = &asked.corpus;
    messages::documents(&options.walk, &[], &corpus.notes, &corpus.warnings);
    let refused = refused(&options, &corpus.skipped);
    for skipped in &refused {
        messages::error(&format!("{}: {}", skipped.path, reason(skipped)));
    }
    let pages = Pages::new(&live, &args.pages)?;
    let wanted = Wanted {
        top: args.top,
        ..Wanted::default()
    };
    let documents = &corpus.collection.documents;
    let answers: Vec<Answer> = asked.in_threads(|| {
        let all = documents.par_iter().zip(&asked.features);
        let answer = |(document, features): (&Document, _)| {
            let own = pages.own_name(&document.name);
            let mut hits = live.hits(own, features, wanted, &mut Gate::default())?;
            for hit in &mut hits {
                hit.document.name = pages.shown_name(&hit.document.name);
            }
            Ok(Answer {
                document: document.clone(),
                hits,
                explained: None,
            })
        };
        all.map(answer).collect()
    })?;
    let mut answers = Answers {
        options: &options,
        answers,
        documents: live.documents(),
        skipped: &corpus.skipped,
        notes: &corpus.notes,
    };
    explain(args, &pages, &asked, &mut answers)?;
    output.write(|out| {
        match args.format {
            Reader::Person => write_answers_table(&answers, out)?,
            Reader::Program => write_answers_json(&answers, out)?,
        }
        Ok(())
    })?;
    Ok(match refused.is_empty() {
        true => Status::of(&corpus.skipped),
        false => Status::Error,
    })
}

/// Returns how the drafts are read: as the pages are.
fn options(args: &QueryArgs, live: &Live) -> Result<ScanOptions> {
    let output = args.output.output.as_deref();
    refuse_overwriting(output, &args.drafts)?;
    let outputs: Vec<&Path> = output.into_iter().collect();
    let (own, config) = (&args.collection, &args.collection.config);
    Ok(ScanOptions {
        walk: own.walk.options(config, args.drafts.clone(), &outputs)?,
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

/// Adds which documents of the index explain each document, if that is wanted, or where their passages are for those
/// without a pair.
fn explain(
    args: &QueryArgs,
    pages: &Pages<'_>,
    asked: &QueryDocuments<'_>,
    answers: &mut Answers<'_>,
) -> Result<()> {
    let index = pages.live.index();
    let is_wanted = |answer: &Answer| args.gather || !answer.hits.iter().any(|hit| hit.is_pair);
    let numbered = answers.answers.iter().enumerate();
    let wanted = numbered.filter(|(_, answer)| is_wanted(answer));
    let ids: Vec<DocId> = wanted
        .map(|(at, _)| DocId::new(at))
        .collect::<dupfind_engine::Result<_>>()?;
    let corpus = &asked.corpus;
    let documents = &corpus.collection.documents;
    let texts = read_texts_of(asked.options, &corpus.sources, documents, &ids);
    let base = current_folder()?;
    let most = match args.gather {
        true => args.top.unwrap_or(MAX_PARTS),
        false => MAX_SOURCES,
    };
    // A page is only looked at if it is still the one that is in the index.
    let read = |part: &Part| {
        let path = path_of_name((&part.name).into());
        let (_, read) = read_named(&path, &base, &asked.options.read).ok()?;
        let format = read.format;
        let text = read.text.into_owned();
        (hash_of_text(&text, index.options()) == part.text_hash).then_some((text, format))
    };
    for (id, text) in ids.into_iter().zip(texts) {
        let answer = &mut answers.answers[id.index()];
        let features = &asked.features[id.index()];
        let own = pages.own_name(&answer.document.name);
        let mut gathered = index.gather_features(own, features, most)?;
        for part in &mut gathered.parts {
            part.name = pages.shown_name(&part.name);
        }
        let format = corpus.sources.of(id).format;
        let text = text.as_deref().ok().map(|text| (text, format));
        let options = index.options();
        answer.explained = match args.gather {
            true => Some(Explained::new(&gathered, text, options, read)),
            false => Explained::passages(&gathered, text, options, read),
        };
    }
    Ok(())
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
