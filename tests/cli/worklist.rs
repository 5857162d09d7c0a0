//! The table as a worklist, and the pairs that are shown.

use crate::env::{Env, PARK, PARK_ZH, PARK_ZH_EDITED, Run, Says, table};

const INTRO: &str = "The old river park opened to the public thirty years ago, and on spring mornings runners \
                     circle the lake while gardeners water four hundred young maples along the northern path.\n";

const END: &str = "In winter the gates close at five, the benches are stored in the boat house, and only the \
                   keeper walks his round with a lantern past the frozen fountain.\n";

const BAKERY: &str = "Knead flour, water and salt until the dough no longer sticks to the bowl, cover it with a \
                      damp cloth and let it rise over night beside the stove.\n";

/// Returns pages with a title. One of them is in another one, and one has a word changed.
fn pages() -> Env {
    let revised = INTRO.replace("northern", "southern");
    Env::new()
        .file(
            "a page.md",
            format!("---\ntitle: The park\n---\n{INTRO}{END}"),
        )
        .file("b.md", format!("# The old park\n\n{revised}{END}"))
        .file("it's.md", BAKERY)
        .file(
            "long/guide.md",
            format!("# Guide\n\n{}\n{BAKERY}\n{}", numbers(0), numbers(30)),
        )
}

/// Returns thirty words that are in no other text.
fn numbers(from: u32) -> String {
    let words = (from..from + 30).map(|number| format!("word{number}"));
    words.collect::<Vec<_>>().join(" ")
}

/// Returns the command in the last line of a table.
fn next(run: &Run) -> &str {
    let last = run.ok().lines().last().unwrap();
    last.strip_prefix("Next: dupfind ").unwrap()
}

#[test]
fn near_pages_with_chinese_names_are_one_entry() {
    let env = Env::new()
        .file("帮助/老地方.md", format!("# 老地方\n\n{PARK_ZH}"))
        .file("帮助/河边.md", format!("# 河边\n\n{PARK_ZH_EDITED}"))
        .file(
            "帮助/公园简介.md",
            format!("# 公园简介\n\n{PARK_ZH}公园里还有一个小小的书店。\n"),
        );
    env.run("scan .").ok().omits("family: ");
    env.check(".").stdout.omits("--family");
}

#[test]
fn sentences_name_the_differences_and_the_place_in_a_page() {
    let run = pages().run("scan");
    let expected = "\
1.  94 % of a page.md is in b.md (90 % of that text), 4 words differ
    b.md       The old park
    a page.md  The park

2.  100 % of it's.md is in guide.md (30 % of that text) (line 4)
    long/guide.md  Guide
    it's.md

4 documents compared: 2 pairs (1 near, 1 contains), 4 documents in 2 clusters
Next: dupfind compare b.md 'a page.md' .
";
    assert_eq!(run.ok(), expected);
}

#[test]
fn the_last_line_is_a_command_that_runs() {
    let env = pages();
    env.write("copy.md", PARK);
    env.write("park.md", PARK);
    let run = env.run("scan 'a page.md' b.md");
    assert_eq!(next(&run), "compare b.md 'a page.md' 'a page.md' b.md");
    env.run("compare b.md 'a page.md'").ok();
    let run = env.run(("scan", ["it's.md"], "long --show contains --color never"));
    assert_eq!(
        next(&run),
        "compare long/guide.md 'it'\\''s.md' 'it'\\''s.md' long"
    );
    let run = env.run("scan . -g *.md --min-jaccard 0.1 --threads 1");
    let expected = "plan . --glob '*.md' --min-jaccard 0.1 -o plan.jsonl";
    assert_eq!(next(&run).to_owned(), expected);
    env.run("plan . --glob *.md --min-jaccard 0.1 -o plan.jsonl -q")
        .ok();
    let records = "{\"text\":\"the same few words in a record of ten or more\"}\n".repeat(3);
    let env = Env::new().file("r.jsonl", &records);
    let run = env.run("scan r.jsonl");
    let expected = "dedup r.jsonl -o kept.jsonl";
    assert_eq!(next(&run), expected);
    run.stdout.begins("1.  3 copies of one text\n");
    let renamed = records.replace("text", "body").replacen("same", "very", 1);
    let renamed = renamed.lines().take(2).map(|line| format!("{line}\n"));
    env.write("r.jsonl", renamed.collect::<String>());
    let run = env.run("scan r.jsonl --text-field body --shingle-size 1");
    let expected = "compare r.jsonl#1 r.jsonl#2 r.jsonl --text-field body --shingle-size 1";
    assert_eq!(next(&run), expected);
    env.run(expected.split(' ').collect::<Vec<_>>()).ok();
    // Documents from standard input cannot be read again.
    env.run_with(records, "scan -").ok().ends(" in 1 cluster\n");
}

