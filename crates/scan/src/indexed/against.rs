//! Documents of an index that others are compared with, as if they were read from `--against`.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::ScanOptions;
use crate::corpus::read_document::{Content, ReadDocument, ReadOutcome};
use crate::indexed::reading::reading_of_texts;
use dupfind_engine::collection::Gathering;
use dupfind_engine::error::Result;
use dupfind_engine::features::Features;
use dupfind_index::Index;
use dupfind_read::format::Kind;
use dupfind_read::source::walk::{Entry, WalkOptions};

/// Separates the indexes from the paths with which a scan compares its documents. Returns the other paths, and the indexes.
pub(crate) fn without_indexes(walk: &WalkOptions) -> (WalkOptions, Vec<PathBuf>) {
    let is_index = |path: &&PathBuf| Index::is_at(path);
    let indexes: Vec<PathBuf> = walk.against.iter().filter(is_index).cloned().collect();
    let mut others = walk.clone();
    others.against.retain(|path| !indexes.contains(path));
    (others, indexes)
}

/// Adds the documents of some indexes, but for those whose names other documents have.
///
/// # Errors
///
/// An index cannot be read, is damaged, or was made with other options.
pub(crate) fn add_documents(
    options: &ScanOptions,
    indexes: &[PathBuf],
    gathering: &Gathering,
    entries: &mut Vec<Entry>,
    documents: &mut Vec<ReadDocument>,
) -> Result<()> {
    for path in indexes {
        add_index(path, options, gathering, entries, documents)?;
    }
    Ok(())
}

fn add_index(
    path: &Path,
    options: &ScanOptions,
    gathering: &Gathering,
    entries: &mut Vec<Entry>,
    documents: &mut Vec<ReadDocument>,
) -> Result<()> {
    let index = Index::open(path, &options.engine)?;
    index.check_reading(&reading_of_texts(&options.read))?;
    let own: HashSet<String> = documents
        .iter()
        .map(|document| document.name.clone())
        .collect();
    let mut worker = gathering.worker();
    for segment in index.segments() {
        let mut kept = segment.documents()?;
        kept.retain(|(_, document)| !own.contains(&document.name));
        let numbers: Vec<u32> = kept.iter().map(|(number, _)| *number).collect();
        let mut kept = kept.into_iter();
        segment.each_set(&numbers, |_, set| {
            let Some((_, document)) = kept.next() else {
                return Ok(());
            };
            let (name, origin) = (document.name, document.origin);
            let file = match name.split_once('#') {
                Some((file, _)) if origin.record > 0 => file.to_owned(),
                _ => name.clone(),
            };
            entries.push(Entry {
                path: PathBuf::from(&file),
                typed: PathBuf::from(&file),
                kind: Kind::of(Path::new(&file)),
                name: file,
                is_against: true,
                is_asked_for: true,
            });
            let content = Content {
                bytes: usize::try_from(origin.bytes).unwrap_or(usize::MAX),
                format: origin.format,
                encoding: origin.encoding,
                is_repaired: false,
                unclear_opt_out: None,
            };
            let features = Features {
                facts: document.facts,
                shingles: set.to_vec(),
            };
            documents.push(ReadDocument {
                name,
                place: (entries.len() - 1, origin.record, origin.lines),
                has_id: true,
                for_index: None,
                outcome: ReadOutcome::Done(content, worker.add_features(features)),
            });
            Ok(())
        })?;
    }
    Ok(())
}
