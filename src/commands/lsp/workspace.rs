//! The folders that are open in the editor, and the pages.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Result;
use dupfind_decide::elsewhere::elsewhere;
use dupfind_engine::Silent;
use dupfind_read::display_name;
use dupfind_report::listings::elsewhere::Asked;
use serde_json::{Value, json};

use crate::commands::lsp::actions::{actions, edited};
use crate::commands::lsp::page::Shown;
use crate::commands::lsp::wire::{Document, OfDocument, Range};
use crate::commands::lsp::{ArgsOf, path_of};
use crate::decision::live::Site;

/// How long an index counts as up to date while a page is typed in.
const KNOWN: Duration = Duration::from_secs(5);

/// How long a page that is typed in waits for its check.
const PAUSE: Duration = Duration::from_millis(500);

/// A folder of the workspace.
struct Folder {
    /// Its path, as the editor names it.
    path: PathBuf,
    /// None if its configuration is wrong, or its index cannot be made.
    documents: Option<Documents>,
}

struct Documents {
    site: Site,
    /// When it was brought up to date; none if it has to be again.
    known: Option<Instant>,
}

/// An open page.
struct OpenPage {
    text: String,
    version: i64,
    /// When it is to be checked; none if it was not changed since it was.
    due: Option<Instant>,
    shown: Shown,
}

/// The folders and pages that are open in the editor.
pub(super) struct Workspace<'w> {
    args_of: ArgsOf<'w>,
    folders: Vec<Folder>,
    pages: HashMap<String, OpenPage>,
}

impl<'w> Workspace<'w> {
    pub(super) fn new(args_of: ArgsOf<'w>, folders: Vec<PathBuf>) -> Self {
        let mut own = Self {
            args_of,
            folders: Vec::new(),
            pages: HashMap::new(),
        };
        own.set_folders([folders, Vec::new()]);
        own
    }

    /// Adds folders, and removes some.
    pub(super) fn set_folders(&mut self, [added, removed]: [Vec<PathBuf>; 2]) {
        self.folders
            .retain(|folder| !removed.contains(&folder.path));
        for path in added {
            let documents = self.documents(&path).ok();
            self.folders.push(Folder { path, documents });
        }
        // The innermost folder of a page comes first.
        let depth = |folder: &Folder| std::cmp::Reverse(folder.path.components().count());
        self.folders.sort_by_key(depth);
        self.check_all();
    }

    fn documents(&self, path: &Path) -> Result<Documents> {
        let args = (self.args_of)(path)?;
        Ok(Documents {
            site: Site::open(&args, path)?,
            known: None,
        })
    }

    pub(super) fn open(&mut self, document: Document) {
        let page = OpenPage {
            text: document.text,
            version: document.version,
            due: None,
            shown: Shown::default(),
        };
        self.pages.insert(document.uri.clone(), page);
        self.save(&document.uri);
    }

    pub(super) fn change(&mut self, change: OfDocument) {
        let (Some(page), Some(content)) = (
            self.pages.get_mut(&change.text_document.uri),
            change.content_changes.into_iter().last(),
        ) else {
            return;
        };
        (page.text, page.version) = (content.text, change.text_document.version);
        page.due.get_or_insert_with(|| Instant::now() + PAUSE);
    }

    /// Makes a page be checked at once, with the present files on disk.
    pub(super) fn save(&mut self, uri: &str) {
        if let Some((folder, _)) = place(&mut self.folders, uri) {
            folder.known = None;
        }
        if let Some(page) = self.pages.get_mut(uri) {
            page.due = Some(Instant::now());
        }
    }

    pub(super) fn close(&mut self, uri: &str) {
        self.pages.remove(uri);
        if let Some((folder, name)) = place(&mut self.folders, uri) {
            folder.site.live.close(&name);
        }
    }

