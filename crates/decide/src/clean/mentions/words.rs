//! The words of a file that may name a page.

use std::borrow::Cow;
use std::path::Path;

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use unicode_normalization::UnicodeNormalization;

/// The names of the page of a folder, in lower case and without their ends.
const HOMES: [&str; 4] = ["index", "_index", "readme", "home"];

/// Returns whether a file has the name of the page of its folder.
pub(crate) fn is_home(file: &Path) -> bool {
    let stem = file.file_stem().and_then(|stem| stem.to_str());
    stem.is_some_and(|stem| HOMES.iter().any(|name| stem.eq_ignore_ascii_case(name)))
}

/// The ends of the names of pages.
const PAGES: [&str; 12] = [
    "adoc", "asciidoc", "htm", "html", "ipynb", "markdown", "md", "mdx", "org", "rst", "txt",
    "xhtml",
];

/// The name of a page or a mention, in lower case: the folders, and the word behind them without its end.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Address {
    pub(super) folders: Vec<String>,
    pub(super) stem: String,
}

impl Address {
    /// Returns the address of a file. That of the page of a folder is the folder.
    pub(super) fn of_file(path: &Path) -> Option<Self> {
        let path = path.to_str()?.replace('\\', "/");
        Self::of(
            path.split('/')
                .map(str::to_owned)
                .filter(|part| !part.is_empty())
                .collect(),
        )
    }

    fn of(mut parts: Vec<String>) -> Option<Self> {
        let mut stem = parts.pop()?.to_lowercase();
        for part in &mut parts {
            *part = folder_name(part);
        }
        if let Some(page) = without_end(&stem) {
            stem.truncate(page);
        }
        stem = without_spaces(&without_signs(&stem));
        if HOMES.contains(&&*stem) && !parts.is_empty() {
            stem = parts.pop()?;
        }
        (!stem.is_empty()).then_some(Self {
            folders: parts,
            stem,
        })
    }
}

/// Returns the name of a folder in an address: Jekyll has the pages of `_docs` at `/docs/`.
pub(super) fn folder_name(name: &str) -> String {
    without_spaces(&without_signs(&name.trim_start_matches('_').to_lowercase()))
}

/// Returns a name with hyphens for its spaces: Hugo serves `tea pot.md` at `tea-pot`, and a wiki names `tea-pot.md` `tea pot`.
fn without_spaces(name: &str) -> String {
    name.replace(' ', "-")
}

/// Signs of names that end a word of a line, or mean something else in an address.
const SIGNS: &str = "!\"#$%&'()*+,:;<=>?@[]^`{|}~";

/// Returns a name with other characters for its signs, so that a line with it has it as a part of a word: some that have no
/// meaning. An accent and the letter below it are one character.
pub(super) fn without_signs(name: &str) -> String {
    let other = |c: char| match SIGNS.contains(c) {
        true => char::from_u32(0xe000 + u32::from(c)).unwrap_or(c),
        false => c,
    };
    name.nfc().map(other).collect()
}

/// Returns whether a name has a sign.
pub(super) fn has_sign(name: &str) -> bool {
    name.contains(|c| SIGNS.contains(c))
}

/// Returns a text with what its escapes stand for: those of JSON, HTML, addresses and Markdown; `None` if it has none.
pub(super) fn unescaped(text: &str) -> Option<String> {
    if !text.contains(['\\', '&', '%']) {
        return None;
    }
    let text = replaced(text, "\\u", unit);
    let text = replaced(&text, "&", reference);
    let text = percent_decode_str(&text).decode_utf8_lossy();
    let text = replaced(&text, "\\", |rest| {
        let sign = rest.chars().next().filter(char::is_ascii_punctuation)?;
        Some((sign, 1))
    });
    Some(text.nfc().collect())
}

/// Replaces each mark in a text, with what is behind it, by a character. `meant` returns that, and how many bytes behind the
/// mark are a part of the escape.
fn replaced<'t>(
    text: &'t str,
    mark: &str,
    meant: impl Fn(&str) -> Option<(char, usize)>,
) -> Cow<'t, str> {
    let Some(first) = text.find(mark) else {
        return text.into();
    };
    let (mut shown, mut rest) = (text[..first].to_owned(), &text[first..]);
    while let Some((before, behind)) = rest.split_once(mark) {
        shown.push_str(before);
        rest = behind;
        match meant(behind) {
            Some((c, length)) => {
                shown.push(c);
                rest = &behind[length..];
            }
            None => shown.push_str(mark),
        }
    }
    (shown + rest).into()
}

