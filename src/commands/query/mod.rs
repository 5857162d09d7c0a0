//! `dupfind query`: the documents of an index that are like some others.

pub(crate) mod args;

use std::collections::HashSet;

use anyhow::{Result, bail};
use dupfind_engine::DocId;
use dupfind_engine::features::document::Document;
use dupfind_engine::features::text_hash::hash_of_text;
use dupfind_engine::verdict::Relations;
use dupfind_index::Index;
use dupfind_index::gather::Part;
use dupfind_index::query::Wanted;
use dupfind_read::named::read_named;
use dupfind_read::skipped::{SkipReason, Skipped};
use dupfind_read::source::name::{display_name, path_of_name};
use dupfind_report::listings::query::{
    Answer, Answers, Explained, write_answers_json, write_answers_table,
};
use dupfind_report::style::numbers::counted;
use dupfind_scan::ScanOptions;
use dupfind_scan::indexed::{QueryDocuments, read_query_documents};
use dupfind_scan::texts::read_texts_of;
use rayon::prelude::*;

use crate::args::output::Reader;
use crate::args::pairs::gate::FailOn;
use crate::commands::query::args::QueryArgs;
use crate::decision::messages::empty_failed;
use crate::input::{options, stdin};
use crate::process::current_folder;
use crate::process::exit::Status;
use crate::terminal::messages;
use crate::terminal::output::Output;
use crate::terminal::progress::Progress;

/// The most documents that explain one, unless another number is requested.
pub(crate) const MAX_PARTS: usize = 20;

/// The most documents in which passages of one are looked for.
const MAX_SOURCES: usize = 200;

/// Runs the command.
pub(crate) fn run(args: &QueryArgs) -> Result<Status> {
    if args.comparing.input.is_of_current_folder() {
        bail!(
            "what to ask about is missing: dupfind query INDEX FILE..., or '-' for standard input"
        );
    }
    let output = Output::open(args.output.output.as_deref())?;
    let output = output.going_on(args.fail_on.is_some());
    let outputs = args.output.output.as_deref().into_iter().collect();
    let mut options = options::options(&args.comparing, &args.running, outputs)?;
    let index = Index::open(&args.site, &options.engine)?;
    let _stdin = stdin::spool_by_content(&mut options)?;
    let progress = Progress::new(args.running.run.shows_progress());
    let asked = read_query_documents(&options, &progress, &index);
    progress.clear();
    let asked = asked?;
    let corpus = &asked.corpus;
    messages::documents(&options.walk, &[], &corpus.notes, &corpus.warnings);
    let refused = refused(&options, &corpus.skipped);
    for skipped in &refused {
        messages::error(&format!("{}: {}", skipped.path, reason(skipped)));
    }
    let wanted = Wanted {
        // A configuration is about scans.
        top: args
            .top
            .filter(|_| args.running.config.typed.contains("top")),
    };
    let documents = &corpus.collection.documents;
    let answers: Vec<Answer> = asked.in_threads(|| {
        let all = documents.par_iter().zip(&asked.features);
        let answer = |(document, features): (&Document, _)| {
            let hits = index.hits(&document.name, features, wanted)?;
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
        documents: index.documents(),
        skipped: &corpus.skipped,
        notes: &corpus.notes,
    };
    explain(args, &index, &asked, &mut answers)?;
    output.write(|out| {
        match args.format {
            Reader::Person => write_answers_table(&answers, out)?,
            Reader::Program => write_answers_json(&answers, out)?,
        }
        Ok(())
    })?;
    Ok(
        if !refused.is_empty() || Status::of(&corpus.skipped) == Status::Error {
            Status::Error
        } else if fails(args, documents.len(), &answers) {
            Status::Failed
        } else {
            Status::Ok
        },
    )
}

/// Adds which documents of the index explain each document, if that is wanted, or where their passages are for those
/// without a pair.
fn explain(
    args: &QueryArgs,
    index: &Index,
    asked: &QueryDocuments<'_>,
    answers: &mut Answers<'_>,
) -> Result<()> {
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
    // A document of the index is only looked at if it is still the one that is in the index.
    let read = |part: &Part| {
        let (_, read) = read_named(
            &path_of_name((&part.name).into()),
            &base,
            &asked.options.read,
        )
        .ok()?;
        let format = read.format;
        let text = read.text.into_owned();
        (hash_of_text(&text, index.options()) == part.text_hash).then_some((text, format))
    };
    for (id, text) in ids.into_iter().zip(texts) {
        let answer = &mut answers.answers[id.index()];
        let features = &asked.features[id.index()];
        let gathered = index.gather_features(&answer.document.name, features, most)?;
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

/// Prints why the run fails, if it does, and returns whether it does.
fn fails(args: &QueryArgs, documents: usize, answers: &Answers<'_>) -> bool {
    let fail_on = args
        .fail_on
        .map_or(Relations::NONE, |FailOn(relations)| relations);
    let has_gate = fail_on != Relations::NONE;
    let other = usize::try_from(answers.documents).unwrap_or(usize::MAX);
    if args.empty.fails(has_gate, documents, Some(other)) {
        empty_failed();
        return true;
    }
    let pairs = answers.counts().of_any(fail_on);
    if pairs > 0 {
        let pairs = counted(pairs, "pair");
        messages::failed(&format!("{pairs} with documents of the index"));
    }
    pairs > 0
}
