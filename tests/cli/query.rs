//! `dupfind query`: what an index has that is like a document.

use serde_json::json;

use crate::env::{Env, PARK, PARK_EDITED, PARK_ZH_EDITED, Says, table, value};
use crate::mcp::Client;
#[cfg(feature = "pdf")]
use crate::pdf::pdf;
use crate::scale::words;

/// A site and two drafts.
fn site() -> Env {
    Env::of("PARK: docs/park.md; PARK_ZH: docs/zh.md; BREAD: docs/bread.md")
        .file("docs/copy.md", PARK.to_uppercase())
        .file("draft.md", PARK_EDITED)
        .file("neu.md", PARK_ZH_EDITED)
}

#[test]
fn a_draft_comes_on_standard_input_as_text_or_as_records() {
    let env = site();
    let ask = |input: &str, args: &str| {
        let run = env.run_with(input, ("query docs - -f json", args));
        value(run.ok())
    };
    let found = ask(PARK_EDITED, "");
    assert_eq!(found["pairs"][0]["a"], "-");
    assert_eq!(found["pairs"][0]["b"], "docs/copy.md");
    assert_eq!(found["summary"]["pairs"], 2);
    // It is Markdown, as the text of an agent is.
    let links = "[a](https://a.example/one/two) [b](https://b.example/three/four) ".repeat(9);
    let page = format!("---\ntitle: Links\n---\n{PARK_EDITED}\n{links}\n");
    env.write("docs/links.md", &page);
    assert_eq!(ask(&page, "")["pairs"][0]["relation"], "exact");
    let record = json!({ "id": "d", "text": PARK_EDITED }).to_string();
    let found = ask(&record, "--id-field id");
    assert_eq!(found["pairs"][0]["a"], "-#d");
}

#[test]
fn documents_that_cannot_be_compared_are_reported() {
    let env = site()
        .file("empty.md", "...")
        .file("binary.md", b"\0\0\0")
        .file("long.md", words(1, 900));
    for [args, part] in table(
        "empty.md                  | empty.md: cannot ask about it: it is empty
         binary.md                 | binary.md: cannot ask about it: binary
         long.md --max-filesize 1K | long.md: cannot ask about it: too large
         gone.md                   | gone.md: cannot ask about it: not found",
    ) {
        let run = env.run(("query docs", args));
        run.complains(part);
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    }
    // The others are answered.
    let run = env.run("query docs empty.md draft.md");
    run.complains("empty.md").says("docs/park.md");
}

#[test]
fn the_top_lists_the_nearest_documents_below_the_thresholds() {
    let env = site().file("topic.md", "An essay of other words that speaks of the willow trees once. Last year the city was another one, and nobody knew.");
    let run = env.run("query docs topic.md");
    run.ok().says("topic.md: nothing like it");
    let run = env.run("query docs topic.md --top 3");
    run.ok().says("docs/park.md");
    run.stdout.says("\n  -  ");
    let run = env.run("query docs draft.md --top 1 -f json");
    assert_eq!(value(run.ok())["pairs"].as_array().unwrap().len(), 1);
}

#[test]
fn a_verbatim_passage_is_found_with_its_lines_in_the_page_it_comes_from() {
    let block = "Before the ferry leaves, the mate counts the cars on deck,\n\
                 closes the bow door and reports to the bridge.\n\
                 Nobody may stay below while the ship is at sea.\n";
    let zh = "渡船离开之前，大副清点甲板上的汽车，\n关上船头的门，并向驾驶台报告。\n航行期间任何人不得留在下层。\n";
    for block in [block, zh] {
        let page = |seed: u64| words(seed, 400);
        let ferry = format!("# Ferry\n\n{}\n\n{block}\n{}\n", page(1), page(2));
        let env = Env::new()
            .file("docs/ferry.md", ferry)
            .file("docs/other.md", page(3))
            .file("block.md", format!("\n{block}"))
            .file("word.md", "the bridge of the ship");
        let run = env.run("query docs block.md");
        run.ok().begins("block.md:\n  no pair, but passages of it are in:\n  100 %  docs/ferry.md (lines 5-7; here: lines 2-4)\n");
        let json = |name: &str| value(env.run(["query", "docs", name, "-f", "json"]).ok());
        let found = json("block.md")["passages"][0]["passages"][0].clone();
        assert_eq!(found["page"], "docs/ferry.md");
        assert_eq!(found["my_lines"], json!([2, 4]));
        assert_eq!(found["lines"], json!([5, 7]));
        // A sentence is no passage.
        assert_eq!(json("word.md")["passages"], json!([]));
        env.run("query docs word.md")
            .ok()
            .begins("word.md: nothing like it\n");
        // The index follows the pages.
        env.write("docs/ferry.md", format!("{block}\n{}\n", page(2)));
        let found = json("block.md");
        assert_eq!(found["passages"][0]["passages"][0]["lines"], json!([1, 3]));
    }
}

