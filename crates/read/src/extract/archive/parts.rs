//! The parts of an archive, by name, with a limit for all of them together; and how those of an Office file belong together.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::rc::Rc;

use zip::ZipArchive;
use zip::read::{ArchiveOffset, Config};
use zip::result::ZipError;

use crate::extract::archive::xml::{self, Xml, XmlPiece};
use crate::extract::archive::{Refused, malformed};
use crate::skipped::SkipReason;

/// How many bytes are read at most to list the parts. An entry of that list has 46 bytes and its name, and some 400
/// in memory. Office files have a few hundred.
const LISTING: u64 = 2 << 20;

/// The largest archive, in bytes, with its pictures. Memory is set aside for as many entries as the archive claims to
/// have, which are never more than fit into it.
const ARCHIVE: u64 = 1 << 30;

/// The longest name of a part, in bytes.
const NAME: usize = 4096;

/// The folders of parts that readers see and that have no text: of Office, and of OpenDocument.
const SHOWN: [&str; 4] = ["Pictures", "charts", "embeddings", "media"];

/// How the names of parts of Word begin that have text which does not count.
const MARGINS: [&str; 3] = ["comments", "footer", "header"];

/// Where an archive is read from. It is not a type parameter: all formats would be compiled once for each source.
pub(super) trait Seekable: Read + Seek {}

impl<R: Read + Seek> Seekable for R {}

/// An archive that is being read.
pub(super) struct Parts<'a> {
    archive: ZipArchive<Metered<BufReader<&'a mut dyn Seekable>>>,
    /// How many bytes may still be read.
    left: u64,
    bytes: usize,
    /// The names of the parts that were read. No part counts twice, however often the archive refers to it.
    seen: HashSet<String>,
}

impl<'a> Parts<'a> {
    /// Opens an archive. `limit` is the size that its parts may have together, in bytes.
    pub(super) fn open(archive: &'a mut dyn Seekable, limit: u64) -> Result<Self, Refused> {
        let size = archive.seek(SeekFrom::End(0)).map_err(unreadable)?;
        if size > ARCHIVE {
            let words = format!("an archive of {size} bytes; the most that is opened is {ARCHIVE}");
            return Err((SkipReason::TooLarge, words));
        }
        let left = Rc::new(Cell::new(LISTING));
        let metered = Metered {
            inner: BufReader::new(archive),
            left: Rc::clone(&left),
        };
        // Such a file begins with its first part. No other beginning is looked for.
        let config = Config {
            archive_offset: ArchiveOffset::Known(0),
        };
        let archive = ZipArchive::with_config(config, metered).or_else(damaged)?;
        left.set(u64::MAX);
        Ok(Self {
            archive,
            left: limit,
            bytes: 0,
            seen: HashSet::new(),
        })
    }

    /// Returns a part as text. There is none if the archive has no such part, or if it was read before.
    pub(super) fn read(&mut self, name: &str) -> Result<Option<String>, Refused> {
        if self.seen.contains(name) {
            return Ok(None);
        }
        let part = match self.archive.by_name(name) {
            Err(ZipError::FileNotFound) => return Ok(None),
            found => found.or_else(damaged)?,
        };
        let mut bytes = Vec::new();
        // The size that the archive claims may be wrong.
        let mut part = part.take(self.left.saturating_add(1));
        let size = part.read_to_end(&mut bytes).map_err(unreadable)?;
        self.left = self.left.checked_sub(size as u64).ok_or_else(too_large)?;
        self.bytes += size;
        self.seen.insert(name.to_owned());
        Ok(Some(xml::decode(&bytes)))
    }

    /// Returns whether there is such a part, read or not.
    pub(super) fn has(&self, name: &str) -> bool {
        self.archive.index_for_name(name).is_some()
    }

    /// Returns a part as text. Without it there is no text.
    pub(super) fn need(&mut self, name: &str) -> Result<String, Refused> {
        match self.read(name)? {
            Some(part) => Ok(part),
            None => malformed(format!("the archive has no part {name}")),
        }
    }

