//! The files of the repository that are made from the definition of the command line.
//!
//! `DUPFIND_UPDATE_DOCS=1 cargo test -p dupfind-cli --lib tests::` writes them anew.

use std::fs;

use crate::command_line::Args;

mod options;
mod schema;
#[path = "../../tests/cli/table.rs"]
pub(crate) mod table;

fn definition() -> clap::Command {
    let mut root = Args::definition().disable_help_subcommand(true);
    root.build();
    root
}

/// Checks that a file ends with a made text behind the first `marker`; writes it if that is asked for.
#[track_caller]
fn check(file: &str, marker: &str, made: &str) {
    let file = format!("{}/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(&file).unwrap();
    let (head, kept) = text.split_at(text.find(marker).unwrap());
    if std::env::var_os("DUPFIND_UPDATE_DOCS").is_some() {
        fs::write(&file, format!("{head}{made}")).unwrap();
    } else {
        let is_new = kept == made;
        assert!(
            is_new,
            "{file} is old: DUPFIND_UPDATE_DOCS=1 cargo test -p dupfind-cli --lib tests:: writes it"
        );
    }
}

#[test]
fn editors_get_the_schema_of_a_configuration() {
    let schema = schema::schema();
    check("schema/dupfind.toml.schema.json", "{", &schema);
}

#[test]
fn a_line_has_the_schema_of_its_part_of_the_report() {
    check("schema/report-line.schema.json", "{", &schema::of_lines());
}

#[test]
fn the_guide_has_the_tables_of_all_options() {
    let tables = options::tables(&definition());
    check("docs/all-options.md", "\n## Input\n", &tables);
}
