//! `dupfind accept`: decisions about single pairs.

use crate::env::{Args, BREAD, Env, PARK, Says};

fn docs() -> Env {
    Env::of("PARK: docs/a.md docs/b.md; PARK_EDITED: docs/c.md; BREAD: docs/bread.md")
}

const PAIR: [&str; 3] = ["docs/a.md", "docs/b.md", "docs"];

fn accept(env: &Env, args: impl Args) -> crate::env::Run {
    env.run(("accept", PAIR, args))
}

#[test]
fn one_pair_is_accepted() {
    let env = docs();
    let run = accept(&env, "--reason 'two products'");
    let expected = "dupfind: docs/a.md and docs/b.md: accepted in .dupfind-baseline\n";
    assert_eq!(run.stderr, expected);
    let text = env.read(".dupfind-baseline");
    let line = text.lines().nth(1).unwrap();
    line.begins("{\"a\":\"docs/a.md\",\"b\":\"docs/b.md\",\"relation\":\"exact\"");
    env.check("docs").trips("2 duplicate pairs (2 near)");
    // Another reason takes the place of the first one.
    let again = accept(&env, "--reason 'one law'");
    let expected = format!(
        "{}dupfind: reason replaced: two products -> one law\n",
        run.stderr
    );
    assert_eq!(again.stderr, expected);
    accept(&env, "--reason 'two products'").says("reason replaced: one law -> two products");
    assert_eq!(accept(&env, "--reason 'two products'").stderr, run.stderr);
    assert_eq!(env.read(".dupfind-baseline"), text);
    // It is the line of --all, with the reason kept.
    env.run("accept --all docs");
    env.read(".dupfind-baseline").says(line);

    assert!(!env.path(".dupfind-baseline.lock").exists());
    // The file needs no option, unless nothing of the folder is trusted.
    env.check("docs").ok();
    env.check("docs --no-config").trips("3 duplicate pairs");
    env.write("docs/e.md", BREAD);
    env.check("docs").trips("1 duplicate pair");
    // An edit keeps the reason.
    let edited = env.read("docs/a.md") + "The gate closes at ten.\n";
    env.write("docs/a.md", edited);
    env.run("accept --all docs");
    env.read(".dupfind-baseline").says("two products");
}

#[test]
fn pairs_that_are_not_found_are_refused() {
    let env = docs();
    let run = |args: &str| env.run((args, "docs --reason x"));
    run("accept docs/a.md docs/bread.md").fails("docs/a.md and docs/bread.md are no pair");
    run("accept docs/a.md docs/nowhere.md").fails("docs/nowhere.md is none of the documents");
    run("accept docs/a.md ./docs/a.md")
        .fails("docs/a.md was named twice, and a pair has two documents: dupfind accept A B");
    accept(&env, "--reason ' '").fails("it is empty");
    let missing = "--reason is missing: why may they be alike? dupfind accept docs/a.md docs/c.md docs --reason '...'";
    env.run("accept docs/a.md docs/c.md docs").fails(missing);
    for args in ["", "--reason x", "docs/a.md --reason x"] {
        env.run(("accept", args))
            .fails("what is to be accepted? all pairs of a folder: dupfind accept --all FOLDER");
    }
    env.run("accept --all --reason x docs")
        .complains("cannot be used with");
    assert!(!env.path(".dupfind-baseline").exists());
}

/// The command in an annotation that accepts a pair, as words.
fn wanted(annotations: &str) -> Vec<String> {
    let (_, command) = annotations.split_once("%0AWanted? dupfind ").unwrap();
    let (command, _) = command.split_once('\n').unwrap();
    let words = command.replace("--reason \"...\"", "--reason wanted");
    words.split(' ').map(str::to_owned).collect()
}

#[test]
fn the_message_at_the_line_says_how_to_accept_and_the_next_run_passes() {
    let gate = "check docs --min-jaccard 0.3 --glob *.md --fail-on exact -q -f github";
    let env = docs();
    let failed = env.run(gate);
    let printed = failed.trips("1 duplicate pair (1 exact)");
    let words = wanted(printed);
    let expected = "accept docs/b.md docs/a.md docs --glob '*.md' --min-jaccard 0.3 --fail-on exact --reason wanted";
    assert_eq!(words.join(" "), expected);
    let words: Vec<&str> = words.iter().map(|word| word.trim_matches('\'')).collect();
    env.run(&words).says("accepted in .dupfind-baseline");
    env.run(gate).ok();
    // Who trusts no file of the folder trusts this one neither.
    env.run((gate, "--no-config"))
        .trips("1 duplicate pair (1 exact)");
    // A scan has no such command.
    docs().run("scan docs -q -f github").ok().omits("Wanted?");
}

#[test]
fn accepted_pairs_count_beside_a_revision() {
    let env = docs().repository();
    env.write("docs/d.md", BREAD);
    let gate = "check docs --since HEAD -q -f github";
    let failed = env.run(gate);
    let words = wanted(failed.trips("1 new duplicate pair (1 exact)"));
    env.run(words.iter().map(String::as_str).collect::<Vec<&str>>())
        .says("docs/d.md and docs/bread.md: accepted in .dupfind-baseline");
    env.run(gate).ok();
    // A further copy is new, and a file that is damaged is no reason to pass.
    env.write("docs/e.md", BREAD);
    env.run(gate).trips("new duplicate");
    env.write(".dupfind-baseline", "nonsense\n");
    env.run(gate).complains(".dupfind-baseline:1:");
}

#[test]
fn the_printed_commands_accept_all_that_fails() {
    for copies in [3, 12] {
        let env = docs();
        for number in 0..copies {
            env.write(format!("docs/copy-{number}.md"), PARK);
        }
        let failed = env.check("docs");
        let commands = failed.trips("duplicate pairs").lines();
        let commands = commands.filter_map(|line| Some(line.split_once("anted? dupfind ")?.1));
        for command in commands {
            env.run(command.replace("\"...\"", "wanted").as_str())
                .went_well();
        }
        env.check("docs").ok();
    }
}
