//! Mailboxes: every message is a record. A line that begins with `From ` and has a time begins the next message, behind an
//! empty line.

use crate::extract::mail::{NO_MESSAGE, message};
use crate::records::Record;
use crate::records::pieces::{Cut, Step};

/// How many bytes a line that begins a message may have.
const LONGEST: usize = 512;

/// Finds the ends of messages.
#[derive(Debug)]
pub(super) struct Messages {
    /// Whether a line begins with the next bytes, and whether the line before is empty.
    is_line: bool,
    is_behind_empty: bool,
    /// Whether the message has a line.
    is_begun: bool,
}

impl Default for Messages {
    fn default() -> Self {
        Self {
            is_line: true,
            is_behind_empty: false,
            is_begun: false,
        }
    }
}

impl Cut for Messages {
    fn step(&mut self, bytes: &[u8]) -> Step {
        let mut at = 0;
        while let Some(size) = memchr::memchr(b'\n', &bytes[at..]) {
            let line = &bytes[at..=at + size];
            if self.is_begun && self.is_line && self.is_behind_empty && begins_message(line) {
                self.is_begun = false;
                return Step::End(at);
            }
            self.is_behind_empty = self.is_line && matches!(line, b"\n" | b"\r\n");
            (self.is_line, self.is_begun) = (true, true);
            at += line.len();
        }
        if self.is_line && bytes.len() - at <= LONGEST {
            return Step::Wait(at);
        }
        (self.is_line, self.is_begun) = (false, true);
        Step::More
    }

    fn at_end(&self) -> Result<(), &'static str> {
        Ok(())
    }
}

fn begins_message(line: &[u8]) -> bool {
    let is_time =
        |at: &[u8]| matches!(at, [a, b':', b] if a.is_ascii_digit() && b.is_ascii_digit());
    line.len() <= LONGEST && line.starts_with(b"From ") && line.windows(3).any(is_time)
}

/// Returns the document in a message.
///
/// # Errors
///
/// The fault of the message, in words.
pub(super) fn parse(bytes: &[u8]) -> Result<Record<'static>, String> {
    let mail = message(bytes).ok_or(NO_MESSAGE)?;
    Ok(Record {
        text: mail.text.into(),
        id: mail.id.map(Into::into),
        title: mail.subject,
    })
}
