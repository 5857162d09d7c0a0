//! What `dupfind text` prints: a document's text at one of the stages on its way to what is compared.

use std::collections::HashSet;
use std::io::{self, Write};
use std::num::NonZeroUsize;

use crate::report::escape::visible;
use crate::text::han::Han;
use crate::text::normalize::normalize_into;
use crate::text::script::runs;
use crate::text::segmenter::Segmenter;
use crate::text::tokenize::tokens;
use crate::text::units::{ShingleUnit, placed_units};

/// How far a text has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Decoded, with all that does not count taken out.
    Extracted,
    /// Normalised: the text that is compared.
    Normalized,
    /// Cut into units, which shingles are made of.
    Units,
    /// Shingles: stretches of units, each once.
    Shingles,
    /// Cut into tokens, which the fingerprint is made of.
    Tokens,
}

/// What decides how a text is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cutting {
    /// What becomes of Traditional characters.
    pub(crate) han: Han,
    /// What a unit is.
    pub(crate) unit: ShingleUnit,
    /// Units in a shingle.
    pub(crate) size: NonZeroUsize,
}

/// Takes a document's text as it stands in the file, a stage and how texts are cut, and writes what the text
/// is at that stage: a text as it is, and one unit, shingle or token a line. For a terminal everything is
/// escaped that would act on it.
pub(crate) fn write_stage(
    text: &str,
    stage: Stage,
    cutting: Cutting,
    is_terminal: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    if stage == Stage::Extracted {
        return write_text(text, is_terminal, out);
    }
    let mut normal = String::new();
    normalize_into(text, cutting.han, &mut normal);
    let runs = runs(&normal);
    let segmenter = Segmenter::new();
    let mut pieces: Vec<&str> = Vec::new();
    match stage {
        Stage::Extracted | Stage::Normalized => return write_text(&normal, is_terminal, out),
        Stage::Units | Stage::Shingles => {
            placed_units(&normal, &runs, cutting.unit, &segmenter, |_, place| {
                pieces.push(&normal[place]);
            });
        }
        Stage::Tokens => tokens(&normal, &runs, &segmenter, |token| pieces.push(token)),
    }
    // A document with fewer units than a shingle has one shingle of all of them.
    let width = match stage {
        Stage::Shingles => cutting.size.get().min(pieces.len()).max(1),
        _ => 1,
    };
    let mut known = HashSet::new();
    for window in pieces.windows(width) {
        if stage == Stage::Shingles && !known.insert(window) {
            continue;
        }
        let line = window.join(" ");
        if is_terminal {
            writeln!(out, "{}", visible(&line))?;
        } else {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

/// Writes a text: its very bytes, or for a terminal what can be seen of it, with its lines and tabs.
fn write_text(text: &str, is_terminal: bool, out: &mut dyn Write) -> io::Result<()> {
    if !is_terminal {
        return out.write_all(text.as_bytes());
    }
    for line in text.lines() {
        let columns: Vec<String> = line.split('\t').map(visible).collect();
        writeln!(out, "{}", columns.join("\t"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(text: &str, stage: Stage, is_terminal: bool) -> String {
        let cutting = Cutting {
            han: Han::Folded,
            unit: ShingleUnit::Auto,
            size: NonZeroUsize::new(3).unwrap(),
        };
        let mut out = Vec::new();
        write_stage(text, stage, cutting, is_terminal, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn every_stage() {
        let text = "# 圖書館，Open\tＡＢ！\r\n";
        for (stage, expected) in [
            (Stage::Extracted, text),
            (Stage::Normalized, "# 图书馆,open\tab!\r\n"),
            (Stage::Units, "图\n书\n馆\nopen\nab\n"),
            (Stage::Shingles, "图 书 馆\n书 馆 open\n馆 open ab\n"),
            (Stage::Tokens, "图书馆\nopen\nab\n"),
        ] {
            assert_eq!(written(text, stage, false), expected, "{stage:?}");
        }
        assert_eq!(
            written("a b a b a b", Stage::Shingles, false),
            "a b a\nb a b\n"
        );
        assert_eq!(written("a b", Stage::Shingles, false), "a b\n");
        assert_eq!(written("!", Stage::Shingles, false), "");
    }

    #[test]
    fn a_terminal_is_shown_what_can_be_seen() {
        let text = "a\t\u{1b}[31mb\r\n\u{202e}c";
        assert_eq!(
            written(text, Stage::Extracted, true),
            "a\t\\u{1b}[31mb\n\\u{202e}c\n"
        );
        assert_eq!(written(text, Stage::Extracted, false), text);
    }

    proptest! {
        #[test]
        fn nothing_acts_on_a_terminal(text in any::<String>()) {
            for stage in [Stage::Extracted, Stage::Normalized, Stage::Units, Stage::Tokens] {
                let shown = written(&text, stage, true);
                prop_assert!(!shown.chars().any(|c| c.is_control() && c != '\n' && c != '\t'));
            }
        }
    }
}
