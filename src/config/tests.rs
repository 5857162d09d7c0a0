//! The command line and random configurations.

use std::ffi::OsString;
use std::path::Path;

use clap::{ArgMatches, FromArgMatches};
use proptest::prelude::*;
use proptest::sample::subsequence;

use crate::args::config::Used;
use crate::command_line::{Args, Command};
use crate::config::file::{File, parse};
use crate::config::keys::{keys, negation, scan_of};
use crate::config::merge::{Refused, merged};
use crate::config::typed::Typed;
use dupfind_read::ReadOptions;

const CWD: &str = "/site";

/// Keys of the file, the words that mean the same, and other words that are typed.
const OPTIONS: [(&str, &str, &str); 21] = [
    ("paths = [\"docs\", \"-x\"]", "docs ./-x", "blog"),
    (
        "glob = [\"*.md\", \"!a/*.md\"]",
        "--glob=*.md --glob=!a/*.md",
        "-g *.txt",
    ),
    ("exclude = \"b/**\"", "--exclude=b/**", "--exclude a"),
    ("hidden = true", "--hidden", "--no-hidden"),
    ("no-ignore = true", "--no-ignore", "--ignore"),
    ("follow = false", "", "-L"),
    ("max-depth = 3", "--max-depth=3", "--max-depth 1"),
    (
        "max-filesize = \"4M\"",
        "--max-filesize=4M",
        "--max-filesize 10",
    ),
    (
        "text-field = \"body\"",
        "--text-field=body",
        "--text-field b",
    ),
    ("shingle-size = 4", "--shingle-size=4", "--shingle-size 5"),
    ("max-hamming = 5", "--max-hamming=5", "--max-hamming 2"),
    (
        "min-jaccard = 0.30",
        "--min-jaccard=0.30",
        "--min-jaccard .5",
    ),
    (
        "min-containment = 0.8",
        "--min-containment=0.8",
        "--min-containment 0.9",
    ),
    (
        "detectors = [\"shingle\", \"simhash\"]",
        "--detectors=shingle,simhash",
        "--detectors shingle",
    ),
    (
        "cluster-on = \"exact,near\"",
        "--cluster-on=exact,near",
        "--cluster-on exact",
    ),
    ("top = 7", "--top=7", "--top 8"),
    (
        "format = [\"json=a.json\", \"table\"]",
        "--format=json=a.json --format=table",
        "-f jsonl",
    ),
    ("no-pairs = true", "--no-pairs", "--pairs"),
    (
        "baseline = \"b.jsonl\"",
        "--baseline=b.jsonl",
        "--baseline other",
    ),
    ("fail-on = \"near\"", "--fail-on=near", "--fail-on any"),
    ("threads = 2", "--threads=2", "-j 0"),
];

/// The arguments of a run and its configuration.
type Merged = (ArgMatches, Option<Used>);

fn words<'t>(parts: impl IntoIterator<Item = &'t str>) -> Vec<OsString> {
    let parts = ["dupfind scan"].into_iter().chain(parts);
    parts
        .flat_map(str::split_whitespace)
        .map(OsString::from)
        .collect()
}

fn file(text: &str) -> File {
    let (entries, ignores) = parse(text, scan_of(&Args::definition())).unwrap();
    File {
        path: Path::new(CWD).join("dupfind.toml"),
        name: "dupfind.toml".into(),
        folder: CWD.into(),
        is_named: true,
        entries,
        ignores,
    }
}

fn with(file: &File, words: &[OsString]) -> Result<Merged, Refused> {
    merged(
        &Typed::read(words, Args::command_line()).unwrap(),
        Some(file),
        Path::new(CWD),
    )
}

/// Returns the arguments of words without a configuration.
fn alone(words: &[OsString]) -> Result<Args, Refused> {
    let merged = merged(
        &Typed::read(words, Args::command_line())?,
        None,
        Path::new(CWD),
    )?;
    Ok(args(&merged))
}

fn shown(args: &Args) -> String {
    format!("{args:#?}")
}

fn args(merged: &Merged) -> Args {
    Args::from_arg_matches(&merged.0).unwrap()
}

