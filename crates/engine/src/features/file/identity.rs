//! The identity of features: what they were made with.

use std::fmt;

use xxhash_rust::xxh3::xxh3_64;

use crate::detect::Detector;
use crate::detect::options::Options;
use crate::fingerprint::idf::Idf;
use crate::run::error::{Error, Result};
use crate::text::cutter::CUT_VERSION;
use crate::text::segmenter::UNSPACED_WORDS;

/// Every option that changes a feature, with its value. Features can be compared only if their identities are equal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    values: Vec<(String, String)>,
}

impl Identity {
    /// Returns the identity of features that are made with these options.
    #[must_use]
    pub fn of(options: &Options) -> Self {
        // Every option is named, so that none is forgotten.
        let Options {
            shingle_size,
            shingle_unit,
            idf,
            simhash_width,
            detectors,
            super_shingles,
            i_match,
            // These decide which pairs there are.
            max_hamming: _,
            min_jaccard: _,
            containment: _,
            min_weighted: _,
            require: _,
            // These change no result.
            threads: _,
            budget: _,
        } = options;
        let mut values = Vec::new();
        let mut add = |name: &str, value: String| values.push((name.to_owned(), value));
        add("cut_version", CUT_VERSION.to_string());
        add("shingle_unit", shingle_unit.as_str().into());
        add("shingle_size", shingle_size.to_string());
        add("unspaced_words", UNSPACED_WORDS.into());
        add("detectors", detectors.names().collect::<Vec<_>>().join(","));
        if detectors.need_terms() {
            add("idf", source_of(idf));
        }
        if detectors.have(Detector::Simhash) {
            add("simhash_bits", simhash_width.bits().to_string());
        }
        if detectors.have(Detector::SuperShingle) {
            let made = format!("{}/{}", super_shingles.hashes(), super_shingles.run());
            add("super_shingle", made);
        }
        if detectors.have(Detector::IMatch) {
            add("i_match", format!("{}/{}", i_match.idf, i_match.lexicons));
        }
        // The document frequencies of shingles are those of the collection, and not of the file.
        add("frequencies", "own".into());
        Self { values }
    }

    /// Checks that the features that were found have this identity.
    ///
    /// # Errors
    ///
    /// [`Error::FeaturesDiffer`] with the first difference.
    pub fn check(&self, found: &Self) -> Result<()> {
        let value = |identity: &Self, name: &str| {
            let mut values = identity.values.iter();
            let found = values.find(|(other, _)| other == name);
            found.map_or("nothing".to_owned(), |(_, value)| value.clone())
        };
        let names = self.values.iter().chain(&found.values);
        for (name, _) in names {
            let (expected, found) = (value(self, name), value(found, name));
            if expected != found {
                return Err(Error::FeaturesDiffer {
                    name: name.clone(),
                    found,
                    expected,
                });
            }
        }
        Ok(())
    }

    /// Returns the names and the values.
    pub fn into_values(self) -> Vec<(String, String)> {
        self.values
    }

    /// Returns the identity of a text that [`fmt::Display`] has written; `None` if it is no such text.
    pub fn parse(text: &str) -> Option<Self> {
        let values = text.lines().map(|line| {
            let (name, value) = line.split_once('=')?;
            Some((name.to_owned(), value.to_owned()))
        });
        Some(Self {
            values: values.collect::<Option<_>>()?,
        })
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.values {
            writeln!(f, "{name}={value}")?;
        }
        Ok(())
    }
}

/// Returns the name of where weights come from. Other tables of weights have other names, made of a hash.
fn source_of(idf: &Idf) -> String {
    match idf {
        Idf::Dictionary => "dictionary".into(),
        Idf::Table { weights, otherwise } => {
            let mut sorted: Vec<_> = weights.iter().collect();
            sorted.sort_unstable();
            let mut bytes = otherwise.to_le_bytes().to_vec();
            for (term, weight) in sorted {
                bytes.extend_from_slice(&term.to_le_bytes());
                bytes.extend_from_slice(&weight.to_le_bytes());
            }
            format!("table-{:016x}", xxh3_64(&bytes))
        }
    }
}
