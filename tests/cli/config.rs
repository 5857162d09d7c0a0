//! `dupfind.toml`: where it is found, its effects, its faults, and its limits.

use crate::env::{Env, PARK, PARK_EDITED, Report, Says, table};

/// The options that `scan --help` shows.
fn long_options(env: &Env) -> Vec<String> {
    let help = env.run("scan --help");
    let lines = help.ok().lines().filter_map(|line| {
        let indent = line.len() - line.trim_start().len();
        let line = line.trim_start();
        let long = line
            .strip_prefix("--")
            .or_else(|| Some(line.split_once(", --")?.1));
        let is_option = indent < 8 && line.starts_with('-');
        long.filter(|_| is_option)
    });
    lines
        .map(|line| {
            let end = line.find(|c: char| !c.is_ascii_alphanumeric() && c != '-');
            line[..end.unwrap_or(line.len())].to_owned()
        })
        .collect()
}

#[test]
fn every_option_is_a_key() {
    let env = Env::with("a.md");
    let options = long_options(&env);
    assert!(options.len() > 30, "{options:?}");
    let mut not_keys = Vec::new();
    for option in &options {
        env.write("dupfind.toml", format!("{option} = 2026-01-01"));
        let run = env.run("scan");
        assert_eq!(run.code, Some(2), "{option}");
        if run.stderr.contains("there is no key") {
            not_keys.push(option.as_str());
        } else {
            run.fails(&format!("dupfind.toml:1: {option}: invalid type: "));
        }
    }
    not_keys.sort_unstable();
    assert_eq!(not_keys, ["config", "help", "no-config"]);
}

#[test]
fn it_is_found_from_the_first_path_upwards() {
    let env = Env::parks().file("dupfind.toml", "detectors = [\"shingle\"]\n");
    let detectors = |folder: &str, args: &str| {
        let run = env.run_in(folder, ("scan --format json", args));
        Report::of(run.ok()).settings.detectors.join(",")
    };
    for (folder, args) in [
        (".", ""),
        (".", "en"),
        (".", "en/park.md"),
        ("en", ""),
        ("en", "../zh"),
    ] {
        assert_eq!(detectors(folder, args), "shingle", "{folder} {args:?}");
    }
    assert_eq!(detectors(".", "--no-config"), "simhash,shingle");
    // The nearest one counts, by itself.
    env.write("en/dupfind.toml", "");
    assert_eq!(detectors(".", "en"), "simhash,shingle");
    assert_eq!(detectors(".", "zh en"), "shingle");
    assert_eq!(detectors("en", ""), "simhash,shingle");
    // The root of a repository ends the search.
    let env = env.folder("zh/.git");
    let run = env.scan("zh");
    assert_eq!(Report::of(run.ok()).settings.detectors.len(), 2);
}

#[test]
fn it_can_be_named() {
    let env = Env::parks()
        .file("ci/gate.toml", "min-jaccard = 0.5\n")
        .file("dupfind.toml", "this is not TOML");
    let report = env.json("--config ci/gate.toml");
    assert!((report.settings.min_jaccard - 0.5).abs() < f64::EPSILON);
    env.scan("--no-config").ok();
    env.run("scan --config gone.toml")
        .fails("gone.toml: cannot read the configuration");
    env.run("scan --config ci")
        .fails("ci: cannot read the configuration");
    env.run("scan --config ci/gate.toml --no-config")
        .fails("cannot be used with");
}

#[test]
fn typed_options_outweigh_it() {
    let env = Env::parks().file(
        "dupfind.toml",
        "min-jaccard = 0.9\nglob = [\"en/*\", \"zh/*\"]\nformat = \"json\"\nhidden = true\n",
    );
    let env = env.file("en/.draft.md", PARK);
    let report = |args: &str| Report::of(env.run(("scan", args)).ok());
    let by_file = report("");
    assert!((by_file.settings.min_jaccard - 0.9).abs() < f64::EPSILON);
    assert_eq!(by_file.summary.documents, 7);
    let typed = report("--min-jaccard 0.5 --glob zh/*.md");
    assert!((typed.settings.min_jaccard - 0.5).abs() < f64::EPSILON);
    assert_eq!(typed.summary.documents, 3);
    assert_eq!(report("en -g !x").summary.documents, 4);
    env.run("scan -f list").ok().begins("1. ");
}

#[test]
fn errors_of_the_command_line_come_before_those_of_the_file() {
    let env = Env::with("a.md").file("dupfind.toml", "not TOML");
    env.run("scan --max-hamming 40")
        .fails("at most 16 of 64 bits");
    env.run("scan --help").ok();
    env.run("--version").ok();
    env.run("scan").fails("dupfind.toml:1:");
}

