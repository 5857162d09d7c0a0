//! `dupfind plan`: the documents that stay and go, and the faults of a plan that was edited.

use std::fs::{self, File, FileTimes};
use std::time::{Duration, SystemTime};

use serde_json::Value;

use crate::env::{Args, BREAD, Env, PARK, PARK_EDITED, Run, Says, lines, records, table, value};

const ALL: &str = "--drop=exact,near,contains";

/// Runs `plan` and returns its lines without the first one.
pub(crate) fn plan(env: &Env, args: impl Args) -> Vec<Value> {
    let run = env.run(("plan --quiet", args));
    let all: Vec<Value> = lines(run.ok());
    assert_eq!(all[0]["type"], "plan");
    all[1..].to_vec()
}

/// The documents that stay and go, and the rule that decided, as in `a.md <- b.md path`, of the lines about documents that
/// go.
fn drops(lines: &[Value]) -> Vec<String> {
    let drops = lines.iter().filter(|line| line["type"] == "drop");
    let told = drops.map(|line| ["keep", "drop", "rule"].map(|key| line[key].as_str().unwrap()));
    told.map(|[keep, drop, rule]| format!("{keep} <- {drop} {rule}"))
        .collect()
}

#[test]
fn a_page_never_goes_for_one_that_is_wholly_in_it() {
    let env = Env::of("PARK: docs/park.md")
        .file(
            "docs/parks.md",
            format!("{PARK}\n\nTwo gates were closed in March.\n"),
        )
        .file(
            "docs/start.md",
            "It is open, and so are the shops beside it.",
        );
    let json = env.run("docs -f json");
    let pair = &value(json.ok())["pairs"][0];
    assert_eq!(pair["relation"], "near", "{pair}");
    let lines = plan(&env, ["docs", ALL, "--keep", "shortest-name"]);
    assert_eq!(drops(&lines), [""; 0]);
    let because = lines[0]["because"].as_str().unwrap();
    because.says("a rule keeps the one of the two that is a part of the other");
    env.write(
        "docs/start.md",
        "See [the parks](parks.md), and the shops beside it.",
    );
    let lines = plan(&env, ["docs", ALL]);
    assert_eq!(drops(&lines), ["docs/parks.md <- docs/park.md linked"]);
}

fn touch(env: &Env, name: &str, seconds: u64) {
    let file = File::options().write(true).open(env.path(name)).unwrap();
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
    file.set_times(FileTimes::new().set_modified(time)).unwrap();
}

#[test]
fn copies_go_and_everything_else_stays() {
    let env = Env::parks();
    let lines = plan(&env, "");
    let expected = [
        "en/copy.md <- en/park.md path",
        "zh/park.md <- zh/复制 copy.md shortest-name",
    ];
    assert_eq!(drops(&lines), expected);
    let line = &lines[0];
    assert_eq!(line["relation"], "exact");
    assert_eq!(line["jaccard"], 1.0);
    assert_eq!(line["keep_hash"], line["drop_hash"]);
    let said = env.run("plan -o p.jsonl");
    // The plan of an earlier run is replaced, and a document is not.
    assert_eq!(env.run("plan -o p.jsonl -q").code, Some(0));
    env.run("plan -o bread.md").fails("would replace bread.md");
    said.says("2 documents go");
    said.says("for 2 that stay");
    said.says("other pairs (near)");
    said.says("dupfind apply p.jsonl");
    let all = plan(&env, [ALL, "--keep", "in:zh,in:en/edited.md"]);
    let expected = [
        "en/edited.md <- en/copy.md in:en/edited.md",
        "en/edited.md <- en/park.md in:en/edited.md",
        "zh/park.md <- zh/edited.md shortest-name",
        "zh/park.md <- zh/复制 copy.md shortest-name",
    ];
    assert_eq!(drops(&all), expected);
}

