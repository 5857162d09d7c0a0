//! Makes a plan of a scan: ties and rules in, lines out.

use crate::clean::doubt::{doubt, named_in};
use crate::clean::drops::{Drops, Ground};
use crate::clean::keep::candidate::Candidate;
use crate::clean::keep::reason::Reason;
use crate::clean::plan::line::{
    Drop, FileLoss, Header, Line, SCHEMA_VERSION, Unresolved, because, file_hash,
};
use crate::clean::records::verdict::Verdicts;
use crate::clean::stars::{Decision, Partner};
use crate::clean::ties::Measures;
use dupfind_engine::Relation;
use dupfind_read::ReadOptions;
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};

/// A plan, and the facts that are printed about it.
#[derive(Debug)]
pub struct Plan {
    /// The first line.
    pub header: Header,
    /// The other lines, by the document that stays and the one that goes; then those that are unresolved.
    pub lines: Vec<Line>,
    /// The difference that the rule found for each document that goes, in the order of the lines.
    pub reasons: Vec<Reason>,
    /// Counts.
    pub summary: Summary,
    /// The files that could not be read, with the message of the operating system. Their documents are in no line.
    pub unreadable: Vec<(PathBuf, io::Error)>,
}

/// The counts of a plan.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    /// Documents that stay for others.
    pub groups: usize,
    /// Documents that go.
    pub drops: usize,
    /// Documents to look at.
    pub unresolved: usize,
    /// The bytes of the texts that go.
    pub bytes: u64,
}

impl Plan {
    /// Writes down which documents stay and which go, hashes the files, and reads those of exact copies again: files of one
    /// text may differ. Paths are relative to `base`.
    pub fn new(verdicts: &Verdicts<'_>, drops: Drops, options: &ReadOptions, base: &Path) -> Self {
        let (hashes, unreadable) = verdicts.hashes(base);
        let mut losses = verdicts.losses(&hashes, options, base);
        let mut unresolved: Vec<Unresolved> = verdicts.staying().collect();
        let mut drop_lines = Vec::new();
        let mut keepers = BTreeSet::new();
        let mut summary = Summary::default();
        for (at, own, partner) in verdicts.going() {
            let keeper = verdicts.keeper(partner);
            let (Some(keep_hash), Some(drop_hash)) =
                (hashes.get(keeper.file), hashes.get(own.file))
            else {
                continue;
            };
            keepers.insert(partner.document);
            summary.bytes += own.document.length as u64;
            let (rule, reason) = verdicts.reason(at, partner);
            let linked_from = verdicts.facts.mentions.of(own.name(), keeper.name());
            let (because, only_in_drop) = match losses.remove(&at) {
                Some(loss) => (loss.because, loss.lines),
                None => (because(partner.ground, partner.measures).into(), None),
            };
            let line = Drop {
                keep: keeper.name().to_owned(),
                drop: own.name().to_owned(),
                relation: partner.ground,
                measures: partner.measures.into(),
                because,
                only_in_drop,
                rule: rule.to_string(),
                reason: reason.to_string(),
                linked_from: linked_from.into_iter().flatten().cloned().collect(),
                keep_hash: keep_hash.clone(),
                drop_hash: drop_hash.clone(),
            };
            drop_lines.push((line, reason));
        }
        drop_lines.sort_by(|(a, _), (b, _)| (&a.keep, &a.drop).cmp(&(&b.keep, &b.drop)));
        let (drop_lines, reasons): (Vec<Drop>, Vec<Reason>) = drop_lines.into_iter().unzip();
        unresolved.sort_by(|a, b| a.document.cmp(&b.document));
        summary.groups = keepers.len();
        summary.drops = drop_lines.len();
        summary.unresolved = unresolved.len();
        let drops_first = drop_lines.into_iter().map(Line::Drop);
        Self {
            header: Header {
                schema_version: SCHEMA_VERSION,
                min_similarity: Measures::number(drops.least),
                keep: verdicts
                    .keep
                    .rules()
                    .iter()
                    .map(ToString::to_string)
                    .collect(),
                drop: drops.names().into_iter().map(str::to_owned).collect(),
                folder: None,
            },
            lines: drops_first
                .chain(unresolved.into_iter().map(Line::Unresolved))
                .collect(),
            reasons,
            summary,
            unreadable,
        }
    }
}

