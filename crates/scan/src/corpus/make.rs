//! Makers of features, or of other values, from documents that are read.

use crate::corpus::large::LargeDocuments;
use dupfind_engine::features::collection::{Gathered, Gathering, GatheringWorker};
use dupfind_engine::text::units::ShingleUnit;
use dupfind_read::Ingested;
use dupfind_read::records::Refused;
use dupfind_read::skipped::SkipReason;

/// Makes a value of each document.
pub(crate) trait Make: Sync {
    /// The worker of a thread.
    type Worker<'w>: Send
    where
        Self: 'w;

    /// The value.
    type Made: Send;

    /// Returns a worker for one thread.
    fn worker(&self) -> Self::Worker<'_>;

    /// Returns whether the run is going to fail.
    fn has_failed(&self) -> bool {
        false
    }

    /// Makes the value of a document.
    fn make(
        &self,
        worker: &mut Self::Worker<'_>,
        document: &Ingested<'_>,
    ) -> Result<Self::Made, Refused>;
}

/// Makes features.
pub(super) struct MakeFeatures<'g> {
    pub(super) gathering: &'g Gathering,
    pub(super) unit: ShingleUnit,
    pub(super) large: LargeDocuments,
}

impl Make for MakeFeatures<'_> {
    type Worker<'w>
        = GatheringWorker<'w>
    where
        Self: 'w;
    type Made = Gathered;

    fn worker(&self) -> GatheringWorker<'_> {
        self.gathering.worker()
    }

    fn has_failed(&self) -> bool {
        self.gathering.has_failed()
    }

    fn make(
        &self,
        worker: &mut GatheringWorker<'_>,
        document: &Ingested<'_>,
    ) -> Result<Gathered, Refused> {
        let _reserved = self.large.reserve(&document.text, self.unit)?;
        let gathered = worker.add(document.titled());
        gathered.ok_or_else(|| (SkipReason::Empty, String::new()))
    }
}
