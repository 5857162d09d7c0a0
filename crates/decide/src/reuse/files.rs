//! Passages of files.

use crate::reuse::group::Groups;
use crate::reuse::passage::{CutPage, PassageMaker, Wordings};
use crate::reuse::runs::find_groups;
use crate::reuse::{ReuseOptions, Reused, reused};
use dupfind_engine::Result;
use dupfind_engine::run::observer::Observer;
use dupfind_engine::run::threads::in_pool;
use dupfind_read::Ingested;
use dupfind_read::extract::pages::PageBreaks;
use dupfind_scan::ScanOptions;
use dupfind_scan::pages::{Pages, read_pages};

/// The passages of files.
#[derive(Debug)]
pub struct OfFiles {
    /// The documents. Their passages are in `cut`.
    pub pages: Pages,
    /// The passages of each document, in the order of the documents.
    pub cut: Vec<CutPage>,
    /// The passages that are in several documents.
    pub found: Groups,
}

impl OfFiles {
    /// Returns the names of the documents, in their order.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.pages
            .pages
            .iter()
            .map(|page| page.name.clone())
            .collect()
    }

    /// Returns the passages that are in several documents, with those first that save most.
    #[must_use]
    pub fn groups(&self) -> Vec<Reused> {
        reused(&self.found.groups, &self.names())
    }
}

/// Returns the passages that are in several documents of files and folders.
///
/// # Errors
///
/// Those of [`groups`](crate::reuse::groups); a glob that does not parse, too many documents, or that the observer stops
/// the run.
pub fn groups_of_files(
    options: &ReuseOptions,
    scan: &ScanOptions,
    observer: &dyn Observer,
) -> Result<OfFiles> {
    in_pool(options.engine.threads, || {
        let wordings = Wordings::new(options.engine.budget.limit);
        let maker = || PassageMaker::new(options, &wordings);
        let cut = |maker: &mut PassageMaker<'_>, document: &Ingested<'_>| {
            let breaks = PageBreaks::of(&document.text, document.format);
            (maker.cut(&document.text, &document.layout), breaks)
        };
        let (pages, cuts) = read_pages(scan, observer, maker, cut)?;
        let cut = cuts.into_iter();
        let cut: Vec<CutPage> = cut
            .map(|(cut, page_breaks)| CutPage { cut, page_breaks })
            .collect();
        let found = find_groups(options, observer, wordings, &cut)?;
        Ok(OfFiles { pages, cut, found })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use dupfind_engine::run::observer::Silent;
    use std::fs;

    #[test]
    fn files_are_cut_by_their_format() {
        let folder = tempfile::tempdir().unwrap();
        let step = "Open the console, choose the region in the upper left corner, and confirm the terms of use.";
        let page = |name: &str, text: String| fs::write(folder.path().join(name), text).unwrap();
        page("a.md", format!("# Install\n\n1. {step}\n2. Wait.\n"));
        page("b.md", format!("* Wait.\n* {step}\n"));
        page("c.md", "Nothing that the others have.\n".into());
        let scan = ScanOptions::for_paths([folder.path()]);
        let found = groups_of_files(&ReuseOptions::default(), &scan, &Silent).unwrap();
        assert_eq!(found.names().len(), 3);
        let groups = found.groups();
        assert_eq!(groups.len(), 1);
        let places = groups[0].places.iter();
        let places: Vec<_> = places.map(|at| (at.position, at.start_line)).collect();
        assert_eq!(places, [(0, 3), (1, 2)]);
        assert!(groups[0].places[0].page.ends_with("a.md"));
    }
}
