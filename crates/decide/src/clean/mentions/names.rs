//! The names of the pages of a site, and which of them a word in a file means.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use aho_corasick::{AhoCorasick, MatchKind};

use crate::clean::mentions::text;
use crate::clean::mentions::words::{
    Address, Mention, dated, folder_name, has_sign, mention, traces, unescaped, without_comments,
    without_end, without_signs, words,
};
use dupfind_engine::verdict::unnumbered;
use dupfind_read::extract::front_matter::FrontMatter;
use unicode_normalization::UnicodeNormalization;

/// The pages that a file mentions, by their positions.
pub(super) type Mentioned = BTreeMap<usize, First>;

/// The first line of a file that mentions a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct First {
    pub(super) line: usize,
    /// Whether some mention in the file is the way to the page.
    pub(super) is_sure: bool,
    /// Whether a path or a link in the file leads to the page.
    pub(super) is_link: bool,
}

/// The keys of front matter with other addresses of a page.
const ADDRESSES: [&str; 7] = [
    "aliases",
    "id",
    "permalink",
    "redirect_from",
    "slug",
    "uid",
    "url",
];

/// A name that a page has.
struct Name {
    page: usize,
    /// The folders before it.
    folders: Vec<String>,
    /// Whether the name is another address, and not the path.
    is_other: bool,
    /// Whether the last word of another address means the page wherever it is.
    is_word: bool,
}

/// The pages of a site by their names.
pub(super) struct Site<'f> {
    pages: &'f [PathBuf],
    /// Finds the texts that may mention one of them; `None` if all may.
    finder: Option<AhoCorasick>,
    /// Finds the names with signs in the paths of these pages, the longest first; `None` if there are none.
    signed: Option<AhoCorasick>,
    /// The names of the pages that are looked for, by their last word.
    names: HashMap<String, Vec<Name>>,
    /// The addresses of all pages.
    addresses: HashSet<Address>,
    /// The folders of all pages, by their last word.
    folders: HashMap<String, Vec<Vec<String>>>,
}