#[test]
fn short_pages_and_pages_of_other_titles_stay() {
    let titled = |title: &str, text: &str| format!("---\ntitle: {title}\n---\n{text}");
    let words = |count: usize| {
        let words: Vec<String> = (0..count).map(|number| format!("word{number}")).collect();
        words.join(" ")
    };
    let titles = "it stays, as the two have different titles";
    let short =
        "it stays, as one of the two has fewer than 30 words (in Chinese or Japanese: characters)";
    let part = "it stays, as the other one has no title or the like in its front matter, and may be a part of pages";
    let headed = |title: &str| format!("# {title}\n\n{PARK}");
    let to_be = "To be determined. ".repeat(20);
    for (a, b, because) in [
        (titled("Park", PARK), titled("PARK!", PARK), None),
        (titled("Park", PARK), PARK.to_owned(), None),
        (titled("Park", PARK), headed("Park"), None),
        (PARK.to_owned(), titled("Park", PARK), Some(part)),
        (titled("Pods", PARK), titled("Jobs", PARK), Some(titles)),
        (titled("Pods", PARK), headed("Jobs"), Some(titles)),
        (words(30), words(30), None),
        (words(29), words(29), Some(short)),
        (to_be.clone(), to_be, Some(short)),
    ] {
        let env = Env::new().file("a.md", &a).file("b.md", &b);
        let lines = plan(&env, [ALL, "--keep", "path"]);
        let [line] = &lines[..] else {
            panic!("{a}: {b}: {lines:?}")
        };
        match because {
            None => assert_eq!(drops(&lines), ["a.md <- b.md path"], "{a}"),
            Some(because) => {
                assert_eq!(line["type"], "unresolved");
                assert_eq!(line["because"], because);
            }
        }
    }
}

#[test]
fn what_is_no_document_stays_and_so_do_pages_named_after_two_subjects() {
    let program = "it stays, as a program may read it";
    let versions = "it stays, as the names of the two tell two versions";
    let subjects = "it stays, as the names of the two tell two subjects";
    for (a, b, other, because) in [
        ("walk-park.md", "drive-park.md", PARK_EDITED, Some(subjects)),
        ("walk.md", "drive.md", PARK_EDITED, None),
        ("a.grammar", "b.grammar", PARK, Some(program)),
        ("users.dump-2", "b.md", PARK, Some(program)),
        ("a.txt", "b.txt", PARK, None),
        ("A.TXT", "notes", PARK, None),
        ("v1.2.4.md", "v1.2.5.md", PARK, Some(versions)),
        ("notes-7.1.md", "notes-7.1.3.md", PARK, Some(versions)),
        ("page-1.md", "page-2.md", PARK, None),
    ] {
        let env = Env::new().file(a, PARK).file(b, other);
        let lines = plan(&env, [ALL, "--keep", "path", "-g", "*"]);
        let [line] = &lines[..] else {
            panic!("{a}: {b}: {lines:?}")
        };
        let stays = line["type"] == "unresolved";
        let found = line["because"].as_str().filter(|_| stays);
        assert_eq!(found, because, "{a} {b}");
    }
}

#[test]
fn no_page_goes_for_a_draft() {
    let page = |more: &str| format!("---\ntitle: Park\n{more}---\n{PARK}");
    for (draft, mark) in [
        ("a.md", "draft: true\n"),
        ("a.md", "published: false\n"),
        ("drafts/a.md", ""),
    ] {
        let env = Env::new().file("park.md", page("")).file(draft, page(mark));
        let lines = plan(&env, "");
        assert_eq!(drops(&lines), [""; 0], "{draft} {mark}");
        let because = lines[0]["because"].as_str().unwrap();
        because.says("one of the two is a draft");
    }
}

#[test]
fn posts_of_jekyll_go_unless_something_leads_to_them() {
    let env = Env::of("PARK: _posts/2019-01-31-park.md _posts/2021-05-06-park.md");
    let goes = ["_posts/2019-01-31-park.md <- _posts/2021-05-06-park.md path"];
    assert_eq!(drops(&plan(&env, "")), goes);
    env.write(
        "x.md",
        "[it](/2021/05/06/park.html) {% post_url 2019-01-31-park %}\n",
    );
    assert_eq!(drops(&plan(&env, "")), [""; 0]);
    let env = Env::of("PARK: _includes/a/park.md _includes/a/tree.md");
    assert_eq!(drops(&plan(&env, "")), [""; 0]);
}

