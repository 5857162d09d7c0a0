//! Black-box tests: the program as a user meets it, by its exit status, standard output and error.

#![allow(
    clippy::unwrap_used,
    reason = "these are tests, their helpers included"
)]

mod accept;
mod accepted;
mod advice;
mod apply;
mod baseline;
mod baseline_file;
mod blame;
mod browser;
mod cases;
mod ci;
mod clusters;
mod code_files;
mod compare;
mod completions;
mod config;
mod containers;
mod copies;
mod counts;
mod dedup;
mod detectors;
mod doors;
mod env;
mod families;
mod gate;
mod git;
mod guesses;
mod hostile;
mod html;
mod html_pages;
mod index;
mod input;
#[cfg(unix)]
mod killed;
mod language;
mod links;
mod lsp;
mod markup;
mod mcp;
mod memory;
mod no_pages;
mod office;
mod one_answer;
mod options;
mod optout;
mod output;
#[expect(dead_code, reason = "short pages are for the bench")]
#[path = "../../benches/support/pages.rs"]
mod pages;
mod parquet;
mod pdf;
mod plan;
mod pre;
mod pull_requests;
mod query;
mod readme;
#[cfg(unix)]
mod recipes;
mod records;
mod replaced;
mod report;
mod reports;
mod reuse;
mod sarif;
mod scale;
mod schema;
mod scope;
mod scripts;
mod short;
mod show;
#[cfg(unix)]
mod side_files;
mod sites;
mod stream;
mod subjects;
mod table;
mod untrusted;
mod unusual_texts;
mod walking;
#[cfg(unix)]
mod worklist;