proptest! {
    #[test]
    fn a_file_means_the_same_as_its_words(
        kept in subsequence((0..OPTIONS.len()).collect::<Vec<_>>(), 0..=OPTIONS.len()),
        typed in subsequence((0..OPTIONS.len()).collect::<Vec<_>>(), 0..=4),
    ) {
        let text: Vec<&str> = kept.iter().map(|&at| OPTIONS[at].0).collect();
        let own: Vec<&str> = typed.iter().map(|&at| OPTIONS[at].2).collect();
        let others = kept.iter().filter(|at| !typed.contains(at)).map(|&at| OPTIONS[at].1);
        let full = words(others.chain(own.iter().copied()));
        let file = file(&text.join("\n"));
        let merged = with(&file, &words(own.iter().copied()));
        match (alone(&full), merged) {
            (Ok(full), Ok(merged)) => {
                prop_assert_eq!(shown(&args(&merged)), shown(&full));
                prop_assert!(merged.1.unwrap().overruled.is_empty());
            }
            (Ok(_), Err(refused)) => prop_assert!(false, "{:?}", refused),
            // A key that conflicts with the typed arguments is left out.
            (Err(_), Ok(merged)) => prop_assert!(!merged.1.unwrap().overruled.is_empty()),
            (Err(_), Err(_)) => {}
        }
    }

    #[test]
    fn no_text_makes_it_panic(
        lines in prop::collection::vec(
            prop_oneof![
                "[a-z-]{1,9} = (true|[0-9.]{1,4}|\"[a-z*]{0,4}\"|\\[[0-9\"a, ]{0,6}\\])",
                "\\PC{0,20}",
                Just("[[ignore]]\ndocuments = [\"a\"]\nreason = \"b\"".to_owned()),
                Just("glob = [\"a\",\n1]".to_owned()),
                subsequence(OPTIONS.map(|option| option.0).to_vec(), 1).prop_map(|one| one.concat()),
            ],
            0..8,
        ),
    ) {
        let _ = parse(&lines.join("\n"), scan_of(&Args::definition()));
    }
}

#[test]
fn typed_options_overrule_keys_that_conflict() {
    for (text, typed, overruled) in [
        ("baseline = \"b\"", "--baseline-from HEAD", "baseline"),
        ("baseline-from = \"HEAD\"", "--baseline b", "baseline-from"),
        ("ocr = true", "--shingle-size 4", "ocr"),
        (
            "fail-on-new = true",
            "--update-baseline --baseline b",
            "fail-on-new",
        ),
        ("top = 3", "--format json", "top"),
        ("no-pairs = true", "--format csv", "no-pairs"),
        ("no-pairs = true\ntop = 3", "--format csv", "no-pairs, top"),
        ("output = \"o\"", "--format json=x", "output"),
        ("format = \"json=x\"", "--output o", "format"),
        ("format = \"csv\"", "--no-pairs", "format"),
        (
            "min-containment = 0.5",
            "--detectors simhash",
            "min-containment",
        ),
    ] {
        let merged = with(&file(text), &words([typed])).unwrap();
        let used = merged.1.unwrap();
        assert_eq!(used.overruled.join(", "), overruled, "{typed}");
    }
}

#[test]
fn keys_that_do_not_go_together_are_an_error_of_the_file() {
    for (text, typed, part) in [
        (
            "\ntop = 3\nformat = \"json\"",
            "--hidden",
            "dupfind.toml:2: --top is for the table",
        ),
        (
            "baseline = \"b\"\nbaseline-from = \"c\"",
            "",
            "dupfind.toml:1: the argument '--baseline <FILE>' cannot be used with '--baseline-from <REF>'",
        ),
        (
            "null = true",
            "",
            "dupfind.toml:1: null: the following required arguments were not provided: --files-from",
        ),
        (
            "fail-on-new = true",
            "docs",
            "dupfind.toml:1: --fail-on-new needs the accepted pairs: --baseline FILE or --baseline-from REF",
        ),
        (
            "hidden = true\nocr = true\nshingle-size = 4",
            "docs",
            "dupfind.toml:2: the argument '--ocr' cannot be used with",
        ),
    ] {
        match with(&file(text), &words([typed])) {
            Err(Refused::Config(reason)) => assert!(reason.starts_with(part), "{reason}"),
            other => panic!("{text}: {:?}", other.map(|merged| merged.0)),
        }
    }
    // A conflict of the typed arguments is reported as if there were no file.
    let refused = with(&file("top = 3"), &words(["--no-pairs --format csv"]));
    assert!(matches!(refused, Err(Refused::Typed(_))));
}

#[test]
fn a_list_of_paths_that_is_typed_has_a_separator_of_its_own() {
    let text = file("files-from = \"list\"\nnull = true");
    let null = |typed| match args(&with(&text, &words([typed])).unwrap()).command {
        Command::Scan(scan) => scan.comparing.input.null,
        _ => panic!("another command"),
    };
    assert!(null(""));
    assert!(!null("--files-from other"));
}

