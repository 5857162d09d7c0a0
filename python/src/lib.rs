//! The Python package: it converts the values of Python to those of the library, and back.

mod call;
mod explanation;
mod index;
mod input;
mod options;
mod result;
mod scan;
mod stream;
mod table;
mod texts;
mod tiles;

/// Finds near-duplicate texts, exactly.
#[pyo3::pymodule]
mod _dupfind {
    use std::ffi::OsString;
    use std::io::Write;
    use std::path::PathBuf;

    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::call::close;
    #[pymodule_export]
    use crate::explanation::Explanation;
    #[pymodule_export]
    use crate::index::Index;
    #[pymodule_export]
    use crate::result::Result;
    #[pymodule_export]
    use crate::scan::{rows_that_stay, scan};
    #[pymodule_export]
    use crate::stream::Stream;
    #[pymodule_export]
    use crate::table::Table;
    #[pymodule_export]
    use crate::texts::{compare, fingerprint, shingles};
    #[pymodule_export]
    use crate::tiles::{Tile, TileEngine, TileJob, merge_counts, weigh_tile};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // Panics of libraries that read documents are caught, and nobody needs to see them.
        dupfind::silence_contained();
        if let Some(program) = program(module.py()) {
            dupfind::starts_by(program);
        }
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }

    /// Returns the words that start the command: this interpreter, with the package from where it is now, and from no other
    /// folder. None if there is no such interpreter.
    fn program(py: Python<'_>) -> Option<Vec<OsString>> {
        const START: &str = "import sys; sys.path[0] = sys.argv.pop(1); \
                             from dupfind._program import main; sys.exit(main())";
        let package = || -> PyResult<(String, PathBuf)> {
            let executable = py.import("sys")?.getattr("executable")?.extract()?;
            let file = py.import("dupfind")?.getattr("__file__")?.extract()?;
            Ok((executable, file))
        };
        let (executable, file) = package()
            .ok()
            .filter(|(executable, _)| !executable.is_empty())?;
        let folder = file.ancestors().nth(2)?;
        Some(vec![
            executable.into(),
            "-c".into(),
            START.into(),
            folder.into(),
        ])
    }

    /// Runs the command with these words; the first one is its name. Returns the exit status.
    #[pyfunction]
    fn run_program(py: Python<'_>, words: Vec<OsString>) -> u8 {
        py.detach(|| {
            let status = dupfind::run(words.into_iter());
            // Nobody else does it: the program that ends is the interpreter.
            let _ = std::io::stdout().flush();
            status
        })
    }
}
