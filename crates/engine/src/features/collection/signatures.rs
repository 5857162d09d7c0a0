//! The signatures of all documents, and how two of them compare.

use rayon::prelude::*;

use crate::detect::Detector;
use crate::detect::measures::SignatureMeasures;
use crate::detect::options::Options;
use crate::detect::signature::SignatureDetector;
use crate::join::groups::Groups;

/// The signatures of all documents, by detector.
#[derive(Debug)]
pub struct Signatures {
    columns: Vec<Column>,
}

/// The signatures of one detector.
#[derive(Debug)]
struct Column {
    detector: Box<dyn SignatureDetector>,
    width: usize,
    /// The signatures of all documents, one after the other.
    values: Vec<u64>,
}

impl Column {
    fn of(&self, document: u32) -> &[u64] {
        &self.values[document as usize * self.width..][..self.width]
    }
}

impl Signatures {
    /// Returns the signatures of all documents. Those of one document have the order of
    /// [`Options::signature_detectors`].
    pub fn new(options: &Options, documents: &[Box<[u64]>]) -> Self {
        let mut start = 0;
        let columns = options.signature_detectors().into_iter().map(|detector| {
            let width = detector.width();
            let own = start..start + width;
            start = own.end;
            let values = documents.iter().flat_map(|all| &all[own.clone()]);
            Column {
                width,
                values: values.copied().collect(),
                detector,
            }
        });
        let mut columns: Vec<Column> = columns.collect();
        columns.sort_by_key(|column| column.detector.detector());
        Self { columns }
    }

    /// Returns the signatures of a document in the order of [`Options::signature_detectors`].
    pub(crate) fn of(&self, options: &Options, document: u32) -> Box<[u64]> {
        let detectors = options.signature_detectors().into_iter();
        let own = detectors.flat_map(|detector| {
            let columns = &mut self.columns.iter();
            let column = columns.find(|column| column.detector.detector() == detector.detector());
            column.expect("there is one for each").of(document)
        });
        own.copied().collect()
    }

    /// Returns the fingerprint of a document, or the lower and the upper half of one of 128 bits.
    pub fn fingerprint(&self, document: u32) -> (Option<u64>, Option<u64>) {
        let is_simhash = |column: &&Column| column.detector.detector() == Detector::Simhash;
        match self
            .columns
            .iter()
            .find(is_simhash)
            .map(|column| column.of(document))
        {
            Some(&[lower]) => (Some(lower), None),
            Some(&[upper, lower]) => (Some(lower), Some(upper)),
            _ => (None, None),
        }
    }

    /// Returns how the signatures of two documents compare.
    pub fn compare(&self, a: u32, b: u32) -> SignatureMeasures {
        let mut measures = SignatureMeasures::default();
        for column in &self.columns {
            let measure = column.detector.measure(column.of(a), column.of(b));
            measures.set(column.detector.detector(), measure);
        }
        measures
    }

    /// Returns the groups of documents that have all signatures in common. `documents` is how many there are.
    pub(crate) fn groups(&self, documents: usize) -> Groups {
        let count = u32::try_from(documents).expect("positions are 32 bits wide");
        let key = |document: u32| self.columns.iter().map(move |column| column.of(document));
        let mut order: Vec<u32> = (0..count).collect();
        order.par_sort_unstable_by(|&x, &y| key(x).cmp(key(y)).then(x.cmp(&y)));
        Groups::of(order, |x, y| key(x).eq(key(y)))
    }

    /// Returns the pairs `(later, earlier)` of different groups, ordered, that have documents with similar
    /// signatures. `group_of` has the group of each document.
    pub fn similar(&self, group_of: &[u32]) -> Vec<(u32, u32)> {
        let found = self.columns.iter();
        let found = found.map(|column| column.detector.similar(&column.values).of_groups(group_of));
        let mut found: Vec<Vec<(u32, u32)>> = found.collect();
        if found.len() == 1 {
            return found.remove(0);
        }
        let mut pairs = found.concat();
        pairs.par_sort_unstable();
        pairs.dedup();
        pairs
    }
}
