//! Tests of the library as a program that uses it sees it: all rooms together.

#![allow(clippy::unwrap_used, reason = "a failed test is what it is for")]

mod bench_metrics;
mod bench_plant;
mod detectors;
mod encodings;
mod fixtures;
mod front_door;
mod joins;
mod judged;
mod language;
mod relations;