#[test]
fn a_text_stays_in_each_script() {
    let simplified = "旧城区的公园在河边，春天开放，每天早上六点到晚上十点免费参观，门口的石碑记载了建园的历史和捐款人的姓名。";
    let traditional = "舊城區的公園在河邊，春天開放，每天早上六點到晚上十點免費參觀，門口的石碑記載了建園的歷史和捐款人的姓名。";
    let env = Env::new()
        .file("a/park.md", simplified)
        .file("a/park 2.md", simplified)
        .file("b/park.md", traditional)
        .file("c/park.md", traditional);
    let other = traditional.replace("每天早上", "週末清晨");
    let env = env.file("d/park.md", format!("{other}冬天五點關門。"));
    let lines = plan(&env, "--keep path --drop exact,near");
    let expected = [
        "a/park 2.md <- a/park.md path",
        "b/park.md <- c/park.md path",
        "b/park.md <- d/park.md path",
    ];
    assert_eq!(drops(&lines), expected);
    let stays = lines
        .iter()
        .find(|line| line["type"] == "unresolved")
        .unwrap();
    let because = "it stays, as one of the two is in Traditional characters, and the other one in Simplified ones";
    assert_eq!(
        [&stays["document"], &stays["because"]],
        ["b/park.md", because]
    );
}

#[test]
fn the_page_of_another_month_stays() {
    let env = Env::of("PARK: docs/2024-01/park.md; PARK_EDITED: docs/2024-02/park.md");
    let lines = plan(&env, [ALL]);
    assert_eq!(drops(&lines), [""; 0]);
}

#[test]
fn a_page_stays_rather_than_a_copy_that_is_named_after_it() {
    for copy in [
        "park copy.md",
        "park (1).md",
        "park - Copy.md",
        "Copy of park.md",
        "park-2.md",
        "park_副本.md",
        "park.bak.md",
    ] {
        let env = Env::new().file("park.md", PARK).file(copy, PARK);
        let expected = [format!("park.md <- {copy} shortest-name")];
        assert_eq!(drops(&plan(&env, "")), expected);
    }
}

#[test]
fn each_rule_decides() {
    let env = Env::new()
        .file("a/b/page.md", format!("---\nweight: 10\n---\n{PARK}"))
        .file("z.md", format!("---\nweight: 9\n---\n{PARK}"))
        .file("c/xy.md", PARK);
    for (name, seconds) in [("a/b/page.md", 5_000), ("z.md", 7_000), ("c/xy.md", 6_000)] {
        touch(&env, name, seconds);
    }
    for (rules, keeper, rule) in [
        ("newest", "z.md", "newest"),
        ("oldest", "a/b/page.md", "oldest"),
        ("shortest-path", "z.md", "shortest-path"),
        ("shortest-name", "z.md", "shortest-name"),
        ("field:weight", "a/b/page.md", "field:weight"),
        ("field:weight:min", "z.md", "field:weight:min"),
        ("in:c,newest", "c/xy.md", "in:c"),
        ("in:/z.md,in:c", "z.md", "in:/z.md"),
        ("path", "a/b/page.md", "path"),
        ("field:none,oldest", "a/b/page.md", "oldest"),
    ] {
        let found = drops(&plan(&env, ["--keep", rules]));
        assert_eq!(found.len(), 2, "{rules}");
        for line in &found {
            line.begins(format!("{keeper} <- "));
            line.ends(format!(" {rule}"));
        }
    }
    let said = env.run("plan --keep field:none,oldest").stderr;
    said.says("warning: --keep: the rule 'field:none' decides nothing");
    env.write("a/b/page.md", format!("---\nweight: 5/1/2023\n---\n{PARK}"));
    env.run("plan --keep field:weight")
        .fails("the dates of the field 'weight' cannot be ordered, such as '5/1/2023'");
    env.run("plan --keep in:docs")
        .fails("--keep in:docs: no document matches the glob");
    env.run("plan --keep newer")
        .fails("'newer' is no rule: expected in:GLOB");
    env.run("plan --keep in:a{b").fails("cannot read the glob");
}

