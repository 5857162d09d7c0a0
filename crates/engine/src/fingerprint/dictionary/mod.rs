//! The IDF table of jieba's dictionary, looked up in place.
//!
//! jieba-rs keeps its table of 270,132 words private, so a compact copy of it lives in
//! `dictionary.bin` (made by `make.py` beside it from the crate's `idf.txt`; MIT licence, Copyright
//! (c) 2018 messense, after jieba, Copyright (c) 2013 Sun Junyi). It is part of the program's
//! read-only data: nothing is parsed or allocated at start-up, and only the pages that are looked at
//! are ever loaded.
//!
//! Layout, all numbers little-endian: `BUCKETS + 1` offsets (`u32`) of the buckets' first entries; the keys (`u32`) in
//! ascending order within each bucket; the weights (`u16`, units of 2^-12) in the same order; and last the median
//! weight (`u16`), which is what jieba gives an unknown word. A term with hash h is in the bucket given by the top 16
//! bits of h under the next 32, so an unknown word is mistaken for a known one once in 2^48 / 270,132, about a thousand
//! million.

/// The table itself.
static TABLE: &[u8] = include_bytes!("dictionary.bin");

/// How many bits of a hash choose the bucket.
const BUCKET_BITS: u32 = 16;

/// How many buckets there are: four keys in each on average.
const BUCKETS: usize = 1 << BUCKET_BITS;

/// The number of words in the table.
const WORDS: usize = (TABLE.len() - 2 - (BUCKETS + 1) * 4) / 6;

const KEYS: usize = (BUCKETS + 1) * 4;
const WEIGHTS: usize = KEYS + WORDS * 4;
const MEDIAN: usize = WEIGHTS + WORDS * 2;

/// How many terms are looked up at a time.
pub const AT_A_TIME: usize = 32;

/// Returns the bucket of a term, and its key there. `hash` is the XXH3 hash of the normalised term.
#[inline]
fn slot(hash: u64) -> (usize, u32) {
    let bucket = usize::try_from(hash >> (64 - BUCKET_BITS)).expect("16 bits");
    let key = u32::try_from(hash << BUCKET_BITS >> 32).expect("32 bits");
    (bucket, key)
}

/// Returns the weight of a term in units of 2^-12: jieba's IDF of the term, or the median of all for a term that
/// is not in the dictionary. `hash` is the XXH3 hash of the normalised term.
#[inline]
pub fn weight(hash: u64) -> u32 {
    let (bucket, key) = slot(hash);
    let (first, end) = (u32_at(bucket * 4), u32_at(bucket * 4 + 4));
    for entry in first as usize..end as usize {
        let found = u32_at(KEYS + entry * 4);
        if found >= key {
            if found == key {
                return u16_at(WEIGHTS + entry * 2);
            }
            break;
        }
    }
    u16_at(MEDIAN)
}

/// Writes the weights of the first [`AT_A_TIME`] terms to `weights`, each as [`weight`] returns it. The table is in no
/// near cache while jieba cuts. So each step is done for all terms before the next one: then the processor waits for
/// many places in memory at the same time.
pub fn weights(terms: &[(u64, u32)], weights: &mut [u32; AT_A_TIME]) {
    let mut buckets = [(0, 0); AT_A_TIME];
    for (found, &(hash, _)) in buckets.iter_mut().zip(terms) {
        let at = slot(hash).0 * 4;
        *found = (u32_at(at) as usize, u32_at(at + 4) as usize);
    }
    let mut firsts = [0; AT_A_TIME];
    for (first, &(start, _)) in firsts.iter_mut().zip(&buckets) {
        // Behind the last key there are weights.
        *first = u32_at(KEYS + start * 4);
    }
    let mut places = [MEDIAN; AT_A_TIME];
    let found = buckets.iter().zip(firsts).zip(terms);
    for (place, ((&(start, end), mut held), &(hash, _))) in places.iter_mut().zip(found) {
        let (mut entry, key) = (start, slot(hash).1);
        while held < key && entry + 1 < end {
            entry += 1;
            held = u32_at(KEYS + entry * 4);
        }
        if held == key && entry < end {
            *place = WEIGHTS + entry * 2;
        }
    }
    *weights = places.map(u16_at);
}

#[inline]
fn u32_at(at: usize) -> u32 {
    u32::from_le_bytes([TABLE[at], TABLE[at + 1], TABLE[at + 2], TABLE[at + 3]])
}

#[inline]
fn u16_at(at: usize) -> u32 {
    u32::from(u16::from_le_bytes([TABLE[at], TABLE[at + 1]]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprint::terms::SCALE_BITS;
    use xxhash_rust::xxh3::xxh3_64;

    fn idf(term: &str) -> f64 {
        f64::from(weight(xxh3_64(term.as_bytes()))) / f64::from(1 << SCALE_BITS)
    }

    #[test]
    fn weights_are_those_of_jieba() {
        // From its file `idf.txt`.
        for (word, expected) in [
            ("中国", 3.02732068666),
            ("我们", 3.39131796699),
            ("北京", 4.66740230872),
            ("清华大学", 8.08059472162),
            ("计算机", 6.80478443088),
            ("共和国", 6.95562658825),
            ("文化", 5.08902540383),
        ] {
            assert!((idf(word) - expected).abs() < 1.0 / 4096.0, "{word}");
        }
    }

    #[test]
    fn an_unknown_term_has_the_median_weight() {
        assert!((idf("不在词典里的一个词") - 11.9547675029).abs() < 1.0 / 4096.0);
        assert!((idf("的") - 0.88474202619).abs() < 1.0 / 4096.0);
    }

    #[test]
    fn terms_at_a_time_weigh_what_each_weighs() {
        let known = (0..BUCKETS).step_by(23).flat_map(|bucket| {
            let entries = u32_at(bucket * 4) as usize..u32_at(bucket * 4 + 4) as usize;
            let bucket = (bucket as u64) << (64 - BUCKET_BITS);
            let keys = entries.map(|entry| u64::from(u32_at(KEYS + entry * 4)));
            keys.map(move |key| bucket | key << (32 - BUCKET_BITS))
        });
        let unknown = (0..3_000_u64).map(|number| xxh3_64(&number.to_le_bytes()));
        let edges = [
            0,
            u64::MAX,
            u64::MAX << BUCKET_BITS,
            u64::MAX >> BUCKET_BITS,
        ];
        let terms = known.chain(unknown).chain(edges).map(|hash| (hash, 1));
        let terms: Vec<(u64, u32)> = terms.collect();
        for length in [1, AT_A_TIME - 1, AT_A_TIME] {
            for terms in terms.chunks(length) {
                let mut found = [0; AT_A_TIME];
                weights(terms, &mut found);
                let expected: Vec<u32> = terms.iter().map(|&(hash, _)| weight(hash)).collect();
                assert_eq!(found[..terms.len()], expected);
            }
        }
    }

    #[test]
    fn the_table_is_whole() {
        assert_eq!(WORDS, 270_132);
        assert_eq!(u32_at(BUCKETS * 4) as usize, WORDS);
        assert!(TABLE.len() < 3 << 20);
        for bucket in 0..BUCKETS {
            let range = u32_at(bucket * 4) as usize..u32_at(bucket * 4 + 4) as usize;
            let keys: Vec<u32> = range.map(|entry| u32_at(KEYS + entry * 4)).collect();
            assert!(keys.is_sorted_by(|a, b| a < b), "bucket {bucket}");
        }
    }
}
