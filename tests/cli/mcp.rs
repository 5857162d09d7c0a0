//! `dupfind mcp`: the questions of an agent, and the answers.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::env::{Args, BREAD, Env, PARK, PARK_EDITED, PARK_ZH, Says, program, table, value};
use crate::readme::page::Page;
use crate::scale::words;
use crate::schema::wrong;

/// A client of the server.
pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    id: u64,
}

impl Client {
    pub(crate) fn new(env: &Env, options: impl Args) -> Self {
        Self::starting_in(env, ".", options)
    }

    fn starting_in(env: &Env, folder: &str, options: impl Args) -> Self {
        let mut child = Command::new(program())
            .arg("mcp")
            .args(options.words())
            .current_dir(env.path(folder))
            .env("LC_ALL", "C")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Self {
            input: child.stdin.take(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
            id: 0,
        }
    }

    fn send(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line.as_bytes()).unwrap();
        input.write_all(b"\n").unwrap();
    }

    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// Returns the answer to a request.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.id += 1;
        let mut request = json!({"jsonrpc": "2.0", "id": self.id, "method": method});
        request["params"] = params;
        self.send(&request.to_string());
        let answer = self.receive();
        assert_eq!(answer["id"], self.id);
        answer
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let mut params = json!({"name": tool});
        params["arguments"] = arguments;
        self.ask("tools/call", params)
    }

    /// Returns the result of a tool, which is short and has the form that the tool promises.
    pub(crate) fn found(&mut self, tool: &str, arguments: &Value) -> Value {
        let answer = self.call(tool, arguments.clone());
        let result = &answer["result"];
        assert_eq!(result["isError"], false, "{answer}");
        let text = result["content"][0]["text"].as_str().unwrap();
        let found = &result["structuredContent"];
        // A client may show the text alone to its model.
        assert_eq!(
            serde_json::from_str::<Value>(text).ok().as_ref(),
            Some(found)
        );
        assert!(found.to_string().chars().count() < 1_500, "{found}");
        let tools = self.ask("tools/list", json!({}))["result"]["tools"].clone();
        let tools = tools.as_array().unwrap();
        let schema = &tools.iter().find(|known| known["name"] == tool).unwrap()["outputSchema"];
        assert_eq!(wrong(schema, found, "$"), None, "{tool}: {found}");
        found.clone()
    }

    /// Returns what an agent is taught.
    fn lesson(&mut self, tool: &str, arguments: Value) -> String {
        let result = &self.call(tool, arguments)["result"];
        assert_eq!(result["isError"], true, "{result}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// Ends the connection. Returns the exit status and the rest of the output.
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        drop(self.input.take());
        let mut rest = String::new();
        std::io::Read::read_to_string(&mut self.output, &mut rest).unwrap();
        (self.child.wait().unwrap().code(), rest)
    }
}

fn site() -> Env {
    Env::new()
        .file(
            "docs/park.md",
            format!("# The park\n\n## Opening\n\n{PARK}"),
        )
        .file("docs/edited.md", format!("# A park\n\n{PARK_EDITED}"))
        .file("docs/bread.md", format!("# Bread\n\n{BREAD}"))
        .file("docs/zh.md", format!("# 公园\n\n{PARK_ZH}"))
        .file("outside.md", PARK)
}

#[test]
fn advice_about_a_page_within_a_page_loses_neither() {
    let env = site();
    let mut client = Client::new(&env, "docs");
    let rest: String = (0..130).map(|at| format!("word{at} ")).collect();
    let draft = format!("# A guide\n\n{rest}\n\n{PARK}");
    let found = client.found("check_text", &json!({"text": draft}));
    let park = &found["passages"][0];
    assert_eq!(park["page"], "park.md");
    assert_eq!(park["verdict"], "contains");
    let expected = "Link to park.md#opening instead of saying it again";
    assert_eq!(park["advice"], expected);
    env.write("docs/guide.md", draft);
    let found = client.found("check_page", &json!({"path": "guide.md"}));
    let expected = "Most of park.md is in this page: move here what only it has, and make it a link to this page";
    assert_eq!(found["passages"][0]["advice"], expected);
}

