//! `dupfind.scan`.

use std::path::PathBuf;

use dupfind_decide::finished_scan::Scanned;
use dupfind_decide::finished_scan::texts::RowScan;
use dupfind_engine::Options;
use pyo3::prelude::*;

use crate::call::Call;
use crate::deciding::Deciding;
use crate::input::{ColumnNames, Input, Rows, is_lasting, open};
use crate::options::{Cutting, Detection, NumberOrWord, Running, Size, Thresholds, Words};
use crate::paths::Walking;
use crate::result::{Result as ScanResult, Source};

/// Compares every text with every other, and returns all pairs that are alike.
///
/// Args:
///     x: What is scanned: anything with the Arrow C stream protocol (a frame of polars or pandas 3, a table of pyarrow,
///         a dataset, a relation of DuckDB), whose texts are not copied; an iterable of str, or of dict; a
///         ``pathlib.Path`` of a file or a folder, or several, which are read as the command does.
///     text: The column or key of the texts.
///     id: The column or key of the ids. Without one, a row is named by its number from 0.
///     min_jaccard: The least Jaccard similarity of a pair.
///     max_hamming: The most bits in which the fingerprints of a pair differ.
///     min_containment: Also find pairs of which one has this share of the other one.
///     min_weighted: Also find pairs that share enough rare text: ``"auto"``, ``"off"``, or a similarity.
///     detectors: Which detectors run: ``simhash``, ``shingle``, ``super-shingle``, ``i-match``.
///     require: Whether ``any`` detector must find a pair, or ``all``.
///     shingle_unit: What a shingle is made of: ``auto``, ``char``, ``word`` or ``ocr``.
///     shingle_size: How many units a shingle has.
///     fold_han: Whether Traditional characters are taken for Simplified ones.
///     idf: Where term weights come from: ``dictionary`` or ``corpus``.
///     cluster_on: The relations that connect the documents of a cluster.
///     keep: The rules that choose what stays, the first that decides: ``longest``, ``field:NAME``, ``field:NAME:min``,
///         ``path`` (the first row); of files also ``newest``, ``oldest``, ``in:GLOB``, ``shortest-path``.
///     drop: The relations of which a document may go: ``exact`` (copies), ``near`` (the same text with changes),
///         ``contains`` (one text within the other). By default only copies go.
///     min_drop: A near-duplicate goes only from this Jaccard similarity on.
///     threads: Worker threads; 0 is one for each core. The result does not depend on it.
///     memory_limit: Memory for shingles, such as ``"2G"``; by default half of what there is. Beyond it they go to a
///         temporary file. The result does not depend on it.
///     temp_dir: The folder for temporary files.
///     progress: ``True`` shows bars if tqdm is there; a function is called with the stage, the steps done and all steps.
///     glob, exclude: Globs of the files that are read or left out, of paths only.
///     hidden: Whether hidden files are read, of paths only.
///     ignore_files: Whether ``.gitignore`` and the like count, of paths only.
///
/// Returns:
///     A ``Result``. ``pairs`` and ``clusters`` are what was found, ``selected_rows`` the rows that stay, ``filtered`` what
///     goes, with the row that stays for it.
///
/// Raises:
///     InputError: A column is missing, or something is not text.
///     OptionError: An option has a value that it cannot have.
///
/// Examples:
///     A frame of polars without its copies and near-duplicates::
///
///         result = dupfind.scan(df, text="text", drop=["exact", "near"])
///         clean = df[result.selected_rows]
///
///     With pandas it is ``df.iloc[result.selected_rows]``, with a dataset of Hugging Face
///     ``ds.select(result.selected_rows)``.
#[pyfunction]
#[pyo3(signature = (
    x, *, text = "text".to_owned(), id = None, min_jaccard = 0.2, max_hamming = 3, min_containment = None,
    min_weighted = NumberOrWord::Word("auto".to_owned()), detectors = None, require = "any".to_owned(),
    shingle_unit = "auto".to_owned(), shingle_size = None, fold_han = false, idf = "dictionary".to_owned(),
    cluster_on = None, keep = None, drop = None, min_drop = 0.5, threads = 0, memory_limit = None, temp_dir = None,
    progress = None, glob = None, exclude = None, hidden = false, ignore_files = true,
), text_signature = "(x, *, text='text', id=None, min_jaccard=0.2, max_hamming=3, min_containment=None, \
    min_weighted='auto', detectors=('simhash', 'shingle'), require='any', shingle_unit='auto', shingle_size=None, \
    fold_han=False, idf='dictionary', cluster_on=('exact', 'near', 'contains'), keep=(), drop=('exact',), min_drop=0.5, \
    threads=0, memory_limit=None, temp_dir=None, progress=None, glob=(), exclude=(), hidden=False, ignore_files=True)")]