#[test]
fn what_this_program_printed_names_no_page() {
    let env = Env::new().file("docs/a.md", PARK).file("docs/b.md", PARK);
    let expected = plan(&env, "docs");
    assert_eq!(drops(&expected).len(), 1);
    for (args, file) in [
        ("docs", "list.txt"),
        ("docs -f table", "docs/table.txt"),
        ("docs -f markdown", "report"),
        ("docs -f sarif", "report.json"),
        ("docs -f github", "log"),
        ("docs -f gitlab", "gitlab.json"),
        ("check docs", "check.txt"),
        ("compare docs/a.md docs/b.md", "compare.txt"),
        ("docs -f csv-excel", "docs/pairs.csv"),
        ("docs -f csv-excel --lang zh", "docs/pairs.csv"),
        ("query docs docs/a.md", "query.txt"),
        ("query docs docs/a.md --lang zh", "query.txt"),
        ("reuse docs", "reuse.txt"),
        ("reuse docs --lang zh", "reuse.txt"),
    ] {
        // A text of a person there counts.
        env.write(file, "see docs/b.md\n");
        assert_ne!(plan(&env, "docs"), expected, "{file}");
        env.write(file, "");
        env.write(file, env.run(args).stdout);
        assert_eq!(plan(&env, "docs"), expected, "{file}");
    }
    env.write("log", env.run("plan docs -o p.jsonl").stderr);
    let spaced = |line: &str| line.replace("\":", "\": ").replace(",\"", ", \"") + "\n";
    let lines: String = env.read("p.jsonl").lines().map(spaced).collect();
    env.write("docs/p.jsonl", lines);
    assert_eq!(plan(&env, "docs"), expected);
}

