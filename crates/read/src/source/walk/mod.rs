//! Lists the files to compare.

pub(crate) mod options;

use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::path::{Component, Path, PathBuf};

use ignore::overrides::Override;
use rayon::prelude::*;
use walkdir::WalkDir;

use crate::format::Format;
use crate::skipped::{SkipReason, Skipped};
use crate::source::code::is_code;
use crate::source::data::{OWN_OUTPUT, is_data, is_own_output};
use crate::source::ignores::Ignores;
use crate::source::name::{Identity, display_name, identity};
use crate::source::no_page::{self, NoPage};
use crate::source::pre::{Pre, kind_of};
use crate::source::read::reason;
use dupfind_engine::Result;
use dupfind_files::{UNFINISHED, inside};

pub use crate::source::walk::options::Entry;
pub use crate::source::walk::options::{Globs, STDIN, WalkOptions};

/// Whether a document of this name came on standard input, as a whole or as a record. It cannot be read again.
pub fn is_of_stdin(name: &str) -> bool {
    let rest = name.strip_prefix("./").unwrap_or(name).strip_prefix(STDIN);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('#'))
}

/// How the name of the file of an index ends, by custom. It is no document.
pub const INDEX: &str = ".dupidx";

/// The name of the folder beside the documents that their index is kept in.
pub const HOME: &str = ".dupfind";

/// The list in a folder with files that `dupfind apply` has moved there. No file of such a folder is a document, whatever
/// the options are.
pub const REMOVED_LIST: &str = ".dupfind-removed.jsonl";

/// How many times a folder is walked that links lead to. Links can lead to one folder on more paths than can be walked:
/// two links in each of 20 folders to the next one make a million. A few are walked, since globs and ignore files may
/// leave out a document on one path and not on another.
const PATHS_BY_LINK: usize = 16;

/// Lists the files to compare. `max_filesize` is the size of the largest document in bytes, `pre` the program of the user
/// that reads some files.
///
/// # Errors
///
/// [`dupfind_engine::Error::Option`] if a glob does not parse. Errors of single files and folders are listed in [`Walked::skipped`].
pub fn walk(settings: &WalkOptions, max_filesize: u64, pre: Option<&Pre>) -> Result<Walked> {
    let mut walk = Walk {
        settings,
        max_filesize,
        pre,
        globs: settings.globs.compiled("")?,
        excluded: settings.excluded.compiled("!")?,
        outputs: settings.outputs.iter().filter_map(known).collect(),
        is_against: false,
        found: Walked::default(),
        by_identity: HashMap::new(),
        reached_by_link: Vec::new(),
    };
    for path in &settings.paths {
        walk.root(path);
    }
    walk.is_against = true;
    for path in &settings.against {
        walk.root(path);
    }
    let mut found = walk.found;
    found.leave_out_own_outputs();
    if settings.ignore_files {
        found.leave_out_no_pages();
    }
    found
        .entries
        .sort_unstable_by(|a, b| (&a.name, &a.path).cmp(&(&b.name, &b.path)));
    found.skipped.sort_unstable();
    found.skipped.dedup();
    found.warnings.sort_unstable();
    found.warnings.dedup();
    Ok(found)
}

/// Returns whether a folder has files that went.
fn has_removed(folder: &Path) -> bool {
    folder.join(REMOVED_LIST).symlink_metadata().is_ok()
}

/// The identity and canonical path of a file, if it is there.
fn known(path: &PathBuf) -> Option<(Identity, PathBuf)> {
    let identity = identity(path, &fs::metadata(path).ok()?);
    Some((identity, fs::canonicalize(path).ok()?))
}

struct Walk<'s> {
    settings: &'s WalkOptions,
    max_filesize: u64,
    pre: Option<&'s Pre>,
    globs: Override,
    excluded: Override,
    /// The identities and canonical paths of files that are never documents.
    outputs: Vec<(Identity, PathBuf)>,
    /// Whether [`WalkOptions::against`] is walked now.
    is_against: bool,
    found: Walked,
    by_identity: HashMap<Identity, usize>,
    /// For each entry found, whether a link led to it.
    reached_by_link: Vec<bool>,
}