#[test]
fn every_flag_of_a_file_can_be_taken_back() {
    let definition = Args::definition();
    let flags = keys(scan_of(&definition)).filter(|key| key.is_flag());
    for flag in flags {
        let name = flag.name();
        let words = words([&*format!("--{}", negation(name))]);
        let merged = with(&file(&format!("{name} = true")), &words).unwrap();
        let (_, scan) = merged.0.subcommand().unwrap();
        assert!(!scan.get_flag(flag.0.get_id().as_str()), "{name}");
    }
}

#[test]
fn commands_that_find_the_same_pairs_have_the_same_keys() {
    let text = "min-jaccard = 0.5\nshingle-size = 4";
    for command in [
        "scan",
        "plan",
        "dedup x.jsonl -o y",
        "accept a b --reason x",
        "query i a",
        "mcp docs",
        "lsp docs",
        // They find no pairs, or mean something else by it.
        "index a -o i",
        "reuse",
        "fingerprint",
    ] {
        let words: Vec<OsString> = format!("dupfind {command}")
            .split_whitespace()
            .map(OsString::from)
            .collect();
        let keys = with(&file(text), &words).unwrap().1.unwrap().keys;
        let name = words[1].to_str().unwrap();
        let finds = !["index", "reuse", "fingerprint"].contains(&name);
        assert!(keys.contains("shingle-size"), "{command}");
        assert_eq!(keys.contains("min-jaccard"), finds, "{command}");
    }
    // The features of a document depend on the detectors.
    let words: Vec<OsString> = ["dupfind", "index", "a", "-o", "i"]
        .map(OsString::from)
        .to_vec();
    let used = with(&file("detectors = \"shingle\""), &words).unwrap().1;
    assert!(used.unwrap().keys.contains("detectors"));
}

#[test]
fn the_definition_is_sound() {
    Args::definition().debug_assert();
}

#[test]
fn defaults_are_the_library_s() {
    let Command::Scan(scan) = alone(&words([])).unwrap().command else {
        panic!("another command");
    };
    assert_eq!(
        scan.comparing.input.reading.content.max_filesize,
        ReadOptions::MAX_FILESIZE
    );
}

#[test]
fn wrong_values_are_explained() {
    for (line, part) in [
        ("dupfind scan --min-jaccard 90", "did you mean 0.9?"),
        ("dupfind scan --max-hamming 17", "at most 16 of 64 bits"),
        ("dupfind scan --max-hamming 33 --simhash-bits 128", "0..=32"),
        ("dupfind scan --max-filesize big", "such as 16M"),
        ("dupfind scan --shingle-size 0", "--shingle-size"),
        ("dupfind scan --threads 2000", "0..=256"),
        (
            "dupfind scan --detectors minhash",
            "possible values: simhash, shingle, super-shingle, i-match",
        ),
        (
            "dupfind scan --format json --top 3",
            "--top is for the table",
        ),
        (
            "dupfind scan --format csv --no-pairs",
            "--no-pairs leaves nothing",
        ),
        ("dupfind scan --memory-limit 1M", "at least 16M"),
        ("dupfind scan --null", "--files-from <FILE>"),
        ("dupfind scan --formt json", "--format"),
    ] {
        let words: Vec<OsString> = line.split_whitespace().map(Into::into).collect();
        let Err(Refused::Typed(error)) = alone(&words) else {
            panic!("{line}");
        };
        let error = error.to_string();
        assert!(error.contains(part), "{line}: {error}");
    }
}

#[test]
fn the_default_distance_depends_on_the_width_wherever_it_is_set() {
    for (text, typed, distance) in [
        ("", "", 3),
        ("simhash-bits = \"128\"", "", 6),
        ("", "--simhash-bits 128", 6),
        ("max-hamming = 3", "--simhash-bits 128", 3),
        ("simhash-bits = \"128\"", "--max-hamming 2", 2),
        ("simhash-bits = \"128\"\nmax-hamming = 20", "", 20),
    ] {
        let merged = with(&file(text), &words([typed])).unwrap();
        let Command::Scan(scan) = args(&merged).command else {
            panic!("another command");
        };
        assert_eq!(
            scan.comparing.engine.detect.similarity.max_hamming, distance,
            "{text} {typed}"
        );
    }
}
