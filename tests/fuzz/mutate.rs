//! Inputs that are nearly right.

use crate::list::list;
use crate::random::Random;

/// The most bytes of an input.
const MOST: usize = 64 << 10;

/// Bytes that break parsers of any format.
const EVERYWHERE: [&[u8]; 22] = [
    b"",
    b"\0",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\xc0\x80",
    b"\xed\xa0\x80",
    b"\r",
    b"\n\n",
    b"\\",
    b"\"",
    b"'",
    b"{",
    b"[",
    b"<",
    b"-1",
    b"0",
    b"18446744073709551616",
    b"1e999",
    "\u{202e}".as_bytes(),
    "\u{fdfa}".as_bytes(),
    "\u{1b}[2J".as_bytes(),
    "e\u{301}\u{301}\u{301}\u{301}".as_bytes(),
];

/// Returns a seed with one to six changes. `words` are the list of what the format gives a
/// meaning to.
pub(crate) fn mutated(seed: &[u8], words: &str, random: &mut Random) -> Vec<u8> {
    let words = list(words);
    let mut bytes = seed.to_vec();
    for _ in 0..=random.below(6) {
        change(&mut bytes, &words, random);
        bytes.truncate(MOST);
    }
    bytes
}

fn change(bytes: &mut Vec<u8>, words: &[String], random: &mut Random) {
    let (from, to) = range(bytes.len(), random);
    let part = bytes[from..to].to_vec();
    let word = |random: &mut Random| match random.below(EVERYWHERE.len() + 2 * words.len()) {
        at if at < EVERYWHERE.len() => EVERYWHERE[at].to_vec(),
        at => words[at % words.len()].as_bytes().to_vec(),
    };
    match random.below(10) {
        0 if !bytes.is_empty() => {
            let at = random.below(bytes.len());
            bytes[at] ^= 1 << random.below(8);
        }
        1 => bytes.truncate(from),
        2 => drop(bytes.splice(from..to, [])),
        // Nested, or very long.
        3 => {
            let times = [2, 10, 100, 5000][random.below(4)].min(1 + MOST / (1 + part.len()));
            bytes.splice(from..from, part.repeat(times));
        }
        4 => {
            let word = word(random);
            let times = [2, 100, 20_000][random.below(3)].min(1 + MOST / (1 + word.len()));
            bytes.splice(from..from, word.repeat(times));
        }
        5 => drop(bytes.splice(from..to, word(random))),
        // Moved to elsewhere.
        6 => {
            bytes.drain(from..to);
            let at = random.below(bytes.len() + 1);
            bytes.splice(at..at, part);
        }
        7 => {
            let noise: Vec<u8> = (0..random.below(40))
                .map(|_| random.below(256).to_le_bytes()[0])
                .collect();
            bytes.splice(from..from, noise);
        }
        _ => drop(bytes.splice(from..from, word(random))),
    }
}

/// Returns a mostly short part of so many bytes.
fn range(len: usize, random: &mut Random) -> (usize, usize) {
    let from = random.below(len + 1);
    let most = [4, 40, len][random.below(3)].min(len - from);
    (from, from + random.below(most + 1))
}