/// How the walk came to a file.
#[derive(Debug, Clone, Copy)]
struct Reached {
    /// Whether a link led to it.
    by_link: bool,
    /// See [`Entry::is_asked_for`].
    is_asked_for: bool,
}

impl Walk<'_> {
    /// Walks one of the paths the user named.
    fn root(&mut self, path: &Path) {
        match fs::metadata(self.settings.on_disk(path)) {
            Ok(metadata) if metadata.is_dir() => self.folder(path),
            Ok(metadata) => self.file(
                path,
                &metadata,
                Reached {
                    by_link: false,
                    is_asked_for: true,
                },
            ),
            Err(error) => self.skip(path, reason(&error), error.to_string()),
        }
    }

    /// Walks a folder the user named.
    fn folder(&mut self, root: &Path) {
        if has_removed(self.settings.on_disk(root)) {
            let name = display_name(root, &self.settings.base);
            let warning = format!("{name}: not read: dupfind apply has moved its files there");
            self.found.warnings.push(warning);
            return;
        }
        // Rules are matched on absolute paths, since those of parent folders apply too.
        let absolute = fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
        let mut ignores = if self.settings.ignore_files {
            Ignores::above(&absolute)
        } else {
            Ignores::default()
        };
        // Where followed links may lead.
        let within = self.settings.within.as_ref();
        let within = within.map(|folder| [folder.clone(), absolute.clone()]);
        let seen = self.seen(root).unwrap_or_else(|| absolute.clone());
        // Whether the folder at each depth was reached through a link.
        let mut linked = Vec::new();
        // How many times each folder was reached through a link.
        let mut reached: HashMap<Identity, usize> = HashMap::new();
        let mut walk = WalkDir::new(root)
            .follow_links(self.settings.follow)
            // Files of one folder: the order is that of their names, which would be cut off for each comparison.
            .sort_by(|a, b| a.path().as_os_str().cmp(b.path().as_os_str()))
            .into_iter();
        while let Some(step) = walk.next() {
            let entry = match step {
                Ok(entry) => entry,
                Err(error) => {
                    self.walk_error(root, &error);
                    continue;
                }
            };
            let (path, depth, kind) = (entry.path(), entry.depth(), entry.file_type());
            // A folder that the user named is walked even if it is a link.
            let is_folder = kind.is_dir() || depth == 0;
            let relative = path.strip_prefix(root).unwrap_or(path);
            let place = absolute.join(relative);
            linked.truncate(depth);
            let by_link =
                linked.last().copied().unwrap_or(false) || (depth > 0 && entry.path_is_symlink());
            if depth > 0
                && !self.is_wanted(&seen.join(relative), &place, is_folder, depth, &ignores)
            {
                if is_folder {
                    walk.skip_current_dir();
                }
                continue;
            }
            if depth > 0
                && entry.path_is_symlink()
                && let Some(within) = &within
                && let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
                && !within
                    .iter()
                    .any(|folder| inside(&place, folder, folder).is_ok())
            {
                let name = display_name(path, &self.settings.base);
                self.found.warnings.push(format!(
                    "{name}: not followed: it leads to a place that the configuration may not read"
                ));
                if is_folder {
                    walk.skip_current_dir();
                }
                continue;
            }
            if is_folder && by_link {
                let times = match entry.metadata() {
                    Ok(metadata) => reached.entry(identity(path, &metadata)).or_default(),
                    Err(error) => {
                        self.walk_error(root, &error);
                        walk.skip_current_dir();
                        continue;
                    }
                };
                *times += 1;
                if *times > PATHS_BY_LINK {
                    // Once for each folder.
                    if *times == PATHS_BY_LINK + 1 {
                        let detail = format!("links lead to it on more than {PATHS_BY_LINK} paths");
                        self.skip(path, SkipReason::Loop, detail);
                    }
                    walk.skip_current_dir();
                    continue;
                }
            }
            if is_folder && depth > 0 && (has_removed(path) || self.is_output_folder(path)) {
                walk.skip_current_dir();
                continue;
            }
            if is_folder
                && depth > 0
                && self.settings.ignore_files
                && !self.globs.matched(seen.join(relative), true).is_whitelist()
                && let Some(detail) = no_page::folder(path)
            {
                let name = display_name(path, &self.settings.base);
                let skipped = Skipped::new(format!("{name}/"), SkipReason::NoPage, detail);
                self.found.skipped.push(skipped);
                walk.skip_current_dir();
                continue;
            }
            if is_folder {
                linked.push(by_link);
                if self.settings.ignore_files {
                    ignores.enter(&place, depth);
                }
                continue;
            }
            let reached = Reached {
                by_link,
                is_asked_for: self.is_asked_for(path, &seen.join(relative)),
            };
            if is_data(path) && !reached.is_asked_for {
                self.skip(path, SkipReason::Data, "");
            } else if !kind.is_symlink() {
                match entry.metadata() {
                    Ok(metadata) => self.file(path, &metadata, reached),
                    Err(error) => self.walk_error(root, &error),
                }
            }
        }
        self.found.warnings.append(&mut ignores.warnings);
    }

    /// Returns whether a folder is one that is written to.
    fn is_output_folder(&self, path: &Path) -> bool {
        let folders = self.outputs.iter().filter(|(_, place)| place.is_dir());
        let places: Vec<&PathBuf> = folders.map(|(_, place)| place).collect();
        !places.is_empty() && fs::canonicalize(path).is_ok_and(|path| places.contains(&&path))
    }

    /// Returns the absolute path of a folder that the user named, with links. Globs are matched on it. It is nothing if
    /// the folder is outside of the folder that the user is in.
    fn seen(&self, root: &Path) -> Option<PathBuf> {
        let mut parts = root.components();
        if parts.any(|part| part == Component::ParentDir) {
            return None;
        }
        // This leaves out each `.`.
        let path: PathBuf = self.settings.base.join(root).components().collect();
        path.starts_with(&self.settings.base).then_some(path)
    }

    /// Whether an entry below a named folder is to be walked or read. Globs decide first, then
    /// hidden names, then ignore files.
    fn is_wanted(
        &self,
        seen: &Path,
        place: &Path,
        is_folder: bool,
        depth: usize,
        ignores: &Ignores,
    ) -> bool {
        let name = place.file_name().unwrap_or_default().as_encoded_bytes();
        // These hold no document, even when hidden files are wanted.
        let is_index = name.ends_with(INDEX.as_bytes()) || (is_folder && name == HOME.as_bytes());
        if name == b".git" || is_index || name.ends_with(UNFINISHED.as_bytes()) {
            return false;
        }
        if self.excluded.matched(seen, is_folder).is_ignore() {
            return false;
        }
        if self.settings.types.matched(seen, is_folder).is_ignore() {
            return false;
        }
        let by_glob = self.globs.matched(seen, is_folder);
        if by_glob.is_ignore() || by_glob.is_whitelist() {
            return by_glob.is_whitelist();
        }
        let hidden = name.starts_with(b".");
        (self.settings.hidden || !hidden)
            && !(self.settings.ignore_files && ignores.is_ignored(place, is_folder, depth))
    }

    /// Whether a glob, a type or the program of the user asks for a file in a folder.
    fn is_asked_for(&self, path: &Path, seen: &Path) -> bool {
        self.globs.matched(seen, false).is_whitelist()
            || self.settings.types.matched(seen, false).is_whitelist()
            || kind_of(path, self.pre).format == Format::Pre
    }

    /// Adds a file, unless it is not a regular file, too large, an output, or known already.
    fn file(&mut self, path: &Path, metadata: &Metadata, reached: Reached) {
        if !metadata.is_file() {
            self.skip(path, SkipReason::NotAFile, "");
            return;
        }
        let on_disk = self.settings.on_disk(path);
        let identity = identity(on_disk, metadata);
        let is_output = |(known, target): &(Identity, PathBuf)| {
            identity == *known && fs::canonicalize(path).is_ok_and(|path| path == *target)
        };
        if self.outputs.iter().any(is_output) {
            return;
        }
        let limit = self.max_filesize;
        let kind = kind_of(on_disk, self.pre);
        if metadata.len() > limit && kind.has_size_of_text() {
            let detail = format!("{} bytes, the limit is {limit}", metadata.len());
            self.skip(path, SkipReason::TooLarge, detail);
            return;
        }
        let entry = Entry {
            name: display_name(path, &self.settings.base),
            path: on_disk.to_owned(),
            typed: path.to_owned(),
            kind,
            is_against: self.is_against,
            has_names: false,
            is_asked_for: reached.is_asked_for,
            is_code: is_code(on_disk),
            may_lead_elsewhere: false,
        };
        let Some(&known) = self.by_identity.get(&identity) else {
            self.by_identity.insert(identity, self.found.entries.len());
            self.found.entries.push(entry);
            self.reached_by_link.push(reached.by_link);
            return;
        };
        let old = &mut self.found.entries[known];
        let place = |path: &Path| fs::canonicalize(path).ok();
        let has_names = old.has_names || place(&old.path) != place(on_disk);
        let is_asked_for = old.is_asked_for || entry.is_asked_for;
        // The path of a file is a better name for it than a link to it.
        if self.reached_by_link[known] && !reached.by_link {
            let is_against = old.is_against;
            *old = Entry {
                is_against,
                ..entry
            };
            self.reached_by_link[known] = false;
        }
        (old.has_names, old.is_asked_for) = (has_names, is_asked_for);
    }

    fn walk_error(&mut self, root: &Path, error: &walkdir::Error) {
        let path = error.path().unwrap_or(root).to_owned();
        if let Some(ancestor) = error.loop_ancestor() {
            let ancestor = display_name(ancestor, &self.settings.base);
            self.skip(&path, SkipReason::Loop, format!("leads back to {ancestor}"));
        } else if let Some(error) = error.io_error() {
            self.skip(&path, reason(error), error.to_string());
        }
    }

    fn skip(&mut self, path: &Path, reason: SkipReason, detail: impl Into<String>) {
        let name = display_name(path, &self.settings.base);
        self.found.skipped.push(Skipped::new(name, reason, detail));
    }
}

