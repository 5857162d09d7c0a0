//! A JSON array: every element is a record.

use crate::records::pieces::{Cut, Step};

/// Finds the ends of elements. It only counts brackets and knows where strings are: an error within an element makes
/// that record malformed, and the others are read. Depth is a number here, so no depth is too much.
#[derive(Debug, Default)]
pub(super) struct Elements {
    place: ArrayPlace,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum ArrayPlace {
    /// Before the array.
    #[default]
    Before,
    /// Behind its opening bracket.
    Opened,
    /// Behind a comma.
    Comma,
    /// In an object, a list or a string, so many brackets deep.
    Inside { depth: u64, string: Option<Escape> },
    /// In a number or a word.
    Word,
    /// Behind an element.
    Element,
    /// Behind the array.
    Closed,
}

/// Whether the next character of a string is escaped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Escape {
    No,
    Yes,
}

impl Cut for Elements {
    fn step(&mut self, bytes: &[u8]) -> Step {
        match self.place {
            ArrayPlace::Inside { depth, string } => self.inside(bytes, depth, string),
            ArrayPlace::Word => self.word(bytes),
            _ => self.between(bytes),
        }
    }

    fn at_end(&self) -> Result<(), &'static str> {
        match self.place {
            ArrayPlace::Closed => Ok(()),
            _ => Err("the array is not closed"),
        }
    }
}

impl Elements {
    /// Skips the bytes between elements, up to the first byte of one.
    fn between(&mut self, bytes: &[u8]) -> Step {
        for (at, &byte) in bytes.iter().enumerate() {
            self.place = match (self.place, byte) {
                (place, b' ' | b'\t' | b'\r' | b'\n') => place,
                // A byte order mark.
                (ArrayPlace::Before, 0xef | 0xbb | 0xbf) => ArrayPlace::Before,
                (ArrayPlace::Before, b'[') => ArrayPlace::Opened,
                (ArrayPlace::Opened | ArrayPlace::Element, b']') => ArrayPlace::Closed,
                (ArrayPlace::Element, b',') => ArrayPlace::Comma,
                // The gap ends first, so that the element begins at its first byte.
                _ if at > 0 => return Step::Gap(at),
                (ArrayPlace::Before, _) => return Step::Broken("no array begins here"),
                (ArrayPlace::Element, _) => return Step::Broken("a comma is missing"),
                (ArrayPlace::Closed, _) => return Step::Broken("something follows the array"),
                (_, b',' | b']' | b'}' | b':') => return Step::Broken("an element is missing"),
                (_, b'"') => return self.inside_from(bytes, 0, Some(Escape::No)),
                (_, b'{' | b'[') => return self.inside_from(bytes, 1, None),
                _ => return self.word(bytes),
            };
        }
        if bytes.is_empty() {
            Step::More
        } else {
            Step::Gap(bytes.len())
        }
    }

    /// Goes on behind the first byte of an element.
    fn inside_from(&mut self, bytes: &[u8], depth: u64, string: Option<Escape>) -> Step {
        match self.inside(&bytes[1..], depth, string) {
            Step::End(size) => Step::End(size + 1),
            step => step,
        }
    }

    fn inside(&mut self, bytes: &[u8], mut depth: u64, mut string: Option<Escape>) -> Step {
        for (at, &byte) in bytes.iter().enumerate() {
            match (string, byte) {
                (Some(Escape::Yes), _) => string = Some(Escape::No),
                (Some(Escape::No), b'\\') => string = Some(Escape::Yes),
                (Some(Escape::No), b'"') => string = None,
                (Some(Escape::No), _) => continue,
                (None, b'"') => string = Some(Escape::No),
                (None, b'{' | b'[') => depth += 1,
                (None, b'}' | b']') => depth -= 1,
                (None, _) => continue,
            }
            if depth == 0 && string.is_none() {
                self.place = ArrayPlace::Element;
                return Step::End(at + 1);
            }
        }
        self.place = ArrayPlace::Inside { depth, string };
        Step::More
    }

    fn word(&mut self, bytes: &[u8]) -> Step {
        let ends = |byte: &u8| matches!(byte, b',' | b']' | b' ' | b'\t' | b'\r' | b'\n');
        match bytes.iter().position(ends) {
            Some(end) => {
                self.place = ArrayPlace::Element;
                Step::End(end)
            }
            None => {
                self.place = ArrayPlace::Word;
                Step::More
            }
        }
    }
}
