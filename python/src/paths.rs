//! How files and folders are read.

use std::path::PathBuf;

use dupfind::max_documents;
use dupfind_engine::Options;
use dupfind_read::ReadOptions;
use dupfind_read::records::Fields;
use dupfind_read::source::globs::Globs;
use dupfind_read::source::walk::WalkOptions;
use dupfind_scan::ScanOptions;
use pyo3::prelude::*;

use crate::errors::InputError;
use crate::input::ColumnNames;
use crate::options::Words;

/// Which files of folders are read.
pub(crate) struct Walking {
    pub(crate) glob: Option<Words>,
    pub(crate) exclude: Option<Words>,
    pub(crate) hidden: bool,
    pub(crate) ignore_files: bool,
}

impl Walking {
    /// Returns the options of a scan of these paths.
    pub(crate) fn of(
        self,
        paths: Vec<PathBuf>,
        names: &ColumnNames,
        engine: Options,
    ) -> PyResult<ScanOptions> {
        let globs = |globs: Option<Words>| -> PyResult<Globs> {
            Ok(Globs {
                base: current_folder()?,
                patterns: globs.map_or_else(Vec::new, Words::into_all),
            })
        };
        let walk = WalkOptions {
            globs: globs(self.glob)?,
            excluded: globs(self.exclude)?,
            hidden: self.hidden,
            ignore_files: self.ignore_files,
            ..WalkOptions::new(paths, current_folder()?)
        };
        Ok(ScanOptions {
            walk,
            read: read_options(names),
            engine,
            index: None,
        })
    }
}

/// Returns how files are read: records have these fields if others than the usual ones were named.
fn read_options(names: &ColumnNames) -> ReadOptions {
    let usual = ReadOptions::default();
    ReadOptions {
        max_documents: max_documents(),
        fields: Fields {
            text: match names.text.as_str() {
                "text" => usual.fields.text.clone(),
                name => vec![name.to_owned()],
            },
            id: names.id.clone(),
            ..usual.fields.clone()
        },
        ..usual
    }
}

pub(crate) fn current_folder() -> PyResult<PathBuf> {
    let folder = std::env::current_dir();
    folder.map_err(|error| InputError::new_err(format!("cannot find the current folder: {error}")))
}
