//! The text files of a site.

use std::fs;
use std::path::{Path, PathBuf};

use dupfind_read::root_around;
use dupfind_read::site::Generator;
use dupfind_read::source::data::{OWN_PAGE, is_head_of_own_output, is_own_print};
use dupfind_read::source::no_page;
use dupfind_read::source::read::head;
use dupfind_read::source::walk::REMOVED_LIST;

/// A larger file is not looked at: it is data.
const MAX_READ: u64 = 4 << 20;

/// Returns the folder whose files may name some pages: their repository; without one, the nearest folder with the
/// configuration of a generator, up to the one above `base`; else the folder that all of them are in, or `base` around it.
fn root<'p>(pages: &'p [PathBuf], base: &'p Path) -> &'p Path {
    let mut shared = pages[0].parent().unwrap_or(Path::new("/"));
    while let Some(above) = shared.parent()
        && !pages.iter().all(|page| page.starts_with(shared))
    {
        shared = above;
    }
    if let Some(root) = root_around(shared) {
        return root;
    }
    let (is_below, highest) = match shared.starts_with(base) {
        true => (true, base.parent().unwrap_or(base)),
        false => (false, shared.parent().unwrap_or(shared)),
    };
    let has_site = |folder: &&Path| Generator::of(folder).is_some();
    let mut around = shared
        .ancestors()
        .take_while(|folder| folder.starts_with(highest));
    around
        .find(has_site)
        .unwrap_or(if is_below { base } else { shared })
}

/// Returns all files around some pages that may be text, in no order.
pub(super) fn text_files(pages: &[PathBuf], base: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![root(pages, base).to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in entries(&folder) {
            // A link leads to what is named elsewhere, or out of the site.
            match fs::symlink_metadata(&entry) {
                Ok(metadata) if metadata.is_dir() && !is_left_out(&entry) => folders.push(entry),
                Ok(metadata) if metadata.is_file() && metadata.len() <= MAX_READ => {
                    files.push(entry);
                }
                _ => {}
            }
        }
    }
    files
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect()
}

/// Returns whether nothing in a folder is written by a person of this site.
fn is_left_out(folder: &Path) -> bool {
    let name = folder.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| [".git", ".dupfind", "node_modules"].contains(&name))
        || folder.join(REMOVED_LIST).is_file()
        || no_page::folder(folder).is_some()
}

/// Returns the text of a file; `None` if it is none, or what this program wrote or printed into it.
pub(super) fn text(path: &Path) -> Option<String> {
    let bytes = head(path, MAX_READ).ok()?;
    let head = &bytes[..bytes.len().min(1 << 12)];
    let is_text = !head.contains(&0);
    let head = String::from_utf8_lossy(head);
    if !is_text || head.contains(OWN_PAGE) || is_head_of_own_output(&head) {
        return None;
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    (!is_own_print(&text)).then_some(text)
}
