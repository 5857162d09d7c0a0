//! Families of pages, and layouts with a folder for each language or version.

use crate::env::{BREAD, Env, PARK, PARK_EDITED, PARK_ZH, Says, table};
use crate::scale::words;

/// Pages of engines without titles that are near-copies of each other.
fn engines() -> Env {
    let notes = |name: &str| PARK.replace("thirty", name);
    Env::new()
        .file("docs/engines/engine-1.0.md", notes("Apple"))
        .file("docs/engines/engine-1.1.md", notes("Birch"))
        .file("docs/engines/engine-1.2.md", notes("Cedar"))
        .file("docs/bread.md", BREAD)
}

#[test]
fn pages_of_versions_with_titles_are_variants_everywhere() {
    let env = engines();
    let near = env.check("docs -f github");
    let printed = near.trips("3 duplicate pairs (3 near)");
    printed.says("dupfind accept --family docs/engines --reason \"...\"");
    env.run("scan docs").ok().begins("1.  3 pages");
    for (number, name) in [("1.0", "Apple"), ("1.1", "Birch"), ("1.2", "Cedar")] {
        let page = format!("docs/engines/engine-{number}.md");
        let text = env.read(&page);
        env.write(page, format!("# {name}\n\n{text}"));
    }
    let listed = env.run("scan docs");
    let family = "family: 3 pages of one form, in docs/engines, such as ";
    listed.ok().begins(family);
    listed.stdout.says("3 pairs (3 variant)");
    env.check("docs -q").ok();
    let plan = env.run("plan docs --drop exact,near -o plan.jsonl");
    plan.says("nothing goes");
}

#[cfg(unix)]
#[test]
fn the_name_of_a_family_is_no_glob() {
    let env = Env::new().folder("docs/a*[b]");
    env.run("accept --family docs/a*[b] --reason x -q").ok();
    env.read(".dupfind-baseline").says(r"docs/a\\*\\[b\\]/**");
}

#[test]
fn a_family_goes_into_the_file_of_accepted_pairs_that_is_found() {
    let env = engines().file("dupfind.toml", "min-jaccard = 0.3\n");
    env.write("docs/bread 2.md", format!("{BREAD} More.\n"));
    let pair = "accept docs/bread.md 'docs/bread 2.md' docs";
    env.run((pair, "--reason wanted -q")).ok();
    let again = |reason: &str| {
        let family = "accept --family engines --reason";
        env.run_in("docs", (family, [reason])).stderr
    };
    let accepted = "dupfind: engines: accepted as a family in ../.dupfind-baseline\n";
    assert_eq!(again("a \"series\""), accepted);
    let text = env.read(".dupfind-baseline");
    let family = "\n{\"family\":\"docs/engines/**\",\"reason\":\"a \\\"series\\\"\"}\n";
    text.says(family);
    env.check("docs -q").ok();
    // All pairs are accepted, and the family stays.
    env.run("accept --all docs -q").ok();
    assert_eq!(env.read(".dupfind-baseline"), text);
    // Another reason is in the place of the first one.
    let expected = format!("{accepted}dupfind: reason replaced: a \"series\" -> one page each\n");
    assert_eq!(again("one page each"), expected);
    let replaced = text.replace("a \\\"series\\\"", "one page each");
    assert_eq!(env.read(".dupfind-baseline"), replaced);
    assert_eq!(again("one page each"), accepted);
    env.write("docs/own", "");
    for [args, message] in table(
        "--family nowhere --reason x                  | there is no such folder
         --family docs/bread.md --reason x            | this is a file, and a family is a folder
         --family . --reason x --baseline docs/own    | it is not below the folder of the file of accepted pairs
         --family docs/engines                        | --reason
         docs/a.md docs/b.md --family docs --reason x | cannot be used with
         --family docs --reason x docs                | accept [OPTIONS] --family FOLDER",
    ) {
        env.run(("accept", args)).fails(message);
    }
    assert_eq!(env.read(".dupfind-baseline"), replaced);
    // A family of all pages.
    env.run("accept --family . --reason x -q").ok();
    env.read(".dupfind-baseline").says("{\"family\":\"**\"");
    env.check(". -q").ok();
}

#[test]
fn a_family_that_is_accepted_is_not_proposed_again() {
    let mut env = Env::new();
    for name in ["kafka", "mongo", "mysql", "oracle", "redis", "sqlite"] {
        let text = PARK.replace("thirty", name);
        let page = format!("docs/drivers/{name}.md");
        env = env.file(page, format!("# The {name} driver\n\n{text}"));
    }
    let proposed = "dupfind accept --family docs/drivers --reason \"...\"";
    env.run("scan docs").ok().says(proposed);
    env.run("accept --family docs/drivers --reason x -q").ok();
    let again = env.run("scan docs");
    again.ok().says("family: 6 pages of one form");
    again.stdout.omits("accept --family");
}

/// A page in four versions of a manual, and another page in two.
fn versions() -> Env {
    Env::of(
        "PARK: docs/v1.0/park.md; PARK_EDITED: docs/v1.1/park.md docs/v1.1/again.md; \
         BREAD: docs/v1.0/bread.md docs/v1.1/bread.md; PARK_ZH: docs/index.md",
    )
}

