//! The lists of what to clean up: pages, with what stays of each group, and passages.

use std::collections::HashMap;
use std::path::Path;

use anyhow::Result;
use dupfind_decide::clean::keep::candidate::Facts;
use dupfind_decide::clean::plan::line::Line;
use dupfind_decide::clean::records::verdict::Verdicts;
use dupfind_decide::elsewhere::PASSAGE;
use dupfind_decide::reuse::Group;
use dupfind_decide::reuse::finding::{OfFiles, findings, groups_of_files};
use dupfind_decide::{Drops, Gate, Plan, ReuseOptions};
use dupfind_engine::Silent;
use dupfind_read::Editions;
use dupfind_report::listings::work::{WorkRecord, work};
use dupfind_report::style::range;
use dupfind_report::worklist::common_folder;
use dupfind_report::{Report, say};
use dupfind_scan::{Live, Scan};
use serde_json::{Value, json};

use crate::commands::mcp::call::{Answer, OfFolder, fitted, name_of, shortened};
use crate::decision::gate::bytes;
use crate::decision::live::Site;
use crate::decision::open_pairs::copies;

/// The most entries of an answer.
const MAX_ENTRIES: usize = 20;

/// The most places of a passage that are named.
const MAX_NAMED: usize = 5;

/// The lists of a folder, as they were last.
#[derive(Default)]
pub(super) struct Lists {
    /// All pairs, for a generation of the index and a file of accepted pairs.
    scanned: Option<(State, Scanned)>,
    /// The passages that are in several documents, for a generation of the index.
    passages: Option<(u64, OfFiles)>,
}

/// A generation of the index, and the file of accepted pairs.
type State = (u64, Option<Vec<u8>>);

/// All pairs of a folder, and what a plan says about its documents.
struct Scanned {
    scan: Scan,
    gate: Gate,
    stays: HashMap<String, String>,
}

impl Lists {
    pub(super) fn duplicates(&mut self, site: &Site, asked: &OfFolder) -> Answer<Value> {
        let folder = folder(&site.live, asked.folder.as_deref())?;
        let start = asked.cursor.start()?;
        let Scanned { scan, gate, stays } = self.scanned(site)?;
        let editions = scan.sources.editions.as_deref();
        let typed = Default::default();
        let report = Report {
            typed: &typed,
            ..Report::new(scan, gate)
        };
        let is_listed = |names: &[&str]| {
            let mut below = names
                .iter()
                .filter(|name| is_below(name, folder.as_deref()));
            below.next().is_some() && are_of_one_edition(names, editions)
        };
        let found = work(&report, is_listed, start, MAX_ENTRIES)?;
        let answer = json!({
            "documents": scan.documents.len(),
            "pairs": gate.open_counts(scan.pair_counts).total(),
            "total": found.total,
        });
        let records = found.records.iter().map(|record| entry(record, stays));
        fitted(answer, "entries", records, start, found.total)
    }

    pub(super) fn passages(&mut self, site: &Site, asked: &OfFolder) -> Answer<Value> {
        let live = &site.live;
        let folder = folder(live, asked.folder.as_deref())?;
        let start = asked.cursor.start()?;
        let of = self.passages_of_files(live)?;
        let (options, editions) = (live.scan_options(), live.editions());
        let is_listed = |group: &&Group| {
            let names = names(of, group);
            let mut below = names
                .iter()
                .filter(|name| is_below(name, folder.as_deref()));
            !group.is_common
                && below.next().is_some()
                && are_of_one_edition(&names, editions.map(AsRef::as_ref))
        };
        let listed: Vec<&Group> = of.groups.iter().filter(is_listed).collect();
        let shown = listed.iter().copied().enumerate();
        let shown = shown.skip(start).take(MAX_ENTRIES);
        let found = findings(shown, of, &options.read);
        let records = found.iter().map(|finding| {
            let places = finding.group.places.iter().take(MAX_NAMED).map(|place| {
                let page = &of.pages.pages[place.page as usize].name;
                format!("{page}:{}", range((place.start_line, place.end_line)))
            });
            let text = finding.wordings.first().map_or("", |shown| &shown.text);
            let words: Vec<&str> = text.split_whitespace().collect();
            json!({
                "text": shortened(&words.join(" ")),
                "places": places.collect::<Vec<_>>(),
                "more_places": finding.group.places.len().saturating_sub(MAX_NAMED),
                "wordings": finding.group.wordings.len(),
            })
        });
        let answer = json!({"total": listed.len()});
        fitted(answer, "entries", records, start, listed.len())
    }