impl<'f> Site<'f> {
    pub(super) fn new(pages: &'f [PathBuf], files: &[PathBuf]) -> Self {
        let is_page = |file: &&PathBuf| {
            let name = file.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| without_end(name).is_some())
        };
        let all = files.iter().filter(is_page).chain(pages);
        let addresses: HashSet<Address> = all.filter_map(|file| Address::of_file(file)).collect();
        let mut all_folders: HashMap<String, Vec<Vec<String>>> = HashMap::new();
        for Address { folders, stem } in &addresses {
            let of_stem = all_folders.entry(stem.clone()).or_default();
            of_stem.push(folders.clone());
        }
        let mut names: HashMap<String, Vec<Name>> = HashMap::new();
        let mut others: HashMap<Address, Vec<usize>> = HashMap::new();
        for (page, path) in pages.iter().enumerate() {
            let Some(Address { folders, stem }) = Address::of_file(path) else {
                continue;
            };
            let source = text(path).unwrap_or_default();
            let front = FrontMatter::of(&source);
            let written = ADDRESSES.iter().flat_map(|key| front.values(key));
            let written = written.filter_map(|address| Address::of_file(Path::new(&address)));
            // An address such as the path tells nothing more.
            let is_other = |address: &Address| {
                address.stem != stem
                    || !address.folders.is_empty() && address.folders.last() != folders.last()
            };
            for address in written.filter(is_other) {
                others.entry(address).or_default().push(page);
            }
            if let Some((date, rest)) = dated(&stem) {
                for parts in 0..=date.len() {
                    let address = Address {
                        folders: date[..parts].to_vec(),
                        stem: rest.to_owned(),
                    };
                    others.entry(address).or_default().push(page);
                }
            }
            if let Some(address) = served(&folders, &stem) {
                others.entry(address).or_default().push(page);
            }
            let name = Name {
                page,
                folders,
                is_other: false,
                is_word: false,
            };
            names.entry(stem).or_default().push(name);
        }
        // An address that two pages have still leads to a page if one of them goes.
        for (Address { folders, stem }, of) in others {
            let is_path = all_folders.get(&stem).is_some_and(|of_stem| {
                let mut last = of_stem.iter().map(|folders| folders.last());
                folders.is_empty() || last.any(|last| last == folders.last())
            });
            if let ([page], false) = (&*of, is_path) {
                let page = *page;
                // A word is no address of a post: that has the date.
                let is_date = |folder: &String| folder.bytes().all(|byte| byte.is_ascii_digit());
                let own = Address::of_file(&pages[page]);
                let is_word =
                    !folders.last().is_some_and(is_date) && own.is_some_and(|own| own.stem != stem);
                let name = Name {
                    page,
                    folders,
                    is_other: true,
                    is_word,
                };
                names.entry(stem).or_default().push(name);
            }
        }
        let traces: Option<Vec<Vec<String>>> = names.keys().map(|stem| traces(stem)).collect();
        let finder = traces.and_then(|traces| {
            let mut builder = AhoCorasick::builder();
            let builder = builder.ascii_case_insensitive(true);
            builder.build(traces.concat()).ok()
        });
        Self {
            pages,
            finder,
            signed: signed(pages),
            names,
            addresses,
            folders: all_folders,
        }
    }

    /// Returns the pages that a file mentions.
    pub(super) fn mentioned(&self, file: &Path, text: &str) -> Mentioned {
        let folder = file
            .parent()
            .and_then(|folder| folder.to_str())
            .unwrap_or_default();
        let folder: Vec<String> = folder
            .split(['/', '\\'])
            .filter(|part| !part.is_empty())
            .map(folder_name)
            .collect();
        let end = file
            .extension()
            .and_then(|end| end.to_str())
            .unwrap_or_default();
        let is_data = ["toml", "yaml", "yml"].contains(&end);
        let mut mentioned = BTreeMap::new();
        let may_mention = |text: &str| {
            let finder = self.finder.as_ref();
            finder.is_none_or(|finder| finder.is_match(text))
        };
        if !may_mention(text) && !unescaped(text).is_some_and(|text| may_mention(&text)) {
            return mentioned;
        }
        // What is in comments may be read by a program, and is no link.
        let shown = text.contains("<!--").then(|| without_comments(text));
        let all = (1..).zip(text.lines()).map(|line| (line, shown.is_none()));
        let shown = shown.iter().flat_map(|shown| (1..).zip(shown.lines()));
        let lines = all.chain(shown.map(|line| (line, true)));
        let mut look = |line: &str, number: usize, is_shown: bool| {
            words(line, is_data, |word, mark| {
                let Some(mention) = mention(word, mark) else {
                    return;
                };
                for name in self.names.get(&mention.stem).into_iter().flatten() {
                    let is_own = self.pages[name.page] == file;
                    if let (false, Some(is_sure)) = (is_own, self.means(&mention, name, &folder)) {
                        let first = First {
                            line: number,
                            is_sure: false,
                            is_link: false,
                        };
                        let known = mentioned.entry(name.page).or_insert(first);
                        known.is_sure |= is_sure;
                        // A link by a name alone leads to the nearest page of that name.
                        let leads_here = is_sure || mention.folders.is_empty();
                        known.is_link |= is_shown && mention.is_link && leads_here;
                    }
                }
            });
        };
        for ((number, line), is_shown) in lines {
            let plain = unescaped(line);
            for line in [Some(line), plain.as_deref()].into_iter().flatten() {
                if may_mention(line) {
                    look(line, number, is_shown);
                    if let Some(line) = self.without_signs(line) {
                        look(&line, number, is_shown);
                    }
                }
            }
        }
        mentioned
    }

    /// Returns a line with the names that have signs as they are in addresses; `None` if there are none in it.
    fn without_signs(&self, line: &str) -> Option<String> {
        let signed = self.signed.as_ref()?;
        signed.find(line)?;
        let mut shown = String::new();
        signed.replace_all_with(line, &mut shown, |_, name, shown| {
            shown.push_str(&without_signs(name));
            true
        });
        Some(shown)
    }

    /// Returns whether a mention in a file of a folder may mean this name of a page, and if so, whether it is surely meant.
    fn means(&self, mention: &Mention, name: &Name, folder: &[String]) -> Option<bool> {
        let fits = mention.folders.last() == name.folders.last() || name.folders.is_empty();
        if name.is_other {
            let is_word = mention.folders.is_empty() && name.is_word;
            return (is_word || fits).then_some(true);
        }
        let start = &folder[..folder.len() - mention.up.unwrap_or(0).min(folder.len())];
        let place = Address {
            folders: [start, &mention.folders].concat(),
            stem: mention.stem.clone(),
        };
        if place.folders == name.folders {
            return Some(true);
        }
        // The way from the file leads to another page.
        if self.addresses.contains(&place) {
            return None;
        }
        if mention.is_address && self.is_at_top(mention, name) {
            return Some(mention.is_link);
        }
        let is_nearest = self.nearest(mention, folder) == Some(nearness(&name.folders, folder));
        match mention.folders.is_empty() {
            // The way from another folder, such as the one with all pages of a version.
            false => fits.then(|| is_nearest && name.folders.ends_with(&mention.folders)),
            true => is_nearest.then_some(false),
        }
    }

    /// Returns whether an address means this page at the top of a site, though its last folder has no page of that name: `/base/kiln`,
    /// `/blob/main/kiln.md`. The page has the fewest folders of all with its name, and the first page of its folder is beside it.
    fn is_at_top(&self, mention: &Mention, name: &Name) -> bool {
        let all = self.folders.get(&mention.stem).into_iter().flatten();
        let fits = |folders: &Vec<String>| folders.last() == mention.folders.last();
        let home = name.folders.split_last().map(|(own, above)| Address {
            folders: above.to_vec(),
            stem: own.clone(),
        });
        !all.clone().any(fits)
            && all.map(Vec::len).min() == Some(name.folders.len())
            && home.is_some_and(|home| self.addresses.contains(&home))
    }

    /// Returns how near the nearest page that a mention may mean is to a folder.
    fn nearest(&self, mention: &Mention, folder: &[String]) -> Option<Nearness> {
        let all = self.folders.get(&mention.stem)?.iter();
        all.filter(|folders| folders.ends_with(&mention.folders))
            .map(|folders| nearness(folders, folder))
            .max()
    }
}

