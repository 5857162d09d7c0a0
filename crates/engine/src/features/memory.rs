//! How much memory the features of a text need while they are made.

use crate::text::units::ShingleUnit;

/// How many bytes each byte of a text needs, in its copies.
const BYTE: u64 = 12;

/// How many bytes a character beyond ASCII needs. At worst it is a unit and a word of its own.
const CHARACTER: u64 = 110;

/// How many bytes a word of ASCII needs.
const WORD: u64 = 40;

/// How many bytes a character of ASCII needs if each one is a unit.
const ASCII_UNIT: u64 = 28;

/// Returns about how many bytes of memory are needed to make the features of a text, rather too many than too few. The
/// numbers were measured on texts of 20 MB in several scripts.
pub fn memory_for(text: &str, unit: ShingleUnit) -> u64 {
    let (mut characters, mut words) = (0, 0);
    let mut is_in_word = false;
    for byte in text.bytes() {
        // The first byte of a character.
        characters += u64::from(byte >= 0xc0);
        let is_word = byte.is_ascii_alphanumeric();
        words += u64::from(is_word && !is_in_word);
        is_in_word = is_word;
    }
    let length = text.len() as u64;
    let ascii = match unit {
        ShingleUnit::Char | ShingleUnit::Ocr => length * ASCII_UNIT,
        _ => words * WORD,
    };
    length * BYTE + characters * CHARACTER + ascii
}

/// Returns the most that [`memory_for`] returns for a text of so many bytes. A character beyond ASCII has two bytes or
/// more.
pub fn most_memory_for(length: usize) -> u64 {
    length as u64 * (BYTE + CHARACTER / 2 + ASCII_UNIT) + WORD
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_needs_more_than_the_most() {
        for part in ["a", "a ", "é", "aé", "城", "a城", "a😀", " "] {
            let text = part.repeat(1000);
            for unit in [ShingleUnit::Auto, ShingleUnit::Char, ShingleUnit::Word] {
                assert!(
                    memory_for(&text, unit) <= most_memory_for(text.len()),
                    "{part:?}"
                );
                assert!(
                    memory_for(part, unit) <= most_memory_for(part.len()),
                    "{part:?}"
                );
            }
        }
    }

    #[test]
    fn characters_and_words_count() {
        let unit = ShingleUnit::Auto;
        assert_eq!(memory_for("", unit), 0);
        assert_eq!(memory_for("ab cd 12.", unit), 9 * BYTE + 3 * WORD);
        assert_eq!(memory_for("城市", unit), 6 * BYTE + 2 * CHARACTER);
        let by_char = memory_for("ab", ShingleUnit::Char);
        assert_eq!(by_char, 2 * (BYTE + ASCII_UNIT));
    }
}
