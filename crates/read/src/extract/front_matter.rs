//! Front matter: where it ends, and the mark in it that opts a document out.
//!
//! Front matter is a block of YAML between lines `---`, of TOML between lines `+++`, or of JSON from a line `{` on, with
//! which a document begins. With its key `dupfind` a document is not compared, and the value has the reason:
//!
//! ```text
//! ---
//! title: Terms of service
//! dupfind: ignore - the same text for every country
//! ---
//! ```
//!
//! In TOML and JSON the same text is in quotes. YAML and TOML may be in a comment of HTML, so that a forge does not show them. In
//! Pelican, MultiMarkdown and Hexo the first `---` is missing, and Pandoc has lines `% title`, `% author`, `% date`. A document
//! without front matter costs a look at its first bytes.

use std::collections::BTreeMap;

use memchr::memchr2;
use serde_json::{Map, Value};
use toml::de::{DeTable, DeValue};

use crate::extract::{has_any_case, has_word};

/// How many bytes of a document may be front matter. A longer block is text.
const MOST: usize = 64 << 10;

/// How many characters of a reason are kept.
const KEPT: usize = 200;

/// The key.
pub(super) const KEY: &str = "dupfind";

/// The language of front matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Language {
    Yaml,
    Toml,
    Json,
    Pandoc,
}

/// What is found at the beginning of a document.
#[derive(Debug, Clone, Copy)]
struct Found<'c> {
    language: Language,
    block: &'c str,
    /// The text behind it.
    rest: &'c str,
}

/// The front matter of a document. It may have none.
#[derive(Debug, Clone, Copy)]
pub struct FrontMatter<'c> {
    found: Option<Found<'c>>,
    end: usize,
}

impl<'c> FrontMatter<'c> {
    /// Finds the front matter of a document, by its decoded content.
    pub fn of(content: &'c str) -> Self {
        let found = find(content);
        let end = match &found {
            Some(found) if found.has_key() => content.len() - found.rest.len(),
            _ => 0,
        };
        Self { found, end }
    }

    /// Returns where it ends, in bytes: at the end of the line that closes it, or 0 if there is none. A block in which
    /// nothing looks like a key is text between rules.
    pub fn end(&self) -> usize {
        self.end
    }

    /// Returns whether the document has front matter.
    pub(super) fn is_there(&self) -> bool {
        self.end > 0
    }

    /// Returns why the document is not to be compared, if there is the key for that. The reason may be empty.
    pub(super) fn opt_out(&self) -> Option<String> {
        self.value(KEY).map(|value| reason(&value))
    }

    /// Returns whether the document leads its readers to another page.
    pub(crate) fn leads_elsewhere(&self) -> bool {
        let leads = |key| self.value(key).is_some_and(|to| to.contains('/'));
        ["redirect_to", "redirect"].into_iter().any(leads)
    }

    /// Returns the first value of a key, as it is written but for quotes. The key is at the beginning of a line.
    pub fn value(&self, key: &str) -> Option<String> {
        self.values(key).into_iter().next()
    }

