//! The command line and random configurations.

use std::ffi::OsString;
use std::fs;

use proptest::prelude::*;
use proptest::sample::subsequence;

use crate::command_line::{Args, Command};
use crate::config::file::keys;
use crate::tests::table::table;
use dupfind_read::ReadOptions;

/// Keys of the file, the words that mean the same, and other words that are typed.
fn options() -> Vec<[&'static str; 3]> {
    table(
        r#"paths = ["docs", "-x"]            | docs ./-x                           | blog
           glob = ["*.md", "!a/*.md"]        | --glob=*.md --glob=!a/*.md          | -g *.txt
           exclude = "b/**"                  | --exclude=b/**                      | --exclude a
           hidden = true                     | --hidden                            | --hidden
           no-ignore = true                  | --no-ignore                         | --no-ignore
           follow = false                    |                                     | -L
           max-filesize = "4M"               | --max-filesize=4M                   | --max-filesize 10
           text-field = "body,title"         | --text-field=body --text-field=title | --text-field b
           shingle-size = 4                  | --shingle-size=4                    | --shingle-size 5
           max-hamming = 5                   | --max-hamming=5                     | --max-hamming 2
           min-jaccard = 0.30                | --min-jaccard=0.30                  | --min-jaccard .5
           min-containment = 0.8             | --min-containment=0.8               | --min-containment 0.9
           detectors = ["shingle", "simhash"] | --detectors=shingle,simhash        | --detectors simhash,shingle
           show = "near,exact"               | --show=near,exact                   | --show all
           within = "{*}/"                   | --within={*}/                       | --within a{*}/
           against = "old"                   | --against=old                       | --against new
           threads = 2                       | --threads=2                         | -j 0"#,
    )
}

fn words<'t>(parts: impl IntoIterator<Item = &'t str>) -> Vec<OsString> {
    let parts = ["dupfind scan"].into_iter().chain(parts);
    parts
        .flat_map(str::split_whitespace)
        .map(OsString::from)
        .collect()
}

/// Returns the arguments of words in a folder that has a configuration.
fn with(text: &str, words: &[OsString]) -> anyhow::Result<Command> {
    let folder = tempfile::tempdir().unwrap();
    let cwd = folder.path().canonicalize().unwrap();
    fs::create_dir(cwd.join(".git")).unwrap();
    fs::write(cwd.join("dupfind.toml"), text).unwrap();
    Args::read(words, Ok(cwd))
}

/// Returns the arguments without what differs by where they come from.
fn shown(command: Command) -> String {
    let Command::Scan(mut scan) = command else {
        panic!("another command");
    };
    scan.running.config.used = None;
    scan.running.config.typed = Default::default();
    format!("{scan:#?}")
}

proptest! {
    #[test]
    fn a_file_means_the_same_as_its_words(
        kept in subsequence((0..options().len()).collect::<Vec<_>>(), 0..=options().len()),
        typed in subsequence((0..options().len()).collect::<Vec<_>>(), 0..=4),
    ) {
        let options = options();
        let text: Vec<&str> = kept.iter().map(|&at| options[at][0]).collect();
        let own: Vec<&str> = typed.iter().map(|&at| options[at][2]).collect();
        let others = kept.iter().filter(|at| !typed.contains(at)).map(|&at| options[at][1]);
        let full = with("", &words(others.chain(own.iter().copied()))).unwrap();
        let merged = with(&text.join("\n"), &words(own.iter().copied())).unwrap();
        prop_assert_eq!(shown(merged).replace("\"./-x\"", "\"-x\""), shown(full).replace("\"./-x\"", "\"-x\""));
    }
}

#[test]
fn an_option_with_the_id_of_a_key_is_that_option() {
    let keys = keys();
    let definition = Args::definition();
    for command in definition.get_subcommands() {
        for own in command.get_arguments() {
            let key = keys
                .get_arguments()
                .find(|key| key.get_id() == own.get_id());
            let help = |arg: &clap::Arg| arg.get_help().map(ToString::to_string);
            let is_same = key.is_none_or(|key| help(key) == help(own));
            assert!(is_same, "{} {}", command.get_name(), own.get_id());
        }
    }
}

#[test]
fn typed_options_overrule_keys_that_conflict() {
    for [text, typed, overruled] in table(
        r#"ocr = true               | --shingle-size 4    | ocr
           top = 3                  | --format json       | top
           no-pairs = true          | --format csv        | no-pairs
           no-pairs = true\ntop = 3 | --format csv        | no-pairs, top
           output = "o"             | --format json=x     | output
           format = "json=x"        | --output o          | format
           format = "csv"           | --no-pairs          | format
           min-containment = 0.5    | --detectors simhash | min-containment"#,
    ) {
        let Command::Scan(scan) = with(text, &words([typed])).unwrap() else {
            panic!("another command");
        };
        let used = scan.running.config.used.unwrap();
        let entries = used.entries.iter().filter(|entry| !entry.is_in_force);
        let keys: Vec<&str> = entries.map(|entry| &*entry.key).collect();
        assert_eq!(keys.join(", "), overruled, "{typed}");
    }
}

#[test]
fn keys_that_do_not_go_together_are_an_error_of_the_file() {
    for [text, typed, part] in table(
        r#"\ntop = 3\nformat = "json"                  | --hidden | dupfind.toml:2: --top is for list and table
           hidden = true\nocr = true\nshingle-size = 4 | docs     | dupfind.toml:2: --shingle-size cannot be used with --ocr"#,
    ) {
        match with(text, &words([typed])) {
            Err(error) => assert!(error.to_string().starts_with(part), "{error}"),
            other => panic!("{text}: {other:?}"),
        }
    }
    // A conflict of the typed arguments is reported as if there were no file.
    let refused = with("top = 3", &words(["--no-pairs --format csv"]));
    assert!(refused.is_err_and(|error| error.to_string().starts_with("--no-pairs")));
}

#[test]
fn the_definition_is_sound() {
    Args::definition().debug_assert();
}

#[test]
fn defaults_are_the_library_s() {
    let Command::Scan(scan) = with("", &words([])).unwrap() else {
        panic!("another command");
    };
    let read = scan.comparing.input.reading.content.options();
    assert_eq!(read.max_filesize, ReadOptions::MAX_FILESIZE);
}