    /// Makes all pages be checked, with the present files on disk.
    pub(super) fn check_all(&mut self) {
        for documents in self
            .folders
            .iter_mut()
            .filter_map(|folder| folder.documents.as_mut())
        {
            documents.known = None;
        }
        for page in self.pages.values_mut() {
            page.due = Some(Instant::now());
        }
    }

    /// Returns the page that is to be checked next, and when.
    pub(super) fn next_check(&self) -> Option<(Instant, String)> {
        let due = self.pages.iter();
        let due = due.filter_map(|(uri, page)| Some((page.due?, uri)));
        let (due, uri) = due.min()?;
        Some((due, uri.clone()))
    }

    /// Checks a page. Returns its version and diagnostics; `None` if it is closed.
    pub(super) fn check(&mut self, uri: &str) -> Option<(i64, Vec<Value>)> {
        let page = self.pages.get_mut(uri)?;
        page.due = None;
        let mut diagnostics = Vec::new();
        if let Some((documents, name)) = place(&mut self.folders, uri) {
            // A check that fails now is tried again after the next change.
            let root = documents.site.live.root().to_owned();
            if documents.check(&name, page).is_ok() {
                diagnostics = page.shown.diagnostics(&name, &root);
            }
        }
        Some((page.version, diagnostics))
    }

    pub(super) fn hover(&self, uri: &str) -> Value {
        let page = self.pages.get(uri);
        match page.and_then(|page| page.shown.summary()) {
            Some(summary) => json!({"contents": {"kind": "markdown", "value": summary}}),
            None => Value::Null,
        }
    }

    pub(super) fn actions(&mut self, asked: &OfDocument) -> Value {
        let uri = &asked.text_document.uri;
        let place = place(&mut self.folders, uri);
        let (Some(page), Some((documents, name))) = (self.pages.get(uri), place) else {
            return json!([]);
        };
        // The ranges of a text that was changed since are those of another text.
        let is_meant = |at: &Range| asked.range.is_some_and(|range| at.meets(&range));
        let known = page.shown.found.iter().filter(|_| page.due.is_none());
        let found = known.filter(|(range, _)| is_meant(range));
        let live = &documents.site.live;
        found
            .flat_map(|(range, passage)| {
                let edited = edited(&page.text, *range);
                let shown = &page.shown;
                let page_at = (&**uri, &*name, &*page.text);
                actions(live, page_at, shown, (*range, passage), edited)
            })
            .collect()
    }
}

/// Returns the documents that a page is among, and its name there.
fn place<'f>(folders: &'f mut [Folder], uri: &str) -> Option<(&'f mut Documents, String)> {
    let path = path_of(uri)?;
    let folder = folders
        .iter_mut()
        .find(|folder| path.starts_with(&folder.path))?;
    let documents = folder.documents.as_mut()?;
    // The folder of the arguments may be one below that of the workspace.
    let real = std::fs::canonicalize(&folder.path).ok()?;
    let path = real.join(path.strip_prefix(&folder.path).ok()?);
    let below = path.starts_with(documents.site.live.root());
    let name = display_name(&path, documents.site.live.root());
    (below && !name.contains("..")).then_some((documents, name))
}

impl Documents {
    fn check(&mut self, name: &str, page: &mut OpenPage) -> Result<()> {
        page.shown = Shown::default();
        if self.known.is_none_or(|known| known.elapsed() > KNOWN) {
            self.site.live.refresh(&Silent)?;
            self.known = Some(Instant::now());
        }
        let live = &mut self.site.live;
        if !live.accepts(name) {
            return Ok(());
        }
        live.put(name, page.text.clone());
        let live = &self.site.live;
        let Some(document) = live.read(name) else {
            return Ok(());
        };
        let gate = self.site.gate()?;
        if let Some(elsewhere) = elsewhere(live, gate, name, &document)? {
            let has_lines = document.format.keeps_lines();
            let is_there = live.root().join(name).exists();
            let asked = Asked { name, is_there };
            page.shown = Shown::new(asked, elsewhere, &page.text, has_lines);
        }
        Ok(())
    }
}
