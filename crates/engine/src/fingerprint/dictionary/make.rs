//! Makes `dictionary.bin` from jieba's `idf.txt`:
//!
//! ```text
//! cargo run --release -p dupfind-engine --example make-dictionary -- IDF_TXT crates/engine/src/fingerprint/dictionary/dictionary.bin
//! ```
//!
//! `IDF_TXT` is `src/data/idf.txt` of the jieba-rs crate (in cargo's registry folder). The layout is
//! described in `mod.rs`, which reads it.

use std::collections::BTreeMap;
use std::{env, fs};

use anyhow::{Context, Result, ensure};
use dupfind_engine::fingerprint::dictionary::{BUCKET_BITS, slot};
use dupfind_engine::text::normalize::normalize;
use xxhash_rust::xxh3::xxh3_64;

fn main() -> Result<()> {
    let mut args = env::args().skip(1);
    let source = args.next().context("usage: make-dictionary IDF_TXT OUT")?;
    let target = args.next().context("usage: make-dictionary IDF_TXT OUT")?;
    let text = fs::read_to_string(&source).with_context(|| format!("cannot read {source}"))?;

    let mut entries = BTreeMap::new();
    for (number, line) in text.lines().enumerate() {
        let (term, idf) = line
            .split_once(' ')
            .with_context(|| format!("{source}:{}: not 'term idf'", number + 1))?;
        let idf: f64 = idf.parse()?;
        let scaled = (idf * 4096.0).round();
        ensure!(
            (0.0..65536.0).contains(&scaled),
            "{source}:{}: {idf}",
            number + 1
        );
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "checked"
        )]
        let weight = scaled as u16;
        // Two words with one normal form: the commoner one's weight.
        entries
            .entry(slot(xxh3_64(normalize(term).as_bytes())))
            .and_modify(|kept: &mut u16| *kept = weight.min(*kept))
            .or_insert(weight);
    }

    let mut table = Vec::new();
    for bucket in 0..=1_usize << BUCKET_BITS {
        let before = entries.range(..(bucket, 0)).count();
        table.extend(u32::try_from(before)?.to_le_bytes());
    }
    table.extend(entries.keys().flat_map(|(_, key)| key.to_le_bytes()));
    table.extend(entries.values().flat_map(|weight| weight.to_le_bytes()));
    let mut weights: Vec<u16> = entries.values().copied().collect();
    weights.sort_unstable();
    table.extend(weights[weights.len() / 2].to_le_bytes());
    fs::write(&target, &table).with_context(|| format!("cannot write {target}"))?;
    eprintln!("{} words, {} bytes", entries.len(), table.len());
    Ok(())
}
