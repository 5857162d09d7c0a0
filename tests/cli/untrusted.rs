//! The promises of docs/untrusted.md: each sentence has a test.

use std::fs;
use std::path::Path;

use crate::env::{Env, PARK};

/// The sentences, in their order, each with the name of a test.
const PROMISES: [(&str, &str); 46] = [
    (
        "No document runs a program.",
        "documents_are_read_without_running_anything",
    ),
    (
        "Any bytes are compared or skipped. No document ends the run, unless it is [Parquet](#what-is-not-promised).",
        "any_bytes_are_compared_or_skipped",
    ),
    (
        "A parser that a document makes fail takes only this document with it.",
        "hostile_pages_are_read_in_silence",
    ),
    (
        "A document that is larger than `--max-filesize` is skipped. A compressed file or an office file counts as what it \
         expands to.",
        "what_expands_beyond_the_limit_is_too_large",
    ),
    (
        "A text whose normal form is many times larger is skipped.",
        "a_text_that_normalisation_makes_many_times_larger_is_too_large",
    ),
    (
        "Of the records that are skipped, a bounded number is kept.",
        "of_many_bad_records_the_first_hundred_are_listed",
    ),
    (
        "More documents than fit in the memory of the machine are an error, before the memory ends.",
        "more_records_than_fit_in_memory_are_an_error",
    ),
    (
        "A compressed file of very many tiny records is not read to its end.",
        "many_tiny_records_of_a_compressed_file_are_not_all_read",
    ),
    (
        "An ignore file that is too large is not used.",
        "an_ignore_file_that_is_too_large_is_warned_about_and_not_used",
    ),
    (
        "A link to a file or folder is not followed unless it is named or `--follow` is given.",
        "links_are_followed_only_if_asked_for_or_named",
    ),
    (
        "With `--follow`, links that lead to each other end.",
        "folders_with_many_paths_by_links_are_walked_a_few_times",
    ),
    (
        "A file that is replaced by a FIFO is skipped, and nothing waits for it.",
        "a_file_that_becomes_a_fifo_is_skipped_and_not_waited_for",
    ),
    (
        "It runs no program.",
        "a_configuration_runs_a_program_only_if_it_is_named",
    ),
    (
        "It makes no run ask git.",
        "a_configuration_that_was_found_does_not_make_a_run_ask_git",
    ),
    (
        "It reads only within its repository.",
        "one_that_was_found_reads_within_its_repository_only",
    ),
    (
        "Its `files-from` and `follow` lead nowhere else.",
        "one_that_was_found_lists_and_follows_nothing_outside",
    ),
    (
        "It writes only below its own folder.",
        "one_that_was_found_writes_below_its_folder_only",
    ),
    (
        "One in a folder that everybody may write to is not found.",
        "one_in_a_folder_that_everybody_writes_to_is_not_found",
    ),
    (
        "The report names every rule that left out pairs, and how many.",
        "rules_that_leave_out_pairs_are_named_with_how_many",
    ),
    (
        "In CI, a named path that a link leads out of its repository is refused.",
        "a_named_link_out_of_the_repository_is_refused_in_ci",
    ),
    (
        "Elsewhere there is a warning.",
        "a_named_link_out_of_the_repository_is_a_warning_elsewhere",
    ),
    (
        "No hook and no program that `.git/config` names runs.",
        "nothing_of_a_foreign_repository_runs",
    ),
    (
        "Nothing of a submodule runs.",
        "nothing_of_a_submodule_runs",
    ),
    (
        "Nothing is fetched.",
        "nothing_is_fetched_from_where_a_foreign_repository_says",
    ),
    (
        "Only you can read the copy of a revision that `--baseline-from` makes, and an interrupt ends git and removes it.",
        "an_interrupt_ends_git_and_leaves_no_checkout",
    ),
    (
        "Nothing in a name or a text acts on a terminal.",
        "tables_have_names_that_cannot_act",
    ),
    (
        "Nothing that is typed acts on a terminal either.",
        "messages_have_names_that_cannot_act",
    ),
    (
        "JSON, CSV and SARIF hold any name.",
        "csv_has_names_as_they_are",
    ),
    (
        "The HTML report runs no script of a document and loads nothing.",
        "hostile_names_and_texts_stay_in_their_elements",
    ),
    (
        "No file is written through a link. A link, a folder or a pipe in the place of an index, a lock, a baseline, a \
         plan, a list or a report is refused or replaced itself, and nothing waits. Only a link to a device \
         or a pipe, such as `/dev/stdout`, is followed.",
        "nothing_is_written_or_waited_for_in_the_place_of_a_side_file",
    ),
    (
        "Of a file with two names (a hard link), only the name that is written changes.",
        "nothing_is_written_or_waited_for_in_the_place_of_a_side_file",
    ),
    (
        "A file that is written is the old one or the whole new one, whenever a run ends.",
        "a_killed_run_loses_nothing_and_the_next_one_cleans_up",
    ),
    (
        "A run that is killed leaves nothing that the next run of the same command does not remove.",
        "a_killed_run_loses_nothing_and_the_next_one_cleans_up",
    ),
    (
        "Two runs that update the same baseline lose nothing.",
        "two_updates_at_once_lose_nothing",
    ),
    (
        "The GitHub action uses no `dupfind.toml` that a pull request from another repository changes.",
        "a_foreign_pull_request_brings_no_configuration",
    ),
    (
        "A gate that compared nothing fails.",
        "every_gate_that_compared_nothing_fails",
    ),
    (
        "`apply` touches nothing without `--yes`.",
        "without_yes_nothing_is_touched_and_prose_is_printed",
    ),
    (
        "It touches only files below the current folder, and none in a folder `.git`.",
        "only_files_below_the_current_folder_are_touched",
    ),
    (
        "It touches no file through a link of a folder.",
        "nothing_goes_through_a_link_of_a_folder",
    ),
    (
        "It leaves a file alone that was changed since the plan was made, or whose other file was.",
        "a_file_that_was_changed_is_left_alone",
    ),
    (
        "`--undo` does the same, and only in the folder where the plan was carried out.",
        "a_list_from_somebody_else_writes_nothing_elsewhere",
    ),
    (
        "It moves back only what has the hash of the list.",
        "what_is_moved_back_has_the_hash_of_the_list",
    ),
    (
        "It replaces nothing that came since, and removes nothing that it has not moved.",
        "undo_does_not_replace_what_came_since",
    ),
    (
        "No scan reads the folder with the files that went.",
        "no_scan_reads_files_that_went",
    ),
    (
        "Two runs at once do not change files of one folder, nor of a folder and of one below it.",
        "opposite_plans_at_once_leave_one_of_each_pair",
    ),
    (
        "Without `--delete` no content is lost, whenever a run ends, and `--undo` brings it back.",
        "ended_at_any_moment_nothing_is_lost",
    ),
];

