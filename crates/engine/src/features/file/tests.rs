use std::sync::LazyLock;

use proptest::prelude::*;

use super::*;
use crate::detect::{Detector, Detectors};
use crate::run::error::{Error, Result};
use crate::{FeatureMaker, Features, Options};

const TEXTS: [(&str, &str); 5] = [
    (
        "a.md",
        "the old park by the river opened to the public thirty years ago",
    ),
    (
        "b.md",
        "the old park by the river opened to the public fifty years ago",
    ),
    (
        "c.md",
        "河边的老公园三十年前向市民开放，图书馆明天上午九点开放",
    ),
    (
        "d.md",
        "河边的老公园三十年前向市民开放，图书馆明天上午十点开放",
    ),
    ("e.md", "x"),
];

fn all_detectors() -> Options {
    Options {
        detectors: Detectors::USUAL
            .with(Detector::SuperShingle, true)
            .with(Detector::IMatch, true),
        ..Options::default()
    }
}

fn features(options: &Options) -> Vec<(String, Features)> {
    let mut maker = FeatureMaker::new(options);
    let named = TEXTS.iter().map(|&(name, text)| {
        let features = maker.features(text).expect("it has words");
        (name.to_owned(), features)
    });
    named.collect()
}

fn file(options: &Options) -> Vec<u8> {
    let mut writer = FeaturesWriter::new(options, Vec::new()).unwrap();
    for (name, features) in features(options) {
        writer.write(&name, &features).unwrap();
    }
    writer.finish().unwrap()
}

/// Files of the usual detectors and of all: loading jieba takes longer than a test.
static USUAL: LazyLock<Vec<u8>> = LazyLock::new(|| file(&Options::default()));
static ALL: LazyLock<Vec<u8>> = LazyLock::new(|| file(&all_detectors()));

fn read(options: &Options, file: &[u8]) -> Result<Vec<(String, Features)>> {
    FeaturesReader::new(options, file)?.collect()
}

#[test]
fn features_come_back_as_they_were() {
    let options = all_detectors();
    let sorted = |(name, mut features): (String, Features)| {
        features.shingles.sort_unstable();
        (name, features)
    };
    let expected: Vec<_> = features(&options).into_iter().map(sorted).collect();
    assert_eq!(read(&options, &file(&options)).unwrap(), expected);
}

#[test]
fn a_file_of_many_blocks_is_read_in_order() {
    let options = Options::default();
    let mut maker = FeatureMaker::new(&options);
    let words: Vec<String> = (0..2_000).map(|number| format!("w{number}")).collect();
    let features = maker.features(&words.join(" ")).unwrap();
    let mut writer = FeaturesWriter::new(&options, Vec::new()).unwrap();
    for number in 0..200 {
        writer.write(&number.to_string(), &features).unwrap();
    }
    let file = writer.finish().unwrap();
    assert!(file.len() > 2 * BLOCK);
    let names: Vec<String> = read(&options, &file)
        .unwrap()
        .into_iter()
        .map(|d| d.0)
        .collect();
    assert!(
        names
            .into_iter()
            .eq((0..200).map(|number| number.to_string()))
    );
}

#[test]
fn other_options_are_refused_with_what_differs() {
    let file = file(&Options::default());
    let refused = |options: &Options| read(options, &file).unwrap_err().to_string();
    let other_size = Options {
        shingle_size: 4.try_into().unwrap(),
        ..Options::default()
    };
    assert_eq!(
        refused(&other_size),
        "the features were made with shingle_size 3, not 4"
    );
    let more = all_detectors();
    assert!(refused(&more).contains("detectors simhash,shingle, not simhash,shingle,super"));
    // Options that only decide about pairs change no feature.
    let lower = Options {
        max_hamming: 7,
        ..Options::default()
    };
    assert_eq!(read(&lower, &file).unwrap().len(), TEXTS.len());
}

#[test]
fn features_of_other_detectors_are_not_written() {
    let mut writer = FeaturesWriter::new(&Options::default(), Vec::new()).unwrap();
    let (name, features) = features(&all_detectors()).remove(0);
    let error = writer.write(&name, &features).unwrap_err();
    assert!(matches!(error, Error::FeaturesDiffer { .. }), "{error}");
}

#[test]
fn another_version_and_other_files_are_refused() {
    let options = Options::default();
    let refused = |file: &[u8]| read(&options, file).unwrap_err().to_string();
    let mut newer = file(&options);
    newer[MARK.len()] = 9;
    assert!(refused(&newer).contains("version 9, and this program reads version 4"));
    assert!(refused(b"{\"schema_version\": 1, \"tool\"").contains("no file of features"));
    assert!(refused(b"").contains("cut off"));
}

proptest! {
    #[test]
    fn damage_is_always_seen(at in any::<prop::sample::Index>(), bit in 0_u32..8) {
        let options = all_detectors();
        let mut file = ALL.clone();
        let at = at.index(file.len());
        file[at] ^= 1 << bit;
        prop_assert!(read(&options, &file).is_err());
    }

    #[test]
    fn a_file_that_is_cut_off_is_refused(at in any::<prop::sample::Index>()) {
        let options = Options::default();
        let at = at.index(USUAL.len());
        prop_assert!(read(&options, &USUAL[..at]).is_err());
    }

    #[test]
    fn random_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let options = Options::default();
        let mut file = USUAL.clone();
        prop_assert!(read(&options, &bytes).is_err());
        // Random bytes after a good head.
        file.truncate(file.len() / 2);
        file.extend_from_slice(&bytes);
        prop_assert!(read(&options, &file).is_err());
    }
}