/// Returns the character of an escape of JSON, behind its mark, and its length. One beyond the first 65,536 has two.
fn unit(rest: &str) -> Option<(char, usize)> {
    let unit = |at: usize| u16::from_str_radix(rest.get(at..at + 4)?, 16).ok();
    let first = unit(0)?;
    if let Some(c) = char::from_u32(first.into()) {
        return Some((c, 4));
    }
    let second = unit(6).filter(|_| rest[4..].starts_with("\\u"))?;
    let c = char::decode_utf16([first, second]).next()?.ok()?;
    Some((c, 10))
}

/// The names of characters that have a meaning in HTML.
const NAMED: [(&str, char); 6] = [
    ("amp", '&'),
    ("apos", '\''),
    ("gt", '>'),
    ("lt", '<'),
    ("nbsp", '\u{a0}'),
    ("quot", '"'),
];

/// Returns the character of a reference of HTML, behind its mark, and its length.
fn reference(rest: &str) -> Option<(char, usize)> {
    let end = rest.bytes().take(10).position(|byte| byte == b';')?;
    let name = &rest[..end];
    let c = match name.strip_prefix('#') {
        None => NAMED.iter().find(|(known, _)| *known == name)?.1,
        Some(number) => {
            let code = match number.strip_prefix(['x', 'X']) {
                Some(number) => u32::from_str_radix(number, 16),
                None => number.parse(),
            };
            char::from_u32(code.ok()?)?
        }
    };
    Some((c, end + 1))
}

/// Returns the folders of a date, and the rest of the name of a post: `2019/01/31`, and `kiln` of `2019-01-31-kiln`. Sites have
/// posts at such addresses, or with a part of the date.
pub(crate) fn dated(stem: &str) -> Option<([String; 3], &str)> {
    let parts: Vec<&str> = stem.splitn(4, '-').collect();
    let [year, month, day, rest] = parts[..] else {
        return None;
    };
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let is_date = year.len() == 4 && (1..=2).contains(&month.len()) && (1..=2).contains(&day.len());
    let date = [year, month, day];
    (is_date && date.into_iter().all(is_number) && !rest.is_empty())
        .then(|| (date.map(str::to_owned), rest))
}

/// Returns where the end of the name of a page begins, if it has one.
pub(super) fn without_end(name: &str) -> Option<usize> {
    let (stem, end) = name.rsplit_once('.')?;
    let is_page = PAGES.iter().any(|page| end.eq_ignore_ascii_case(page));
    is_page.then_some(stem.len())
}

/// What is around a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    None,
    /// Quotes, brackets or the ends of the line: it may be a name.
    Some,
    /// A link.
    Link,
}

/// What is before the target of a link.
const LINKS: [&str; 7] = ["[[", "](", "](<", "href=", "href=\"", "href='", "ref \""];

/// What is before the target of a link of Sphinx, or before its words: the target is in `<>` then.
const ROLES: [&str; 2] = [":doc:`", "{doc}`"];

/// The shortcodes of Hugo and the tags of Hexo whose target needs no quotes.
const REFS: [&str; 4] = ["post_link", "post_path", "ref", "relref"];

/// What is before a value that is never an address.
const CLASSES: [&str; 2] = ["class=", "className="];

/// What a word in a file may mean.
pub(super) struct Mention {
    pub(super) folders: Vec<String>,
    pub(super) stem: String,
    /// How many folders it leads up from the file; `None` if it says no way from there.
    pub(super) up: Option<usize>,
    /// Whether it is an address, which may have the base of a site or a branch of a repository before the folders.
    pub(super) is_address: bool,
    /// Whether it is a path or in a link, and no word that may mean something else, nor an address of what may be another site.
    pub(super) is_link: bool,
}