#[test]
fn every_tool_answers() {
    let env = site();
    let mut client = Client::new(&env, "docs");
    let draft = format!("# Bread and parks\n\n{BREAD}\n{PARK}");
    let found = client.found("check_text", &json!({"text": draft}));
    let passages = found["passages"].as_array().unwrap();
    assert_eq!(found["already_written"], 0.98, "{found}");
    let pages: Vec<&Value> = passages.iter().map(|passage| &passage["page"]).collect();
    assert_eq!(pages, ["park.md", "bread.md"], "{found}");
    let park = &passages[0];
    assert_eq!(park["my_lines"], json!([8, 12]), "{park}");
    assert_eq!(park["lines"], json!([5, 9]));
    assert_eq!(park["also_in"], json!({"total": 1, "pages": ["edited.md"]}));
    park["advice"].as_str().unwrap().says("park.md");
    // Changes on disk are seen at once.
    env.write("docs/copy.md", format!("# Copy\n\n{PARK_ZH}"));
    let found = client.found("check_page", &json!({"path": "copy.md"}));
    assert_eq!(found["passages"][0]["page"], "zh.md");
    let list = client.found("list_duplicates", &json!({}));
    assert_eq!(list["total"], 2, "{list}");
    assert_eq!(list["documents"], 5, "{list}");
    let passage = PARK.split("\n\n").next().unwrap();
    let found = client.found("find_passage", &json!({"text": passage}));
    assert_eq!(found["total"], 2, "{found}");
    assert_eq!(found["wordings"].as_array().unwrap().len(), 2);
    fs::remove_file(env.path("docs/copy.md")).unwrap();
    let list = client.found("list_duplicates", &json!({"folder": "."}));
    assert_eq!(list["total"], 1);
    let nothing = client.found("list_duplicates", &json!({"folder": "elsewhere"}));
    assert_eq!(nothing["total"], 0);
    assert_eq!(client.end(), (Some(0), String::new()));
    let found = fs::read_to_string(env.path("docs/.dupfind/.gitignore")).unwrap();
    assert_eq!(found, "*\n");
    // The folder of the index is hidden, and has no document.
    env.run("scan docs --hidden")
        .ok()
        .says("4 documents compared");
}

#[test]
fn every_page_that_has_a_paragraph_is_named() {
    let section = PARK.split("\n\n").next().unwrap();
    let mut env = Env::new();
    for page in 0..6 {
        // All have the section, and more of their own.
        let text = format!(
            "# Page {page}\n\n{}\n\n## Hours\n\n{section}\n",
            words(page, 90)
        );
        for version in ["v1.0", "v2.0"] {
            env = env.file(format!("docs/{version}/page{page}.md"), &text);
        }
    }
    let env = env.file("docs/v2.0/bread.md", format!("# Bread\n\n{BREAD}"));
    let mut client = Client::new(&env, "docs");
    let draft = format!("# New\n\n{section}\n\n{BREAD}");
    let found = client.found("check_text", &json!({"text": draft, "path": "v2.0/new.md"}));
    let [bread, park] = found["passages"].as_array().unwrap().as_slice() else {
        panic!("{found}");
    };
    assert_eq!(bread["page"], "v2.0/bread.md");
    assert_eq!(bread["also_in"]["total"], 0);
    assert_eq!(park["my_lines"], json!([3, 4]), "{park}");
    assert_eq!(
        park["also_in"]["total"], 5,
        "the other version is left out: {park}"
    );
    assert_eq!(park["also_in"]["pages"].as_array().unwrap().len(), 5);
    let expected = "Link to v2.0/page0.md#hours instead of saying it again";
    assert_eq!(park["advice"], expected);
    // Of a whole page the others have a part.
    let page = env.read("docs/v2.0/page0.md");
    let found = client.found("check_text", &json!({"text": page, "path": "v2.0/new.md"}));
    let whole = &found["passages"][0];
    assert_eq!(whole["page"], "v2.0/page0.md", "{found}");
    assert_eq!(whole["also_in"]["total"], 0);
    assert_eq!(whole["partly_in"]["total"], 5);
    assert_eq!(found["apart"], 6, "{found}");
    assert_eq!(found["accepted"], 0, "{found}");
    let found = client.found("find_passage", &json!({"text": section}));
    assert_eq!(found["total"], 12, "{found}");
}