    /// Returns the values of a key that is a list, or the only value of one that is not.
    pub fn values(&self, key: &str) -> Vec<String> {
        let may_have = |found: &Found<'_>| {
            matches!(found.language, Language::Yaml | Language::Pandoc) || found.block.contains(key)
        };
        let Some(Found {
            language, block, ..
        }) = self.found.filter(may_have)
        else {
            return Vec::new();
        };
        match language {
            Language::Yaml => of_yaml(block, key),
            Language::Pandoc => {
                let first = block.lines().next().filter(|_| key == "title");
                let title = first.map(|line| line[1..].trim().to_owned());
                title.into_iter().collect()
            }
            Language::Json => {
                let table = json(block);
                let values = table.as_ref().and_then(|table| table.get(key));
                let values = values.map_or(&[][..], |value| match value {
                    Value::Array(values) => values,
                    _ => std::slice::from_ref(value),
                });
                let text = |value: &Value| match value {
                    Value::String(value) => Some(value.clone()),
                    Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
                    _ => None,
                };
                values.iter().filter_map(text).collect()
            }
            Language::Toml => {
                let table = DeTable::parse(block).ok();
                let values = table.as_ref().and_then(|table| table.get_ref().get(key));
                let values = values.map_or(&[][..], |value| match value.get_ref() {
                    DeValue::Array(values) => values,
                    _ => std::slice::from_ref(value),
                });
                let text = |value: &toml::Spanned<DeValue<'_>>| match value.get_ref() {
                    DeValue::String(value) => Some(value.to_string()),
                    DeValue::Integer(value) => Some(value.as_str().to_owned()),
                    DeValue::Float(value) => Some(value.as_str().to_owned()),
                    DeValue::Boolean(value) => Some(value.to_string()),
                    DeValue::Datetime(value) => Some(value.to_string()),
                    DeValue::Array(_) | DeValue::Table(_) => None,
                };
                values.iter().filter_map(text).collect()
            }
        }
    }

    /// Returns the keys, each with all that is written for it.
    pub fn keys(&self) -> BTreeMap<String, String> {
        let Some(Found {
            language, block, ..
        }) = self.found
        else {
            return BTreeMap::new();
        };
        if language == Language::Json {
            let keys = json(block).into_iter().flatten();
            return keys.map(|(key, value)| (key, value.to_string())).collect();
        }
        let mut keys: BTreeMap<String, String> = BTreeMap::new();
        let mut last = None;
        for line in lines(block).map(str::trim_end) {
            let is_first = line.starts_with(|c: char| c.is_alphanumeric() || "\"'[_".contains(c));
            if is_first {
                let end = line.find([':', '=']).unwrap_or(line.len());
                let key = line[..end].trim_matches(['[', ']', '"', '\'', ' ']);
                last = Some(key.to_owned());
            }
            let written = match line.split_once([':', '=']).filter(|_| is_first) {
                Some((_, value)) => value.trim_matches(['"', '\'', ' ']),
                None => line,
            };
            if let Some(key) = &last
                && !line.is_empty()
            {
                let value = keys.entry(key.clone()).or_default();
                value.push_str(written);
                value.push('\n');
            }
        }
        keys
    }
}

impl Found<'_> {
    /// Returns whether it has a line that looks like a key and no paragraph, or no line.
    fn has_key(&self) -> bool {
        if self.language == Language::Yaml && has_paragraph(self.block) {
            return false;
        }
        let lines = || lines(self.block).map(without_comment).map(str::trim);
        let is_key = match self.language {
            Language::Yaml => begins_with_key,
            Language::Toml => |line: &str| line.starts_with('[') || line.contains('='),
            Language::Json | Language::Pandoc => |_: &str| true,
        };
        lines().any(is_key) || lines().all(str::is_empty)
    }
}

/// Returns the values of a key in YAML. A text goes on in the indented lines behind that of its key.
fn of_yaml(block: &str, key: &str) -> Vec<String> {
    // Most keys that are asked for are in no front matter.
    if !has_any_case(block, key) {
        return Vec::new();
    }
    let mut lines = lines(block);
    let Some(value) = lines.find_map(|line| value_of(key, line)) else {
        return Vec::new();
    };
    let goes_on = |line: &&str| {
        let is_item = value.is_empty() && line.starts_with('-');
        is_item || line.is_empty() || line.starts_with([' ', '\t'])
    };
    let mut behind = lines
        .take_while(goes_on)
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .peekable();
    let plain = |value: &str| value.trim().trim_matches(['"', '\'']).to_owned();
    let is_list = value.is_empty() && behind.peek().is_some_and(|line| line.starts_with('-'));
    let mut values: Vec<String> = if is_list {
        let items = behind.map_while(|line| line.strip_prefix('-'));
        items.map(|item| plain(without_comment(item))).collect()
    } else {
        let is_block = value.starts_with(['>', '|'])
            && value[1..]
                .chars()
                .all(|c| c.is_ascii_digit() || "+-".contains(c));
        let mut text = String::from(if is_block { "" } else { value });
        // A key is one of a table.
        for line in behind.take_while(|line| is_block || !begins_with_key(line)) {
            text.push(' ');
            text.push_str(if is_block {
                line
            } else {
                without_comment(line)
            });
        }
        let text = text.trim();
        let list = text
            .strip_prefix('[')
            .and_then(|list| list.strip_suffix(']'));
        match list {
            Some(list) if !is_block => list.split(',').map(plain).collect(),
            _ => vec![plain(text)],
        }
    };
    values.retain(|value| !value.is_empty());
    values
}