/// Returns the name of a page that a word may be; none if it is neither a path nor marked.
pub(super) fn mention(word: &str, mark: Mark) -> Option<Mention> {
    let mut word = word.trim_end_matches(['.', ':', ',', '!', '?', '*', '_', '\\']);
    word = word.trim_start_matches(['*', '_', ':', ',', '!', '?', '-']);
    for prefix in ["xref:", "link:", "doc:", "ref:", "file:", "include::"] {
        word = word.strip_prefix(prefix).unwrap_or(word);
    }
    let of_site = word.split_once("://");
    if let Some((_, rest)) = of_site {
        word = rest.split_once('/')?.1;
    }
    let word = word.split(['#', '?']).next()?;
    let decoded = match word.contains('%') {
        true => percent_decode_str(word).decode_utf8().ok()?,
        false => Cow::Borrowed(word),
    };
    // Antora has these between the parts of a name.
    let decoded = match decoded.split_once("page$") {
        Some((before, page)) => Cow::Owned(format!("{before}{page}")),
        None => decoded,
    };
    let has_way = decoded.starts_with('.');
    let is_address = of_site.is_some() || decoded.starts_with('/');
    let parts = decoded.split(['/', '\\', ':', '@', '$']);
    let parts = parts.filter(|part| !part.is_empty() && *part != ".");
    let (up, parts): (Vec<&str>, Vec<&str>) = parts.partition(|part| *part == "..");
    let last = parts.last()?;
    let is_path = decoded.contains('/') || without_end(last).is_some() || dated(last).is_some();
    if mark == Mark::None && !is_path {
        return None;
    }
    let Address { folders, stem } =
        Address::of(parts.iter().map(|&part| part.to_owned()).collect())?;
    Some(Mention {
        folders,
        stem,
        up: has_way.then_some(up.len()),
        is_address,
        is_link: of_site.is_none() && (is_path || mark == Mark::Link),
    })
}

/// Returns parts of texts of which a text has one if it may mention a page whose path ends with this word, which is in lower
/// case: letters and digits of ASCII are never encoded in an address. `None` if there are none.
pub(super) fn traces(stem: &str) -> Option<Vec<String>> {
    let runs = stem.split(|c: char| !c.is_ascii_alphanumeric());
    let longest = runs.max_by_key(|run| run.len()).unwrap_or_default();
    if !longest.is_empty() {
        return Some(vec![longest.to_owned()]);
    }
    let letter = stem.chars().find(|c| c.is_alphanumeric())?;
    let cases = [
        letter.to_lowercase().to_string(),
        letter.to_uppercase().to_string(),
    ];
    let encoded = |text: &String| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let encoded: Vec<String> = cases.iter().map(encoded).collect();
    Some(cases.into_iter().chain(encoded).collect())
}

/// How many places in a name may be where it begins, if text is written without spaces before it.
const BEGINNINGS: usize = 64;

/// Calls `take` with the names of pages in a word that has more: `kiln.md` in `kiln.md:12`, `./kiln.md--` and `详见kiln.md。`.
fn names_within(word: &str, mut take: impl FnMut(&str)) {
    let mut begin = 0;
    for (dot, _) in word.match_indices('.') {
        let rest = &word[dot + 1..];
        let is_end = |end: &&&str| {
            let (own, behind) = rest.split_at_checked(end.len()).unwrap_or_default();
            let is_whole = !behind.starts_with(|c: char| c.is_ascii_alphanumeric());
            own.eq_ignore_ascii_case(end) && is_whole
        };
        let Some(end) = PAGES.iter().find(is_end) else {
            continue;
        };
        let name = &word[begin..dot + 1 + end.len()];
        begin = dot + 1 + end.len();
        take(name);
        // The name may begin behind each character of a text such as Chinese, but for one in an address or a folder.
        let others = name.char_indices().rev().filter(|(_, c)| !c.is_ascii());
        let behind = others.map(|(at, c)| &name[at + c.len_utf8()..]);
        behind
            .filter(|name| !name.starts_with(['/', '\\']))
            .take(if name.contains("://") { 0 } else { BEGINNINGS })
            .for_each(&mut take);
    }
}

/// Returns a text without its comments of HTML, but for those that include a file: `<!--@include: kiln.md-->`.
pub(super) fn without_comments(text: &str) -> String {
    let (mut shown, mut rest) = (String::new(), text);
    while let Some((before, comment)) = rest.split_once("<!--")
        && let Some((inside, behind)) = comment.split_once("-->")
    {
        shown.push_str(before);
        if inside.trim_start().starts_with(['@', '#']) {
            shown.push_str(inside);
        }
        rest = behind;
    }
    shown + rest
}

/// Returns whether a piece between some text of a line is a tag of HTML, and no target such as in `` :doc:`the kiln <kiln>` ``,
/// `](<kiln>)` or `<<kiln>>`, or behind a title in a toctree.
fn is_tag(lead: &str, piece: &str, rest: &str) -> bool {
    let (Some(lead), Some(rest)) = (lead.strip_suffix('<'), rest.strip_prefix('>')) else {
        return false;
    };
    let name = piece.trim_matches('/');
    let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let ends = rest.trim_start();
    let is_target = !lead.trim_end().is_empty()
        && lead.ends_with([' ', '\t', '(', '<'])
        && (ends.is_empty() || ends.starts_with(['`', ')', '>']));
    is_word && !is_target
}