    /// Returns all pairs, as they are now.
    fn scanned(&mut self, site: &Site) -> Answer<&Scanned> {
        let accepted = site.baseline().map(bytes).transpose()?.flatten();
        let state = (site.live.generation(), accepted);
        kept(&mut self.scanned, state, || {
            let (scan, gate) = site.scanned()?;
            let stays = stays(&scan, &gate, &site.live)?;
            Ok(Scanned { scan, gate, stays })
        })
    }

    /// Returns the passages of all documents, as they are now.
    fn passages_of_files(&mut self, live: &Live) -> Answer<&OfFiles> {
        kept(&mut self.passages, live.generation(), || {
            let scan = live.scan_options();
            let options = ReuseOptions {
                engine: scan.engine.clone(),
                min_units: u32::try_from(PASSAGE).unwrap_or(ReuseOptions::MIN_UNITS),
                ..ReuseOptions::default()
            };
            Ok(groups_of_files(&options, &scan, &Silent)?)
        })
    }
}

/// Returns what is known of a state, or else makes it, and forgets that of the state before.
fn kept<S: PartialEq, T>(
    known: &mut Option<(S, T)>,
    state: S,
    make: impl FnOnce() -> Answer<T>,
) -> Answer<&T> {
    let same = known.take().filter(|(known, _)| *known == state);
    let all = same.map_or_else(make, |(_, all)| Ok(all))?;
    Ok(&known.insert((state, all)).1)
}

/// Returns the folder that a list is about, by its name; `None` for all of them.
fn folder(live: &Live, named: Option<&str>) -> Answer<Option<String>> {
    let named = named.filter(|folder| !matches!(folder.trim_matches('/'), "" | "."));
    named.map(|folder| name_of(live, folder)).transpose()
}

/// Returns an entry of the list of pages. The names are those behind the folder that all of them are in.
fn entry(record: &WorkRecord, stays: &HashMap<String, String>) -> Value {
    let said = record.pages.iter().find_map(|page| stays.get(page));
    let folder = common_folder(record.pages.iter().map(String::as_str));
    let folder = folder.map_or(String::new(), |folder| format!("{folder}/"));
    let pages = record.pages.iter().map(|page| &page[folder.len()..]);
    json!({
        "rank": record.rank,
        "folder": folder,
        "pages": pages.collect::<Vec<_>>(),
        "more_pages": record.more_pages,
        "what": record.what,
        "stays": said,
    })
}

/// Returns what a plan says about each document that is a copy: which one stays for it, or why it stays itself.
fn stays(scan: &Scan, gate: &Gate, live: &Live) -> Result<HashMap<String, String>> {
    let root = live.root();
    let (tied, keep) = copies(scan, &scan.pairs, gate, &[root.to_owned()])?;
    let read = live.scan_options().read;
    let (facts, _) = Facts::gather(&keep, &tied.candidates, &read, root);
    let verdicts = Verdicts::new(&tied, &keep, &facts);
    let plan = Plan::new(&verdicts, Drops::COPIES, &read, root);
    let mut stays = HashMap::new();
    for line in plan.lines {
        match line {
            Line::Drop(line) => {
                let said = say!("{} stays, {} may go: {}", line.keep, line.drop, line.reason);
                for page in [line.keep, line.drop] {
                    stays.entry(page).or_insert_with(|| said.clone());
                }
            }
            Line::Unresolved(line) => {
                let said = format!("{}: {}", line.document, line.because);
                for page in [line.document, line.other] {
                    stays.entry(page).or_insert_with(|| said.clone());
                }
            }
            Line::Plan(_) => {}
        }
    }
    Ok(stays)
}

fn is_below(name: &str, folder: Option<&str>) -> bool {
    folder.is_none_or(|folder| Path::new(name).starts_with(folder))
}

/// Returns the documents of a group.
fn names<'o>(of: &'o OfFiles, group: &Group) -> Vec<&'o str> {
    let pages = group.places.iter();
    let pages = pages.map(|place| &of.pages.pages[place.page as usize]);
    pages.map(|page| page.name.as_str()).collect()
}

/// Returns whether two of some documents are of one version and language.
fn are_of_one_edition(names: &[&str], editions: Option<&Editions>) -> bool {
    let mut names: Vec<&str> = names.to_vec();
    names.sort_unstable();
    names.dedup();
    let Some(editions) = editions else {
        return names.len() > 1;
    };
    let mut known: Vec<&str> = Vec::new();
    names.into_iter().any(|name| {
        let is_known = known.iter().any(|other| !editions.are_apart(other, name));
        if !is_known {
            known.push(name);
        }
        is_known
    })
}