#[test]
fn passages_of_a_page_are_those_that_agents_get() {
    let code: String = (0..9)
        .map(|at| format!("let cup{at} = pour(kettle, {at}, tray[{at}]);\n"))
        .collect();
    let page = |title: &str, seed: u64| {
        let own = words(seed, 300);
        format!("---\ntitle: {title}\n---\n\n{own}\n\n```rust\n{code}```\n")
    };
    let env = Env::new()
        .file("docs/tea.md", page("Tea", 1))
        .file("docs/cup.md", page("Cup", 2));
    let run = env.run_in("docs", "query . cup.md -f json");
    let query = value(run.ok())["passages"][0]["passages"].clone();
    let mut client = Client::new(&env, ["docs"]);
    let agent = client.found("check_page", &json!({"path": "cup.md"}));
    assert_eq!(query, agent["passages"]);
    let expected = "The same code as in tea.md: keep it if readers need it here";
    assert_eq!(query[0]["advice"], expected);
}

#[test]
fn each_record_of_a_file_has_its_passages() {
    let block = |record: u64| words(40 + record, 26);
    let page = (0..9).flat_map(|record| [words(record, 100), block(record)]);
    let page: Vec<String> = page.collect();
    let records = (0..9).map(|record| json!({"text": block(record)}).to_string() + "\n");
    let records: String = records.collect();
    let env = Env::new().file("docs/page.md", page.join("\n"));
    let found = value(env.run_with(records, "query docs - -f json").ok());
    for (record, passages) in found["passages"].as_array().unwrap().iter().enumerate() {
        assert_eq!(passages["a"], format!("-#{}", record + 1));
        let line = 2 * (record + 1);
        assert_eq!(passages["passages"][0]["lines"], json!([line, line]));
    }
    assert_eq!(found["passages"].as_array().unwrap().len(), 9);
}

#[cfg(feature = "pdf")]
#[test]
fn a_passage_of_a_pdf_is_on_a_page() {
    let (first, second) = (words(1, 400), words(2, 26));
    let line = |text: &str| {
        let words: Vec<&str> = text.split_whitespace().collect();
        let lines: Vec<String> = words.chunks(9).map(|words| words.join(" ")).collect();
        lines.join("\n")
    };
    let text = format!("{}\x0c{}", line(&first), line(&second));
    let env = Env::new()
        .file("docs/tea.pdf", pdf(&text))
        .file("draft.md", &second);
    let run = env.run("query docs draft.md");
    run.ok().says("docs/tea.pdf (p. 2; here: line 1)");
}

