//! Workbooks of Excel: sheets in their order, a line for each row, tabs between its cells.
//!
//! Numbers count as they are stored, as in a table of any other format. For a formula, its last result counts. Names of
//! sheets, comments and hidden sheets do not count.

use crate::extract::archive::Refused;
use crate::extract::archive::parts::{Parts, Relations, main_part, too_large};
use crate::extract::archive::xml::{Xml, XmlPiece};

/// Returns the text of a workbook, of at most `limit` bytes: many cells may show the same long text, which the file
/// has only once.
pub(super) fn text(parts: &mut Parts<'_>, limit: u64) -> Result<String, Refused> {
    let main = main_part(parts)?;
    let workbook = parts.need(&main)?;
    let mut xml = Xml::new(&workbook);
    xml.expect("workbook")?;
    let relations = Relations::of(parts, &main)?;
    let mut shared = Shared::default();
    for name in relations.all("sharedStrings") {
        if let Some(part) = parts.read(&name)? {
            shared.read(&part)?;
        }
    }
    let mut rows = SheetRows {
        shared,
        limit: usize::try_from(limit).unwrap_or(usize::MAX),
        text: String::new(),
    };
    while let Some(tag) = xml.next_tag()? {
        let is_hidden = || {
            let state = tag.value("state");
            matches!(state.as_deref(), Some("hidden" | "veryHidden"))
        };
        let id = tag
            .prefixed("id")
            .filter(|_| tag.name() == "sheet" && !is_hidden());
        let sheet = id.and_then(|id| relations.by_id(&id, "worksheet"));
        if let Some(part) = sheet.map(|name| parts.read(&name)).transpose()?.flatten() {
            rows.read(&part)?;
        }
    }
    Ok(rows.text)
}

/// The texts that cells refer to by numbers.
#[derive(Debug, Default)]
struct Shared {
    text: String,
    ends: Vec<usize>,
}

impl Shared {
    fn read(&mut self, part: &str) -> Result<(), Refused> {
        let mut xml = Xml::new(part);
        let mut is_text = false;
        while let Some(piece) = xml.next()? {
            match piece {
                // The readings of ideographs.
                XmlPiece::Start(tag) if tag.name() == "rPh" => xml.skip()?,
                XmlPiece::Start(tag) => is_text = tag.name() == "t",
                XmlPiece::End(end) => {
                    is_text = false;
                    if end.name() == "si" {
                        self.ends.push(self.text.len());
                    }
                }
                XmlPiece::Text(text) if is_text => self.text.push_str(&text),
                XmlPiece::Text(_) => {}
            }
        }
        Ok(())
    }

    fn get(&self, number: &str) -> Option<&str> {
        let number: usize = number.trim().parse().ok()?;
        let end = *self.ends.get(number)?;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.text[start..end])
    }
}

/// The rows of all sheets.
struct SheetRows {
    shared: Shared,
    limit: usize,
    text: String,
}

impl SheetRows {
    fn read(&mut self, part: &str) -> Result<(), Refused> {
        let mut xml = Xml::new(part);
        let (mut kind, mut value, mut is_value) = (String::new(), String::new(), false);
        while let Some(piece) = xml.next()? {
            match piece {
                XmlPiece::Start(tag) => match tag.name() {
                    "rPh" => xml.skip()?,
                    "c" => {
                        kind = tag.value("t").unwrap_or_default();
                        value.clear();
                    }
                    "v" | "t" => is_value = true,
                    _ => {}
                },
                XmlPiece::End(end) => match end.name() {
                    "v" | "t" => is_value = false,
                    "c" => self.cell(&kind, &value)?,
                    "row" => self.end_row(),
                    _ => {}
                },
                XmlPiece::Text(text) if is_value => value.push_str(&text),
                XmlPiece::Text(_) => {}
            }
        }
        self.end_row();
        Ok(())
    }

    /// Adds a cell, by the kind of its value and the value.
    fn cell(&mut self, kind: &str, value: &str) -> Result<(), Refused> {
        let value = match (kind, value.trim()) {
            ("s", number) => self.shared.get(number).unwrap_or_default(),
            ("b", "1") => "TRUE",
            ("b", _) => "FALSE",
            _ => value,
        };
        if value.is_empty() {
            return Ok(());
        }
        if self.text.len() + value.len() >= self.limit {
            return Err(too_large());
        }
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\t');
        }
        self.text.push_str(value);
        Ok(())
    }

    fn end_row(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }
}
