//! What `dupfind reuse` finds of passages that were planted into the pages of a folder:
//!
//! ```text
//! cargo bench --bench reuse -- FOLDER OUT
//! ```
//!
//! 200 passages are taken out of pages of FOLDER, and each is put into one other page: 50 as they are, 40 with one word
//! changed, 40 with two, 30 with five, 20 with one number changed, and 20 as runs of three blocks. The pages are written to
//! OUT, for other tools, and what was planted to OUT.json. Recall is how many of them are found with both places and the right
//! lines. Precision is how many of the places that share a group with a planted passage are its source, its copy, or a
//! place whose text was alike before.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use dupfind_decide::ReuseOptions;
use dupfind_decide::reuse::groups_of_files;
use dupfind_engine::Silent;
use dupfind_engine::text::blocks::{Layout, blocks};
use dupfind_scan::ScanOptions;

/// Makes numbers that are the same in every run (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ mixed >> 31) % most as u64).expect("below a usize")
    }
}

/// A page as paragraphs, with nothing else in it.
struct Page {
    name: String,
    blocks: Vec<String>,
}

/// A passage that was put into another page.
struct Planted {
    kind: &'static str,
    source: (usize, usize),
    target: usize,
    /// The text of the copy.
    copy: Vec<String>,
}

const KINDS: [(&str, usize, usize, usize); 6] = [
    ("exact", 50, 1, 0),
    ("1 word", 40, 1, 1),
    ("2 words", 40, 1, 2),
    ("5 words", 30, 1, 5),
    ("1 number", 20, 1, 0),
    ("run of 3", 20, 3, 0),
];

fn main() {
    let mut args = std::env::args_os().skip(1).filter(|arg| arg != "--bench");
    let (Some(folder), Some(out)) = (args.next(), args.next()) else {
        println!("cargo bench --bench reuse -- FOLDER OUT");
        return;
    };
    let (folder, out) = (PathBuf::from(folder), PathBuf::from(out));
    let mut pages = read(&folder);
    println!("{}: {} pages", folder.display(), pages.len());
    let planted = plant(&mut pages);
    let texts: Vec<(String, String)> = pages
        .iter()
        .map(|page| (page.name.clone(), page.blocks.join("\n\n") + "\n"))
        .collect();
    write(&out, &texts, &planted, &pages);
    let scan = ScanOptions::for_paths([out]);
    let found = groups_of_files(&ReuseOptions::default(), &scan, &Silent);
    let found = found.expect("a join").groups;
    // The groups of each page, with their lines.
    let mut at: BTreeMap<&str, Vec<(u32, u32, usize)>> = BTreeMap::new();
    for (number, group) in found.iter().enumerate() {
        for place in &group.places {
            at.entry(&texts[place.page as usize].0).or_default().push((
                place.start_line,
                place.end_line,
                number,
            ));
        }
    }
    let mut rows: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    for passage in &planted {
        let row = rows.entry(passage.kind).or_default();
        row[0] += 1;
        let source = lines(
            &pages[passage.source.0],
            &pages[passage.source.0].blocks[passage.source.1],
            passage.copy.len(),
        );
        let copy = lines(&pages[passage.target], &passage.copy[0], passage.copy.len());
        let groups_at = |page: usize, lines: (u32, u32)| -> Vec<usize> {
            let own = at.get(pages[page].name.as_str()).into_iter().flatten();
            let same = own.filter(|place| place.0 <= lines.0 && lines.1 <= place.1);
            same.map(|place| place.2).collect()
        };
        let of_source = groups_at(passage.source.0, source);
        let found_in = groups_at(passage.target, copy)
            .into_iter()
            .find(|group| of_source.contains(group));
        let Some(group) = found_in else {
            continue;
        };
        row[1] += 1;
        // Every other place of the group must be like the source or the copy.
        for place in &found[group].places {
            let text = pages[place.page as usize].text_at(place.start_line);
            let first = &pages[passage.source.0].blocks[passage.source.1];
            let is_right = similarity(text, first).max(similarity(text, &passage.copy[0])) >= 0.6;
            row[2] += 1;
            row[3] +=
                usize::from(is_right || place.end_line - place.start_line > source.1 - source.0);
        }
    }
    println!(
        "{:<10} {:>8} {:>6} {:>7} {:>10}",
        "kind", "planted", "found", "recall", "precision"
    );
    for (kind, ..) in KINDS {
        let [planted, found, places, right] = rows[kind];
        let ratio = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
        println!(
            "{kind:<10} {planted:>8} {found:>6} {:>7.3} {:>10.3}",
            ratio(found, planted),
            ratio(right, places)
        );
    }
}

impl Page {
    fn text_at(&self, line: u32) -> &str {
        let mut at = 1;
        for block in &self.blocks {
            if at >= line {
                return block;
            }
            at += u32::try_from(block.matches('\n').count()).expect("short") + 2;
        }
        ""
    }
}

