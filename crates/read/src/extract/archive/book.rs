//! Books: the chapters in the order they are read in, each a web page.
//!
//! The list of contents repeats the headings, and does not count.

use std::collections::{HashMap, HashSet};

use percent_encoding::percent_decode_str;

use crate::extract::MarkedText;
use crate::extract::archive::parts::{Parts, resolve};
use crate::extract::archive::xml::Xml;
use crate::extract::archive::{Refused, malformed};
use crate::extract::html::{Syntax, chapter};
use dupfind_engine::text::blocks::BlockKind;

/// Returns the text of a book.
pub(super) fn text(parts: &mut Parts<'_>) -> Result<MarkedText, Refused> {
    let package = package(&parts.need("META-INF/container.xml")?)?;
    let Some(package) = package.and_then(|path| place(parts, "", &path)) else {
        return malformed("a zip archive that names no book in it".into());
    };
    let encryption = parts.read("META-INF/encryption.xml")?.unwrap_or_default();
    let encrypted = encrypted(&encryption, parts)?;
    let chapters = chapters(&parts.need(&package)?)?;
    let mut book = MarkedText::default();
    let mut has_chapter = false;
    for reference in &chapters {
        let Some(name) = place(parts, &package, reference) else {
            continue;
        };
        if encrypted.contains(&name) {
            return malformed("it is encrypted, so that only some programs can read it".into());
        }
        if let Some(page) = parts.read(&name)? {
            has_chapter = true;
            let chapter = chapter(body(&page), Syntax::Xml);
            let start = book.text.len();
            book.marks.begin(start, BlockKind::Paragraph);
            for mark in chapter.marks.as_slice() {
                book.marks.begin(start + mark.at, mark.kind);
            }
            book.text.push_str(&chapter.text);
            book.text.push('\n');
        }
    }
    if has_chapter {
        Ok(book)
    } else {
        malformed("none of its chapters is there".into())
    }
}

/// Returns the part of a page that a reader sees. A book does not show its title.
fn body(page: &str) -> &str {
    page.find("<body").map_or(page, |start| &page[start..])
}

/// Returns the name of the part that a reference in another part means. A place in that part may be behind it.
///
/// By the standard a reference is an URL and the path of the package is none. Programs escape names in both, or the
/// names of the parts themselves. So the part with the name as it is written is meant, or else the one with the name
/// without escapes.
fn place(parts: &Parts<'_>, part: &str, reference: &str) -> Option<String> {
    let path = reference.split('#').next().unwrap_or_default();
    let as_written = resolve(part, path).filter(|name| parts.has(name));
    as_written.or_else(|| resolve(part, &percent_decode_str(path).decode_utf8().ok()?))
}

/// Returns the name of the part that describes the book.
fn package(container: &str) -> Result<Option<String>, Refused> {
    let mut xml = Xml::new(container);
    while let Some(tag) = xml.next_tag()? {
        if tag.name() == "rootfile"
            && let Some(path) = tag.value("full-path")
        {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// Returns the parts that only some programs can read. The fonts of many books are among them.
fn encrypted(list: &str, parts: &Parts<'_>) -> Result<HashSet<String>, Refused> {
    let mut xml = Xml::new(list);
    let mut encrypted = HashSet::new();
    while let Some(tag) = xml.next_tag()? {
        if tag.name() == "CipherReference" {
            let part = tag.value("URI").and_then(|uri| place(parts, "", &uri));
            encrypted.extend(part);
        }
    }
    Ok(encrypted)
}

/// Returns the references to the chapters, in their order.
fn chapters(package: &str) -> Result<Vec<String>, Refused> {
    let mut xml = Xml::new(package);
    xml.expect("package")?;
    let mut pages = HashMap::new();
    let mut chapters = Vec::new();
    while let Some(tag) = xml.next_tag()? {
        let is_page = || {
            let of = |name| tag.value(name).unwrap_or_default();
            let is_contents = of("properties")
                .split_whitespace()
                .any(|word| word == "nav");
            of("media-type").contains("html") && !is_contents
        };
        match tag.name() {
            "item" if is_page() => pages.extend(tag.value("id").zip(tag.value("href"))),
            "itemref" => {
                let id = tag.value("idref").unwrap_or_default();
                chapters.extend(pages.remove(&id));
            }
            _ => {}
        }
    }
    Ok(chapters)
}