/// Returns whether a line of YAML begins with a key: one word, or several in quotes. Keys of several words are rare
/// without quotes, and sentences with a colon in them are not.
fn begins_with_key(line: &str) -> bool {
    let quote = line.chars().next().filter(|c| ['"', '\''].contains(c));
    let rest = match quote {
        Some(quote) => line[1..].split_once(quote).map(|(_, rest)| rest),
        None => {
            let end = line.find(char::is_whitespace).unwrap_or(line.len());
            let (word, rest) = line.split_at(end);
            if word.len() > 1 && word.ends_with(':') {
                return true;
            }
            Some(rest)
        }
    };
    let value = rest.and_then(|rest| rest.trim_start().strip_prefix(':'));
    value.is_some_and(|value| value.is_empty() || value.starts_with([' ', '\t']))
}

/// Returns whether running text is behind a blank line, as it may be between two rules.
fn has_paragraph(block: &str) -> bool {
    let mut is_behind_blank = false;
    lines(block).map(str::trim_end).any(|line| {
        let is_after = std::mem::replace(&mut is_behind_blank, line.is_empty());
        let may_be_yaml = line.is_empty()
            || line.starts_with([' ', '\t', '-', '#', ']', '}'])
            || line.ends_with(':')
            || line.contains(": ");
        is_after && !may_be_yaml
    })
}

/// Returns the character that ends the lines of a document: a carriage return if no line feed is behind the first one.
fn line_end(content: &str) -> char {
    let first = memchr2(b'\r', b'\n', content.as_bytes()).map(|at| &content[at..]);
    match first {
        Some(rest) if rest.starts_with('\r') && !rest.starts_with("\r\n") => '\r',
        _ => '\n',
    }
}

/// Returns the lines of a block.
fn lines(block: &str) -> impl Iterator<Item = &str> {
    let lines = block.split_terminator(line_end(block));
    lines.map(|line| line.strip_suffix('\r').unwrap_or(line))
}

/// Finds the front matter of a document.
fn find(content: &str) -> Option<Found<'_>> {
    let content = content.strip_prefix('\u{feff}').unwrap_or(content);
    // Site generators skip blank lines before it.
    let blank = &content[..content.len() - content.trim_start().len()];
    let content = &content[blank.rfind(['\n', '\r']).map_or(0, |end| end + 1)..];
    if content.starts_with('{') {
        return find_json(content);
    }
    let Some(comment) = content.strip_prefix("<!--") else {
        return find_fenced(content).or_else(|| find_bare(content));
    };
    let found = find_fenced(comment.trim_start())?;
    let rest = found.rest.trim_start().strip_prefix("-->")?;
    Some(Found { rest, ..found })
}

/// Finds front matter of YAML or TOML.
fn find_fenced(content: &str) -> Option<Found<'_>> {
    let fence = content.get(..3)?;
    let (language, closings): (_, &[&str]) = match fence {
        "---" => (Language::Yaml, &["---", "..."]),
        "+++" => (Language::Toml, &["+++"]),
        _ => return None,
    };
    let end_of_line = line_end(content);
    let (first, rest) = content.split_once(end_of_line)?;
    if first[3..].trim_end() != "" {
        return None;
    }
    let mut end = 0;
    for line in rest.split_inclusive(end_of_line) {
        if line.starts_with(['-', '.', '+']) && closings.contains(&line.trim_end()) {
            let (block, rest) = rest.split_at(end);
            let rest = &rest[line.trim_end_matches(end_of_line).len()..];
            return Some(Found {
                language,
                block,
                rest,
            });
        }
        end += line.len();
        if end > MOST {
            return None;
        }
    }
    None
}

/// The keys of front matter that has no fence before it. A line with any other may be text.
const KEYS: &str = "author authors categories category comments copyright cover date description draft dupfind email image \
                    keywords lang language layout modified permalink published slug status subtitle summary tag tags \
                    template thumbnail title toc translation updated url";