#[test]
fn commits_date_files_and_run_no_program_of_the_repository() {
    let env = Env::new();
    env.git("init --quiet");
    for (name, date) in [("old.md", "2001-01-01"), ("new.md", "2020-01-01")] {
        env.write(name, PARK);
        env.commit_at("", &format!("{date}T00:00:00Z"));
    }
    env.write("loose.md", BREAD);
    // The times of the files say the opposite.
    touch(&env, "old.md", 2_000_000_000);
    touch(&env, "new.md", 1_000);
    for (key, program) in [
        ("log.showSignature", "true"),
        ("gpg.program", "./evil"),
        ("diff.external", "./evil"),
        ("core.fsmonitor", "./evil"),
        ("core.pager", "./evil"),
    ] {
        env.git(["config", key, program]);
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        env.write("evil", "#!/bin/sh\n: > ran\n");
        fs::set_permissions(env.path("evil"), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let found = drops(&plan(&env, "--keep newest new.md old.md"));
    assert_eq!(found, ["new.md <- old.md newest"]);
    assert!(!env.path("ran").exists());
    let found = drops(&plan(&env, "--keep oldest new.md old.md"));
    assert_eq!(found, ["old.md <- new.md oldest"]);
}

#[test]
fn an_edited_plan_is_checked() {
    let env = Env::new()
        .file("a.md", PARK)
        .file("b.md", PARK.to_uppercase())
        .file("c.md", PARK)
        .file("d.md", PARK_EDITED);
    env.run(("plan", [ALL], "--keep path -o plan.jsonl --quiet"))
        .ok();
    let text = env.read("plan.jsonl");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4, "{text}");
    let check = |edited: String| -> Run {
        env.write("edited.jsonl", edited);
        env.run("apply edited.jsonl")
    };
    let fine = check(text.clone());
    assert_eq!(fine.went_well(), "");
    fine.says("nothing was touched");
    // Lines may be deleted, and the names of a pair exchanged. What is lost is told, the other way round too.
    let swapped = lines[1]
        .replace("a.md", "@")
        .replace("b.md", "a.md")
        .replace('@', "b.md");
    for line in [lines[1], &swapped] {
        let run = check(line.to_owned());
        run.went_well();
        run.says("lines that are not in the file that stays: in 1 file");
    }
    // But not in one line of three.
    let refused = |edited: String, part: &str| {
        check(edited).complains(part);
    };
    let both = format!("{swapped}\n{}\n", lines[2]);
    refused(both, "edited.jsonl:2: a.md stays here and goes on line 1");
    for [from, to, part] in table(
        r#""b.md"            | "a.md"             | 1: a.md cannot stay and go
           "b.md"            | "./a.md"           | 1: a.md and ./a.md are the same file
           "a.md"            | "none.md"          | 1: none.md is not there
           drop_hash":"xxh3: | drop_hash":"xxh3:0 | 1: b.md was changed since
           "exact"           | "template"         | a document goes only if it is exact, near, contained or similar
           "exact"           | "same"             | no relation 'same'"#,
    ) {
        refused(lines[1].replace(from, to), part);
    }
    let twice = format!("{}\n{}", lines[1], lines[1]);
    refused(twice, "2: b.md goes on line 1 already");
    refused(lines[1][..40].to_owned(), "1: the line is cut off");
    let more = format!("{}\n\nnonsense\n", lines[0]);
    refused(more, "3: no line of a plan");
    let makes =
        "error: edited.jsonl is no plan; this makes one: dupfind plan FOLDER -o plan.jsonl\n";
    refused("\n\nnonsense\n".to_owned(), makes);
    let newer = lines[0].replace("\"schema_version\":1", "\"schema_version\":9");
    refused(newer, "1: a plan of version 9");
    // What is behind a plan is not repeated line by line.
    let other = check(format!("{}\n{}", lines[0], "# A page\n".repeat(999)));
    assert_eq!(other.stderr.lines().count(), 2, "{}", other.stderr);
    other.says(":2: no line of a plan: expected value\n");
    env.write("d.md", "another text");
    check(text).says("d.md was changed since the plan was made");
    env.run("apply none.jsonl")
        .fails("cannot read the plan none.jsonl");
}

#[test]
fn records_are_named_and_standard_input_is_refused() {
    let env = Env::new().file("r.jsonl", records(&[BREAD, PARK, PARK]));
    // Beside a page it is a document like any other.
    let env = env.file("a.md", BREAD);
    let lines = plan(&env, "r.jsonl a.md");
    let because = "the same text but for case, width and white space";
    for line in lines.iter().filter(|line| line["type"] == "drop") {
        assert_eq!(line["because"], because);
        assert_eq!(line.get("only_in_drop"), None);
    }
    assert!(drops(&lines).contains(&"r.jsonl#2 <- r.jsonl#3 path".to_owned()));
    env.run("plan r.jsonl")
        .fails("a plan is for files, and all documents are records");
    env.run("plan -").fails("dupfind dedup removes records");
    env.run("plan --drop exact,short")
        .fails("dupfind scan --show short");
}

#[test]
fn no_copy_of_a_page_goes_for_a_variant_of_it() {
    let create = format!("# Create a user\n\n{PARK}");
    let env = Env::new()
        .file("a/create-user.md", &create)
        .file("b/create-user.md", &create)
        .file("b/drop-user.md", format!("# Drop a user\n\n{PARK_EDITED}"));
    let pairs = env.json("").pairs;
    let relations: Vec<&str> = pairs.iter().map(|pair| &*pair.relation).collect();
    // The last two are in one folder and named after two subjects.
    assert_eq!(relations, ["exact", "near", "variant"]);
    let found = plan(&env, [ALL, "--keep", "in:b/drop-user.md,in:b"]);
    let expected = ["b/create-user.md <- a/create-user.md in:b"];
    assert_eq!(drops(&found), expected);
}

#[test]
fn a_page_that_stays_beside_one_of_another_title_goes_for_one_of_its_own() {
    let page = |title: &str, end: &str| format!("---\ntitle: {title}\n---\n{PARK}{end}\n");
    let end = "The northern gate stays shut.";
    let env = Env::new()
        .file("a.md", page("Hours", ""))
        .file("park.md", page("Hours", end))
        .file(
            "zoo.md",
            page("Prices", &format!("{end} So does the southern one.")),
        );
    for drop in ["near", "near,similar"] {
        let found = plan(&env, ["--drop", drop]);
        assert_eq!(drops(&found), ["park.md <- a.md longest"], "{drop}");
    }
}

#[test]
fn both_documents_of_an_accepted_pair_stay() {
    let env = Env::of("PARK: docs/a.md docs/b.md; BREAD: docs/c.md");
    let accept = |file: &str| {
        let pair = "accept docs/a.md docs/b.md docs";
        let words = ["--reason", "two products", "--baseline", file];
        assert_eq!(env.run((pair, words)).code, Some(0));
    };
    accept("docs/accepted.jsonl");
    assert_eq!(drops(&plan(&env, "docs")).len(), 1);
    let named = ["docs", "--baseline", "docs/accepted.jsonl"];
    assert!(plan(&env, named).is_empty());
    let said = env.run(("plan", named));
    said.says("accepted in docs/accepted.jsonl, so their documents stay: 1 pair");
    env.run("plan docs --baseline no.jsonl")
        .fails("there are no accepted pairs in no.jsonl; dupfind accept makes the file");
    // A file and a configuration that are found are used.
    env.write("dupfind.toml", "baseline = \"docs/accepted.jsonl\"\n");
    assert!(plan(&env, "docs").is_empty());
    fs::remove_file(env.path("dupfind.toml")).unwrap();
    accept(".dupfind-baseline");
    assert!(plan(&env, "docs").is_empty());
    assert_eq!(drops(&plan(&env, "docs --no-config")).len(), 1);
    // A third document goes for one of the two, and none of them goes for it.
    env.write("docs/third.md", PARK);
    let lines = plan(&env, "docs");
    let expected = ["docs/a.md <- docs/third.md shortest-name"];
    assert_eq!(drops(&lines), expected);
    let lines = plan(&env, "docs --keep in:third.md");
    assert_eq!(drops(&lines), [""; 0]);
    assert_eq!(lines[0]["document"], "docs/a.md");
    assert_eq!(lines[0]["because"], "it stays, as a pair of it is accepted");
}

#[test]
#[cfg(unix)]
fn a_file_with_several_names_stays() {
    let env = Env::of("PARK: docs/b.md docs/c.md");
    fs::hard_link(env.path("docs/b.md"), env.path("docs/z.md")).unwrap();
    let expected = ["docs/b.md <- docs/c.md path"];
    assert_eq!(drops(&plan(&env, "docs")), expected);
    // Another path to it is no other name.
    let env = env.link("more", "docs");
    let lines = plan(&env, "docs/c.md more/c.md docs/b.md --keep in:b.md");
    assert_eq!(drops(&lines).len(), 1);
    // A copy that stays by the rules leaves it alone.
    env.write("docs/a.md", PARK);
    let lines = plan(&env, "docs");
    let expected = ["docs/a.md <- docs/c.md path"];
    assert_eq!(drops(&lines), expected);
    assert_eq!(lines[1]["document"], "docs/b.md");
    let because = "it stays, as its file has other names here (hard links)";
    assert_eq!(lines[1]["because"], because);
    // When the plan is carried out, a second one finds nothing more.
    env.run("plan docs -o p.jsonl");
    env.run("apply p.jsonl --delete --yes").went_well();
    assert_eq!(drops(&plan(&env, "docs")), [""; 0]);
}

#[test]
fn one_side_only_goes() {
    let env = Env::of("PARK: drafts/a.md drafts/b.md published/z.md");
    for keep in ["linked", "in:drafts"] {
        let args = ["drafts", "--against", "published", "--keep", keep];
        let found = drops(&plan(&env, args)).join(", ");
        let expected =
            "published/z.md <- drafts/a.md against, published/z.md <- drafts/b.md against";
        assert_eq!(found, expected, "{keep}");
    }
}

#[test]
fn in_an_accepted_family_only_a_copy_goes() {
    let env = Env::of("PARK: drafts/a.md; PARK_EDITED: drafts/b.md drafts/c.md");
    let near = "--drop exact,near";
    assert_eq!(drops(&plan(&env, near)).len(), 2);
    env.run("accept --family drafts --reason drafts -q").ok();
    let found = drops(&plan(&env, near));
    assert_eq!(found, ["drafts/b.md <- drafts/c.md path"]);
}