/// Returns the address that a generator makes of a path, if it is another one: without the numbers that give files and folders
/// their places, `guide/firing` of `01-guide/02.firing.md`, and without the folders of Antora, `guide/firing` of
/// `modules/guide/pages/firing.adoc`.
fn served(folders: &[String], stem: &str) -> Option<Address> {
    let mut parts: Vec<String> = folders.iter().map(|part| unnumbered(part).into()).collect();
    let antora = parts
        .windows(3)
        .position(|of| of[0] == "modules" && of[2] == "pages");
    if let Some(at) = antora {
        parts.remove(at + 2);
        parts.remove(at);
    }
    let address = Address {
        folders: parts,
        stem: unnumbered(stem).into(),
    };
    (address.folders != folders || address.stem != stem).then_some(address)
}

/// Returns what finds the names with signs in some paths, without the ends of pages; `None` if there are none.
fn signed(pages: &[PathBuf]) -> Option<AhoCorasick> {
    let parts = pages.iter().flat_map(|page| page.iter());
    let names: BTreeSet<String> = parts
        .filter_map(|part| part.to_str())
        .map(|part| &part[..without_end(part).unwrap_or(part.len())])
        // A post is named without its date, too.
        .flat_map(|name| [Some(name), dated(name).map(|(_, rest)| rest)])
        .flatten()
        .filter(|name| has_sign(name))
        .map(|name| name.nfc().collect())
        .collect();
    let mut builder = AhoCorasick::builder();
    let builder = builder
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::LeftmostLongest);
    let finder = (!names.is_empty()).then(|| builder.build(names));
    finder?.ok()
}

/// How many folders two paths share from the start; of several that share as many, the one with the fewest folders is nearer.
type Nearness = (usize, Reverse<usize>);

fn nearness(folders: &[String], folder: &[String]) -> Nearness {
    let shared = folders.iter().zip(folder).take_while(|(a, b)| a == b);
    (shared.count(), Reverse(folders.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PAGES: [&str; 5] = [
        "/s/docs/tea pot.md",
        "/s/docs/guide/Kiln.md",
        "/s/old/kiln.md",
        "/s/docs/茶.md",
        "/s/docs/чай.md",
    ];

    proptest! {
        #[test]
        fn the_finder_leaves_out_no_mention(
            words in prop::collection::vec(
                prop_oneof![
                    Just("[[KILN]]"), Just("guide/kiln"), Just("`tea pot`"), Just("tea%20pot.md"), Just("(茶.md)"),
                    Just("%E8%8C%B6.md"), Just("../docs/%e8%8c%b6"), Just("'Чай'"), Just("чай.html"), Just("a kiln"),
                    Just("\n"), Just("other.md"), Just("kiln:"),
                ],
                0..12,
            ),
        ) {
            let pages: Vec<PathBuf> = PAGES.iter().map(PathBuf::from).collect();
            let mut site = Site::new(&pages, &[]);
            let (file, text) = (Path::new("/s/docs/a.md"), words.join(" "));
            let found = site.mentioned(file, &text);
            site.finder = None;
            prop_assert_eq!(found, site.mentioned(file, &text));
        }
    }
}