#[test]
fn short_notes_are_found_if_words_change() {
    let notes = [
        "Backups are kept for ninety days in the Frankfurt region.",
        "The API token expires after thirty days; renew it in the admin console.",
        "Invoices are generated on the first working day of the month by a cron job.",
        "Unit tests must not open network connections.",
        "备份在法兰克福机房保留九十天。",
        "接口令牌三十天后过期，请在管理后台续期。",
        "发票由定时任务在每月第一个工作日生成。",
    ];
    let list: String = notes.iter().map(|note| format!("- {note}\n")).collect();
    let env = Env::new().file("docs/memory.md", format!("# Memory\n\n{list}"));
    let mut client = Client::new(&env, "docs");
    // A word or two were changed, it was worded anew, and it says something else.
    for [note, passage, perhaps] in table(
        "Backups are kept for sixty days in the Frankfurt region.              | 3 |
         备份在法兰克福机房保留六十天。                                        | 7 |
         Renew API tokens in the admin console: they expire after thirty days. |   | 4
         令牌的有效期是三十天，到期要去管理后台续。                            |   | 8
         The health endpoint answers without the database.                     |   |
         健康接口不查询数据库。                                                |   |",
    ) {
        let (passage, perhaps) = (passage.parse().ok(), perhaps.parse().ok());
        let found = client.found("check_text", &json!({"text": note}));
        let line = |key: &str| found[key][0]["lines"][0].as_u64();
        assert_eq!(line("passages"), passage, "{note}: {found}");
        assert_eq!(line("perhaps"), perhaps, "{note}: {found}");
        let is_written = found["already_written"].as_f64().unwrap() > 0.0;
        assert_eq!(is_written, passage.is_some(), "{note}: {found}");
    }
    // What an agent adds is known to the next question.
    let content = "The office in Lyon has a meeting room for twelve people.\n";
    env.write("docs/more.md", content);
    let found = client.found(
        "find_passage",
        &json!({"text": "Twelve people fit in the meeting room in Lyon."}),
    );
    assert_eq!(found["perhaps"][0]["page"], "more.md", "{found}");
}

#[test]
fn a_passage_with_another_number_may_be_newer() {
    let rule = "公园的长椅每三年油漆一次，枫树每五年修剪一次，湖边的栏杆每年检查两次；每次的费用不超过450元，\
                超出的部分由管理处在下一年的预算里列支，并在公告栏里说明原因。";
    let env = Env::new().file(
        "docs/park.md",
        format!("# 公园\n\n{PARK_ZH}\n{rule}\n\n{BREAD}"),
    );
    let mut client = Client::new(&env, "docs");
    let link = "Link to park.md instead of saying it again";
    let newer = "It is in park.md already: change it there if yours is newer, else write nothing";
    for (text, advice) in [
        (rule.to_owned(), link),
        (rule.replace("450", "600"), newer),
        (rule.replace("五年", "六年"), newer),
        (rule.replace("不超过", "超过"), newer),
        (rule.replace("修剪", "剪枝"), link),
    ] {
        let found = client.found("check_text", &json!({"text": text}));
        let told = found["passages"][0]["advice"].as_str().unwrap();
        assert_eq!(told.replace("park.md#公园", "park.md"), advice, "{text}");
    }
}

