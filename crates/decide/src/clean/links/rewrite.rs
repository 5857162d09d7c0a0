//! Replaces links to pages that go by links of the same kind to the pages that stay.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::clean::apply::is_file;
use crate::clean::links::target::{Form, forms, path_of, place, starts};
use crate::clean::links::{LinkingPage, content};
use crate::clean::plan::hash::bytes_hash;
use dupfind_read::extract::links::{Link, links};
use dupfind_read::format::{Format, Kind};
use dupfind_read::source::name::plain;

/// A place in a file that gets another text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edit {
    /// Where it begins and ends, in bytes from 0.
    pub at: (usize, usize),
    /// The other text.
    pub text: String,
}

/// Returns the bytes of a file with other texts at some places, which are in order; `None` if there are no such places.
#[must_use]
pub fn edited(bytes: &[u8], edits: &[Edit]) -> Option<Vec<u8>> {
    let mut made = Vec::with_capacity(bytes.len());
    let mut from = 0;
    for Edit { at, text } in edits {
        made.extend_from_slice(bytes.get(from..at.0)?);
        made.extend_from_slice(text.as_bytes());
        bytes.get(at.0..at.1)?;
        from = at.1;
    }
    made.extend_from_slice(bytes.get(from..)?);
    Some(made)
}

/// Returns how the links of a page change, and the hash of its file then, if pages go: `gone` has the page that stays
/// for each that goes. Paths are relative to `base`. `None` if no link of the page leads to one that goes.
///
/// # Errors
///
/// The reason why its links cannot be changed, in words.
pub fn edits(
    page: &LinkingPage,
    gone: &HashMap<&str, &str>,
    base: &Path,
) -> Result<Option<(Vec<Edit>, String)>, String> {
    let going = page
        .links
        .iter()
        .filter_map(|link| Some((link, *gone.get(&*link.to)?)));
    let going: Vec<_> = going.collect();
    if going.is_empty() {
        return Ok(None);
    }
    let name = &page.page;
    let path = base.join(name);
    if !is_file(&path) {
        return Err(format!("{name} is not there, or a symbolic link"));
    }
    let bytes = content(&path).map_err(|error| format!("{name}: {error}"))?;
    let source = str::from_utf8(&bytes).map_err(|_| format!("{name} is not UTF-8"))?;
    let found = links(source, Kind::of(&path).format);
    if bytes_hash(&bytes) != page.hash {
        let is_left = |link: &Link| {
            going
                .iter()
                .any(|(old, _)| old.link == source[link.at.clone()])
        };
        return match found.iter().any(is_left) {
            true => Err(format!("{name} was changed since the plan was made")),
            // Its links were changed before.
            false => Ok(None),
        };
    }
    let from = plain(&path);
    let mut edits = Vec::new();
    for (old, keep) in going {
        let is_it = |link: &&Link| (link.at.start, link.at.end) == old.at;
        let target = found.iter().find(is_it).map(|link| &*link.target);
        let [to, keep] = [&old.to, keep].map(|name| plain(&base.join(name)));
        let text = target.and_then(|target| rewritten(&from, target, &old.link, &to, &keep));
        edits.push(Edit {
            at: old.at,
            text: text.ok_or_else(|| {
                format!("{name}: '{}' is no path that could be changed", old.link)
            })?,
        });
    }
    edits.sort_by_key(|edit| edit.at);
    let after = edited(&bytes, &edits).ok_or_else(|| format!("{name}: links within links"))?;
    Ok(Some((edits, bytes_hash(&after))))
}

/// Returns a link to the page `keep` of the same form as one to the page `gone`. `target` is its target, and `written`
/// how that is written. All paths are absolute and plain.
fn rewritten(page: &Path, target: &str, written: &str, gone: &Path, keep: &Path) -> Option<String> {
    let path = path_of(target)?;
    let (start, form) = starts(page, &path).into_iter().find_map(|start| {
        let mut forms = forms(&place(&start, &path)).into_iter();
        let form = forms.find_map(|(place, form)| form_of(&place, form, gone))?;
        let form = match form {
            // The page of a folder may have been named as a file.
            Form::Folder if Kind::of(Path::new(&path)).format == Format::Html => Form::Made,
            form => form,
        };
        Some((start, form))
    })?;
    let new = form.of(keep).or_else(|| Form::Page.of(keep))?;
    // A page of a folder has the address of the folder, unless its file is named.
    let new = match form {
        Form::Page => Form::Folder.of(keep).unwrap_or(new),
        _ => new,
    };
    let new = match path.starts_with('/') {
        true => match new.strip_prefix(&start) {
            Ok(below) => Path::new("/").join(below),
            Err(_) => relative(page.parent()?, &new),
        },
        false => relative(&start, &new),
    };
    let mut text = encoded(new.to_str()?);
    if path.ends_with('/') && !text.ends_with('/') {
        text.push('/');
    }
    // A question or a fragment stays as it is written. The sign of an entity, as `&#39;`, begins none.
    let mut signs = written.match_indices(['?', '#']);
    let sign = signs.find(|(at, _)| !written[..*at].ends_with('&'));
    match (sign, target.find(['?', '#'])) {
        (Some((at, _)), Some(_)) => text.push_str(&written[at..]),
        (None, Some(at)) => text.push_str(&encoded_but(&target[at..], "/-_.~?#=%+&")),
        (_, None) => {}
    }
    Some(text)
}