    /// Returns the names of all parts.
    fn names(&self) -> Vec<String> {
        let names = self.archive.file_names().filter_map(Result::ok);
        names.map(Cow::into_owned).collect()
    }

    /// Returns the addresses that the file links to, each on a line: those of Office in its lists of references.
    pub(super) fn links(&mut self) -> Result<String, Refused> {
        let mut links = String::new();
        for name in self.names() {
            let is_list = name.ends_with(".rels");
            if !is_list && name != "content.xml" {
                continue;
            }
            let part = self.need(&name)?;
            let mut xml = Xml::new(&part);
            while let Some(tag) = xml.next_tag()? {
                let target = match is_list {
                    true => tag
                        .value("Target")
                        .filter(|_| tag.value("TargetMode").as_deref() == Some("External")),
                    false => tag.prefixed("href"),
                };
                for part in target.iter().flat_map(|target| [&**target, "\n"]) {
                    links.push_str(part);
                }
            }
        }
        Ok(links)
    }

    /// Returns what the file has besides its text: what tells each part from others, and how it is called. Of pictures that is
    /// the sum of their bytes, and of headers, footers and comments their text, as each saving writes them anew.
    pub(super) fn beside(&mut self) -> Result<BTreeMap<String, String>, Refused> {
        let mut beside = BTreeMap::new();
        for name in self.names() {
            let (folder, file) = name.rsplit_once('/').unwrap_or_default();
            let folder = folder.rsplit('/').next().unwrap_or_default();
            if SHOWN.contains(&folder) && !file.is_empty() {
                let part = self.archive.by_name(&name).or_else(damaged)?;
                let sum = format!("{:08x} {}", part.crc32(), part.size());
                beside.insert(sum, name);
            } else if folder == "word" && MARGINS.iter().any(|kind| file.starts_with(kind)) {
                let text = self.written(&name)?;
                if text.contains(char::is_alphanumeric) {
                    beside.insert(text.clone(), text);
                }
            }
        }
        Ok(beside)
    }

    /// Returns all text in a part of Word, with one space for white space.
    fn written(&mut self, name: &str) -> Result<String, Refused> {
        let part = self.need(name)?;
        let (mut xml, mut text, mut is_text) = (Xml::new(&part), String::new(), false);
        while let Some(piece) = xml.next()? {
            match piece {
                XmlPiece::Start(tag) => is_text = tag.name() == "t",
                XmlPiece::End(end) => {
                    is_text = false;
                    if end.name() == "p" {
                        text.push(' ');
                    }
                }
                XmlPiece::Text(piece) if is_text => text.push_str(&piece),
                XmlPiece::Text(_) => {}
            }
        }
        Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Returns the size of the parts that were read, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}

/// Returns the name of the part that a reference in another part means. There is none if the name is too long. A
/// reference out of the archive leads to its root.
pub(super) fn resolve(part: &str, reference: &str) -> Option<String> {
    if part.len() + reference.len() > NAME {
        return None;
    }
    let folder = match part.rsplit_once('/') {
        Some((folder, _)) if !reference.starts_with('/') => folder,
        _ => "",
    };
    let mut names = Vec::new();
    for name in folder.split('/').chain(reference.split('/')) {
        match name {
            "" | "." => {}
            ".." => drop(names.pop()),
            name => names.push(name),
        }
    }
    Some(names.join("/"))
}

/// Returns the refusal of parts that are too large. The caller finds words for it.
pub(super) fn too_large() -> Refused {
    (SkipReason::TooLarge, String::new())
}

/// Refuses an archive that cannot be read.
fn damaged<T>(error: ZipError) -> Result<T, Refused> {
    match error {
        ZipError::Io(error) => Err(unreadable(error)),
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => {
            malformed("it is encrypted; saved again without a password it can be read".into())
        }
        other => malformed(format!(
            "the archive is damaged, or only a part of it ({other})"
        )),
    }
}

/// Returns the refusal after a read that failed: because of the system, or because the archive is damaged.
#[allow(clippy::needless_pass_by_value, reason = "for map_err")]
fn unreadable(error: io::Error) -> Refused {
    if error.raw_os_error().is_some() {
        return (SkipReason::Unreadable, error.to_string());
    }
    let words = format!("the archive is damaged, or only a part of it ({error})");
    (SkipReason::Malformed, words)
}

/// A reader that reads a limited number of bytes.
struct Metered<R> {
    inner: R,
    left: Rc<Cell<u64>>,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left.get() == 0 {
            return Err(io::Error::other("its list of parts has no end"));
        }
        let read = self.inner.read(buffer)?;
        let left = self.left.get().saturating_sub(read as u64);
        self.left.set(left);
        Ok(read)
    }
}

