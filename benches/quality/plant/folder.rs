//! Reads the pages of a folder and writes a labelled folder.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use walkdir::WalkDir;

use super::random::Random;
use super::{Page, Planted};

/// Shorter texts have too few words to replace one percent of them.
const LEAST_CHARACTERS: usize = 300;

/// Chooses at most so many pages of a folder: `.md` and `.txt`, UTF-8, not too short.
pub(crate) fn read(folder: &Path, most: usize, random: &mut Random) -> Vec<Page> {
    let entries = WalkDir::new(folder).sort_by_file_name().into_iter();
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("a readable folder").into_path())
        .filter(|path| {
            path.extension()
                .is_some_and(|end| end == "md" || end == "txt")
        })
        .collect();
    random.shuffle(&mut paths);
    let pages = paths.iter().filter_map(|path| {
        let text = fs::read_to_string(path).ok()?;
        let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
        let name = flat(path.strip_prefix(folder).ok()?);
        (text.chars().count() >= LEAST_CHARACTERS).then_some(Page { name, text })
    });
    let mut pages: Vec<Page> = pages.take(most).collect();
    pages.sort_by(|a, b| a.name.cmp(&b.name));
    for (number, page) in pages.iter_mut().enumerate() {
        // The number distinguishes names that differed only in their folders.
        page.name = format!("{number:03}-{}", page.name);
    }
    pages
}

/// A path as one name, short enough for every file system.
fn flat(path: &Path) -> String {
    let name = path.to_string_lossy().replace(['/', '\\'], "_");
    let length = name.chars().count();
    name.chars().skip(length.saturating_sub(60)).collect()
}

/// Writes `docs/` and `labels.tsv` into a folder that has neither: remains of another one would be
/// compared with the new pages.
pub(crate) fn write(planted: &Planted, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let docs = folder.join("docs");
    fs::create_dir(&docs)?;
    for group in ["original", "planted"] {
        fs::create_dir(docs.join(group))?;
    }
    for (name, bytes) in &planted.documents {
        fs::write(docs.join(name), bytes)?;
    }
    let mut table = io::BufWriter::new(fs::File::create_new(folder.join("labels.tsv"))?);
    writeln!(table, "doc_a\tdoc_b\tlabel")?;
    for (a, b, label) in &planted.labels {
        writeln!(table, "{a}\t{b}\t{label}")?;
    }
    table.flush()
}