#[expect(clippy::too_many_arguments, reason = "they are named in Python")]
pub(crate) fn scan(
    py: Python<'_>,
    x: &Bound<'_, PyAny>,
    text: String,
    id: Option<String>,
    min_jaccard: f64,
    max_hamming: u32,
    min_containment: Option<f64>,
    min_weighted: NumberOrWord,
    detectors: Option<Words>,
    require: String,
    shingle_unit: String,
    shingle_size: Option<usize>,
    fold_han: bool,
    idf: String,
    cluster_on: Option<Words>,
    keep: Option<Words>,
    drop: Option<Words>,
    min_drop: f64,
    threads: usize,
    memory_limit: Option<Size>,
    temp_dir: Option<PathBuf>,
    progress: Option<Bound<'_, PyAny>>,
    glob: Option<Words>,
    exclude: Option<Words>,
    hidden: bool,
    ignore_files: bool,
) -> PyResult<ScanResult> {
    let options = Cutting {
        shingle_size,
        shingle_unit: Some(shingle_unit),
        fold_han,
    }
    .of(Options::default())?;
    let options = Detection {
        detectors,
        require: Some(require),
        idf: Some(idf),
    }
    .of(options)?;
    let options = Thresholds {
        min_jaccard: Some(min_jaccard),
        max_hamming: Some(max_hamming),
        min_containment,
        min_weighted: Some(min_weighted),
        cluster_on,
    }
    .of(options)?;
    let options = Running {
        threads,
        memory_limit,
        temp_dir,
    }
    .of(options)?;
    let deciding = Deciding::new(keep, drop, Some(min_drop))?;
    let names = ColumnNames { text, id };
    let call = Call::new(py, progress)?;
    let scanned = match open(x, &names)? {
        Input::Rows(rows) => {
            // It may be a query, which is run for its length.
            let total = call.is_followed().then(|| x.len().ok()).flatten();
            scan_rows(py, &call, rows, options, total)
        }
        Input::Paths(paths) => {
            let options = Walking {
                glob,
                exclude,
                hidden,
                ignore_files,
            }
            .of(paths, &names, options)?;
            call.run(py, move |watch| Scanned::of_files(options, watch))
        }
    };
    call.end(py)?;
    let source = match is_lasting(x)? {
        true => Some(x.clone().unbind()),
        false => None,
    };
    Ok(ScanResult::new(
        scanned?,
        Source {
            rows: source,
            names,
        },
        deciding,
    ))
}

fn scan_rows(
    py: Python<'_>,
    call: &Call,
    rows: Rows<'_>,
    options: Options,
    total: Option<usize>,
) -> PyResult<Scanned> {
    call.begin_reading(total.map(|total| total as u64));
    // It moves to the thread of each batch, and back.
    let mut scan = Some(RowScan::new(options));
    rows.each_batch(py, call, |batch| {
        let mut own = scan.take().expect("it came back");
        scan = Some(call.run(py, move |watch| {
            own.add(batch, watch)?;
            Ok(own)
        })?);
        Ok(())
    })?;
    let scan = scan.expect("it came back");
    call.run(py, move |watch| scan.finish(watch))
}
