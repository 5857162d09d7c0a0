//! Makes `lexicon.bin` from jieba's `dict.txt`:
//!
//! ```text
//! cargo run --release -p dupfind-engine --example make-lexicon -- DICT_TXT crates/engine/src/text/lexicon/lexicon.bin
//! ```
//!
//! `DICT_TXT` is `src/data/dict.txt` of the jieba-rs crate (in cargo's registry folder). The layout is described in
//! `mod.rs`, which reads it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::{env, fs};

use anyhow::{Context, Result, ensure};

/// A prefix of words.
#[derive(Default)]
struct Prefix {
    /// The prefixes that are one character longer, by the code of this character.
    longer: BTreeMap<usize, usize>,
    /// The weight of the word, if it is one.
    weight: u64,
}

fn main() -> Result<()> {
    let mut args = env::args().skip(1);
    let source = args.next().context("usage: make-lexicon DICT_TXT OUT")?;
    let target = args.next().context("usage: make-lexicon DICT_TXT OUT")?;
    let text = fs::read_to_string(&source).with_context(|| format!("cannot read {source}"))?;

    let mut words: Vec<(&str, u32)> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let place = || format!("{source}:{}", number + 1);
        let mut fields = line.split_ascii_whitespace();
        let word = fields.next().with_context(place)?;
        words.push((word, fields.next().with_context(place)?.parse()?));
    }
    let total: u64 = words
        .iter()
        .map(|&(_, frequency)| u64::from(frequency))
        .sum();
    // jieba finds the others in no text.
    words.retain(|(word, _)| word.chars().all(is_in_blocks));

    // Characters of frequent words have low codes. So codes that are looked up together are close together.
    let mut frequencies: HashMap<char, u64> = HashMap::new();
    for &(word, frequency) in &words {
        for character in word.chars() {
            *frequencies.entry(character).or_default() += u64::from(frequency);
        }
    }
    let mut characters: Vec<char> = frequencies.keys().copied().collect();
    characters.sort_unstable_by_key(|character| (Reverse(frequencies[character]), *character));
    let codes: HashMap<char, usize> = characters.iter().copied().zip(2..).collect();
    ensure!(
        characters.len() + 2 < 1 << 14,
        "{} characters",
        characters.len()
    );

    let distinct: BTreeSet<u32> = words.iter().map(|&(_, frequency)| frequency).collect();
    let weights: HashMap<u32, u64> = distinct.iter().copied().zip(1..).collect();
    ensure!(distinct.len() < 1 << 13, "{} frequencies", distinct.len());

    let mut prefixes = vec![Prefix::default()];
    for &(word, frequency) in &words {
        let mut at = 0;
        for character in word.chars() {
            let new = prefixes.len();
            at = *prefixes[at].longer.entry(codes[&character]).or_insert(new);
            if at == new {
                prefixes.push(Prefix::default());
            }
        }
        prefixes[at].weight = weights[&frequency];
    }
    let nodes = places(&prefixes, characters.len() + 2)?;

    // jieba's logarithms, and its order of operations.
    #[allow(clippy::cast_precision_loss)]
    let log_total = (total as f64).ln();
    let mut table = f64::NAN.to_le_bytes().to_vec();
    for frequency in distinct {
        table.extend((f64::from(frequency).ln() - log_total).to_le_bytes());
    }
    table.extend((0.0 - log_total).to_le_bytes());
    for number in 0..1_u32 << 16 {
        let character = char::from_u32(number).filter(|character| is_in_blocks(*character));
        let code = character.map_or(0, |character| *codes.get(&character).unwrap_or(&1));
        table.extend(u16::try_from(code)?.to_le_bytes());
    }
    table.extend(nodes.iter().flat_map(|node| node.to_le_bytes()));
    fs::write(&target, &table).with_context(|| format!("cannot write {target}"))?;
    eprintln!(
        "{} words, {} nodes, {} bytes",
        words.len(),
        nodes.len(),
        table.len()
    );
    Ok(())
}

/// Whether jieba looks for words that have a character: it is an ideograph, or an ASCII letter or digit or one of some signs.
fn is_in_blocks(character: char) -> bool {
    character.is_ascii_alphanumeric()
        || matches!(character, '+' | '#' | '&' | '.' | '_' | '%' | '-'
            | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// Returns the nodes of the prefixes, each at its place. No two prefixes have the same base, so the character of a node
/// identifies its prefix.
fn places(prefixes: &[Prefix], codes: usize) -> Result<Vec<u64>> {
    const EMPTY: u64 = 0x3fff << 20;
    // The root has the base 0. At the code of a character that begins no word there is nothing.
    let (mut taken, mut bases) = (Bits::default(), Bits::default());
    (0..codes).for_each(|code| taken.set(code));
    let mut place_of = vec![0; prefixes.len()];
    let mut node_of = vec![0_u64; prefixes.len()];
    // After the root come those with many longer prefixes. Each gets the first base at which all places are free.
    let mut parents: Vec<usize> = (0..prefixes.len()).collect();
    parents.retain(|parent| !prefixes[*parent].longer.is_empty());
    parents.sort_by_key(|parent| (*parent != 0, Reverse(prefixes[*parent].longer.len())));
    for parent in parents {
        let longer = &prefixes[parent].longer;
        let base = match parent {
            0 => 0,
            _ => first_base(longer, &taken, &bases),
        };
        ensure!(base < 1 << 20, "there is no place left");
        bases.set(base);
        node_of[parent] |= base as u64;
        for (code, child) in longer {
            place_of[*child] = base + code;
            taken.set(base + code);
            node_of[*child] |= (*code as u64) << 20 | prefixes[*child].weight << 34;
            node_of[parent] |= 1 << (48 + code % 16);
        }
    }
    let last = place_of.iter().max().context("there is no word")?;
    let mut nodes = vec![EMPTY; last + 1];
    for (place, node) in place_of.into_iter().zip(node_of).skip(1) {
        nodes[place] = node;
    }
    Ok(nodes)
}

/// Returns the first base that no prefix has, and at which the place of each longer prefix is free.
fn first_base(longer: &BTreeMap<usize, usize>, taken: &Bits, bases: &Bits) -> usize {
    let mut starts = (0..).step_by(64);
    let base = starts.find_map(|start| {
        let mut free = !bases.from(start);
        for code in longer.keys() {
            free &= !taken.from(start + code);
            if free == 0 {
                return None;
            }
        }
        Some(start + free.trailing_zeros() as usize)
    });
    base.expect("numbers do not end")
}

/// A set of numbers.
#[derive(Default)]
struct Bits(Vec<u64>);

impl Bits {
    fn set(&mut self, number: usize) {
        if self.0.len() <= number / 64 {
            self.0.resize(number / 64 + 1, 0);
        }
        self.0[number / 64] |= 1 << (number % 64);
    }

    /// Returns which of 64 numbers are in the set, the first one as the lowest bit.
    fn from(&self, first: usize) -> u64 {
        let word = |at: usize| u128::from(self.0.get(at).copied().unwrap_or(0));
        let both = word(first / 64) | word(first / 64 + 1) << 64;
        u64::try_from(both >> (first % 64) & u128::from(u64::MAX)).expect("there are 64 bits left")
    }
}
