//! Options of the program, from the keywords of a caller in Python.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use dupfind::{Collections, Settings, parse_size};
use dupfind_decide::{ChosenDrops, KeepRule};
use dupfind_engine::{Options, Threshold};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyList, PyString, PyTuple};

use crate::call::OptionError;

/// A number of bytes, or a text such as `2G`.
#[derive(FromPyObject)]
pub(crate) enum Size {
    Bytes(u64),
    Text(String),
}

/// The options that a caller gave, as words of the command line.
#[derive(Debug, Clone, Default)]
pub(crate) struct Given {
    /// By their names in Python.
    words: BTreeMap<String, Vec<OsString>>,
    /// The program accepts no limit as low as tests need.
    memory_limit: Option<u64>,
    /// Whether there is another collection, which all is compared with.
    pub(crate) has_sides: bool,
}

/// The rules that decide what stays, and what may go.
pub(crate) struct Deciding {
    pub(crate) rules: Vec<KeepRule>,
    pub(crate) drops: ChosenDrops,
}

impl Given {
    /// Returns the options of a dictionary.
    pub(crate) fn of(options: &Bound<'_, PyDict>) -> PyResult<Self> {
        let mut given = Self::default();
        for (name, value) in options {
            given.add(&name.extract::<String>()?, &value)?;
        }
        Ok(given)
    }

    /// Returns the keywords of a call of `function`, such as `Result.plan`, whose signature has their names.
    pub(crate) fn to(
        py: Python<'_>,
        function: &str,
        keywords: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let mut given = Self::default();
        let Some(keywords) = keywords else {
            return Ok(given);
        };
        let module = py.import("dupfind._dupfind")?.into_any();
        let mut names = function.split('.');
        let called = names.try_fold(module, |object, name| object.getattr(name))?;
        let signature: String = called.getattr("__text_signature__")?.extract()?;
        for (name, value) in keywords {
            let name: String = name.extract()?;
            if !signature.contains(&format!(" {name}=")) {
                return Err(PyTypeError::new_err(format!(
                    "{function}() got an unexpected keyword argument '{name}'"
                )));
            }
            given.add(&name, &value)?;
        }
        Ok(given)
    }

