//! Errors of the library as exceptions.

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::import_exception;
use pyo3::prelude::*;

import_exception!(dupfind._errors, Error);
import_exception!(dupfind._errors, IndexFileError);
import_exception!(dupfind._errors, InputError);
import_exception!(dupfind._errors, OptionError);

/// Returns the exception of an error, with its causes.
pub(crate) fn exception(error: &dupfind_engine::Error) -> PyErr {
    let mut message = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        message.push_str(&format!(": {error}"));
        cause = error.source();
    }
    match error {
        dupfind_engine::Error::Stopped => PyKeyboardInterrupt::new_err(message),
        dupfind_engine::Error::Index { .. } | dupfind_engine::Error::IndexIo { .. } => {
            IndexFileError::new_err(message)
        }
        dupfind_engine::Error::Option(_) => OptionError::new_err(message),
        _ => Error::new_err(message),
    }
}

/// Turns errors of the library into exceptions.
pub(crate) trait OrRaise<T> {
    /// Returns the value, or the exception.
    fn or_raise(self) -> PyResult<T>;
}

impl<T> OrRaise<T> for dupfind_engine::Result<T> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(|error| exception(&error))
    }
}
