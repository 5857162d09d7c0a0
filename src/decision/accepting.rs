//! Adds an accepted pair to the file of accepted pairs.

use std::io;
use std::path::Path;

use anyhow::{Result, bail};
use dupfind_decide::gate::baseline::content::{BaselineContent, Family};
use dupfind_decide::gate::baseline::names::Names;
use dupfind_engine::{Document, Pair, PairSink, Relations};
use dupfind_files::Lock;
use dupfind_scan::Scan;

use crate::decision::gate::{bytes, content};
use crate::decision::messages::waits;
use crate::terminal::{Output, output};

/// A file of accepted pairs that is to have one more.
pub(crate) struct Accepting<'p> {
    path: &'p Path,
    /// The bytes of the file; empty if there is none.
    pub(crate) old: Vec<u8>,
    pub(crate) known: BaselineContent,
    /// Nobody else writes to the file meanwhile.
    _lock: Option<Lock>,
}

impl<'p> Accepting<'p> {
    /// Locks the file, and reads it. It is to hold pairs of these relations, beside those that it holds.
    ///
    /// # Errors
    ///
    /// The file cannot be read or locked, or is damaged.
    pub(crate) fn begin(path: &'p Path, relations: Relations) -> Result<Self> {
        let lock = output::written(path)?;
        let lock = lock.map(|place| Lock::wait_for(&place, || waits(path)));
        let lock = lock.transpose()?;
        let old = bytes(path)?.unwrap_or_default();
        let mut known = match old.trim_ascii() {
            [] => BaselineContent::new(relations, Vec::new()),
            _ => content(path, &old)?,
        };
        known.relations = known.relations.iter().chain(relations.iter()).collect();
        Ok(Self {
            path,
            old,
            known,
            _lock: lock,
        })
    }

    /// Returns the file with a pair of a scan, and the reason that it had before.
    ///
    /// # Errors
    ///
    /// The file never has such a pair for new.
    pub(crate) fn with(
        &self,
        names: &Names,
        outcome: &Scan,
        pair: &Pair,
        reason: &str,
    ) -> Result<(BaselineContent, Option<String>)> {
        let [a, b] = [pair.a, pair.b].map(|id| outcome.name(id));
        if pair.is_apart(&outcome.documents) {
            bail!(
                "{a} and {b} are no finding: pairs with a file of code or data are set apart and fail no run; with \
                 -t code they do"
            );
        }
        let reason = Some(reason.to_owned());
        let (documents, sources) = (&outcome.documents, &outcome.sources);
        Ok(self
            .known
            .clone()
            .with(names, documents, sources, pair, reason))
    }

    /// Writes the file with a family, and returns the reason that the family had before.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub(crate) fn add_family(&self, family: Family) -> Result<Option<String>> {
        let (new, before) = self.known.clone().with_family(family);
        self.write(&new)?;
        Ok(before)
    }

    /// Writes the file.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub(crate) fn write(&self, new: &BaselineContent) -> Result<()> {
        Output::open(Some(self.path))?.write(|out| Ok(out.write_all(&new.bytes())?))
    }
}

/// Keeps the pair of two documents.
pub(crate) struct PairToAccept<'n> {
    names: [&'n str; 2],
    pub(crate) found: Option<Pair>,
}

impl<'n> PairToAccept<'n> {
    /// Returns a sink that waits for the pair of documents of these names, in any order.
    pub(crate) fn new(names: [&'n str; 2]) -> Self {
        Self { names, found: None }
    }
}

impl PairSink for PairToAccept<'_> {
    fn take(&mut self, documents: &[Document], pairs: &[Pair]) -> io::Result<()> {
        let [a, b] = self.names;
        let is_it = |pair: &&Pair| {
            let two = [pair.a, pair.b].map(|id| &*documents[id.index()].name);
            two == [a, b] || two == [b, a]
        };
        if let Some(pair) = pairs.iter().find(is_it) {
            self.found = Some(*pair);
        }
        Ok(())
    }
}
