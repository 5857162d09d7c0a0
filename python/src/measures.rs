//! The columns with the measures of pairs.

use dupfind_engine::features::document::Document;
use dupfind_engine::{Pair, Resemblance};

use crate::explanation::containment;
use crate::table::Columns;

impl Columns {
    /// Adds the relation and the measures of pairs: relation, jaccard, weighted, containment, hamming.
    pub(crate) fn measures<'p, I>(self, pairs: impl Fn() -> I) -> Self
    where
        I: Iterator<Item = (&'p Pair, [&'p Document; 2])>,
    {
        let only = || pairs().map(|(pair, _)| pair);
        self.text("relation", only().map(|pair| pair.relation().as_str()))
            .optional_f64(
                "jaccard",
                only().map(|pair| pair.jaccard().map(Resemblance::rounded)),
            )
            .optional_f64(
                "weighted",
                only().map(|pair| {
                    pair.weighted()
                        .map(|weighted| weighted.rounded_similarity())
                }),
            )
            .optional_f64(
                "containment",
                pairs().map(|(pair, [a, b])| containment(pair, a, b)),
            )
            .optional_u32("hamming", only().map(|pair| pair.hamming.map(u32::from)))
    }
}