#[test]
fn lists_tell_what_stays_and_have_no_versions() {
    let page = |own: u64| format!("# Page\n\n{}\n", words(own, 90));
    let index = "# Home\n\nSee guide/linked.md and guide/linked2.md.\n";
    let env = Env::new()
        .file("docs/guide/tea/a.md", page(1))
        .file("docs/guide/tea/old/b.md", page(1))
        .file("docs/guide/linked.md", page(2))
        .file("docs/guide/linked2.md", page(2))
        .file("docs/index.md", index)
        .file("docs/guide/version-1/c.md", page(3))
        .file("docs/guide/version-2/c.md", page(3))
        .file("docs/skills/tea/LICENSE.txt", page(4))
        .file("docs/skills/ink/LICENSE.txt", page(4))
        .file("docs/skills/tea/run.py", page(5))
        .file("docs/skills/ink/run.py", page(5))
        .file("docs/skills/tea/SKILL.md", page(6))
        .file("docs/skills/ink/SKILL.md", page(6))
        .file("docs/x.md", format!("# X\n\n{}\n\n{PARK}", words(7, 200)))
        .file("docs/y.md", format!("# Y\n\n{}\n\n{PARK}", words(8, 200)));
    let mut client = Client::new(&env, "docs");
    let list = client.found("list_duplicates", &json!({"folder": "guide"}));
    let entries = list["entries"].as_array().unwrap();
    let of = |folder: &str| entries.iter().find(|entry| entry["folder"] == folder);
    assert_eq!(list["total"], 2, "versions are not listed: {list}");
    let tea = of("guide/tea/").unwrap();
    assert_eq!(tea["pages"].as_array().unwrap().len(), 2);
    let said = tea["stays"].as_str().unwrap();
    said.says("stays, guide/tea/");
    said.says("may go");
    let linked = of("guide/").unwrap()["stays"].as_str().unwrap();
    linked.says("named in index.md");
    let list = client.found("list_passages", &json!({}));
    let has = |text: &str| list["entries"].to_string().contains(text);
    assert!(has("x.md:5-") && has("y.md:5-"), "{list}");
    assert!(!has("version-1"), "{list}");
    assert!(!has("run.py"), "{list}");
    assert!(!has("LICENSE"), "{list}");
    // Copies that are pages are in the list.
    assert!(has("skills/tea/SKILL.md:3\""), "{list}");
    let list = client.found("list_duplicates", &json!({"folder": "skills"}));
    assert_eq!(
        list["total"], 2,
        "instructions, and code with licences: {list}"
    );
    list["entries"][1]["what"]
        .as_str()
        .unwrap()
        .says("code and data: 4 files");
    let skills = &list["entries"][0];
    let said = skills["stays"].as_str().unwrap();
    said.says("instructions that an agent reads alone");
}

#[test]
fn a_list_comes_in_parts() {
    let env = Env::new();
    for number in 0..40 {
        let words = (0..60).map(|at| format!("word{}of{at}", number / 2));
        let words: Vec<String> = words.collect();
        env.write(format!("page{number}.txt"), words.join(" "));
    }
    let mut client = Client::new(&env, "");
    let (mut pages, mut cursor, mut parts) = (Vec::new(), json!(null), 0);
    loop {
        let asked = match &cursor {
            Value::Null => json!({}),
            cursor => json!({"cursor": cursor}),
        };
        let part = client.found("list_duplicates", &asked);
        for entry in part["entries"].as_array().unwrap() {
            assert_eq!(entry["rank"], pages.len() + 1);
            pages.push(entry["pages"].clone());
        }
        (cursor, parts) = (part["next_cursor"].clone(), parts + 1);
        if cursor.is_null() {
            break;
        }
    }
    assert!(parts > 1);
    pages.sort_by_key(ToString::to_string);
    pages.dedup();
    assert_eq!(pages.len(), 20);
    let part = client.found("list_duplicates", &json!({"cursor": "18"}));
    assert_eq!(part["entries"].as_array().unwrap().len(), 2);
    assert_eq!(part["next_cursor"], json!(null));
}

#[test]
fn a_small_passage_is_named_by_the_cursor_and_the_list_ends() {
    let page = |seed| format!("{}{}", words(0, 40), words(seed, 2_000));
    let env = Env::new().file("a.md", page(1)).file("b.md", page(2));
    let mut client = Client::new(&env, "");
    let first = client.found("check_page", &json!({"path": "a.md"}));
    assert_eq!(first["passages"], json!([]));
    assert_eq!(first["next_cursor"], "0");
    let next = client.found("check_page", &json!({"path": "a.md", "cursor": "0"}));
    assert_eq!(next["passages"][0]["page"], "b.md", "{next}");
    assert_eq!(next["next_cursor"], json!(null));
}

/// A page that has only links, from one number to another.
fn menu(from: u64, to: u64) -> String {
    let item = |at: u64| format!("- [{}](page{at}.md)\n", words(at, 4).trim());
    (from..to).map(item).collect()
}

