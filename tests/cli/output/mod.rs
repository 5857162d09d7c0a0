//! The look of reports: formats, colours, determinism. Where they go is in [`files`].

mod files;

use serde_json::{Map, Value};

use crate::env::{BREAD, Env, PARK, PARK_ZH, Report, Run, Says, formats, lines, value};

/// Some of everything: pairs, clusters, skipped entries, notes.
fn rich() -> Env {
    Env::parks()
        .file("empty.md", "")
        .file("zh/damaged.md", [PARK_ZH.as_bytes(), b"\xff"].concat())
        .file("logo.png", [0, 1, 2])
}

#[test]
fn a_report_has_every_documented_key() {
    let run = rich().scan("");
    let report = Report::of(run.warns("damaged"));
    assert_eq!(report.summary.documents, 8);
    assert!(report.summary.pairs > 0 && report.summary.clusters == 2);
    let expected = [("empty.md", "empty"), ("logo.png", "binary")];
    assert_eq!(report.skips(), expected);
    assert_eq!(report.notes.len(), 1);
    let settings = &report.settings;
    assert_eq!((settings.max_hamming, settings.shingle_size), (3, 3));
    assert!((settings.min_jaccard - 0.2).abs() < f64::EPSILON);
    assert_eq!(settings.shingle_unit, "auto");
    assert_eq!(settings.detectors, ["simhash", "shingle"]);
}

#[test]
fn jsonl_says_the_same_as_json() {
    let env = rich();
    let mut object = value(env.scan("--quiet").ok());
    // The facts about each document are known only when all pairs are there.
    let mut without = |key: &str| object.as_object_mut().unwrap().remove(key).unwrap();
    assert!(!without("documents").as_array().unwrap().is_empty());
    let run = env.run("scan --quiet --format jsonl");
    let mut said = Map::new();
    for list in ["pairs", "clusters", "skipped", "notes"] {
        said.insert(list.into(), Value::Array(vec![]));
    }
    let all: Vec<Map<String, Value>> = lines(run.ok());
    let kinds = all.iter().map(|line| line["type"].as_str().unwrap());
    let mut order = kinds.collect::<Vec<&str>>();
    order.dedup();
    assert_eq!(order, ["pair", "cluster", "skipped", "note", "summary"]);
    for mut line in all.clone() {
        let list = match line.remove("type").unwrap().as_str().unwrap() {
            "summary" => {
                for key in ["schema_version", "tool", "settings"] {
                    said.insert(key.into(), line.remove(key).unwrap());
                }
                said.insert("summary".into(), line.into());
                continue;
            }
            "skipped" => "skipped",
            "pair" => "pairs",
            "cluster" => "clusters",
            "note" => "notes",
            other => panic!("an unknown type: {other}"),
        };
        said[list].as_array_mut().unwrap().push(line.into());
    }
    assert_eq!(Value::from(said), object);
}

#[test]
fn csv_says_the_same_as_json() {
    let env = Env::parks();
    let report = env.json("");
    let run = env.run("scan -f csv");
    let mut rows = csv::Reader::from_reader(run.ok().as_bytes());
    let expected = vec![
        "a",
        "b",
        "jaccard",
        "hamming",
        "matched_by",
        "containment",
        "weighted",
        "relation",
        "container",
        "standing",
        "prose",
    ];
    assert_eq!(rows.headers().unwrap(), expected);
    let rows: Vec<_> = rows.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), report.pairs.len());
    for (row, pair) in rows.iter().zip(&report.pairs) {
        assert_eq!((&row[0], &row[1]), pair.names());
        assert_eq!(row[2].parse().ok(), pair.jaccard);
        assert_eq!(row[3].parse().ok(), pair.hamming);
        assert_eq!(row[4], pair.matched_by.join("+"));
        assert_eq!(row[5].parse().ok(), pair.containment);
        assert_eq!(row[6].parse().ok(), pair.weighted);
        assert_eq!(row[7], pair.relation);
        assert_eq!(row[8], pair.container.clone().unwrap_or_default());
        assert_eq!(&row[9], "");
        assert_eq!(row[10].parse().ok(), pair.prose);
    }
}

#[test]
fn a_table_is_for_people() {
    let env = Env::parks();
    let run = env.run("scan en bread.md -f table");
    let table = run.ok();
    table.begins("relation  weighted  Jaccard  Hamming  document");
    table.says("\nexact       1.0000   1.0000        0  en/copy.md    en/park.md\n");
    table.says("\nCluster 1");
    table.says("\n  * en/copy.md\n    en/edited.md\n    en/park.md\n");
    table.ends("\n4 documents compared: 3 pairs (1 exact, 2 near), 3 documents in 1 cluster\n");
    table.omits("bread");
}

#[test]
fn top_shows_the_first_pairs_and_says_what_is_left_out() {
    let env = Env::parks();
    let count = |table: &str| {
        table
            .lines()
            .filter(|l| l.starts_with("exact  ") || l.starts_with("near  "))
            .count()
    };
    for (top, shown, left_out) in [
        ("0", 0, "… and 6 pairs not shown\n"),
        ("1", 1, "… and 5 pairs not shown\n"),
        ("5", 5, "… and 1 pair not shown\n"),
    ] {
        let run = env.run(["scan", "-f", "table", "--top", top]);
        let table = run.ok();
        assert_eq!(count(table), shown, "{table}");
        table.says(left_out);
        let ends = "), 6 documents in 2 clusters\n2 languages (en, zh); each is compared with itself \
                    (--across compares all)\n";
        table.ends(ends);
    }
    let run = env.run("scan -f table --top 1");
    run.ok().says("… and 1 cluster not shown\n");
    let table = env.run("scan -f table --top 6");
    assert_eq!(table.ok(), env.run("scan -f table").ok());
    // A worklist has an entry for the copies of each park, and one for its edited page.
    let run = env.run("scan --top 1");
    run.ok().says("\n… and 2 more entries\n");
    assert_eq!(env.run("scan --top 3").ok(), env.run("scan").ok());
}

