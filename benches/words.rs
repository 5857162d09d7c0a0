//! Compares the words of the engine with those of jieba-rs, and how fast both cut. Takes folders and files of records:
//!
//! ```text
//! cargo bench --bench words -- FOLDER_OR_FILE...
//! ```
//!
//! Every text is cut by both, as it was read and normalised. The bench fails at the first difference. Then both take turns
//! at the parts with ideographs of each normalised text, a line for each, in one thread. The rates are of its processor
//! time.

use std::hint::black_box;
use std::time::Duration;

use dupfind_engine::text::normalize::normalize;
use dupfind_engine::text::script::{Class, has_runs, runs};
use dupfind_engine::text::tokenize::jieba_words;
use jieba_rs::Jieba;
use nix::sys::resource::{UsageWho, getrusage};

#[expect(dead_code, reason = "the labels are for other benches")]
mod support;

/// How often both take turns.
const TURNS: usize = 5;

fn main() {
    let jieba = Jieba::new();
    for folder in support::folders() {
        println!("{}", folder.display());
        let texts = support::texts(&support::settings(folder));
        let normal: Vec<String> = texts.iter().map(|text| normalize(text)).collect();
        let (mut characters, mut words) = (0, 0);
        for text in texts.iter().chain(&normal) {
            characters += text.chars().count();
            words += compare(text, &jieba);
        }
        println!("  {characters} characters, {words} words, 0 differences");

        let parts: Vec<String> = normal.iter().map(|text| ideographs(text)).collect();
        let bytes: usize = parts.iter().map(String::len).sum();
        let (mut of_jieba, mut own) = (Vec::new(), Vec::new());
        for _ in 0..TURNS {
            of_jieba.push(timed(|| {
                for part in &parts {
                    black_box(jieba.cut(part, true).len());
                }
            }));
            own.push(timed(|| {
                for part in &parts {
                    let mut count = 0;
                    jieba_words(part, |_| count += 1);
                    black_box(count);
                }
            }));
        }
        let rates = [rate(bytes, of_jieba), rate(bytes, own)];
        println!("  jieba-rs {:6.1} MB/s", rates[0]);
        println!(
            "  engine   {:6.1} MB/s, {:.2} times as fast",
            rates[1],
            rates[1] / rates[0]
        );
    }
}

/// Returns how many words a text has.
///
/// # Panics
///
/// If the engine and jieba-rs cut it into different ones.
fn compare(text: &str, jieba: &Jieba) -> usize {
    let tokens = jieba.cut(text, true);
    let mut expected = tokens
        .iter()
        .map(|token| token.word)
        .filter(|word| has_runs(word));
    let mut words = 0;
    jieba_words(text, |word| {
        let expected = expected.next();
        let at = word.as_ptr() as usize - text.as_ptr() as usize;
        let same = expected.is_some_and(|other| std::ptr::eq(other, word));
        assert!(
            same,
            "{word:?} at {at}, not {expected:?}, of {:?}",
            text.chars().take(200).collect::<String>()
        );
        words += 1;
    });
    assert_eq!(expected.next(), None, "after the last word");
    words
}

/// Returns the runs of ideographs of a text, a line for each.
fn ideographs(text: &str) -> String {
    let runs = runs(text).into_iter().filter(|run| run.class == Class::Han);
    runs.flat_map(|run| [run.of(text), "\n"]).collect()
}

/// Returns how much processor time of this thread some work needs.
fn timed(mut work: impl FnMut()) -> Duration {
    let used = || {
        let usage = getrusage(UsageWho::RUSAGE_THREAD).expect("the usage of this thread");
        let (user, system) = (usage.user_time(), usage.system_time());
        let seconds = user.tv_sec() + system.tv_sec();
        let micros = user.tv_usec() + system.tv_usec();
        Duration::from_micros(u64::try_from(seconds * 1_000_000 + micros).unwrap_or(0))
    };
    let start = used();
    work();
    used() - start
}

/// Returns the megabytes a second of the shortest time.
#[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
fn rate(bytes: usize, times: Vec<Duration>) -> f64 {
    let shortest = times.into_iter().min().unwrap_or_default();
    bytes as f64 / 1e6 / shortest.as_secs_f64()
}
