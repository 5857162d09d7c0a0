//! Records that must not be in another set, such as the test set of a model: how they are found, and which ones go.
//!
//! A record goes if it is like one of the other set, if it is within one, and if it holds one.

use crate::clean::plan::make::Tied;
use crate::clean::ties::Drops;
use dupfind_engine::Options;
use dupfind_engine::join::threshold::Containment;

/// Returns options that find short records within longer ones, too.
#[must_use]
pub fn finding_leaks(engine: Options) -> Options {
    Options {
        containment: engine.containment.or(Some(Containment::OF_LEAKS)),
        ..engine
    }
}

impl Drops {
    /// Returns the pairs that let a document go by default. `of_records` tells whether the documents are records, and
    /// `has_sides` whether they are compared with another set.
    #[must_use]
    pub fn usual(of_records: bool, has_sides: bool) -> Self {
        match (of_records, has_sides) {
            (true, true) => Self::LEAKS,
            (true, false) => Self::RECORDS,
            (false, _) => Self::COPIES,
        }
    }
}

impl Tied {
    /// Lets a record go that holds one of the other set.
    pub fn let_containers_go(&mut self) {
        for tie in &mut self.ties {
            tie.container = None;
        }
    }
}