#[test]
fn a_duplicate_is_named_whatever_its_text_is() {
    let own = format!("# Guide\n\n{}", menu(0, 100));
    let near = format!(
        "# Guide\n\n{}{}{}",
        menu(0, 50),
        menu(150, 151),
        menu(51, 100)
    );
    let longer = format!("{own}{}", menu(200, 350));
    // It has a part of the page.
    let notes = format!("# Notes\n\n{}\n{}\n", menu(0, 12), words(900, 200));
    for (other, verdict, advice) in [
        (&own, "exact", "Keep one of the two, and link to it"),
        (&near, "near", "If both are for the same readers, merge"),
        (&longer, "contains", "Link to TOC-2.md"),
    ] {
        let env = Env::new()
            .file("TOC.md", &own)
            .file("TOC-2.md", other)
            .file("notes.md", &notes);
        let mut client = Client::new(&env, "");
        let found = client.found("check_page", &json!({"path": "TOC.md"}));
        let first = &found["passages"][0];
        assert_eq!(first["page"], "TOC-2.md", "{verdict}: {found}");
        assert_eq!(first["verdict"], verdict, "{found}");
        first["advice"].as_str().unwrap().says(advice);
        assert!(found["already_written"].as_f64() > Some(0.9), "{found}");
    }
    // Nobody links to a table of contents that only has a part of the page.
    let env = Env::new().file("TOC.md", &own).file("notes.md", &notes);
    let mut client = Client::new(&env, "");
    let found = client.found("check_page", &json!({"path": "notes.md"}));
    assert_eq!(found["passages"], json!([]), "{found}");
}

#[test]
fn a_duplicate_comes_before_a_longer_passage() {
    let [shared, part] = [words(1, 300), words(4, 200)];
    let page = format!(
        "# Page\n\n{shared}\n\n{}\n\n## Part\n\n{part}\n",
        words(2, 100)
    );
    let env = Env::new()
        .file("page.md", page)
        .file(
            "other.md",
            format!("# Other\n\n{}\n\n{shared}\n", words(3, 900)),
        )
        .file("part.md", format!("# Part\n\n{part}\n"));
    let mut client = Client::new(&env, "");
    let found = client.found("check_page", &json!({"path": "page.md"}));
    let of = |key: &str| [0, 1].map(|at| found["passages"][at][key].clone());
    assert_eq!(of("page"), ["part.md", "other.md"], "{found}");
    assert_eq!(of("verdict")[0], "contains", "{found}");
    let [first, second] = of("share").map(|share| share.as_f64().unwrap());
    assert!(first < second, "{found}");
}

#[test]
fn a_place_of_one_line_has_one_number() {
    let text = format!("{}\n", words(1, 60));
    let env = Env::new().file("a.md", &text).file("b.md", &text);
    let list = Client::new(&env, "").found("list_passages", &json!({}));
    assert_eq!(list["entries"][0]["places"], json!(["a.md:1", "b.md:1"]));
}

#[test]
fn a_folder_that_is_not_there_ends_the_server_at_once() {
    let env = site();
    env.run("mcp nofolder").fails("nofolder: not found");
    assert_eq!(
        env.run("mcp nofolder").stderr,
        env.run("query nofolder outside.md").stderr
    );
    env.run("mcp outside.md").fails("outside.md is no folder");
    let missing = env.path("nofolder").display().to_string();
    env.run(["lsp", &missing]).fails("nofolder: not found");
}

#[test]
fn wrong_arguments_are_answered_with_what_would_be_right() {
    let env = site();
    #[cfg(unix)]
    let env = env.link("docs/link.md", "../outside.md");
    let mut client = Client::new(&env, "docs");
    for [tool, arguments, expected] in table(
        r#"check_text | {}                                   | missing field `text` in the arguments of check_text
           check_text | {"text": "..."}                      | no letter, ideograph or digit
           check_text | {"text": 5}                          | expected a string
           check_text | {"text": "a", "pth": "b"}            | pth
           check_text | {"text": "a b c", "path": "../x.md"} | is not below
           check_page | {"path": "../outside.md"}            | is not below
           check_page | {"path": "old/park.md"}              | did you mean park.md?
           check_page | {"path": ""}                         | the path is empty
           check_page | {"path": "park.md", "cursor": "x"}   | 'cursor' is the 'next_cursor'"#,
    ) {
        client.lesson(tool, value(arguments)).says(expected);
    }
    let outside = json!({"path": env.path("outside.md")});
    client.lesson("check_page", outside).says("is not below");
    #[cfg(unix)]
    client
        .lesson("check_page", json!({"path": "link.md"}))
        .says("there is no document");
    let inside = env.path("docs/park.md");
    assert_eq!(
        client.found("check_page", &json!({"path": inside})),
        client.found("check_page", &json!({"path": "park.md"}))
    );
    for tool in ["nothing", "accept", ""] {
        assert_eq!(client.call(tool, json!({}))["error"]["code"], -32602);
    }
}