/// Returns the lines of a block, and of those behind it.
fn lines(page: &Page, first: &str, count: usize) -> (u32, u32) {
    let mut line = 1;
    let at = page
        .blocks
        .iter()
        .position(|block| block == first)
        .expect("it was put there");
    let length = |block: &String| u32::try_from(block.matches('\n').count()).expect("short");
    for block in &page.blocks[..at] {
        line += length(block) + 2;
    }
    let run = &page.blocks[at..at + count];
    let end = run.iter().map(|block| length(block) + 2).sum::<u32>() - 2;
    (line, line + end)
}

/// Returns the Jaccard similarity of two texts by three characters in a row.
fn similarity(x: &str, y: &str) -> f64 {
    let [x, y] = [x, y].map(|text| {
        let chars: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
        chars
            .windows(3)
            .map(<[char]>::to_vec)
            .collect::<std::collections::BTreeSet<_>>()
    });
    let shared = x.intersection(&y).count();
    shared as f64 / (x.len() + y.len() - shared).max(1) as f64
}

/// Returns the pages of a folder as paragraphs, without those that are somewhere before.
fn read(folder: &Path) -> Vec<Page> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|end| end == "md" || end == "txt")
            {
                files.push(path);
            }
        }
    }
    files.sort();
    let pages = files.into_iter().enumerate().filter_map(|(number, path)| {
        let text = fs::read_to_string(path).ok()?;
        let blocks = blocks(&text, &Layout::Paragraphs).into_iter();
        let blocks = blocks.filter(|block| block.text.len() < 2000);
        let blocks: Vec<String> = blocks.map(|block| block.text.to_owned()).collect();
        let name = format!("page{number:05}.txt");
        (blocks.len() > 6).then_some(Page { name, blocks })
    });
    pages.collect()
}

fn plant(pages: &mut [Page]) -> Vec<Planted> {
    let mut random = Random(7);
    let mut planted = Vec::new();
    let mut used: Vec<(usize, usize)> = Vec::new();
    for (kind, count, length, words) in KINDS {
        let mut done = 0;
        while done < count {
            let source = random.below(pages.len());
            let block = random.below(pages[source].blocks.len());
            let target = random.below(pages.len());
            let run: Vec<String> = pages[source]
                .blocks
                .iter()
                .skip(block)
                .take(length)
                .cloned()
                .collect();
            let is_text = |text: &String| {
                let words = text.split_whitespace().count();
                (25..150).contains(&words)
                    && text.is_ascii()
                    && text.chars().filter(|c| c.is_alphabetic()).count() * 10 > text.len() * 7
            };
            let is_near_used = used
                .iter()
                .any(|&(page, at)| page == source && at.abs_diff(block) < 8)
                || planted.iter().any(|p: &Planted| {
                    p.target == source || p.source.0 == target || p.target == target
                });
            if run.len() < length || !run.iter().all(is_text) || source == target || is_near_used {
                continue;
            }
            let Some(copy) = changed(&run, kind, words, &mut random) else {
                continue;
            };
            used.push((source, block));
            let at = random.below(pages[target].blocks.len());
            for (offset, block) in copy.iter().enumerate() {
                pages[target].blocks.insert(at + offset, block.clone());
            }
            planted.push(Planted {
                kind,
                source: (source, block),
                target,
                copy,
            });
            done += 1;
        }
    }
    planted
}

/// Returns a copy of a run with so many words, or one number, changed.
fn changed(run: &[String], kind: &str, words: usize, random: &mut Random) -> Option<Vec<String>> {
    let mut copy = run.to_vec();
    let text = &mut copy[0];
    if kind == "1 number" {
        let place = text.find(|c: char| c.is_ascii_digit())?;
        let digit = &text[place..=place];
        let other = if digit == "7" { "3" } else { "7" };
        text.replace_range(place..=place, other);
    }
    let mut list: Vec<String> = text.split(' ').map(str::to_owned).collect();
    let mut left = words;
    while left > 0 {
        let at = random.below(list.len());
        let word = &list[at];
        if word.chars().all(char::is_alphabetic) && !word.is_empty() && !word.starts_with("zq") {
            list[at] = format!("zq{left}");
            left -= 1;
        } else if !list
            .iter()
            .any(|word| word.len() > 1 && word.chars().all(char::is_alphabetic))
        {
            return None;
        }
    }
    *text = list.join(" ");
    Some(copy)
}

fn write(out: &Path, texts: &[(String, String)], planted: &[Planted], pages: &[Page]) {
    fs::create_dir_all(out).expect("a folder for the pages");
    for (name, text) in texts {
        fs::write(out.join(name), text).expect("a page");
    }
    let told = planted.iter().map(|passage| {
        let source = &pages[passage.source.0];
        let own = lines(source, &source.blocks[passage.source.1], passage.copy.len());
        let copy = lines(&pages[passage.target], &passage.copy[0], passage.copy.len());
        format!(
            "{{\"kind\":\"{}\",\"a\":\"{}\",\"a_lines\":[{},{}],\"b\":\"{}\",\"b_lines\":[{},{}]}}",
            passage.kind, source.name, own.0, own.1, pages[passage.target].name, copy.0, copy.1
        )
    });
    let told: Vec<String> = told.collect();
    fs::write(
        out.with_extension("json"),
        format!("[{}]\n", told.join(",\n")),
    )
    .expect("a file");
}
