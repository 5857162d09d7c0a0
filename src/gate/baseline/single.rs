//! Adds one pair to a baseline, or takes one out.

use jiff::civil::Date;

use crate::engine::document::Document;
use crate::engine::pair::Pair;
use crate::gate::baseline::accepted::identities;
use crate::gate::baseline::accepted_pair::AcceptedPair;
use crate::gate::baseline::content::Content;
use crate::gate::baseline::lines::line_of;
use crate::gate::baseline::names::Names;
use crate::scan::outcome::Sources;

impl Content {
    /// Returns the content with a pair of a run, and its line. If the pair was accepted before, it is accepted as it is
    /// now.
    pub(crate) fn with(
        self,
        names: &Names,
        documents: &[Document],
        sources: &Sources,
        pair: &Pair,
        reason: Option<String>,
        expires: Option<Date>,
    ) -> (Self, String) {
        let mut accepted = AcceptedPair::new(&identities(names, documents, Some(sources)), pair);
        accepted.reason = reason;
        accepted.expires = expires;
        let line = line_of(&accepted);
        let others = self.pairs().iter();
        let others = others.filter(|known| known.names() != accepted.names());
        let mut pairs: Vec<AcceptedPair> = others.cloned().collect();
        pairs.push(accepted);
        (Self::new(self.relations, self.cut, pairs), line)
    }

    /// Returns the content without the pair of two documents, and its line; none if it has no such pair. The documents
    /// are named as in reports.
    pub(crate) fn without(self, names: &Names, a: &str, b: &str) -> Option<(Self, String)> {
        let [a, b] = [a, b].map(|name| names.of_document(name));
        let is_it = |pair: &&AcceptedPair| pair.names() == (&*a, &*b) || pair.names() == (&*b, &*a);
        let line = line_of(self.pairs().iter().find(is_it)?);
        let others = self.pairs().iter().filter(|pair| !is_it(pair));
        let others = others.cloned().collect();
        Some((Self::new(self.relations, self.cut, others), line))
    }
}
