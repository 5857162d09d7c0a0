//! Checks a plan: people edit it, and files change.

use std::collections::HashMap;
use std::fs;
use std::mem::take;
use std::path::{Path, PathBuf};

use crate::clean::drops::Ground;
use crate::clean::mentions::mentions;
use crate::clean::plan::line::{Drop, Fault, FileLoss, ReadPlan, file_hash};
use dupfind_engine::{Relation, Relations};
use dupfind_read::source::name::{Identity, plain};
use dupfind_read::{ReadOptions, display_name, file_of, identity, path_of_name};

/// A line that can be carried out: its files are there and have not changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The number of its line.
    pub line: usize,
    /// The file that stays.
    pub keep: PathBuf,
    /// The file that goes.
    pub drop: PathBuf,
    /// The hash of the file that stays.
    pub keep_hash: String,
    /// The hash of the file that goes.
    pub drop_hash: String,
    /// How many lines of the file that goes are not in the one that stays, of an exact copy; `None` if it is not known.
    pub only_in_drop: Option<usize>,
}

/// The lines of a plan, sorted by the outcome of their check.
#[derive(Debug, Default)]
pub struct Checked {
    /// The lines that can be carried out.
    pub steps: Vec<Step>,
    /// The faults of other lines.
    pub faults: Vec<Fault>,
    /// The lines that were carried out before: the file that goes is no longer there, and the one that stays is.
    pub done: Vec<Step>,
    /// How many lines are about records.
    pub records: usize,
    /// The folder of the pages; empty if the plan names none.
    pub folder: PathBuf,
}

impl Checked {
    /// Makes faults of the steps whose pages are mentioned in files below or around `base` as they are now.
    pub fn refuse_mentioned(&mut self, base: &Path) {
        let both = self
            .steps
            .iter()
            .flat_map(|step| [&*step.drop, &*step.keep]);
        let (mentions, _) = mentions(&both.collect(), base);
        let names = |step: &Step| [&step.drop, &step.keep].map(|page| display_name(page, base));
        let names: Vec<[String; 2]> = self.steps.iter().map(names).collect();
        let going = names.iter().map(|[page, keeper]| (&**page, &**keeper));
        let named = mentions.named_by_what_stays(going.collect());
        let (steps, faults) = (take(&mut self.steps), &mut self.faults);
        for (step, [page, keeper]) in steps.into_iter().zip(&names) {
            let is_named = named.contains(&**page);
            match mentions.of(page, keeper).filter(|_| is_named) {
                None => self.steps.push(step),
                Some(places) => {
                    let places: Vec<&str> = places.iter().map(String::as_str).collect();
                    let what = format!(
                        "{} stays, as it is named in {}; change that, or use --even-if-linked",
                        step.drop.display(),
                        places.join(", ")
                    );
                    faults.push(Fault::of_file(step.line, what));
                }
            }
        }
        faults.sort_by_key(|fault| fault.line);
    }
}

/// Checks lines against each other and against the files. Paths are relative to `base`.
pub fn check(plan: ReadPlan, base: &Path) -> Checked {
    let ReadPlan {
        drops,
        faults,
        folder,
    } = plan;
    let mut checked = Checked {
        faults,
        folder: folder.unwrap_or_default().into(),
        ..Checked::default()
    };
    checked.faults.extend(against_each_other(&drops, base));
    for (line, drop) in &drops {
        let is_record = |name: &str| {
            let path = base.join(name);
            !path.exists() && file_of(&path) != path
        };
        if is_record(&drop.drop) || is_record(&drop.keep) {
            checked.records += 1;
            continue;
        }
        match of_files(*line, drop, base) {
            Ok(FileState::Ready(step)) => checked.steps.push(step),
            Ok(FileState::Done(step)) => checked.done.push(step),
            Err(fault) => checked.faults.push(fault),
        }
    }
    checked.faults.sort_by_key(|fault| fault.line);
    checked
}

/// Which file a name means, whatever path leads to it; the path itself if there is no file.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Target {
    File(Identity),
    Path(PathBuf),
}

impl Target {
    fn of(name: &str, base: &Path) -> Self {
        let path = base.join(name);
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_file() => Self::File(identity(&path, &metadata)),
            _ => Self::Path(plain(&path)),
        }
    }
}