/// The result of a walk.
#[derive(Debug, Default)]
pub struct Walked {
    /// The files to read, sorted by name. Each file is there once, even if several paths lead to it.
    pub entries: Vec<Entry>,
    /// Files that are not read, with reasons. Files left out by ignore rules, globs or a leading dot are not listed.
    pub skipped: Vec<Skipped>,
    /// The faults of ignore files.
    pub warnings: Vec<String>,
}

impl Walked {
    /// Files that are no pages of their site are no documents, unless they are named. A site that search engines are not to
    /// list at all is one that is not published yet.
    fn leave_out_no_pages(&mut self) {
        let of = |entry: &Entry| match entry.is_asked_for {
            true => None,
            false => no_page::file(&entry.path, entry.kind),
        };
        let found: Vec<Option<NoPage>> = self.entries.par_iter().map(of).collect();
        let unlisted = found
            .iter()
            .filter(|found| **found == Some(NoPage::Unlisted));
        let pages = self
            .entries
            .iter()
            .filter(|entry| entry.kind.format == Format::Html);
        let is_published = unlisted.count() * 2 <= pages.count();
        let mut found = found.into_iter();
        let skipped = &mut self.skipped;
        self.entries.retain_mut(|entry| {
            entry.may_lead_elsewhere = !entry.is_asked_for && no_page::may_redirect(entry.kind);
            let no_page = found.next().flatten();
            let no_page = no_page.filter(|no_page| is_published || *no_page != NoPage::Unlisted);
            let Some(no_page) = no_page else { return true };
            let detail = no_page.as_str();
            skipped.push(Skipped::new(entry.name.clone(), SkipReason::NoPage, detail));
            false
        });
    }

    /// Reports, plans and baselines that an earlier run left in a folder are no documents, unless they are named.
    pub(super) fn leave_out_own_outputs(&mut self) {
        let skipped = &mut self.skipped;
        self.entries.retain(|entry| {
            let kind = entry.kind;
            let is_own = !entry.is_asked_for
                && kind.compression.is_none()
                && kind.may_hold_records()
                && kind.format != Format::Parquet
                && is_own_output(&entry.path);
            if is_own {
                let (reason, detail) = (SkipReason::Data, OWN_OUTPUT);
                skipped.push(Skipped::new(entry.name.clone(), reason, detail));
            }
            !is_own
        });
    }
}
