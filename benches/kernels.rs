//! The kernels one by one, on the documents of the fixtures or of the folder that the environment
//! variable `DUPFIND_BENCH` names (criterion keeps the command line for itself):
//!
//! ```text
//! DUPFIND_BENCH=FOLDER cargo bench --bench kernels
//! ```

use std::hint::black_box;
use std::path::PathBuf;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dupfind::engine::Options;
use dupfind::fingerprint::idf::Idf;
use dupfind::fingerprint::shingles::Shingler;
use dupfind::fingerprint::simhash::simhash;
use dupfind::fingerprint::terms::{TermCounter, Terms};
use dupfind::join::{hamming, jaccard};
use dupfind::text::han::Han;
use dupfind::text::normalize::normalize_into;
use dupfind::text::script::{Run, runs, runs_into};
use dupfind::text::segmenter::Segmenter;
use dupfind::text::tokenize::tokens;
use dupfind::text::units::{ShingleUnit, units_into};
use jieba_rs::Jieba;
use xxhash_rust::xxh3::xxh3_64;

#[expect(dead_code, reason = "the folder comes from the environment here")]
mod support;

/// Documents in every form between two kernels.
struct Documents {
    decoded: Vec<String>,
    normalized: Vec<String>,
    runs: Vec<Vec<Run>>,
    units: Vec<Vec<u64>>,
    terms: Vec<Terms>,
    sets: Vec<Vec<u64>>,
    codes: Vec<u64>,
}

impl Documents {
    fn load(segmenter: &Segmenter) -> Self {
        let folder =
            std::env::var_os("DUPFIND_BENCH").map_or("fixtures/corpus".into(), PathBuf::from);
        let decoded = support::texts(&support::settings(folder));
        let normalized: Vec<String> = decoded
            .iter()
            .map(|text| {
                let mut out = String::new();
                normalize_into(text, Han::Kept, &mut out);
                out
            })
            .collect();
        let runs: Vec<Vec<Run>> = normalized.iter().map(|text| runs(text)).collect();
        let units: Vec<Vec<u64>> = normalized
            .iter()
            .zip(&runs)
            .map(|(text, runs)| {
                let mut units = Vec::new();
                units_into(text, runs, ShingleUnit::Auto, segmenter, &mut units);
                units
            })
            .collect();
        let mut counter = TermCounter::new();
        let terms: Vec<Terms> = normalized
            .iter()
            .zip(&runs)
            .map(|(text, runs)| {
                count(text, runs, segmenter, &mut counter);
                counter.terms().to_vec()
            })
            .collect();
        let sets = units
            .iter()
            .map(|units| Shingler::new().set(units, Options::SHINGLE_SIZE).to_vec())
            .collect();
        let codes = terms
            .iter()
            .map(|terms| simhash(terms, &Idf::dictionary()))
            .collect();
        Self {
            decoded,
            normalized,
            runs,
            units,
            terms,
            sets,
            codes,
        }
    }
}

fn count(text: &str, runs: &[Run], segmenter: &Segmenter, counter: &mut TermCounter) {
    counter.clear();
    tokens(text, runs, segmenter, |token| {
        counter.add(xxh3_64(token.as_bytes()));
    });
}

fn kernels(criterion: &mut Criterion) {
    let segmenter = Segmenter::new();
    let documents = Documents::load(&segmenter);
    let bytes: usize = documents.normalized.iter().map(String::len).sum();
    let count_of = documents.codes.len() as u64;
    let pairs = count_of * count_of.saturating_sub(1) / 2;

    let mut group = criterion.benchmark_group("text");
    group
        .sample_size(20)
        .throughput(Throughput::Bytes(bytes as u64));
    group.bench_function("normalize", |bench| {
        let mut out = String::new();
        bench.iter(|| {
            for text in &documents.decoded {
                out.clear();
                normalize_into(text, Han::Kept, &mut out);
                black_box(&out);
            }
        });
    });
    group.bench_function("normalize and fold", |bench| {
        let mut out = String::new();
        bench.iter(|| {
            for text in &documents.decoded {
                out.clear();
                normalize_into(text, Han::Folded, &mut out);
                black_box(&out);
            }
        });
    });
    group.bench_function("runs", |bench| {
        let mut out = Vec::new();
        bench.iter(|| {
            for text in &documents.normalized {
                runs_into(text, &mut out);
                black_box(&out);
            }
        });
    });
    group.bench_function("units", |bench| {
        let mut out = Vec::new();
        bench.iter(|| {
            for (text, runs) in documents.normalized.iter().zip(&documents.runs) {
                out.clear();
                units_into(text, runs, ShingleUnit::Auto, &segmenter, &mut out);
                black_box(&out);
            }
        });
    });
    group.bench_function("tokenise and count", |bench| {
        let mut counter = TermCounter::new();
        bench.iter(|| {
            for (text, runs) in documents.normalized.iter().zip(&documents.runs) {
                count(text, runs, &segmenter, &mut counter);
                black_box(counter.terms());
            }
        });
    });
    group.bench_function("jieba alone", |bench| {
        let jieba = Jieba::new();
        bench.iter(|| {
            for text in &documents.normalized {
                black_box(jieba.cut(text, true));
            }
        });
    });
    group.finish();

    let mut group = criterion.benchmark_group("fingerprint");
    group
        .sample_size(20)
        .throughput(Throughput::Elements(count_of));
    group.bench_function("shingle set", |bench| {
        let mut shingler = Shingler::new();
        bench.iter(|| {
            for units in &documents.units {
                black_box(shingler.set(units, Options::SHINGLE_SIZE));
            }
        });
    });
    group.bench_function("simhash", |bench| {
        let idf = Idf::dictionary();
        bench.iter(|| {
            for terms in &documents.terms {
                black_box(simhash(terms, &idf));
            }
        });
    });
    group.finish();

    let mut group = criterion.benchmark_group("join");
    group
        .sample_size(20)
        .throughput(Throughput::Elements(pairs));
    group.bench_function("jaccard", |bench| {
        bench.iter(|| jaccard::self_join(&documents.sets, Options::MIN_JACCARD));
    });
    group.bench_function("hamming", |bench| {
        bench.iter(|| hamming::self_join(&documents.codes, Options::MAX_HAMMING));
    });
    group.finish();
}

criterion_group!(benches, kernels);
criterion_main!(benches);