/// The text of all tests.
fn tests(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            tests(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn each_promise_has_a_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/untrusted.md")).unwrap();
    let (_, promised) = page.split_once("## What is promised").unwrap();
    let (promised, _) = promised.split_once("## What is not promised").unwrap();
    let mut sentences: Vec<String> = Vec::new();
    for line in promised.replace("\r\n", "\n").lines() {
        if let Some(begun) = line.strip_prefix("* ") {
            sentences.push(begun.to_owned());
        } else if let (Some(more), Some(last)) = (line.strip_prefix("  "), sentences.last_mut()) {
            last.push(' ');
            last.push_str(more);
        }
    }
    let known: Vec<&str> = PROMISES.iter().map(|(sentence, _)| *sentence).collect();
    assert_eq!(sentences, known);
    let mut text = String::new();
    for folder in ["src", "crates", "tests/cli"] {
        tests(&root.join(folder), &mut text);
    }
    for (sentence, test) in PROMISES {
        assert!(text.contains(&format!("fn {test}(")), "{sentence}: {test}");
    }
}

/// Documents that try to run something, in each format that could.
#[cfg(unix)]
#[test]
fn documents_are_read_without_running_anything() {
    let env = Env::new();
    let run = format!("touch {}/PWNED", env.root());
    for (name, text) in [
        (
            "a.md",
            format!(
                "---\ntitle: !!python/object/apply:os.system ['{run}']\n---\n`{run}` $({run}) {PARK}"
            ),
        ),
        (
            "b.html",
            format!(
                "<p>{PARK}</p><script>{run}</script><?php system('{run}') ?><!--#exec cmd='{run}' -->"
            ),
        ),
        ("c.adoc", format!("include::|{run}[]\n\n{PARK}")),
        ("d.rst", format!(".. include:: |{run}\n\n{PARK}")),
        (
            "e.csv",
            format!("text\n=cmd|'{run}'!A0 {}\n", PARK.replace('\n', " ")),
        ),
        ("$(touch PWNED).md", PARK.to_owned()),
        ("`touch PWNED`.md", PARK.to_owned()),
        ("|touch PWNED;.md", PARK.to_owned()),
    ] {
        env.write(name, text);
    }
    let before = env.entries();
    for format in ["table", "html", "sarif"] {
        env.run(&["scan", "-q", "-f", format]).ok();
        assert_eq!(env.entries(), before);
    }
}

/// A repository `repo` with a folder `docs` that is a link to `home` beside it, and a folder `own` linked as `inside`.
#[cfg(unix)]
fn linked() -> Env {
    Env::new()
        .folder("repo/.git")
        .file("home/a.md", PARK)
        .file("home/sub/b.md", PARK)
        .file("repo/own/c.md", PARK)
        .link("repo/docs", "../home")
        .link("repo/inside", "own")
        .link("linked", "home")
}

#[cfg(unix)]
const OUT: [&str; 3] = ["docs", "./docs/sub", "docs/a.md"];

#[cfg(unix)]
#[test]
fn a_named_link_out_of_the_repository_is_refused_in_ci() {
    let env = linked();
    let in_ci = |folder: &str, args: &[&str]| {
        let mut command = env.command(args);
        let command = command.current_dir(env.path(folder)).env("CI", "true");
        crate::env::Run::of(command)
    };
    for path in OUT {
        for args in [
            &["scan", path][..],
            &["scan", "own", "--against", path],
            &["plan", "own", "--against", path],
            &[
                "accept",
                "a.md",
                "b.md",
                "--against",
                path,
                "--reason",
                "-",
                "own",
            ],
            &["show", "--as", "fingerprint", path],
        ] {
            in_ci("repo", args).fails("docs is a link out of its repository, to ");
        }
    }
    in_ci(".", &["scan", "repo/docs"]).fails("repo/docs is a link out of its repository");
    // The paths that are meant can be named.
    in_ci("repo", &["scan", "../home", "inside", "own"]).ok();
    in_ci(".", &["scan", "linked"]).ok();
}

#[cfg(unix)]
#[test]
fn a_named_link_out_of_the_repository_is_a_warning_elsewhere() {
    let env = linked();
    for path in OUT {
        let run = env.run_in("repo", &["scan", path]);
        run.warns("docs is a link out of its repository, to ");
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
        env.run_in("repo", &["scan", path, "-q"]).ok();
    }
    for path in ["inside", "own", "../home", "../linked"] {
        env.run_in("repo", &["scan", path]).ok();
    }
}

#[cfg(unix)]
#[test]
fn more_records_than_fit_in_memory_are_an_error() {
    let line = "{\"text\":\"a b\"}\n";
    let env = Env::new().file("a.jsonl", line.repeat(600_000));
    // So much address space, in KiB.
    let limited = "ulimit -v 500000; exec \"$0\" \"$@\"";
    let mut command = assert_cmd::Command::new("sh");
    let args = ["scan", "-qj1", "--no-pairs", "--detectors", "shingle"];
    command
        .args(["-c", limited, crate::env::program()])
        .args(args)
        .env("LC_ALL", "C")
        .current_dir(env.root());
    let run = crate::env::Run::of(&mut command);
    run.fails("more than 512000 documents do not fit in the memory: compare them in parts");
}

#[test]
fn many_tiny_records_of_a_compressed_file_are_not_all_read() {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let line = b"{\"text\":\"x\"}\n".repeat(1000);
    for _ in 0..1200 {
        encoder.write_all(&line).unwrap();
    }
    let env = Env::new().file("b.jsonl.gz", encoder.finish().unwrap());
    let run = env.scan(&["--no-pairs", "-q", "--detectors", "shingle"]);
    let report = crate::env::value(run.ok());
    let limit = (1 << 20) + fs::metadata(env.path("b.jsonl.gz")).unwrap().len();
    let documents = report["summary"]["documents"].as_u64().unwrap();
    assert!(documents <= limit, "{documents}");
    assert_eq!(report["skipped"][0]["reason"], "too large");
}