    /// Adds an option.
    pub(crate) fn add(&mut self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if value.is_none() {
            return Ok(());
        }
        if name == "against" {
            self.has_sides = value.is_truthy()?;
            return Ok(());
        }
        if name == "memory_limit" {
            self.memory_limit = Some(bytes(name, value.extract()?)?);
            return Ok(());
        }
        let option = match name {
            "text" => "text-field".to_owned(),
            "id" => "id-field".to_owned(),
            "ignore_files" => "no-ignore".to_owned(),
            _ => name.replace('_', "-"),
        };
        let words = if let Ok(is_on) = value.cast::<PyBool>() {
            // The program has an option for the value that is not the default.
            match is_on.is_true() != (name == "ignore_files") {
                true => vec![format!("--{option}").into()],
                false => Vec::new(),
            }
        } else if let (Ok(number), "min_jaccard" | "min_containment") =
            (value.cast::<PyFloat>(), name)
        {
            let [numerator, denominator] = threshold(name, number.value())?.fraction();
            vec![format!("--{option}={numerator}/{denominator}").into()]
        } else if name == "shingle_unit" && word(value)? == "ocr" {
            vec!["--ocr".into()]
        } else if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
            let values = value.try_iter()?.collect::<PyResult<Vec<_>>>()?;
            if values.is_empty() && !["keep", "glob", "exclude"].contains(&name) {
                return Err(OptionError::new_err(format!(
                    "{name}: expected at least one"
                )));
            }
            let words = values.iter().map(|value| assigned(&option, value));
            words.collect::<PyResult<_>>()?
        } else {
            vec![assigned(&option, value)?]
        };
        self.words.insert(name.to_owned(), words);
        Ok(())
    }

    /// Returns these options with other rules for the rows that stay.
    pub(crate) fn with_rules(&self, rules: Self) -> Self {
        let mut given = self.clone();
        let is_rule = |name: &str| ["keep", "drop", "min_similarity"].contains(&name);
        given.words.retain(|name, _| !is_rule(name));
        given.with(rules)
    }

    /// Returns these options with others, which outweigh them.
    pub(crate) fn with(&self, others: Self) -> Self {
        let mut all = self.clone();
        all.words.extend(others.words);
        all.memory_limit = others.memory_limit.or(all.memory_limit);
        all.has_sides |= others.has_sides;
        all
    }

    /// Fails if there is an option that is about files only.
    pub(crate) fn check_rows(&self) -> PyResult<()> {
        const OF_FILES: [&str; 4] = ["glob", "exclude", "hidden", "ignore_files"];
        let given = |name: &&&str| {
            self.words
                .get(**name)
                .is_some_and(|words| !words.is_empty())
        };
        match OF_FILES.iter().find(given) {
            Some(name) => Err(OptionError::new_err(format!(
                "{name} has no effect: rows were given, and no paths"
            ))),
            None => Ok(()),
        }
    }

    /// Returns the settings of a scan of rows.
    pub(crate) fn settings(&self) -> PyResult<Settings> {
        let against = self.has_sides.then(PathBuf::new);
        self.settings_of(Vec::new(), against.into_iter().collect())
    }

    /// Returns the settings of a scan of these paths, and of those that they are compared with.
    pub(crate) fn settings_of(
        &self,
        paths: Vec<PathBuf>,
        against: Vec<PathBuf>,
    ) -> PyResult<Settings> {
        let words: Vec<OsString> = self.words.values().flatten().cloned().collect();
        let settings = Settings::of(&words, Collections { paths, against });
        let mut settings = settings.map_err(|reason| OptionError::new_err(in_python(&reason)))?;
        if let Some(limit) = self.memory_limit {
            settings.scan.engine.budget.limit = Some(limit);
        }
        Ok(settings)
    }

    /// Returns the options of the engine.
    pub(crate) fn engine(&self) -> PyResult<Options> {
        if self.words.is_empty() && !self.has_sides {
            return Ok(Options::default());
        }
        Ok(self.settings()?.scan.engine)
    }

    /// Returns how it is decided what stays.
    pub(crate) fn deciding(&self) -> PyResult<Deciding> {
        let Settings { rules, drops, .. } = self.settings()?;
        Ok(Deciding { rules, drops })
    }
}

/// Returns the word that gives an option a value.
fn assigned(option: &str, value: &Bound<'_, PyAny>) -> PyResult<OsString> {
    let mut words = OsString::from(format!("--{option}="));
    words.push(word(value)?);
    Ok(words)
}

/// Returns a value as it is typed.
fn word(value: &Bound<'_, PyAny>) -> PyResult<OsString> {
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(text.to_string_lossy().trim().into());
    }
    if let Ok(number) = value.cast::<PyFloat>() {
        // A sum such as 0.1 + 0.2 has more decimals than anybody means.
        let number = (number.value() * 1e9).round() / 1e9;
        return Ok(number.to_string().into());
    }
    match value.hasattr("__fspath__")? {
        true => Ok(value.extract::<PathBuf>()?.into()),
        false => Ok(value.str()?.to_string_lossy().into_owned().into()),
    }
}

/// Returns a message with the name that its option has in Python.
fn in_python(reason: &str) -> String {
    let Some(rest) = reason.strip_prefix("--") else {
        return reason.to_owned();
    };
    let end = rest.find([':', ' ']).unwrap_or(rest.len());
    let (name, rest) = rest.split_at(end);
    format!("{}{rest}", name.replace('-', "_"))
}

/// Returns a number of bytes.
pub(crate) fn bytes(option: &str, size: Size) -> PyResult<u64> {
    match size {
        Size::Bytes(bytes) => Ok(bytes),
        Size::Text(text) => {
            parse_size(&text).map_err(|reason| OptionError::new_err(format!("{option}: {reason}")))
        }
    }
}

/// Returns the threshold that a number means.
pub(crate) fn threshold(name: &str, number: f64) -> PyResult<Threshold> {
    let threshold = Threshold::from_number(number);
    threshold.map_err(|reason| OptionError::new_err(format!("{name}: {reason}")))
}
