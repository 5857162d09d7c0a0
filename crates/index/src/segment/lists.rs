//! The shingles of segments and of new documents, in one ascending order.

use crate::files::terms::TermCursor;
use crate::segment::{Segment, each_number};
use dupfind_engine::Result;

/// Goes through shingles with the numbers of their documents.
pub(crate) struct Lists<'s> {
    source: Source<'s>,
    /// The shingle that comes next.
    head: Option<u64>,
}

enum Source<'s> {
    /// The rest of the shingles of new documents, and the number that is added to theirs.
    Run(&'s [(u64, u32)], u32),
    /// A segment, and the new numbers of its documents.
    Segment(Box<TermCursor<'s>>, Vec<u32>),
}

/// Marks a document that is left out, in place of its new number.
const LEFT_OUT: u32 = u32::MAX;

impl<'s> Lists<'s> {
    /// Returns the lists of new documents, from their shingles in ascending order with their numbers. These are counted
    /// from `first` on.
    pub(crate) fn of_run(postings: &'s [(u64, u32)], first: u32) -> Self {
        Self {
            source: Source::Run(postings, first),
            head: None,
        }
    }

    /// Returns the lists of a segment. `numbers` are the documents that are not left out, with their new numbers.
    pub(crate) fn of_segment(
        segment: &'s Segment,
        numbers: impl Iterator<Item = (u32, u32)>,
    ) -> Self {
        let mut new = vec![LEFT_OUT; segment.count() as usize];
        numbers.for_each(|(number, as_new)| new[number as usize] = as_new);
        Self {
            source: Source::Segment(Box::new(segment.shingles()), new),
            head: None,
        }
    }

    fn advance(&mut self) -> Result<()> {
        self.head = match &mut self.source {
            Source::Run(postings, _) => postings.first().map(|posting| posting.0),
            Source::Segment(cursor, _) => cursor.next()?,
        };
        Ok(())
    }

    /// Appends the new numbers of the documents of the next shingle.
    fn take(&mut self, documents: &mut Vec<u32>) -> Result<()> {
        match &mut self.source {
            Source::Run(postings, first) => {
                let shingle = postings[0].0;
                let end = postings.partition_point(|posting| posting.0 <= shingle);
                let own = postings[..end].iter();
                documents.extend(own.map(|&(_, document)| *first + document));
                *postings = &postings[end..];
            }
            Source::Segment(cursor, numbers) => each_number(cursor.value(), |number| {
                let new = numbers.get(number as usize).copied().unwrap_or(LEFT_OUT);
                if new != LEFT_OUT {
                    documents.push(new);
                }
            })?,
        }
        self.advance()
    }
}

/// Calls `take` with every shingle in ascending order, and with the new numbers of its documents.
///
/// # Errors
///
/// A segment cannot be read, or is damaged, or `take` fails.
pub(crate) fn each_list(
    mut lists: Vec<Lists<'_>>,
    mut take: impl FnMut(u64, &[u32]) -> Result<()>,
) -> Result<()> {
    lists.iter_mut().try_for_each(Lists::advance)?;
    let mut documents = Vec::new();
    while let Some(shingle) = lists.iter().filter_map(|lists| lists.head).min() {
        documents.clear();
        for lists in lists.iter_mut().filter(|lists| lists.head == Some(shingle)) {
            lists.take(&mut documents)?;
        }
        if !documents.is_empty() {
            take(shingle, &documents)?;
        }
    }
    Ok(())
}