#[test]
fn the_configured_baseline_is_used_from_any_folder() {
    for folder in [".", "docs"] {
        let env = site().file("docs/dupfind.toml", "baseline = \".ok-baseline\"\n");
        let pages = if folder == "." { "docs" } else { "." };
        let mut client = Client::starting_in(&env, folder, [pages]);
        let words = "accept docs/park.md docs/edited.md docs";
        env.run((words, "-q --reason 'two towns'")).ok();
        assert!(env.path("docs/.ok-baseline").is_file(), "{folder}");
        let found = client.found("check_page", &json!({"path": "park.md"}));
        assert_eq!(found["accepted"], 1, "{folder}");
    }
    // The first one comes while the server runs.
    let env = site();
    let mut client = Client::new(&env, "docs");
    let mut accepted =
        || client.found("check_page", &json!({"path": "park.md"}))["accepted"].clone();
    assert_eq!(accepted(), 0);
    let words = "accept docs/park.md docs/edited.md docs";
    env.run((words, "-q --reason 'two towns'")).ok();
    assert_eq!(accepted(), 1);
}

#[test]
fn both_kinds_of_protocol_are_spoken() {
    let env = site();
    let mut client = Client::new(&env, "docs");
    for (wanted, expected) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2031-01-01", "2025-11-25"),
    ] {
        let params = json!({"protocolVersion": wanted, "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}});
        let result = client.ask("initialize", params)["result"].clone();
        assert_eq!(result["protocolVersion"], expected);
        assert!(result["instructions"].as_str().unwrap().lines().count() == 5);
    }
    client.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    // A client of the oldest versions takes the text, which has everything.
    for version in ["2025-03-26", "2025-11-25"] {
        client.ask("initialize", json!({"protocolVersion": version}));
        let result = client.call("check_page", json!({"path": "park.md"}))["result"].clone();
        let text = result["content"][0]["text"].as_str().unwrap();
        let text: Value = serde_json::from_str(text).unwrap();
        assert_eq!(text, result["structuredContent"]);
    }
    assert_eq!(client.ask("ping", json!({}))["result"], json!({}));
    let meta = |version: &str| {
        json!({
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientCapabilities": {},
        })
    };
    let found = client.ask("server/discover", json!({"_meta": meta("2026-07-28")}));
    assert_eq!(found["result"]["supportedVersions"][0], "2026-07-28");
    assert_eq!(found["result"]["resultType"], "complete");
    let list = client.ask("tools/list", json!({"_meta": meta("2026-07-28")}));
    assert_eq!(list["result"]["tools"].as_array().unwrap().len(), 5);
    assert!(list["result"]["ttlMs"].is_number() && list["result"]["cacheScope"].is_string());
    for tool in list["result"]["tools"].as_array().unwrap() {
        assert_eq!(tool["annotations"]["readOnlyHint"], true);
    }
    let params = json!({"name": "check_page", "arguments": {"path": "park.md"}, "_meta": meta("2026-07-28")});
    let found = client.ask("tools/call", params);
    assert_eq!(found["result"]["resultType"], "complete");
    let refused = client.ask("tools/list", json!({"_meta": meta("2027-01-01")}));
    assert_eq!(refused["error"]["code"], -32022);
    assert_eq!(refused["error"]["data"]["requested"], "2027-01-01");
    assert_eq!(refused["error"]["data"]["supported"][0], "2026-07-28");
    let initialize = client.ask("initialize", json!({"_meta": meta("2026-07-28")}));
    assert_eq!(initialize["error"]["code"], -32022);
    for (method, params, code) in [
        ("server/discover", json!({}), -32602),
        (
            "tools/list",
            json!({"_meta": {"io.modelcontextprotocol/protocolVersion": 5}}),
            -32602,
        ),
        ("tools/call", json!({}), -32602),
        ("tools/call", json!([]), -32602),
        ("resources/list", json!({}), -32601),
    ] {
        let answer = client.ask(method, params.clone());
        assert_eq!(answer["error"]["code"], code, "{method} {params}");
    }
}

#[test]
fn lines_that_are_no_requests_end_nothing() {
    let env = site();
    let mut client = Client::new(&env, "docs");
    let long = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"{}"}}"#,
        "x".repeat(17 << 20)
    );
    let deep = "[".repeat(100_000);
    for (line, code) in [
        ("nothing", -32700),
        ("{\"id\":", -32700),
        (&*deep, -32700),
        ("[]", -32600),
        ("5", -32600),
        ("{}", -32600),
        (&*long, -32600),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":5}"#, -32600),
        // They would be rounded.
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600),
        (
            r#"{"jsonrpc":"2.0","id":123456789012345678901,"method":"ping"}"#,
            -32600,
        ),
    ] {
        client.send(line);
        let answer = client.receive();
        assert_eq!(answer["error"]["code"], code, "{:.80}", line);
    }
    for id in ["18446744073709551615", "-9223372036854775808", "\"a\""] {
        client.send(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#));
        assert_eq!(client.receive()["id"].to_string(), id);
    }
    // A text that was cut within an emoji, and one that was not.
    for [text, id] in [[r"\ud83d", r"\ud83d"], [r"\ude00\\ud83d", r"\ud83d\ude00"]] {
        let params = format!(r#"{{"name":"find_passage","arguments":{{"text":"{text}"}}}}"#);
        let method = r#""method":"tools/call","params""#;
        client.send(&format!(
            r#"{{"jsonrpc":"2.0","id":"a{id}",{method}:{params}}}"#
        ));
        let answer = client.receive();
        assert!(answer["id"].as_str().unwrap().starts_with('a'), "{answer}");
    }
    // Neither of these has an answer.
    client.send("\n");
    client.send(r#"{"jsonrpc":"2.0","id":7,"result":{}}"#);
    client.send(r#"{"jsonrpc":"2.0","method":"notifications/other"}"#);
    assert_eq!(client.ask("ping", json!({}))["result"], json!({}));
    assert_eq!(client.end(), (Some(0), String::new()));
}

#[test]
fn a_client_may_die() {
    let env = site();
    let mut client = Client::new(&env, "docs");
    let params = json!({"name": "list_duplicates"});
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    client.send(&request.to_string());
    drop(client.output);
    drop(client.input.take());
    assert_eq!(client.child.wait().unwrap().code(), Some(0));
    // The index is whole.
    assert!(env.path("docs/.dupfind/index").is_file());
    env.run("query docs docs/park.md").omits("anew");
}

/// The skill names the tools that there are, and its loop works.
#[test]
fn the_skill_names_tools_and_fields_that_are_there() {
    let skill = Page::read("docs/skills/dupfind/SKILL.md").text;
    let env = site();
    let mut client = Client::new(&env, "docs");
    let tools = client.ask("tools/list", json!({}))["result"]["tools"].to_string();
    for name in skill.split('`').skip(1).step_by(2) {
        let is_command = name.contains(' ') || name.contains("docs");
        assert!(
            is_command || tools.contains(name) || name == "dupfind",
            "{name}"
        );
    }
    for tool in "check_text check_page find_passage list_duplicates list_passages".split(' ') {
        skill.says(format!("`{tool}`"));
    }
}

/// The conversation of the guide: `write NAME` with a text, `call TOOL ARGUMENTS`, and the answer of the tool.
#[test]
fn the_conversation_of_the_guide_is_a_real_one() {
    let page = Page::read("docs/agents.md");
    let blocks = page.code_blocks();
    let (_, range) = blocks
        .into_iter()
        .find(|(language, _)| language == "text")
        .unwrap();
    let env = Env::new();
    let mut client = Client::new(&env, "");
    let block = page.text[range.clone()].to_owned();
    let mut now = String::new();
    let mut lines = block.lines().peekable();
    while let Some(line) = lines.next() {
        now += &format!("{line}\n");
        if let Some(name) = line.strip_prefix("write ") {
            let mut text = String::new();
            while let Some(more) = lines.next_if(|line| line.starts_with("    ") || line.is_empty())
            {
                now += &format!("{more}\n");
                text += &format!("{}\n", more.trim());
            }
            env.write(name, text.trim());
        } else if let Some(call) = line.strip_prefix("call ") {
            let (tool, arguments) = call.split_once(' ').unwrap();
            let found = client.found(tool, &serde_json::from_str(arguments).unwrap());
            lines.next_if(|line| line.starts_with("  {"));
            now += &format!("  {found}\n");
        }
    }
    if std::env::var_os("DUPFIND_UPDATE_DOCS").is_some() {
        let mut text = page.text.clone();
        text.replace_range(range, &now);
        page.rewrite(&text);
    } else {
        assert_eq!(block, now);
    }
}