#[test]
fn its_globs_and_paths_are_relative_to_its_folder() {
    let config = "glob = [\"en/*.md\", \"/zh/e*\"]\nexclude = \"en/e*\"\n";
    let env = Env::parks().file("dupfind.toml", config);
    assert_eq!(env.names(""), ["en/copy.md", "en/park.md", "zh/edited.md"]);
    assert_eq!(env.names_in("en", ""), ["copy.md", "park.md"]);
    assert_eq!(env.names_in("zh", ""), ["edited.md"]);
    // Typed paths are relative to the current folder.
    assert_eq!(env.names_in("en", "-g /*.md"), ["copy.md", "park.md"]);
    let expected = ["edited.md", "park.md"];
    assert_eq!(env.names_in("en", "--exclude /c*"), expected);

    let text = "paths = [\"en\", \"bread.md\"]\nhidden = true\n";
    env.write("dupfind.toml", text);
    let expected = ["bread.md", "en/copy.md", "en/edited.md", "en/park.md"];
    assert_eq!(env.names(""), expected);
    assert_eq!(env.names_in("zh", "").len(), 4);
    assert_eq!(env.names("zh/park.md"), ["zh/park.md"]);
    // A path that looks like an option is one no more than on the command line.
    env.write("--hidden/x.md", PARK);
    env.write("dupfind.toml", "paths = [\"--hidden\"]\n");
    assert_eq!(env.names(""), ["--hidden/x.md"]);
}

#[test]
fn a_report_goes_where_the_file_says() {
    let config = "format = [\"table\", \"json=out/report.json\"]\n";
    let env = Env::parks().folder("out").file("dupfind.toml", config);
    env.run_in("zh", "scan ..").ok().says("documents compared");
    let report = Report::of(&env.read("out/report.json"));
    assert!(!report.pairs.is_empty());
    let found = env.entries().iter().filter(|name| *name == "out").count();
    assert_eq!(found, 1);
}

#[test]
fn one_that_was_found_writes_below_its_folder_only() {
    let env = Env::parks()
        .file("precious", "mine")
        .folder("repo/docs")
        .folder("repo/.git");
    env.write("repo/docs/a.md", PARK);
    #[cfg(unix)]
    std::os::unix::fs::symlink("../..", env.path("repo/docs/up")).unwrap();
    let mut targets = vec![
        "../precious",
        "docs/../../precious",
        ".git/config",
        ".GIT/config",
    ];
    if cfg!(unix) {
        targets.push("docs/up/precious");
    }
    for target in targets {
        for key in [
            format!("output = '{target}'"),
            format!("format = 'json={target}'"),
        ] {
            env.write("repo/dupfind.toml", &key);
            env.run("scan repo")
                .fails("may write below its own folder only");
        }
    }
    assert_eq!(env.read("precious"), "mine");
    env.write("repo/dupfind.toml", "output = '../precious'");
    env.run("scan repo --config repo/dupfind.toml").ok();
    assert_ne!(env.read("precious"), "mine");
}

#[test]
fn one_that_was_found_reads_within_its_repository_only() {
    let env = Env::parks()
        .file("precious", "a.md\n")
        .folder("repo/.git")
        .file("repo/list", "docs/a.md\n")
        .file("repo/docs/a.md", PARK);
    for key in ["against", "paths", "files-from", "baseline"] {
        let text = format!("{key} = '../../precious'");
        env.write("repo/docs/dupfind.toml", text);
        env.run("scan repo/docs").fails(&format!(
            "dupfind.toml:1: {key}: a configuration that was found may read within"
        ));
        env.write("repo/docs/dupfind.toml", format!("{key} = '../list'"));
        env.run("scan repo/docs").omits("that was found");
    }
    env.write("repo/docs/dupfind.toml", "baseline = '../list'");
    let accept = "accept --all repo/docs";
    env.run(accept).fails("may write below its own folder only");
    assert_eq!(env.read("repo/list"), "docs/a.md\n");
}

#[cfg(unix)]
#[test]
fn one_that_was_found_lists_and_follows_nothing_outside() {
    let env = Env::new()
        .folder("repo/.git")
        .file("repo/a.md", PARK)
        .file("home/b.md", PARK)
        .file("repo/.git/c.md", PARK)
        .link("repo/x", "../home")
        .link("repo/y.md", "../home/b.md")
        .link("repo/z.md", ".git/c.md")
        .file("repo/in/d.md", PARK_EDITED)
        .link("repo/w", "in");
    for listed in "../home/b.md x/b.md y.md z.md .git/c.md /etc/hostname".split(' ') {
        env.write("repo/list", format!("a.md\n{listed}\n"));
        env.write("repo/dupfind.toml", "files-from = 'list'\n");
        let run = env.run_in("repo", "scan -f json");
        run.fails(&format!("the list names '{listed}'"));
        let names = env.names_in("repo", "--files-from list --no-config");
        assert_eq!(names.len(), 2, "{listed}");
    }
    env.write("repo/list", "a.md\nin/d.md\n");
    assert_eq!(env.names_in("repo", ""), ["a.md", "in/d.md"]);
    env.write("repo/dupfind.toml", "follow = true\n");
    let run = env.run_in("repo", "scan -f json");
    let report = Report::of(run.warns("x: not followed"));
    // With the list.
    assert_eq!(report.summary.documents, 3, "{}", run.stderr);
    assert_eq!(run.stderr.lines().count(), 3, "{}", run.stderr);
    // The user may.
    let run = env.run_in("repo", "scan -f json -L");
    assert_eq!(Report::of(run.ok()).summary.documents, 5);
}

