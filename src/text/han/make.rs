//! Makes `simplified.txt` from the converter of OpenCC:
//!
//! ```text
//! cargo run --release --example make-han -- src/text/han/simplified.txt
//! ```
//!
//! The layout is described in `mod.rs`, which reads it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::{env, fs};

use anyhow::{Context, Result};
use ferrous_opencc::OpenCC;
use ferrous_opencc::config::BuiltinConfig;

fn main() -> Result<()> {
    let target = env::args().nth(1).context("usage: make-han OUT")?;
    let converter = OpenCC::from_config(BuiltinConfig::T2s)?;
    let is_han = |c: &char| matches!(*c, '\u{3400}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}');
    let mut simplified = BTreeMap::new();
    for c in ('\0'..=char::MAX).filter(is_han) {
        let converted = converter.convert(&c.to_string());
        let mut converted = converted.chars();
        if let (Some(to), None) = (converted.next(), converted.next())
            && to != c
            && to.len_utf8() == c.len_utf8()
        {
            simplified.insert(c, to);
        }
    }
    let mut table = String::new();
    for (&from, &to) in &simplified {
        // Where what is simplified stands for something else that is: to the end.
        let mut end = to;
        while let Some(&next) = simplified.get(&end) {
            end = next;
        }
        writeln!(table, "{from}{end}")?;
    }
    fs::write(&target, &table).with_context(|| format!("cannot write {target}"))?;
    eprintln!("{} characters, {} bytes", simplified.len(), table.len());
    Ok(())
}
