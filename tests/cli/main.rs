//! Black-box tests: the program as a user meets it, by its exit status, standard output and error.

#![allow(
    clippy::unwrap_used,
    reason = "these are tests, their helpers included"
)]

mod cases;
mod clusters;
mod compare;
mod counts;
mod degenerate;
mod env;
mod hostile;
mod html;
mod input;
mod options;
mod output;
mod reading;
mod records;
mod scale;
mod scripts;
mod short;
mod tune;
mod walking;
