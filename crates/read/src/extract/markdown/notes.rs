//! Where the boxes with notes in them begin and end: `:::note`, `!!! note`, `> [!NOTE]`.

/// The names of containers that are boxes with a note.
const NAMES: [&str; 12] = [
    "attention",
    "caution",
    "danger",
    "error",
    "hint",
    "important",
    "info",
    "note",
    "seealso",
    "success",
    "tip",
    "warning",
];

/// A place in a prepared text from which on it is in a box with a note, or in none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NoteChange {
    pub(super) at: usize,
    pub(super) is_note: bool,
}

/// Follows the boxes line by line.
#[derive(Debug, Default)]
pub(super) struct Notes {
    pub(super) changes: Vec<NoteChange>,
    is_note: bool,
    /// The containers that are open, each with whether it is a box with a note.
    containers: Vec<bool>,
    /// How many boxes of MkDocs are around the outermost one with a note.
    boxes_around: Option<usize>,
    is_quoted: bool,
}

impl Notes {
    /// Reads a line that is text, without its markers. So many boxes of MkDocs are around it.
    pub(super) fn line(&mut self, content: &str, boxes: usize) {
        let content = content.trim();
        let name_of = |text: &str| {
            let name = text.trim_start().to_ascii_lowercase();
            NAMES.iter().any(|note| name.starts_with(note))
        };
        if let Some(rest) = content.strip_prefix(":::") {
            let rest = rest.trim_start_matches(':');
            if rest.is_empty() {
                self.containers.pop();
            } else if !rest.ends_with(":::") {
                self.containers.push(name_of(rest));
            }
        } else if content.starts_with("!!! ") || content.starts_with("??? ") {
            self.boxes_around.get_or_insert(boxes);
        } else if let Some(rest) = content.strip_prefix("[!") {
            self.is_quoted |= name_of(rest);
        }
    }

    /// Goes on to a line: its place, and how many boxes of MkDocs and quotations are around it.
    pub(super) fn reach(&mut self, at: usize, boxes: usize, quotes: usize) {
        self.is_quoted &= quotes > 0;
        self.boxes_around = self.boxes_around.filter(|&around| boxes > around);
        let is_note =
            self.is_quoted || self.boxes_around.is_some() || self.containers.contains(&true);
        if is_note != self.is_note {
            self.is_note = is_note;
            self.changes.push(NoteChange { at, is_note });
        }
    }
}