#[test]
fn versions_are_compared_each_with_itself() {
    let env = versions();
    let told = "2 versions (v1.0, v1.1); each is compared with itself (--across compares all)\n";
    let list = |args: &str| env.run(("scan docs -q", args));
    let own = list("");
    own.ok().says("1 pair (1 exact)");
    own.stdout.says(told);
    for (option, pairs) in [("--across", "4 pairs"), ("--within docs/{*}/", "1 pair")] {
        let run = list(option);
        run.ok().says(pairs);
        run.stdout.omits("itself");
    }
    // JSON has all pairs.
    let pairs = env.json("docs").pairs;
    let apart = pairs.iter();
    let apart = apart.filter(|pair| pair.apart.as_deref() == Some("version"));
    assert_eq!((pairs.len(), apart.count()), (4, 3));
    let csv = env.run("scan docs -q -f csv");
    assert_eq!(csv.ok().matches(",version\n").count(), 3, "{}", csv.stdout);
    // A table has those of the list.
    let table = env.run("scan docs -q -f table");
    table.ok().says("docs/v1.1/").omits("docs/v1.0/");
    // A check and a plan have the same rule, and a site needs the pages of each version.
    env.run("check docs -q").stdout.says("again.md");
    env.run("check docs -q --max-pairs 1").ok();
    let plan = env.run("plan docs -q");
    let found = plan.stdout.matches("\"drop\":").count();
    assert_eq!(found, 2, "{}", plan.stdout);
    // Whoever compares all gets no page of another version for it.
    let plan = env.run("plan docs -q --across");
    let why =
        "it stays, as the two are of different languages or versions by their paths: v1.1 and v1.0";
    plan.stdout.says(why);
}

#[test]
fn a_plan_keeps_the_pages_of_each_version_that_a_scan_names() {
    let env = Env::of(
        "PARK: docs/2.17/park.md docs/2-edge/park.md blog/park.md; BREAD: docs/2.17/bread.md docs/2-edge/bread.md",
    );
    let told = "2 versions (2-edge, 2.17)";
    env.run("scan . -q").stdout.says(told);
    for args in ["plan . -q", "plan . -q --across"] {
        let plan = env.run(args);
        let found = plan.ok().matches("\"drop\":").count();
        assert_eq!(found, 1, "{}", plan.stdout);
        let why = "it stays, as the two are of different languages or versions by their paths";
        plan.stdout.says(why).omits("not alike enough");
    }
    // The version to come is in no folder of its own.
    let env = env
        .file("more/docusaurus.config.js", "")
        .file("more/docs/bread.md", BREAD)
        .file("more/blog/bread.md", BREAD)
        .file("more/versioned_docs/version-v1.0/bread.md", BREAD);
    env.run("plan more -q").stdout.says("\"drop\":\"more/");
}

#[test]
fn many_copies_in_versions_are_one_entry() {
    let mut env = Env::new().file("docs/1.10/park.md", PARK);
    for version in 11..=20 {
        for page in ["copy", "park"] {
            env = env.file(format!("docs/1.{version}/{page}.md"), PARK);
        }
    }
    let run = env.run("scan docs");
    run.ok()
        .begins("1.  2 copies of one text; also in 1.12, 1.13, 1.14");
    run.stdout.says("\nNext: dupfind plan docs ");
    // With both pages in all versions.
    env.write("docs/1.10/copy.md", PARK);
    let run = env.run("scan docs");
    run.ok()
        .begins("1.  2 copies of one text; also in 1.11, 1.12, 1.13");
}

#[test]
fn two_pages_of_one_path_without_a_version_are_both_listed() {
    let mut env = Env::of("PARK: docs/park.md docs/archives/park.md");
    for (at, folder) in (0..).zip(["1.0", "1.1", "archives/0.8", "archives/0.9"]) {
        env = env.file(format!("docs/{folder}/boat.md"), words(at, 40));
    }
    let both = "1.  2 copies of one text\n    docs/archives/park.md\n    docs/park.md\n";
    env.run("scan docs").ok().begins(both);
}

#[test]
fn versions_in_which_two_pages_are_no_copies_are_an_entry_of_their_own() {
    let env = Env::of(
        "PARK: docs/1.0/a/park.md docs/1.0/b/park.md docs/1.1/a/park.md docs/1.1/b/park.md docs/1.2/a/park.md",
    )
    .file("docs/1.2/b/park.md", format!("{PARK}\n{}", words(1, 42)));
    let run = env.run("scan docs");
    run.ok().begins("1.  2 copies of one text; also in 1.1\n");
    run.stdout.says("\n2.  ");
    run.stdout.says("\n    docs/1.2/b/park.md");
}

#[test]
fn nothing_is_proposed_where_no_pair_is_between_the_folders() {
    let env = Env::of("PARK: docs/en/a.md docs/en/b.md; PARK_ZH: docs/zh/a.md");
    env.run("scan docs -q").ok().omits("--within");
}

#[test]
fn generated_pages_are_a_line_for_each_folder() {
    let comment = "<!-- This file is auto-generated. Do not edit it. -->\n\n";
    let env = Env::new()
        .file("docs/api/pods.md", format!("{comment}{PARK}"))
        .file("docs/api/nodes.md", format!("{comment}{PARK_EDITED}"))
        .file("docs/guide.md", PARK_ZH)
        .file("docs/guide 2.md", PARK_ZH);
    let run = env.run("scan docs");
    let text = run.ok();
    text.begins("1.  2 copies of one text\n");
    text.says("\ngenerated: 2 pages that are alike, in docs/api\n");
    env.check("docs").stdout.says("docs/api/nodes.md");
}
