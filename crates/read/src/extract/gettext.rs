//! Translations of gettext: each message is a block. The text that a reader of the program sees counts: the
//! translation, or else the message itself.

use crate::extract::MarkedText;
use crate::extract::lined::Lined;
use dupfind_engine::text::blocks::BlockKind;

/// The lines of a message, each with its place in the source.
#[derive(Debug, Default)]
struct Message<'c> {
    original: Vec<(usize, &'c str)>,
    translated: Vec<(usize, &'c str)>,
    is_unsure: bool,
}

/// The part of a message that the strings of a line belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Context,
    Original,
    Translated,
}

/// Returns the text of a file of messages.
pub(super) fn extract(content: &str) -> MarkedText {
    let mut text = Lined::beside(content);
    let (mut message, mut part, mut at) = (Message::default(), Part::Context, 0);
    for line in content.split_inclusive('\n') {
        let place = at;
        at += line.len();
        let line = line.trim();
        let (next, string) = match line.split_once('"') {
            Some(("", string)) => (part, string),
            Some((keyword, string)) if keyword.starts_with("msgctxt") => (Part::Context, string),
            Some((keyword, string)) if keyword.starts_with("msgid") => (Part::Original, string),
            Some((keyword, string)) if keyword.starts_with("msgstr") => (Part::Translated, string),
            _ => {
                if part == Part::Translated {
                    std::mem::take(&mut message).write(&mut text);
                    part = Part::Context;
                }
                message.is_unsure |= line.starts_with("#,") && line.contains("fuzzy");
                continue;
            }
        };
        if part == Part::Translated && next != part {
            std::mem::take(&mut message).write(&mut text);
        }
        part = next;
        let string = string.strip_suffix('"').unwrap_or(string);
        match part {
            Part::Context => {}
            Part::Original => message.original.push((place, string)),
            Part::Translated => message.translated.push((place, string)),
        }
    }
    message.write(&mut text);
    text.finish()
}

impl Message<'_> {
    /// Writes the strings that count, on their lines.
    fn write(self, text: &mut Lined<'_>) {
        let has_text =
            |strings: &[(usize, &str)]| strings.iter().any(|(_, string)| !string.is_empty());
        // The translation of an empty message is the head of the file.
        if !has_text(&self.original) {
            return;
        }
        let strings = match has_text(&self.translated) && !self.is_unsure {
            true => self.translated,
            false => self.original,
        };
        text.reach(strings[0].0);
        text.begin(BlockKind::Paragraph);
        for (place, string) in strings {
            text.reach(place);
            let mut characters = string.chars();
            while let Some(c) = characters.next() {
                match c {
                    '\\' => match characters.next() {
                        Some('n' | 't' | 'r') => text.push(" "),
                        Some(c) => text.push(c.encode_utf8(&mut [0; 4])),
                        None => {}
                    },
                    c => text.push(c.encode_utf8(&mut [0; 4])),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::extract::cases::check;
    use crate::format::Format;

    #[test]
    fn messages_are_on_their_lines() {
        let table = r##"
the translation counts
msgid "Open"⏎msgstr "打开" →⏎打开
msgid ""⏎"Two "⏎"lines"⏎msgstr ""⏎"zwei\n"⏎"Zeilen" →⏎⏎⏎⏎zwei⏎Zeilen
or else the message
msgid "Open"⏎msgstr "" → Open⏎
#, fuzzy⏎msgid "Open"⏎msgstr "Close" →⏎Open⏎
msgid "a \"b\"\\" → a "b"\
the head, comments and contexts do not
msgid ""⏎msgstr ""⏎"Language: de\n"⏎⏎msgid "x"⏎msgstr "y" →⏎⏎⏎⏎⏎y
# note⏎#: a.c:3⏎msgctxt "menu"⏎msgid "x"⏎#~ msgid "old" →⏎⏎⏎x⏎
msgid "file"⏎msgid_plural "files"⏎msgstr[0] ""⏎msgstr[1] "" → file⏎files⏎⏎
"##;
        check(Format::Gettext, false, table);
    }
}
