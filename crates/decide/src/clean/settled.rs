//! Decides about the documents of a scan, round by round.

use dupfind_engine::{DocId, Error, Observer};
use dupfind_scan::Scan;

use crate::clean::drops::Drops;
use crate::clean::keep::Keep;
use crate::clean::keep::candidate::Facts;
use crate::clean::records::verdict::Verdicts;
use crate::clean::stars::Decision;
use crate::clean::tied::Tied;
use crate::clean::ties::Collected;

/// The documents that are tied, their ids, the facts about them, and what was decided.
pub type Settled<'s> = (Tied<'s>, Vec<DocId>, Facts, Vec<Decision>);

impl Collected {
    /// Decides about the documents of a scan until nothing more goes: a record that stays may be like another one once the
    /// copies between them are gone. [`Self::left`] then has the pairs of records that stay, and none if these are not known.
    /// Files are decided about once, and so are records beside another collection: these go for one of that, and stay beside
    /// their copies. `limits` are the pairs that make a tie, and the memory for ties in bytes. `place` gives the place of a file,
    /// and `facts` returns what the rules need; it may keep documents.
    ///
    /// # Errors
    ///
    /// Those of `facts`, [`Self::with_similar`] and [`Scan::without`]; no document has the field or the date of a rule.
    pub fn settled<'s, E: From<Error>>(
        &mut self,
        scan: &'s Scan,
        keep: &Keep,
        limits: (Drops, u64),
        observer: &dyn Observer,
        place: impl Fn(u32) -> u64,
        mut facts: impl FnMut(&mut Tied<'s>, &[DocId]) -> Result<Facts, E>,
    ) -> Result<Settled<'s>, E> {
        let all = std::mem::take(self);
        *self = all.with_similar(scan, limits.0.least, observer, &place, |all, ids| {
            let facts = facts(all, ids)?;
            Ok::<_, E>(keep.rank(&all.candidates, &facts))
        })?;
        let is_once = !scan.of_records() || scan.has_sides() || !limits.0.need_relations();
        loop {
            let collected = match is_once {
                true => {
                    let left = self.left;
                    std::mem::replace(
                        self,
                        Self {
                            left,
                            ..Self::default()
                        },
                    )
                }
                false => self.clone(),
            };
            let (mut tied, ids) = Tied::of_scan(scan, collected, &place);
            if scan.has_sides() && scan.of_records() {
                tied.let_containers_go();
            }
            let facts = facts(&mut tied, &ids)?;
            match scan.of_records() {
                true => facts.check_fields(keep)?,
                false => facts.check_dates(keep)?,
            }
            let verdicts = Verdicts::new(&tied, keep, &facts);
            let mut gone = vec![false; scan.documents.len()];
            for (at, ..) in verdicts.going() {
                gone[ids[at].index()] = true;
            }
            let decisions = verdicts.into_decisions();
            let ends = is_once || !gone.contains(&true);
            if ends || !self.add_without(scan, &gone, limits, observer)? {
                return Ok((tied, ids, facts, decisions));
            }
        }
    }
}