impl<'t> Verdicts<'t> {
    /// Returns the documents that stay though they are like others, each with the reason.
    fn staying(&self) -> impl Iterator<Item = Unresolved> {
        let decided = self.tied.candidates.iter().zip(&self.decisions);
        decided.filter_map(|(own, decision)| {
            let Decision::Unresolved(partner) = *decision else {
                return None;
            };
            Some(Unresolved {
                document: own.name().to_owned(),
                other: self.name(partner.document).to_owned(),
                relation: partner.ground,
                measures: partner.measures.into(),
                because: self.why_it_stays(own, partner),
            })
        })
    }

    fn why_it_stays(&self, own: &Candidate<'_>, partner: Partner) -> String {
        let other = self.keeper(partner);
        let doubt = doubt(own, other, partner.ground, self.facts);
        match self.decisions[partner.document as usize] {
            _ if own.is_accepted => "it stays, as a pair of it is accepted".into(),
            _ if own.has_names => "it stays, as its file has other names here (hard links)".into(),
            _ if own.is_home && own.stays => {
                "it is the page of its folder, which goes only if it is named".into()
            }
            Decision::Drop(partner) if doubt.is_none() => format!(
                "{} goes for {}, and {} is not alike enough to that one",
                other.name(),
                self.name(partner.document),
                own.name()
            ),
            _ => match doubt.or_else(|| named_in(own, other, self.facts)) {
                Some(doubt) => doubt,
                None if partner.ground == Ground::Relation(Relation::Contains)
                    || !own.is_record() && partner.measures.larger().is_some() =>
                {
                    "a rule keeps the one of the two that is a part of the other".into()
                }
                None => format!("{} stays too", other.name()),
            },
        }
    }

    /// Returns the hashes of the files of all documents that go, and of those that stay for them.
    fn hashes(&self, base: &Path) -> (HashMap<&'t Path, String>, Vec<(PathBuf, io::Error)>) {
        let going = self.going();
        let files: BTreeSet<&Path> = going
            .flat_map(|(_, own, partner)| [own.file, self.keeper(partner).file])
            .collect();
        let hashed: Vec<(&Path, io::Result<String>)> = files
            .into_par_iter()
            .map(|file| (file, file_hash(&base.join(file))))
            .collect();
        let mut hashes = HashMap::new();
        let mut unreadable = Vec::new();
        for (file, hash) in hashed {
            match hash {
                Ok(hash) => drop(hashes.insert(file, hash)),
                Err(error) => unreadable.push((file.to_owned(), error)),
            }
        }
        (hashes, unreadable)
    }

    /// Returns what each document that goes for an exact copy has in its file and the other one has not, by its position.
    /// Records are parts of files, and have no files to compare.
    fn losses(
        &self,
        hashes: &HashMap<&Path, String>,
        options: &ReadOptions,
        base: &Path,
    ) -> HashMap<usize, FileLoss> {
        let going: Vec<(usize, &Candidate<'_>, Partner)> = self.going().collect();
        let of = |(at, own, partner): (usize, &Candidate<'_>, Partner)| {
            let keeper = self.keeper(partner);
            if partner.ground != Ground::EXACT || keeper.is_record() || own.is_record() {
                return None;
            }
            let [keep_hash, drop_hash] = [keeper, own].map(|of| hashes.get(of.file));
            let loss = match keep_hash? == drop_hash? {
                true => FileLoss::of_same_bytes(),
                false => FileLoss::of_files(&base.join(keeper.file), &base.join(own.file), options),
            };
            Some((at, loss))
        };
        going.into_par_iter().filter_map(of).collect()
    }
}