/// Calls `take` with the words of a line that may name a page, and what is around each.
pub(super) fn words(line: &str, is_data: bool, mut take: impl FnMut(&str, Mark)) {
    let mut take = |word: &str, mark: Mark| {
        take(word, mark);
        names_within(word, |name| take(name, Mark::None));
    };
    const MARKS: [char; 16] = [
        '"', '\'', '`', '(', ')', '[', ']', '<', '>', '|', ',', ';', '{', '}', '=', '\u{feff}',
    ];
    let mut alone = line
        .trim()
        .trim_start_matches(['-', '*', '+', '.', ' '])
        .trim_start();
    if is_data && let Some((_, value)) = alone.split_once(": ") {
        alone = value.trim();
    }
    take(alone, Mark::Some);
    let mut rest = line;
    let mut before = None;
    let mut is_in_role = false;
    loop {
        let end = rest.find(MARKS).unwrap_or(rest.len());
        let piece = rest[..end].trim();
        let lead = &line[..line.len() - rest.len()];
        rest = &rest[end..];
        // The words of a link are no name: the path behind them is. Org has it before them.
        let is_reference = rest.starts_with("][") && !lead.ends_with("[[");
        let is_label = before == Some('[') && (rest.starts_with("](") || is_reference);
        let ends_with = |ends: &[&str]| ends.iter().any(|end| lead.ends_with(end));
        if before == Some('`') {
            is_in_role = ends_with(&ROLES);
        }
        let is_target = is_in_role && rest.starts_with(['`', '>']);
        let mark = match before.is_some() && !rest.is_empty() {
            true if is_target || ends_with(&LINKS) => Mark::Link,
            true => Mark::Some,
            false => Mark::None,
        };
        let value = lead.strip_suffix(['"', '\'']).unwrap_or(lead);
        let is_class = CLASSES.iter().any(|class| value.ends_with(class));
        let is_text = !is_label && !is_class && !is_tag(lead, piece, rest);
        if !piece.is_empty() && piece != alone && is_text {
            take(piece, mark);
        }
        if is_text && piece.contains(char::is_whitespace) {
            let is_shortcode = lead.trim_end_matches('<').ends_with("{{")
                || lead.ends_with('{') && piece.starts_with('%');
            let mut last = "";
            for word in piece.trim_matches(['%', ' ']).split_whitespace() {
                let is_target = is_shortcode && REFS.contains(&last);
                take(word, if is_target { Mark::Link } else { Mark::None });
                last = word;
            }
        }
        let mut left = rest.chars();
        before = left.next();
        if before.is_none() {
            return;
        }
        rest = left.as_str();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traces_are_in_every_mention() {
        assert_eq!(traces("the teapot-2").unwrap(), ["teapot"]);
        assert_eq!(traces("茶").unwrap().join(" "), "茶 茶 %E8%8C%B6 %E8%8C%B6");
        assert_eq!(traces("чай").unwrap()[..2], ["ч", "Ч"]);
        assert_eq!(traces("--"), None);
    }

    /// Returns the names of pages without marks around them in a line.
    fn named(line: &str) -> Vec<String> {
        let mut named = Vec::new();
        words(line, false, |word, _| {
            let mention = mention(word, Mark::None);
            named.extend(mention.map(|of| [of.folders, vec![of.stem]].concat().join("/")));
        });
        named
    }

    #[test]
    fn a_name_ends_where_its_end_does_and_begins_behind_any_text() {
        for line in [
            "<!--@include: ./guide/kiln.md-->",
            "<!--guide/kiln.md-->",
            "{!guide/kiln.md!}",
            "at guide/kiln.md:12 and",
            "guide/kiln.md:12:3",
            "x guide/kiln.md:/site/b.md:ro",
            "步骤详见guide/kiln.md。",
            "详见 guide/kiln.md。",
            "参见《guide/kiln.md》",
            "as “guide/kiln.md” says",
            "tea→guide/kiln.md→pot",
            "guide/kiln.md를",
        ] {
            assert!(named(line).contains(&"guide/kiln".into()), "{line}");
        }
        assert!(named("详见渡船.md。").contains(&"渡船".into()));
        for line in ["guide/kiln.mdc", "渡/guide/kiln.md", "https://x/é/kiln.md"] {
            let found = named(line);
            let is_other = |name: &String| !["kiln", "guide/kiln"].contains(&&**name);
            assert!(found.iter().all(is_other), "{line}: {found:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_line_is_read(line in r#"(\.md|[a-zé茶。./\\:@$#?%"'`()\[\]<>|=* -]){0,60}"#, is_data: bool) {
            words(&line, is_data, |word, mark| drop(mention(word, mark)));
        }
    }
}
