//! Makes `lexicon.bin` from jieba's `dict.txt`:
//!
//! ```text
//! cargo run --release -p dupfind-engine --example make-lexicon -- DICT_TXT crates/engine/src/text/lexicon/lexicon.bin
//! ```
//!
//! `DICT_TXT` is `src/data/dict.txt` of the jieba-rs crate (in cargo's registry folder). The layout is described in
//! `mod.rs`, which reads it.

use std::collections::BTreeMap;
use std::{env, fs};

use anyhow::{Context, Result, ensure};

fn main() -> Result<()> {
    let mut args = env::args().skip(1);
    let source = args.next().context("usage: make-lexicon DICT_TXT OUT")?;
    let target = args.next().context("usage: make-lexicon DICT_TXT OUT")?;
    let text = fs::read_to_string(&source).with_context(|| format!("cannot read {source}"))?;

    // The words by their first two characters, and what follows these in each word.
    let mut entries: BTreeMap<(u16, u16), Vec<(&str, u32)>> = BTreeMap::new();
    let mut total: u64 = 0;
    for (number, line) in text.lines().enumerate() {
        let place = || format!("{source}:{}", number + 1);
        let mut fields = line.split_ascii_whitespace();
        let word = fields.next().with_context(place)?;
        let frequency: u32 = fields.next().with_context(place)?.parse()?;
        let mut characters = word.chars();
        let mut unit = || u16::try_from(u32::from(characters.next().unwrap_or('\0')));
        let start = (unit().with_context(place)?, unit().with_context(place)?);
        let rest = characters.as_str();
        ensure!(rest.len() < 256, "{}: {word}", place());
        entries.entry(start).or_default().push((rest, frequency));
        total += u64::from(frequency);
    }

    let mut words = Vec::new();
    let mut offsets = Vec::new();
    for entry in entries.values() {
        offsets.push(u32::try_from(words.len())?);
        for (rest, frequency) in entry {
            words.push(u8::try_from(rest.len())?);
            words.extend(&frequency.to_le_bytes()[..3]);
            ensure!(*frequency < 1 << 24, "{frequency}");
            words.extend(rest.bytes());
        }
    }
    offsets.push(u32::try_from(words.len())?);

    let mut table = total.to_le_bytes().to_vec();
    let mut starts = entries.keys().map(|start| u32::from(start.0)).peekable();
    let mut before: u32 = 0;
    for first in 0..=1_u32 << 16 {
        while starts.next_if(|start| *start < first).is_some() {
            before += 1;
        }
        table.extend(before.to_le_bytes());
    }
    table.extend(entries.keys().flat_map(|start| start.1.to_le_bytes()));
    table.extend(offsets.iter().flat_map(|offset| offset.to_le_bytes()));
    table.extend(&words);
    fs::write(&target, &table).with_context(|| format!("cannot write {target}"))?;
    eprintln!("{} entries, {} bytes", entries.len(), table.len());
    Ok(())
}
