//! The output of `dupfind text`: a document's text at one of the stages on its way to the features.

use std::collections::HashSet;
use std::io::{self, Write};
use std::num::NonZeroUsize;

use crate::style::escape::visible;
use dupfind_engine::text::cutter::Cutter;
use dupfind_engine::text::segmenter::Segmenter;
use dupfind_engine::text::units::ShingleUnit;

/// A stage on the way from a file to its features.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextStage {
    /// Decoded, without the parts that do not count.
    Extracted,
    /// Normalised: the text that is compared.
    Normalized,
    /// Cut into units, which shingles are made of.
    Units,
    /// The distinct shingles, which are runs of units.
    Shingles,
    /// Cut into tokens, which the fingerprint is made of.
    Tokens,
}

/// How a text is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StageOptions {
    /// The unit of shingles.
    pub unit: ShingleUnit,
    /// Units in a shingle.
    pub size: NonZeroUsize,
}

/// Writes a document's text at a stage: as it is, or one unit, shingle or token a line. `text` is the text as it is in
/// the file. For a terminal everything is escaped that would act on it.
pub fn write_stage(
    text: &str,
    stage: TextStage,
    options: StageOptions,
    is_terminal: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    if stage == TextStage::Extracted {
        return write_text(text, is_terminal, out);
    }
    let mut cutter = Cutter::new(options.unit);
    cutter.read(text);
    let segmenter = Segmenter::new();
    let mut pieces: Vec<&str> = Vec::new();
    match stage {
        TextStage::Extracted | TextStage::Normalized => {
            return write_text(cutter.normal(), is_terminal, out);
        }
        TextStage::Units | TextStage::Shingles => {
            cutter.placed_units(&segmenter, |_, place| pieces.push(&cutter.normal()[place]));
        }
        TextStage::Tokens => cutter.tokens(&segmenter, |token| pieces.push(token)),
    }
    // A document with fewer units than a shingle has one shingle of all of them.
    let width = match stage {
        TextStage::Shingles => options.size.get().min(pieces.len()).max(1),
        _ => 1,
    };
    let mut known = HashSet::new();
    for window in pieces.windows(width) {
        if stage == TextStage::Shingles && !known.insert(window) {
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

/// Writes a text as it is; for a terminal escaped, but for its lines and tabs.
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

    fn written(text: &str, stage: TextStage, is_terminal: bool) -> String {
        let options = StageOptions {
            unit: ShingleUnit::Auto,
            size: NonZeroUsize::new(3).unwrap(),
        };
        let mut out = Vec::new();
        write_stage(text, stage, options, is_terminal, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn every_stage() {
        let text = "# 圖書館，Open\tＡＢ！\r\n";
        for (stage, expected) in [
            (TextStage::Extracted, text),
            (TextStage::Normalized, "# 图书馆,open\tab!\r\n"),
            (TextStage::Units, "图\n书\n馆\nopen\nab\n"),
            (TextStage::Shingles, "图 书 馆\n书 馆 open\n馆 open ab\n"),
            (TextStage::Tokens, "图书馆\nopen\nab\n"),
        ] {
            assert_eq!(written(text, stage, false), expected, "{stage:?}");
        }
        assert_eq!(
            written("a b a b a b", TextStage::Shingles, false),
            "a b a\nb a b\n"
        );
        assert_eq!(written("a b", TextStage::Shingles, false), "a b\n");
        assert_eq!(written("!", TextStage::Shingles, false), "");
    }

    #[test]
    fn a_terminal_gets_visible_characters() {
        let text = "a\t\u{1b}[31mb\r\n\u{202e}c";
        assert_eq!(
            written(text, TextStage::Extracted, true),
            "a\t\\u{1b}[31mb\n\\u{202e}c\n"
        );
        assert_eq!(written(text, TextStage::Extracted, false), text);
    }

    proptest! {
        #[test]
        fn nothing_acts_on_a_terminal(text in any::<String>()) {
            for stage in [TextStage::Extracted, TextStage::Normalized, TextStage::Units, TextStage::Tokens] {
                let shown = written(&text, stage, true);
                prop_assert!(!shown.chars().any(|c| c.is_control() && c != '\n' && c != '\t'));
            }
        }
    }
}