#[test]
fn the_index_is_beside_the_pages_and_follows_them() {
    let env = site();
    let found = |args: &str| {
        let run = env.run(("query docs draft.md -f json", args));
        let pairs = value(run.ok())["pairs"].clone();
        let names = pairs.as_array().unwrap().iter();
        let names = names.map(|pair| pair["b"].to_string());
        names.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(found(""), "\"docs/copy.md\" \"docs/park.md\"");
    assert!(env.path("docs/.dupfind/index").is_file());
    assert_eq!(env.read("docs/.dupfind/.gitignore"), "*\n");
    // It is no document, whatever is wanted.
    assert_eq!(env.json("docs --hidden --no-ignore").summary.documents, 4);
    std::fs::remove_file(env.path("docs/copy.md")).unwrap();
    assert_eq!(found(""), "\"docs/park.md\"");
    env.write("docs/again.md", PARK);
    let all = "\"docs/again.md\" \"docs/park.md\"";
    assert_eq!(found(""), all);
    // Other options, damage, and a folder that was removed make it anew.
    assert_eq!(found("--shingle-size 4"), all);
    env.write("docs/.dupfind/index", "dupfind index 14 0.1.0\ndamaged");
    env.run("query docs draft.md")
        .warns("the index is damaged; it is made anew");
    assert_eq!(found(""), all);
    std::fs::remove_dir_all(env.path("docs/.dupfind")).unwrap();
    assert_eq!(found(""), all);
    // Elsewhere.
    std::fs::remove_dir_all(env.path("docs/.dupfind")).unwrap();
    assert_eq!(found("--index docs/kept"), all);
    assert!(env.path("docs/kept").is_file() && !env.path("docs/.dupfind").exists());
    env.run("query docs draft.md --index docs/park.md")
        .fails("it is no index, and it is in the place of one");
    env.run("query docs/park.md draft.md")
        .fails("docs/park.md is no folder");
    env.run("query docs").fails("<DRAFT>");
}

#[test]
fn a_draft_that_is_not_there_is_an_error_alone() {
    let env = site();
    env.run("query docs nofile")
        .fails("nofile: cannot ask about it: not found");
    let run = env.run("query docs nofile docs/park.md");
    assert_eq!(run.code, Some(2));
    run.stdout.says("1 document asked about, ");
    let run = env.run("query docs nofile -f json");
    assert_eq!(run.code, Some(2));
    assert_eq!(value(&run.stdout)["summary"]["asked"], 0);
}

#[test]
fn a_draft_is_judged_as_beside_a_reference() {
    let parts = |seeds: &[u64]| {
        seeds
            .iter()
            .map(|&seed| words(seed, 60))
            .collect::<Vec<_>>()
    };
    let page = |title: &str, seeds: &[u64]| {
        format!(
            "---\ntitle: {title}\n---\n\n{}\n",
            parts(seeds).join("\n\n")
        )
    };
    let draft = page("A day in summer", &[1, 2, 3, 6]);
    let env = Env::new()
        .file(
            "docs/harbour.md",
            page("How it was built", &[1, 2, 3, 4, 5]),
        )
        .file("docs/other.md", page("Other news", &[7, 8, 9]))
        .file("draft.md", &draft);
    let relation = |answer: &str| value(answer)["pairs"][0]["relation"].clone();
    assert_eq!(
        relation(env.run("draft.md --against docs -f json").ok()),
        "near"
    );
    assert_eq!(
        relation(env.run("query docs draft.md -f json").ok()),
        "near"
    );
    let mut client = Client::new(&env, ["docs"]);
    let answer = client.found("check_text", &json!({ "text": draft }));
    assert_eq!(answer["passages"][0]["verdict"], "near", "{answer}");
    // A page of the folder is judged among the others.
    env.write("docs/draft.md", &draft);
    assert_eq!(relation(env.run("docs -f json").ok()), "variant");
    assert_eq!(
        relation(env.run("query docs docs/draft.md -f json").ok()),
        "variant"
    );
}

#[test]
fn names_are_those_of_the_folder_of_the_run() {
    let env = site();
    for (folder, pages, draft, expected) in [
        ("docs", ".", "park.md", "copy.md"),
        (".", "docs", "docs/park.md", "docs/copy.md"),
        ("docs", "..", "park.md", "../draft.md"),
    ] {
        let run = env.run_in(folder, ["query", pages, draft, "-f", "json"]);
        let pairs = value(run.ok())["pairs"].clone();
        let names = pairs.as_array().unwrap().iter();
        let names: Vec<&str> = names.map(|pair| pair["b"].as_str().unwrap()).collect();
        assert!(names.contains(&expected), "{folder} {pages}: {names:?}");
        assert!(!names.contains(&draft), "{folder} {pages}: {names:?}");
    }
}

#[cfg(unix)]
#[test]
fn where_nothing_can_be_written_the_index_is_temporary() {
    use std::os::unix::fs::PermissionsExt;

    let env = site();
    let set = |mode| {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(env.path("docs"), permissions).unwrap();
    };
    set(0o555);
    let is_root = std::fs::File::create(env.path("docs/x")).is_ok();
    if !is_root {
        env.run("query docs draft.md").ok().says("docs/park.md");
        assert!(!env.path("docs/.dupfind").exists());
    }
    set(0o755);
    // A page that cannot be read may be the answer.
    let page = env.path("docs/park.md");
    std::fs::set_permissions(page, std::fs::Permissions::from_mode(0o000)).unwrap();
    if !is_root {
        let run = env.run("query docs draft.md -f json");
        let answer = value(run.complains("docs/park.md: unreadable: "));
        assert_eq!(answer["skipped"][0]["path"], "docs/park.md", "{answer}");
    }
}