impl<R: Seek> Seek for Metered<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}

/// The references of a part of an Office file to others (Open Packaging Conventions).
#[derive(Debug)]
pub(super) struct Relations {
    part: String,
    /// Kind and target of each, in their order.
    all: Vec<(String, String)>,
    by_id: HashMap<String, usize>,
}

impl Relations {
    /// Reads the references of a part. The empty name is that of the archive itself.
    pub(super) fn of(parts: &mut Parts<'_>, part: &str) -> Result<Self, Refused> {
        let (folder, name) = part.rsplit_once('/').unwrap_or(("", part));
        let list = resolve("", &format!("{folder}/_rels/{name}.rels"));
        let mut relations = Self {
            part: part.to_owned(),
            all: Vec::new(),
            by_id: HashMap::new(),
        };
        let Some(list) = list.map(|name| parts.read(&name)).transpose()?.flatten() else {
            return Ok(relations);
        };
        let mut xml = Xml::new(&list);
        while let Some(tag) = xml.next_tag()? {
            if let (Some(kind), Some(target)) = (tag.value("Type"), tag.value("Target"))
                && tag.value("TargetMode").as_deref() != Some("External")
            {
                let id = tag.value("Id").unwrap_or_default();
                relations.by_id.insert(id, relations.all.len());
                // The two versions of the standard differ in the beginning.
                let kind = kind.rsplit('/').next().unwrap_or_default();
                relations.all.push((kind.to_owned(), target));
            }
        }
        Ok(relations)
    }

    /// Returns the names of all parts of a kind.
    pub(super) fn all(&self, kind: &str) -> impl Iterator<Item = String> {
        let all = self.all.iter().filter(move |(own, _)| own == kind);
        all.filter_map(|(_, target)| resolve(&self.part, target))
    }

    /// Returns the name of the part with an id, if it is of this kind.
    pub(super) fn by_id(&self, id: &str, kind: &str) -> Option<String> {
        let (own, target) = &self.all[*self.by_id.get(id)?];
        resolve(&self.part, target).filter(|_| own == kind)
    }
}

/// Returns the name of the part with the document itself.
pub(super) fn main_part(parts: &mut Parts<'_>) -> Result<String, Refused> {
    let relations = Relations::of(parts, "")?;
    let main = relations.all("officeDocument").next();
    main.map_or_else(
        || malformed("a zip archive that names no document in it".into()),
        Ok,
    )
}

#[cfg(test)]
mod tests {
    use super::resolve;

    #[test]
    fn references_stay_in_the_archive() {
        for (part, reference, name) in [
            ("word/document.xml", "footnotes.xml", "word/footnotes.xml"),
            ("ppt/slides/slide1.xml", "../notes/n.xml", "ppt/notes/n.xml"),
            ("ppt/presentation.xml", "/ppt/a.xml", "ppt/a.xml"),
            ("content.opf", "./a//b.xhtml", "a/b.xhtml"),
            ("a/b", "../../../../etc/passwd", "etc/passwd"),
        ] {
            assert_eq!(resolve(part, reference).as_deref(), Some(name));
        }
        assert_eq!(resolve("a", &"x".repeat(5000)), None);
    }
}