/// Finds front matter without a fence before it, up to a blank line or a fence: lines with known keys, the title among them, or
/// two or three lines of Pandoc.
fn find_bare(content: &str) -> Option<Found<'_>> {
    let is_pandoc = content.starts_with("% ");
    let (mut end, mut keys, mut has_title) = (0, 0, is_pandoc);
    for line in content.split_inclusive(line_end(content)) {
        let text = line.trim_end();
        if text.is_empty() || (text == "---" && !is_pandoc) {
            let language = match is_pandoc {
                true => Language::Pandoc,
                false => Language::Yaml,
            };
            return (has_title && keys > 1).then(|| Found {
                language,
                block: &content[..end],
                rest: &content[end + text.len()..],
            });
        }
        let goes_on = keys > 0 && (line.starts_with([' ', '\t']) || line.starts_with("- "));
        if is_pandoc {
            keys += 1;
            text.strip_prefix('%').filter(|_| keys <= 3)?;
        } else if !goes_on {
            keys += 1;
            let (key, value) = text.split_once(':')?;
            let key = key.to_ascii_lowercase();
            if !has_word(KEYS, &key) || !(value.is_empty() || value.starts_with([' ', '\t'])) {
                return None;
            }
            has_title |= key == "title";
        }
        end += line.len();
    }
    None
}

/// Finds front matter of JSON: an object with nothing behind it in its last line. Several of them are JSON Lines, and the second
/// one may be cut; the text behind front matter may begin with `{{<`.
fn find_json(content: &str) -> Option<Found<'_>> {
    let parser = serde_json::Deserializer::from_str(super::head(content, MOST));
    let mut values = parser.into_iter::<Map<String, Value>>();
    values.next()?.ok()?;
    let (block, rest) = content.split_at(values.byte_offset());
    let line = rest.split('\n').next().unwrap_or_default();
    let mut is_last = || match values.next() {
        Some(Ok(_)) => false,
        Some(Err(error)) => !error.is_eof(),
        None => true,
    };
    let is_one = line.trim().is_empty() && is_last();
    is_one.then(|| Found {
        language: Language::Json,
        block,
        rest: &rest[line.len()..],
    })
}

/// Returns the keys of front matter of JSON.
fn json(block: &str) -> Option<Map<String, Value>> {
    serde_json::from_str(block).ok()
}

/// Returns the reason in the value of the key: the words behind `ignore`, or the value.
pub(super) fn reason(value: &str) -> String {
    let rest = value.strip_prefix("ignore");
    let rest = rest.filter(|rest| rest.is_empty() || rest.starts_with([' ', ':']));
    let reason = rest.unwrap_or(value);
    shortened(reason.trim_start_matches([' ', ':', '-', '\u{2013}', '\u{2014}']))
}

/// Makes a text one line that is not too long for a report.
fn shortened(text: &str) -> String {
    let text = text.trim();
    let kept = text.chars().take(KEPT);
    kept.map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Returns the value of a key, if a line of YAML has it. The key may be in quotes.
fn value_of<'l>(key: &str, line: &'l str) -> Option<&'l str> {
    let quotes = ['"', '\''];
    let bare = |line: &'l str| {
        let (name, rest) = line.split_at_checked(key.len())?;
        name.eq_ignore_ascii_case(key).then_some(rest)
    };
    let rest = match line.strip_prefix(quotes) {
        Some(line) => bare(line)?.strip_prefix(quotes)?,
        None => bare(line)?,
    };
    let value = rest.trim_start().strip_prefix(':')?;
    let is_value = value.trim().is_empty() || value.starts_with([' ', '\t']);
    is_value.then(|| without_comment(value).trim())
}

/// Returns a line up to its comment, which begins with `#` behind white space.
fn without_comment(line: &str) -> &str {
    let mut marks = line.match_indices('#').map(|(at, _)| line.split_at(at).0);
    marks
        .find(|before| before.is_empty() || before.ends_with(char::is_whitespace))
        .unwrap_or(line)
}

#[cfg(test)]
mod tests;
