//! Reads the text of a PDF file, page by page, in reading order, and its title.
//!
//! Bytes go in, and the texts of the pages come out. The crate knows no file and no document that is compared. The file
//! formats, fonts and encodings are read by the crates of hayro, which bound neither time nor memory and may panic. So a
//! caller that reads files of other people calls this crate in a process of its own, with limits by the system.
//!
//! ```text
//! bytes ─> content ──> glyphs ─> segments ─> lines ─> page ─> texts
//!          (operators, (with     (runs on    (columns,  (without running
//!           faces)      places)   a line)     in order)   heads and feet)
//! ```
//!
//! # Rooms
//!
//! * `face`: the codes of a font to characters and widths
//! * `content`: the operators of a page to glyphs with places
//! * `segment`: glyphs to runs of text on a line
//! * `line`: runs of text to lines in reading order, with columns
//! * `page`: lines to the text and the title of a page, without running heads and feet

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![warn(clippy::exit, clippy::print_stdout, clippy::print_stderr)]

mod content;
mod face;
mod line;
mod page;
mod segment;
#[cfg(test)]
mod tests;

use hayro_syntax::{LoadPdfError, Pdf};

use crate::content::Reader;

/// Why a file has no text that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// It needs a password, or is encrypted in a way that is not known.
    Encrypted,
    /// It is no PDF, or too damaged to be read.
    Damaged,
    /// No page has text: it may be a scan.
    NoText,
    /// It has more to draw than a document may have.
    TooMuch,
    /// Its text has more bytes than it may have.
    TooLarge,
}

/// The text of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// The title, as the first page shows it; `None` if it shows none that is larger than its other lines.
    pub title: Option<String>,
    /// The text of each page.
    pub pages: Vec<String>,
}

/// Returns the text of a PDF file. Lines end with a line end, and an empty line is between blocks. Lines at the same
/// place of many pages, such as page numbers, are left out. All texts together have at most `limit` bytes.
///
/// # Errors
///
/// The reason why there is no text.
///
/// # Panics
///
/// The content of a file may lead to a panic in the crates that read it.
pub fn text(bytes: Vec<u8>, limit: u64) -> Result<Text, Refusal> {
    let pdf = Pdf::new(bytes).map_err(|error| match error {
        LoadPdfError::Decryption(_) => Refusal::Encrypted,
        LoadPdfError::Invalid => Refusal::Damaged,
    })?;
    let mut reader = Reader::new(Budget::new(limit));
    let mut pages = Vec::new();
    for page in pdf.pages().iter() {
        let glyphs = reader.page(page)?;
        let lines = line::in_reading_order(&glyphs);
        reader
            .budget
            .spend_text(lines.iter().map(|line| line.text.len()).sum())?;
        pages.push(lines);
    }
    page::remove_repeated(&mut pages);
    let texts: Vec<String> = pages.iter().map(|lines| page::text(lines)).collect();
    if texts.iter().all(|text| text.trim().is_empty()) {
        return Err(Refusal::NoText);
    }
    Ok(Text {
        title: pages.first().and_then(|page| page::title(page)),
        pages: texts,
    })
}

/// The work that may still be spent on a file. It does not depend on the machine, so that each machine reads the same
/// text.
#[derive(Debug)]
pub(crate) struct Budget {
    steps: u64,
    text: u64,
}

impl Budget {
    /// How many steps a whole file may need: reading an operator is one. A book of 1,000 pages needs some 15 million.
    const STEPS: u64 = if cfg!(test) { 400_000 } else { 80_000_000 };

    /// How many steps a glyph, a form and a page need.
    pub(crate) const GLYPH: u64 = 4;
    pub(crate) const FORM: u64 = 200;
    pub(crate) const PAGE: u64 = 1_000;

    /// How many bytes of content cost as much as a step.
    const BYTES_OF_STEP: u64 = 16;

    /// Returns the budget of a file whose text may have so many bytes.
    pub(crate) fn new(text: u64) -> Self {
        Self {
            steps: Self::STEPS,
            text,
        }
    }

    /// Spends so many steps.
    pub(crate) fn spend(&mut self, steps: u64) -> Result<(), Refusal> {
        self.steps = self.steps.checked_sub(steps).ok_or(Refusal::TooMuch)?;
        Ok(())
    }

    /// Spends the cost of expanding content of so many bytes, and so many steps.
    pub(crate) fn spend_content(&mut self, bytes: usize, steps: u64) -> Result<(), Refusal> {
        self.spend(steps + bytes as u64 / Self::BYTES_OF_STEP)
    }

    /// Spends so many bytes of text.
    pub(crate) fn spend_text(&mut self, bytes: usize) -> Result<(), Refusal> {
        self.text = self
            .text
            .checked_sub(bytes as u64)
            .ok_or(Refusal::TooLarge)?;
        Ok(())
    }
}