#[test]
fn colour_is_for_terminals_and_whoever_insists() {
    let env = Env::parks();
    let coloured = |args: &[&str], variables: &[(&str, &str)]| {
        let mut command = env.command(("scan", args));
        let run = Run::of(command.envs(variables.iter().copied()));
        run.ok().contains('\u{1b}')
    };
    let no_color = ("NO_COLOR", "1");
    let forced = ("CLICOLOR_FORCE", "1");
    assert!(!coloured(&[], &[]));
    assert!(!coloured(&["--color", "auto"], &[]));
    assert!(!coloured(&["--color", "never"], &[forced]));
    assert!(!coloured(&[], &[no_color]));
    assert!(coloured(&[], &[forced]));
    assert!(!coloured(&[], &[forced, no_color]));
    assert!(coloured(&["--color", "always"], &[]));
    assert!(coloured(&["--color=always"], &[no_color]));
    for format in formats() {
        if ["list", "table"].contains(&format) {
            continue;
        }
        assert!(
            !coloured(&["--color", "always", "-f", format], &[]),
            "{format}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_gets_colours_unless_no_color_is_set() {
    let env = Env::parks();
    let on_terminal = |no_color: Option<&str>| {
        let mut script = env.on_terminal("scan en");
        if let Some(value) = no_color {
            script.env("NO_COLOR", value);
        }
        let output = script.output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    let table = on_terminal(None);
    assert!(table.contains("\u{1b}[1m"), "{table:?}");
    assert!(table.contains("en/park.md"), "{table:?}");
    let table = on_terminal(Some("1"));
    assert!(!table.contains("\u{1b}[1m"), "{table:?}");
    assert!(table.contains("en/park.md"), "{table:?}");
}

#[test]
fn a_detector_that_does_not_run_has_no_measure() {
    let env = Env::parks();
    let report = env.json("--detectors simhash");
    assert!(!report.pairs.is_empty());
    assert!(report.pairs.iter().all(|pair| pair.jaccard.is_none()));
    let report = env.json("--detectors shingle");
    assert_eq!(report.pairs.len(), 6);
    assert!(report.pairs.iter().all(|pair| pair.hamming.is_none()));

    let csv = env.run("scan en -f csv --detectors simhash");
    csv.ok()
        .says("\nen/copy.md,en/park.md,,0,simhash,,,exact,,,\n");
    let csv = env.run("scan en -f csv --detectors shingle");
    csv.ok()
        .says("\nen/copy.md,en/park.md,1,,shingle,1,1,exact,,,\n");
    let table = env.run("scan en -f table --detectors simhash");
    table
        .ok()
        .says("\nexact            -        -        0  en/copy.md ");
}

#[test]
fn the_result_is_the_same_for_any_number_of_threads() {
    let env = rich();
    for format in formats() {
        let with = |threads| env.run(["scan", "-f", format, "-j", threads]);
        let one = with("1");
        for threads in ["1", "2", "7", "0"] {
            let run = with(threads);
            assert_eq!(run.warns("damaged"), one.stdout, "{format} {threads}");
        }
    }
}

#[test]
fn the_result_does_not_depend_on_the_order_of_creation() {
    let files = ["b.md", "a.md", "sub/c.md", "0/z.md", "sub/a.md"];
    let made = |names: &mut dyn Iterator<Item = &&str>| {
        names.fold(Env::new(), |env, name| env.file(name, PARK))
    };
    let forwards = made(&mut files.iter());
    let backwards = made(&mut files.iter().rev());
    let first = forwards.scan("");
    assert_eq!(Report::of(first.ok()).clusters[0].documents.len(), 5);
    assert_eq!(first.ok(), backwards.scan("").ok());
}

#[test]
fn relative_and_absolute_roots_give_the_same_report() {
    let env = Env::parks();
    let relative = env.scan("");
    for root in [".", "./", env.root(), &format!("{}/./", env.root())] {
        assert_eq!(env.scan([root]).ok(), relative.ok(), "{root}");
    }
    for (path, place) in [("en", "en"), ("zh/", "./zh"), ("bread.md", "./bread.md")] {
        let path = env.path(path);
        let absolute = env.scan([path.to_str().unwrap()]);
        assert_eq!(absolute.ok(), env.scan([place]).ok(), "{place}");
    }
    let report = env.json([env.root()]);
    assert_eq!(report.pairs[0].names(), ("en/copy.md", "en/park.md"));
}

#[test]
fn a_short_text_in_a_long_one_is_contained() {
    let env = Env::new()
        .file("short.md", PARK)
        .file("long.md", format!("{PARK}\n{BREAD}\n{BREAD}"));
    let report = env.json("--min-jaccard 0.01");
    assert_eq!(report.pair_names(), [("long.md", "short.md")]);
    let pair = &report.pairs[0];
    assert!(pair.jaccard.unwrap() < 0.7, "{pair:?}");
    assert_eq!(pair.containment, Some(1.0));
}
