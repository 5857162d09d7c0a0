//! Options and commands: help, wrong values, what every option changes.

use crate::env::{Env, PARK, Says, table};

#[test]
fn an_option_without_effect_is_an_error_unless_a_configuration_has_it() {
    let env = Env::parks();
    for [args, said] in table(
        "scan --detectors simhash --min-jaccard 0.5 | --min-jaccard has no effect: the detector shingle does not run
         scan --detectors shingle --max-hamming 4   | --max-hamming has no effect: the detector simhash does not run
         check --detectors simhash --rewritten      | --rewritten has no effect: the detector shingle does not run",
    ) {
        env.run(args).complains(said);
    }
    // A configuration is for other runs, too.
    env.write("dupfind.toml", "min-jaccard = 0.5\n");
    env.run("scan --detectors simhash").ok();
}

#[test]
fn the_short_help_fits_a_screen_and_the_long_one_has_everything() {
    let env = Env::new();
    let short = env.run("scan -h");
    let long = env.run("scan --help");
    assert!(short.ok().lines().count() <= 35, "{}", short.stdout);
    let narrow = env.command("-h").env("COLUMNS", "80").output().unwrap();
    let narrow = String::from_utf8(narrow.stdout).unwrap();
    assert!(narrow.lines().count() <= 40, "{narrow}");
    assert!(narrow.lines().all(|line| line.chars().count() <= 80));
    short.stdout.omits("Examples:");
    for option in ["-g, --glob", "-t, --type", "-q, --quiet", "-o, --output"] {
        short.stdout.says(option);
        long.ok().says(option);
    }
    // Options that are rarely needed are in the long one only.
    for option in ["--pre", "--web-part"] {
        short.stdout.omits(option);
        long.stdout.says(option);
    }
    assert!(long.stdout.lines().all(|line| line.chars().count() <= 100));
}

#[test]
fn wrong_values_are_explained() {
    let env = Env::with("a.md b.md");
    for [args, part] in table(
        "--min-jaccard 90            | did you mean 0.9?
         --min-jaccard 0             | a threshold of 0 would report every pair
         --min-jaccard 0,2           | a number above 0 and up to 1
         --min-jaccard=-1            | a number above 0 and up to 1
         --min-jaccard 1e400         | a number above 0 and up to 1
         --max-hamming 17            | at most 16 of 64 bits
         --max-hamming three         | --max-hamming
         --max-filesize big          | such as 16M
         --shingle-size 0            | --shingle-size
         --shingle-size few          | --shingle-size
         --shingle-unit line         | possible values: auto, char, word
         --detectors minhash         | possible values: simhash, shingle
         --detectors simhash,        | possible values: simhash, shingle
         --detectors ''              | possible values: simhash, shingle
         --format xml                | possible values: list, table, json, jsonl, csv
         --color red                 | possible values: auto, always, never
         --format json --top 3       | --top is for list and table
         --top all                   | --top
         --threads many              | --threads
         --formt json                | --format
         --output                    | --output <FILE>
         --glob [                    | cannot read the glob '['
         --glob a{b                  | cannot read the glob 'a{b'
         --exclude a[                | cannot read the glob 'a['
         --threads 2000              | at most 256
         --memory-limit 1M           | at least 16M
         --format csv --no-pairs     | --no-pairs leaves nothing for csv
         --format github --no-pairs  | --no-pairs leaves nothing for github
         --encoding utf-9            | WHATWG
         -E replacement              | WHATWG
         -E ''                       | WHATWG
         --min-containment 0.8 --detectors simhash  | --min-containment has no effect: the detector shingle does not run
         --min-containment 80                       | did you mean 0.8?
         --min-containment 0                        | every pair
         --detectors simhash128                     | possible values: simhash, shingle",
    ) {
        env.run(("scan", args)).fails(part);
    }
    env.run("show --as fingerprint --min-jaccard 0.5")
        .fails("--min-jaccard");
}

#[test]
fn thresholds_decide_which_documents_are_pairs() {
    let env = Env::of("PARK: a b; PARK_EDITED: c");
    let shingle = |least| {
        let report = env.json(["--detectors", "shingle", "--min-jaccard", least]);
        for pair in &report.pairs {
            assert_eq!(pair.matched_by, ["shingle"], "{pair:?}");
        }
        report.pairs.len()
    };
    assert_eq!([shingle("0.5"), shingle("1"), shingle("1.0")], [3, 1, 1]);
    assert_eq!(shingle(".000001"), 3);

    let distance = env.json("--max-hamming 16").pairs[1].hamming.unwrap();
    assert!(0 < distance && distance <= 16, "{distance}");
    let simhash = |most: u32| {
        let most = most.to_string();
        let report = env.json(["--detectors", "simhash", "--max-hamming", &most]);
        report.pairs.len()
    };
    let found = [simhash(0), simhash(distance - 1), simhash(distance)];
    assert_eq!(found, [1, 1, 3]);
}

#[test]
fn stats_go_to_standard_error_only() {
    let env = Env::parks();
    for (args, counts) in [
        ("scan -f json", "7 documents, "),
        ("scan --quiet", " 6 pairs, 2 threads"),
        ("show --as fingerprint", "7 documents, "),
    ] {
        let plain = env.run(args);
        let run = env.run((args, "--stats -j 2"));
        assert_eq!((run.code, run.stdout.as_str()), (Some(0), plain.ok()));
        run.says(counts);
        run.says("\n7 markdown; 7 UTF-8\n");
        run.says(" ms  all stages");
        // Each stage is listed once.
        assert!(
            run.stderr.matches("indexing shingles").count() <= 1,
            "{args}"
        );
        if args.starts_with("show") {
            run.omits("pairs");
        }
        // Few texts are cut without the whole dictionary.
        run.omits("loading jieba");
    }
}

#[test]
fn errors_about_options_give_no_tip_that_leads_nowhere() {
    let env = Env::parks().file("--stats", PARK);
    // There is a file that is called --stats.
    for [words, part, tip] in table(
        r"scan --show duplicates | [possible values: exact, near, contains, variant, related, template, short, all] |
          scan --show nera       | invalid value 'nera' | tip: a similar value exists: 'near'
          scan --top -1          | invalid value '-1' for '--top <N>': expected a whole number |
          compare bread.md en/park.md nowhere | nowhere: not found |
          compare bread.md bread.md --drop=a | unexpected argument '--drop' found\n\nUsage: dupfind compare |
          compare bread.md bread.md --stats | unexpected argument '--stats' found | tip: to pass '--stats' as a value, use '-- --stats'
          show bread.md --shingle-unt | unexpected argument '--shingle-unt' found | tip: a similar argument exists: '--shingle-unit'",
    ) {
        let run = env.run(words);
        run.fails(part);
        match tip {
            "" => run.omits("tip:"),
            tip => run.says(tip),
        };
    }
    // Paths may look like numbers.
    env.file("-1", PARK).run("show -- -1").ok();
}