/// Returns the form in which a place names a file.
fn form_of(place: &Path, form: Form, file: &Path) -> Option<Form> {
    let is = |as_form: Form| as_form.of(file).as_deref() == Some(place);
    match form {
        Form::File => [Form::File, Form::Page, Form::Folder]
            .into_iter()
            .find(|form| is(*form)),
        Form::Made => (is(Form::Page) || is(Form::Folder)).then_some(form),
        Form::Page | Form::Folder => is(Form::Folder).then_some(form),
    }
}

/// Returns the way from a folder to a place.
fn relative(folder: &Path, place: &Path) -> PathBuf {
    let shared = folder.components().zip(place.components());
    let shared = shared.take_while(|(a, b)| a == b).count();
    let up = folder
        .components()
        .skip(shared)
        .map(|_| Component::ParentDir);
    let way: PathBuf = up.chain(place.components().skip(shared)).collect();
    match way.as_os_str().is_empty() {
        true => ".".into(),
        false => way,
    }
}

/// Returns a path as a target in Markdown and HTML: special characters are encoded as in a URL.
#[must_use]
pub fn encoded(path: &str) -> String {
    encoded_but(path, "/-_.~")
}

/// Returns a text with its special characters encoded as in a URL, but for some.
fn encoded_but(path: &str, plain: &str) -> String {
    let mut text = String::new();
    for c in path.chars() {
        match c {
            '\0'..='\x7f' if !c.is_ascii_alphanumeric() && !plain.contains(c) => {
                text.push_str(&format!("%{:02X}", u32::from(c)));
            }
            _ => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_behind_a_path_keeps_its_meaning() {
        let [page, gone, keep] = ["a.md", "b.md", "c.md"].map(|name| Path::new("/s").join(name));
        for (target, written, expected) in [
            ("b.md#x", "b.md&#35;x", "c.md#x"),
            (
                "b.md?a&b#it's",
                "b.md?a&amp;b#it&#39;s",
                "c.md?a&amp;b#it&#39;s",
            ),
            ("b.md#x", "&#98;.md#x", "c.md#x"),
            ("b.md", "&#98;.md", "c.md"),
        ] {
            let found = rewritten(&page, target, written, &gone, &keep);
            assert_eq!(found.as_deref(), Some(expected), "{written}");
        }
    }

    #[test]
    fn a_link_keeps_its_form_and_its_fragment() {
        for (page, link, gone, keep, expected) in [
            ("a.md", "b.md#x", "b.md", "c.md", "c.md#x"),
            ("a.md", "./b.md", "b.md", "x/c d.md", "x/c%20d.md"),
            ("x/a.md", "../b.md", "b.md", "x/y/c.md", "y/c.md"),
            ("x/a.md", "/b.md?q#f", "b.md", "x/c.md", "/x/c.md?q#f"),
            ("docs/x/a.md", "/b", "docs/b.md", "docs/y/c.md", "/y/c"),
            ("docs/x/a.md", "/b/", "docs/b.md", "docs/y/c.md", "/y/c/"),
            // The page that stays is outside of the folder that seems to be the root of the site.
            ("docs/x/a.md", "/b/", "docs/b.md", "c.md", "../../c/"),
            ("a.md", "b.html", "b.md", "c.md", "c.html"),
            ("a.md", "b", "b.md", "x/index.md", "x"),
            ("a.md", "b.md", "b.md", "x/index.md", "x/index.md"),
            ("a.md", "b.html", "b.md", "x/README.md", "x/index.html"),
            ("x/a.md", "../b/", "b/index.md", "index.md", "../"),
            ("a.md", "b/index", "b/index.md", "c.md", "c"),
            ("a.md", "b/index.html#x", "b/README.md", "c.md", "c.html#x"),
            ("x/a.md", "b.md", "x/b.md", "x/a.md", "a.md"),
            ("x/a.md", "../b/", "x/b.md", "x/c.md", "../c/"),
            ("a.md", "%E8%8C%B6.md", "茶.md", "水.md", "水.md"),
        ] {
            let [page, gone, keep] = [page, gone, keep].map(|path| Path::new("/s").join(path));
            let found = rewritten(&page, link, link, &gone, &keep);
            assert_eq!(
                found.as_deref(),
                Some(expected),
                "{link} {}",
                gone.display()
            );
        }
        let other = Path::new("/s/z.md");
        let page = Path::new("/s/a.md");
        assert_eq!(rewritten(page, "/alias/", "/alias/", other, page), None);
    }

    #[test]
    fn only_places_within_the_file_are_edited() {
        let edit = |start, end| Edit {
            at: (start, end),
            text: "X".into(),
        };
        assert_eq!(edited(b"abcd", &[edit(1, 2), edit(3, 4)]).unwrap(), b"aXcX");
        for wrong in [
            &[edit(3, 9)][..],
            &[edit(9, 9)],
            &[edit(2, 3), edit(1, 2)],
            &[edit(3, 2)],
        ] {
            assert_eq!(edited(b"abcd", wrong), None, "{wrong:?}");
        }
    }
}
