//! The look of reports: formats, colours, determinism. Where they go is in [`files`].

mod files;

use crate::env::{Env, PARK_ZH, Run, Says, formats};

/// Some of everything: pairs, clusters, skipped entries, notes.
fn rich() -> Env {
    Env::parks()
        .file("empty.md", "")
        .file("zh/damaged.md", [PARK_ZH.as_bytes(), b"\xff"].concat())
        .file("logo.png", [0, 1, 2])
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
        .says("\nen/copy.md,en/park.md,,0,simhash,,,exact,,,,\n");
    let csv = env.run("scan en -f csv --detectors shingle");
    csv.ok()
        .says("\nen/copy.md,en/park.md,1,,shingle,1,1,exact,,,,\n");
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
        for threads in ["1", "7"] {
            let run = with(threads);
            assert_eq!(run.warns("damaged"), one.stdout, "{format} {threads}");
        }
    }
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