#[test]
fn the_same_pages_in_other_languages_are_one_entry() {
    let mut env = Env::new();
    for (at, language) in (0..).zip(["de", "en", "fr"]) {
        let shared = crate::scale::words(at, 60);
        for page in ["first", "second"] {
            let own = crate::scale::words(at * 10 + page.len() as u64, 8);
            env = env.file(
                format!("{language}/{page}.md"),
                format!("{shared}\n\n{own}\n"),
            );
        }
    }
    let run = env.run("scan");
    let first = run.ok().lines().next().unwrap();
    first.begins("1.  ");
    first.ends("; also in en, fr");
    run.stdout.omits("\n2.  ");
    assert_eq!(env.json("").pairs.len(), 3);
    env.run("scan -f html").ok().says("; also in en, fr");
}

#[test]
fn a_family_names_the_words_that_are_swapped() {
    let page = |name: &str| {
        let steps =
            (0..12).map(|at| format!("{at}. Set {name} to {}.\n", crate::scale::words(at, 14)));
        format!("# The {name} driver\n\n{}", steps.collect::<String>())
    };
    let env = Env::new()
        .file("a-mysql.md", page("MySQL"))
        .file("a-oracle.md", page("Oracle"));
    let run = env.run("scan");
    let words = ", such as a-mysql.md and a-oracle.md ('MySQL' and 'Oracle' in ";
    run.ok().says(words);
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_gets_twenty_entries_and_names_are_never_cut() {
    let mut env = Env::new();
    let folder = "a/very/long/path/that/no/terminal/of/eighty/columns/has/any/room/for/in/a/line";
    for at in 0..25 {
        let words: Vec<String> = (0..30).map(|word| format!("w{at}x{word}")).collect();
        for copy in 0..if at == 0 { 15 } else { 2 } {
            env = env.file(format!("{folder}/{at}/{copy}.txt"), words.join(" "));
        }
    }
    let run = |args: &str| {
        let output = env.on_terminal(args).output().unwrap();
        String::from_utf8(output.stdout).unwrap().replace('\r', "")
    };
    let text = run("scan -q --color never");
    text.says(format!("\n    {folder}/1/0.txt\n"));
    text.says("… and 3 more\n");
    text.says("\n20. 2 copies of one text\n");
    text.omits("\n21. ");
    text.says("\n… and 5 more entries; --top 25 shows all, or a pipe ('| less')\n");
    run("scan -q --color never --top 25").says("\n25. ");
}

#[test]
fn two_pages_of_one_name_are_the_first_and_the_second_in_both_languages() {
    let env = Env::new().file("a/page.md", format!("{INTRO}{END}")).file(
        "b/page.md",
        format!("{}{END}", INTRO.replace("northern", "southern")),
    );
    for [lang, starts] in table(
        "en | 1.  94 % of the second is in the first (94 % of that text)
         zh | 1.  第二个有 94% 出现在第一个中，第一个有 94% 出现在第二个中",
    ) {
        env.run(["scan", "--lang", lang]).ok().begins(starts);
    }
}