/// Returns which lines contradict each other: a document that is kept on one line and goes on another, or goes twice.
fn against_each_other(drops: &[(usize, Drop)], base: &Path) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut dropped: HashMap<Target, usize> = HashMap::new();
    for (line, drop) in drops {
        let target = Target::of(&drop.drop, base);
        if target == Target::of(&drop.keep, base) {
            let what = match drop.keep == drop.drop {
                true => format!("{} cannot stay and go", drop.keep),
                false => format!("{} and {} are the same file", drop.keep, drop.drop),
            };
            faults.push(Fault::of_plan(*line, what));
        }
        if let Ground::Relation(relation) = drop.relation
            && !Relations::DUPLICATES.have(relation)
        {
            let name = relation.as_str();
            let what =
                format!("{name}: a document goes only if it is exact, near, contained or similar");
            faults.push(Fault::of_plan(*line, what));
        }
        if let Some(first) = dropped.get(&target) {
            let what = format!("{} goes on line {first} already", drop.drop);
            faults.push(Fault::of_plan(*line, what));
        } else {
            dropped.insert(target, *line);
        }
    }
    for (line, drop) in drops {
        if let Some(other) = dropped
            .get(&Target::of(&drop.keep, base))
            .filter(|at| *at != line)
        {
            let what = format!("{} stays here and goes on line {other}", drop.keep);
            faults.push(Fault::of_plan(*line, what));
        }
    }
    faults
}

/// The state of a line, from its files.
enum FileState {
    /// It can be carried out.
    Ready(Step),
    /// It was carried out before.
    Done(Step),
}

/// Returns the step of a line.
fn of_files(line: usize, drop: &Drop, base: &Path) -> Result<FileState, Fault> {
    let step = |keep_hash: &String, drop_hash: &String| Step {
        line,
        keep: drop.keep.clone().into(),
        drop: drop.drop.clone().into(),
        keep_hash: keep_hash.clone(),
        drop_hash: drop_hash.clone(),
        only_in_drop: drop.only_in_drop,
    };
    let of_file = |what: String| Err(Fault::of_file(line, what));
    let [keep, gone] = [&drop.keep, &drop.drop].map(|name| base.join(name));
    for path in [&keep, &gone] {
        if path_of_name(path.clone()) != *path {
            let name = path.strip_prefix(base).unwrap_or(path).display();
            return of_file(format!(
                "the name of {name} is not UTF-8, so that no plan can name it: give it another name, and make a new plan"
            ));
        }
    }
    let missing = |name: &str| format!("{name} is not there");
    let metadata = fs::symlink_metadata(&gone);
    match (keep.is_file(), &metadata) {
        (true, Err(_)) => return Ok(FileState::Done(step(&drop.keep_hash, &drop.drop_hash))),
        (false, _) => return of_file(missing(&drop.keep)),
        (true, Ok(metadata)) if metadata.is_symlink() => {
            let what = format!("{} is a symbolic link", drop.drop);
            return Err(Fault::of_plan(line, what));
        }
        (true, Ok(metadata)) if !metadata.is_file() => {
            return of_file(format!("{} is no file", drop.drop));
        }
        _ => {}
    }
    let hashed = |path: &Path, name: &str| {
        file_hash(path).map_err(|error| Fault::of_file(line, format!("{name}: {error}")))
    };
    let keep_hash = hashed(&keep, &drop.keep)?;
    let drop_hash = hashed(&gone, &drop.drop)?;
    let is_as_written = keep_hash == drop.keep_hash && drop_hash == drop.drop_hash;
    // Somebody swapped the names by hand, and left the hashes.
    let is_swapped = keep_hash == drop.drop_hash && drop_hash == drop.keep_hash;
    if !is_as_written && !is_swapped {
        let is_known = |hash: &String| [&drop.keep_hash, &drop.drop_hash].contains(&hash);
        let changed = match (is_known(&keep_hash), is_known(&drop_hash)) {
            (false, _) => &drop.keep,
            _ => &drop.drop,
        };
        return of_file(format!("{changed} was changed since the plan was made"));
    }
    if drop.relation == Ground::Relation(Relation::Contains) && !is_as_written {
        let what = format!(
            "{} has more text than {}, and cannot go for it",
            drop.drop, drop.keep
        );
        return Err(Fault::of_plan(line, what));
    }
    let mut step = step(&keep_hash, &drop_hash);
    if !is_as_written {
        // It was that of the other file.
        let is_copy = drop.relation == Ground::EXACT;
        let loss = is_copy.then(|| FileLoss::of_files(&keep, &gone, &ReadOptions::default()));
        step.only_in_drop = loss.and_then(|loss| loss.lines);
    }
    Ok(FileState::Ready(step))
}