#[test]
fn errors_are_reported_with_their_lines() {
    let env = Env::with("a.md");
    let cases = table(
        r#"min_jaccard = 0.3                | :1: there is no key 'min_jaccard': did you mean 'min-jaccard'?
           \nglobs = []                     | :2: there is no key 'globs': did you mean 'glob'?
           xyzzy = 4                        | there is no key 'xyzzy': keys are the long names
           [scan]\nhidden = true            | :1: there is no key 'scan'
           # a\n\nmin-jaccard = 90          | :3: min-jaccard: a similarity is at most 1: did you mean 0.9?
           min-jaccard = true               | :1: min-jaccard: invalid type: boolean, expected a string or a number
           max-hamming = 33                 | :1: max-hamming: expected at most 16 of 64 bits
           max-hamming = -1                 | :1: max-hamming:
           max-filesize = "big"             | such as 16M
           hidden = "yes"                   | :1: hidden: invalid type: string, expected true or false
           glob = ["a",\ntrue]              | :2: glob: invalid type: boolean, expected a string
           glob = ["["]                     | :1: glob: cannot read the glob '['
           exclude = ["a",\n"[b"]           | :2: exclude: cannot read the glob
           within = "v1/"                   | :1: within: cannot read the glob 'v1/': expected {*}
           format = [\n  "xml",\n]          | :2: format: 'xml' is none of list, table, json
           format = "jsom"                  | 'jsom' is none of list
           output = ""                      | :1: output: a value is required
           text-field = "\u001b[31m"        | there is a control character, \u{1b}
           since = "main"                   | there is no key 'since'
           hidden = true\nhidden = false    | :2:1: duplicate key
           x = "                            | :1:"#,
    );
    for [text, part] in cases.into_iter().chain([["hidden = ", ":1:10: "]]) {
        env.write("dupfind.toml", text);
        for command in ["scan", "show"] {
            let run = env.run([command]);
            run.fails(part);
            run.begins("dupfind: error: ");
            assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
        }
        assert_eq!(env.read("dupfind.toml"), text);
    }
}

#[test]
fn a_file_without_text_is_no_configuration() {
    let env = Env::with("a.md");
    env.write("dupfind.toml", b"hidden = true\n# \xff\n");
    env.run("scan").fails("dupfind.toml:2: not valid UTF-8");
    env.write("dupfind.toml", vec![b'#'; (1 << 20) + 1]);
    env.run("scan").fails("at most 1048576 bytes");
    env.write("dupfind.toml", "");
    env.run("scan").ok();
    let env = Env::with("a.md").folder("dupfind.toml");
    env.run("scan")
        .fails("dupfind.toml: cannot read the configuration");
    env.run("scan --no-config").ok();
}

#[cfg(unix)]
#[test]
fn one_in_a_folder_that_everybody_writes_to_is_not_found() {
    use std::os::unix::fs::PermissionsExt;
    let env = Env::new()
        .file("shared/dupfind.toml", "not TOML")
        .file("shared/mine/a.md", PARK);
    let everybody = std::fs::Permissions::from_mode(0o777);
    std::fs::set_permissions(env.path("shared"), everybody).unwrap();
    env.run("scan shared/mine").ok();
    env.run("scan shared").ok();
    let named = "scan shared --config shared/dupfind.toml";
    env.run(named).fails("shared/dupfind.toml:1:");
}

#[test]
fn it_is_no_document_and_stats_name_it() {
    let env = Env::parks().file("dupfind.toml", "top = 3\n");
    assert!(!env.names("").contains(&"dupfind.toml".to_owned()));
    let run = env.run_in("en", "scan --stats");
    run.says("configuration: ../dupfind.toml\n");
}

#[test]
fn other_commands_take_what_means_the_same_to_them() {
    let env = Env::parks().file(
        "dupfind.toml",
        "min-jaccard = 0.9\nshingle-size = 5\nformat = \"csv\"\ntop = 3\nexclude = \"zh\"\n",
    );
    assert_eq!(env.fingerprints("").len(), 4);
    let alone = env.run("compare en/park.md en/edited.md -f json");
    let bare = env.run("compare en/park.md en/edited.md -f json --no-config");
    assert_ne!(alone.ok(), bare.ok());
    env.write("dupfind.toml", "hidden = 1");
    env.run("compare en/park.md en/edited.md")
        .fails("dupfind.toml:1: hidden");
}
