//! The identity of features: what they were made with.

use std::fmt;

use crate::detect::options::Options;
use crate::run::error::{Error, Result};

/// Every option that changes a feature, with its value. Features can be compared only if their identities are equal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    values: Vec<(String, String)>,
}

impl Identity {
    /// Returns the identity of features that are made with these options.
    #[must_use]
    pub fn of(options: &Options) -> Self {
        let values = options.values().of_features.into_iter();
        Self {
            values: values
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
        }
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
