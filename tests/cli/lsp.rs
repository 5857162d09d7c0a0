//! `dupfind lsp`: the messages to an editor while somebody writes.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::env::{BREAD, Env, PARK, PARK_EDITED, PARK_ZH, Says, value};
use crate::scale::words;

/// An editor.
pub(crate) struct Editor {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    id: u64,
    /// Messages that came while it waited for another one.
    told: Vec<Value>,
}

impl Editor {
    /// Starts the server for some folders of the workspace.
    pub(crate) fn new(env: &Env, folders: &[&str]) -> Self {
        Self::with(env, folders, "lsp")
    }

    fn with(env: &Env, folders: &[&str], words: &str) -> Self {
        let mut command = env.std_command(words);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut editor = Self {
            input: child.stdin.take(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
            id: 0,
            told: Vec::new(),
        };
        let folders = folders.iter();
        let folders = folders.map(|folder| json!({"uri": uri(env, folder), "name": folder}));
        let folders: Vec<Value> = folders.collect();
        let result = editor.ask(
            "initialize",
            &json!({
                "processId": null,
                "rootUri": null,
                "workspaceFolders": folders,
                "capabilities": {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}}},
            }),
        );
        assert_eq!(result["result"]["capabilities"]["hoverProvider"], true);
        editor.tell("initialized", &json!({}));
        editor
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        let input = self.input.as_mut().unwrap();
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(
                self.output.read_line(&mut line).unwrap() > 0,
                "the server is gone"
            );
            match line.trim().split_once(": ") {
                Some(("Content-Length", found)) => length = found.parse().unwrap(),
                _ if line.trim().is_empty() => break,
                _ => {}
            }
        }
        let mut text = vec![0; length];
        self.output.read_exact(&mut text).unwrap();
        serde_json::from_slice(&text).unwrap()
    }

    fn tell(&mut self, method: &str, params: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.id += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params}));
        loop {
            let message = self.receive();
            if message.get("method").is_none() && message["id"] == self.id {
                return message;
            }
            self.told.push(message);
        }
    }

    /// Writes texts as versions of a document from this one on, and asserts that they share no passage with other pages.
    fn shares_nothing(&mut self, uri: &str, from: u64, texts: &[String]) {
        for (version, text) in (from..).zip(texts) {
            self.write(uri, version, text);
            assert_eq!(self.diagnostics(uri, version), [] as [Value; 0], "{text}");
        }
    }

    /// Returns the diagnostics of a version of a document.
    fn diagnostics(&mut self, uri: &str, version: u64) -> Vec<Value> {
        let is_it = |message: &Value| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
                && message["params"]["version"] == version
        };
        let message = match self.told.iter().position(is_it) {
            Some(at) => self.told.remove(at),
            None => loop {
                let message = self.receive();
                if is_it(&message) {
                    break message;
                }
                self.told.push(message);
            },
        };
        self.told.retain(|message| !is_it(message));
        message["params"]["diagnostics"].as_array().unwrap().clone()
    }

    pub(crate) fn open(&mut self, uri: &str, text: &str) -> Vec<Value> {
        let document = json!({"uri": uri, "languageId": "markdown", "version": 1, "text": text});
        self.tell("textDocument/didOpen", &json!({"textDocument": document}));
        self.diagnostics(uri, 1)
    }

    fn write(&mut self, uri: &str, version: u64, text: &str) {
        self.tell(
            "textDocument/didChange",
            &json!({"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]}),
        );
    }

    fn actions(&mut self, uri: &str, diagnostic: &Value) -> Vec<Value> {
        let context = json!({"diagnostics": [diagnostic]});
        let params =
            json!({"textDocument": {"uri": uri}, "range": diagnostic["range"], "context": context});
        let answer = self.ask("textDocument/codeAction", &params);
        answer["result"].as_array().unwrap().clone()
    }

    /// Ends the server in order, and returns its exit status.
    pub(crate) fn end(mut self) -> Option<i32> {
        self.ask("shutdown", &json!(null));
        self.tell("exit", &json!(null));
        self.child.wait().unwrap().code()
    }
}

pub(crate) fn uri(env: &Env, name: &str) -> String {
    format!("file://{}", env.path(name).display())
}

/// Returns what names a document in a message.
fn of(uri: &str) -> Value {
    json!({"textDocument": {"uri": uri}})
}

/// Returns a text after the edits of an action. Characters count in units of UTF-16.
fn applied(text: &str, action: &Value, uri: &str) -> String {
    let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
    let starts: Vec<usize> = starts.collect();
    let at = |place: &Value| {
        let [line, character] =
            ["line", "character"].map(|key| usize::try_from(place[key].as_u64().unwrap()).unwrap());
        let from = &text[starts[line]..];
        let mut units = 0;
        let here = from.char_indices().find(|(_, c)| {
            units += c.len_utf16();
            units > character
        });
        starts[line] + here.map_or(from.len(), |(at, _)| at)
    };
    let edits = action["edit"]["changes"][uri].as_array().unwrap().iter();
    let mut edits: Vec<&Value> = edits.collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(at(&edit["range"]["start"])));
    let mut text = text.to_owned();
    for edit in edits {
        let range = at(&edit["range"]["start"])..at(&edit["range"]["end"]);
        text.replace_range(range, edit["newText"].as_str().unwrap());
    }
    text
}

fn site() -> Env {
    Env::new()
        .file(
            "site/park.md",
            format!("# The park\n\n## Opening\n\n{PARK}"),
        )
        .file("site/deep/bread.md", format!("# Bread\n\n{BREAD}"))
        .file("site/zh.md", format!("# 公园\n\n{PARK_ZH}"))
        .file("site/.hidden.md", PARK)
        .file("outside.md", PARK)
}

#[test]
fn passages_of_other_pages_are_reported_while_they_are_typed() {
    let env = site();
    let mut editor = Editor::new(&env, &["site"]);
    // It is not saved.
    let draft = uri(&env, "site/deep/new.md");
    assert_eq!(editor.open(&draft, "# New\n"), [] as [Value; 0]);
    let first = PARK.split("\n\n").next().unwrap();
    let text = format!(
        "# New\n\nSomething of its own comes first, and it is long enough to be a text.\n\n{first}\n\nThe end.\n"
    );
    editor.write(&draft, 2, &text);
    let told = editor.diagnostics(&draft, 2);
    assert_eq!(told.len(), 1, "{told:?}");
    let expected = json!({"line": 4, "character": 0});
    assert_eq!(told[0]["range"]["start"], expected);
    assert_eq!(told[0]["range"]["end"]["line"], 5);
    assert_eq!(told[0]["source"], "dupfind");
    let page = told[0].get("codeDescription");
    assert!(page.is_none_or(|page| page["href"].as_str().unwrap().starts_with("https://")));
    let related = &told[0]["relatedInformation"][0];
    assert_eq!(related["location"]["uri"], uri(&env, "site/park.md"));
    assert_eq!(related["location"]["range"]["start"]["line"], 4);
    assert_eq!(related["message"], "The park");
    let hover = editor.ask(
        "textDocument/hover",
        &json!({"textDocument": {"uri": draft}, "position": {"line": 0, "character": 0}}),
    );
    hover["result"]["contents"]["value"]
        .as_str()
        .unwrap()
        .says("`park.md`");
    // The actions, as the editor would apply them.
    let actions = editor.actions(&draft, &told[0]);
    let titled = |start: &str| {
        let mut all = actions.iter();
        all.find(|action| action["title"].as_str().unwrap().starts_with(start))
            .unwrap_or_else(|| panic!("{start}: {actions:?}"))
    };
    let command = titled("Open park.md")["command"].clone();
    editor.ask("workspace/executeCommand", &command);
    let mut shown = editor.told.iter();
    let shown = shown
        .find(|message| message["method"] == "window/showDocument")
        .unwrap();
    assert_eq!(shown["params"]["uri"], uri(&env, "site/park.md"));
    let linked = applied(&text, titled("Replace it by a link"), &draft);
    linked.says("\n\n[Opening](../park.md#opening)\n\nThe end.");
    let marked = applied(&text, titled("Mark"), &draft);
    editor.shares_nothing(&draft, 3, &[linked, marked]);
    assert_eq!(editor.end(), Some(0));
    assert!(!env.path("site/deep/new.md").exists());
}

#[test]
fn a_code_block_is_edited_with_its_fences() {
    // Most of it is text.
    let code = format!("{PARK}\n```text\n{}\n```\n", BREAD.trim_end());
    let env = Env::new().file("site/bread.md", format!("# Bread\n\n{code}"));
    let mut editor = Editor::new(&env, &["site"]);
    let draft = uri(&env, "site/new.md");
    let text = format!(
        "# New\n\nSomething of its own, long enough to be a text.\n\n{code}\nAll else is on other pages, and this line is long enough to be no part of it.\n"
    );
    let told = editor.open(&draft, &text);
    assert_eq!(told.len(), 1, "{told:?}");
    let actions = editor.actions(&draft, &told[0]);
    let edits = ["Mark", "Replace"].map(|start| {
        let mut all = actions.iter();
        let titled = |action: &&Value| action["title"].as_str().unwrap().starts_with(start);
        applied(&text, all.find(titled).unwrap(), &draft)
    });
    edits[0].says(format!(
        "\n\n<!-- dupfind: off -->\n\n{code}\n<!-- dupfind: on -->\n"
    ));
    edits[1].says("\n\n[Bread](bread.md)\n\nAll else");
    editor.shares_nothing(&draft, 2, &edits);
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn a_stretch_with_anything_of_its_own_is_not_replaced() {
    let [first, second] = [0, 1].map(|at| PARK.split("\n\n").nth(at).unwrap());
    let env = Env::new().file(
        "site/park.md",
        format!("# The park\n\n{first}\n\n{second}\n"),
    );
    let mut editor = Editor::new(&env, &["site"]);
    for (number, (between, is_offered)) in [
        ("", true),
        ("![](map.png)", false),
        ("<!-- keep this note -->", false),
    ]
    .into_iter()
    .enumerate()
    {
        let draft = uri(&env, &format!("site/new{number}.md"));
        let text = format!(
            "# New\n\nSomething of its own comes first.\n\n{first}\n\n{between}\n\n{second}\n"
        );
        let told = editor.open(&draft, &text);
        assert_eq!(told.len(), 1, "{between}: {told:?}");
        let actions = editor.actions(&draft, &told[0]);
        let mut titles = actions
            .iter()
            .map(|action| action["title"].as_str().unwrap());
        assert_eq!(
            titles.any(|title| title.starts_with("Replace")),
            is_offered,
            "{between}"
        );
    }
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn an_action_leaves_whole_what_is_around_a_passage() {
    let [shared, more] = [1, 2].map(|seed| words(seed, 60).trim().to_owned());
    let own = |seed| words(seed, 90);
    let source = format!("# Source\n\n## Lists\n\n{shared}\n\n## Leaving\n\n{more}\n");
    let env = Env::new().file("site/source.md", source);
    let mut editor = Editor::new(&env, &["site"]);
    for (number, (name, passage, expected)) in [
        ("md", shared.clone(), "Mark Replace"),
        ("md", format!("!!! note\n    {shared}\n\n    Mine."), ""),
        ("md", format!("1. One.\n1. {shared}\n1. Three."), ""),
        ("md", format!("Term\n: {shared}"), ""),
        ("md", format!("> Mine.\n>\n> {shared}"), ""),
        ("md", format!("- {shared}"), "Mark"),
        // A heading may be linked to.
        ("md", format!("## Lists\n\n{shared}"), "Mark Replace"),
        (
            "md",
            format!("## Lists\n\n{shared}\n\n## Leaving\n\n{more}"),
            "Mark",
        ),
        ("html", format!("<p>\n{shared}\n</p>"), "Mark"),
        (
            "html",
            format!("<!doctype html><title>x</title><p>{shared}</p>"),
            "",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let [before, after] = [10, 11].map(own);
        let text = match passage.starts_with("<!") {
            true => format!("{passage}<p>{before}</p>"),
            false => format!("{before}\n\n{passage}\n\n{after}"),
        };
        let draft = uri(&env, &format!("site/new{number}.{name}"));
        let told = editor.open(&draft, &text);
        assert_eq!(told.len(), 1, "{passage}: {told:?}");
        let actions = editor.actions(&draft, &told[0]);
        let first = |action: &Value| {
            let title = action["title"].as_str().unwrap();
            title.split(' ').next().unwrap().to_owned()
        };
        let titles: Vec<String> = actions.iter().skip(1).map(first).collect();
        assert_eq!(titles.join(" "), expected, "{passage}");
        if passage.starts_with("##") && expected.ends_with("Replace") {
            let linked = applied(&text, &actions[2], &draft);
            linked.says("\n\n## Lists\n\n[Lists](source.md#lists)\n\n");
        }
        editor.tell("textDocument/didClose", &of(&draft));
    }
    // The other page is to become a link to this one.
    let text = format!(
        "{}\n\n{shared}\n\n{more}\n\n{}",
        words(7, 200),
        words(8, 200)
    );
    env.write("site/whole.md", &text);
    let whole = uri(&env, "site/whole.md");
    let told = editor.open(&whole, &text);
    let message = told[0]["message"].as_str().unwrap();
    message.says("make it a link to this page");
    let actions = editor.actions(&whole, &told[0]);
    assert_eq!(actions.len(), 2, "{actions:?}");
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn the_folder_of_the_command_line_counts_without_one_of_the_editor() {
    let env = site();
    for words in ["lsp", "lsp site"] {
        let mut editor = Editor::with(&env, &[], words);
        let told = editor.open(&uri(&env, "site/new.md"), PARK);
        assert_eq!(told.len(), 1, "{told:?}");
        // In no order.
        editor.tell("exit", &json!(null));
        assert_eq!(editor.child.wait().unwrap().code(), Some(1));
    }
    let text = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#;
    let input = format!("Content-Length: {}\r\n\r\n{text}", text.len());
    let run = env.run_with(input, "lsp nodir");
    assert_eq!(run.code, Some(2), "{run:?}");
    run.stdout
        .says("\"error\":{\"code\":-32602,\"message\":\"nodir: not found\"}");
}

#[test]
fn a_page_that_is_saved_changes_what_others_show() {
    let env = site();
    let mut editor = Editor::new(&env, &["site"]);
    let (new, park) = (uri(&env, "site/new.md"), uri(&env, "site/park.md"));
    assert_eq!(editor.open(&new, PARK).len(), 1);
    assert_eq!(editor.open(&park, &env.read("site/park.md")).len(), 1);
    editor.write(&new, 2, "# New\n");
    assert_eq!(editor.diagnostics(&new, 2), [] as [Value; 0]);
    editor.tell("textDocument/didSave", &of(&new));
    assert_eq!(editor.diagnostics(&park, 1), [] as [Value; 0]);
    let registers = |told: &Value| told["method"] == "client/registerCapability";
    assert!(editor.told.iter().any(registers), "{:?}", editor.told);
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn an_editor_and_a_query_tell_one_share() {
    let env = Env::new().file("site/park.md", PARK);
    let env = env.file("site/draft.md", PARK_EDITED);
    let mut editor = Editor::new(&env, &["site"]);
    let draft = uri(&env, "site/draft.md");
    let told = editor.open(&draft, PARK_EDITED);
    let query = "query site site/draft.md";
    let answer = value(env.run((query, "-f json")).ok());
    assert_eq!(answer["pairs"][0].get("share"), None);
    let share = answer["pairs"][0]["a_in_b"].as_f64().unwrap();
    let share = format!("{} %", (share * 100.0).floor());
    assert_ne!(share, "100 %");
    env.run(query).stdout.says(format!("  {share}  "));
    let told = told[0]["message"].as_str().unwrap();
    told.says(format!("{share} of this page is in park.md. "));
    let hover = editor.ask(
        "textDocument/hover",
        &json!({"textDocument": {"uri": draft}, "position": {"line": 0, "character": 0}}),
    );
    let hover = hover["result"]["contents"]["value"].as_str().unwrap();
    hover.says(format!("too:\n\n* `park.md`: {share}"));
}

#[test]
fn code_and_what_pages_of_one_form_share_are_no_diagnostic() {
    let rows = (0..8).map(|at| format!("| key{at} | {} |\n", words(at, 8)));
    let rows: String = rows.collect();
    let table = format!("| Key | Meaning |\n|---|---|\n{rows}");
    let form: String = (0..8).map(|at| format!("{}it. ", words(at, 9))).collect();
    let swapped = form.replace("it.", "this.");
    let code = |text: &str| format!("```text\n{text}```\n");
    let (short, long) = (words(9, 30), words(9, 60));
    let example = format!("{}\n{PARK}", words(7, 80));
    for (other, mine, own, pages, expected) in [
        (&code(BREAD), &code(BREAD), 40, 1, 0),
        (&BREAD.to_owned(), &BREAD.to_owned(), 40, 1, 1),
        // Examples that are near by their code: a scan says so, too.
        (&code(&example), &code(&example), 12, 1, 1),
        (&example, &example, 12, 1, 1),
        (&table, &table, 300, 1, 0),
        (&swapped, &form, 300, 1, 0),
        (&form, &form, 300, 1, 1),
        (&short, &short, 300, 3, 1),
        // A short one of several pages, and a long one of many.
        (&short, &short, 300, 4, 0),
        (&long, &long, 300, 4, 1),
        (&long, &long, 300, 10, 0),
    ] {
        let page = |seed, text: &str| format!("# Page\n\n{text}\n{}\n", words(seed, own));
        let env = Env::new();
        for at in 0..pages {
            env.write(format!("site/{at}.md"), page(100 + at, other));
        }
        let mut editor = Editor::new(&env, &["site"]);
        let told = editor.open(&uri(&env, "site/new.md"), &page(99, mine));
        assert_eq!(told.len(), expected, "{pages}: {mine} {told:?}");
        assert_eq!(editor.end(), Some(0));
    }
}

#[test]
fn duplicates_are_reported_whatever_they_are_and_however_many() {
    let item = |at: u64| format!("- [{}](page{at}.md)\n", words(at, 4).trim());
    let menu = format!("# Guide\n\n{}", (0..60).map(item).collect::<String>());
    let cells = |at: u64| {
        format!(
            "| {} | {} |\n",
            words(at, 3).trim(),
            words(at + 500, 3).trim()
        )
    };
    let rows: String = (0..40).map(cells).collect();
    let table = format!("# Table\n\n| a | b |\n|---|---|\n{rows}");
    for (text, names) in [
        (&menu, &["TOC.md"][..]),
        // A table has no running text.
        (&table, &["a.md", "b.md", "c.md", "d.md", "e.md"]),
    ] {
        let env = Env::new();
        for name in names {
            env.write(format!("site/{name}"), text);
        }
        let mut editor = Editor::new(&env, &["site"]);
        let told = editor.open(&uri(&env, "site/toc-new.md"), text);
        assert_eq!(told.len(), 1, "{told:?}");
        assert_eq!(told[0]["code"], "exact");
        told[0]["message"].as_str().unwrap().says(names[0]);
        assert_eq!(editor.end(), Some(0));
    }
}

#[test]
fn open_texts_count_and_accepted_pairs_do_not() {
    let env = site().file("other/a.md", PARK);
    let mut editor = Editor::new(&env, &["site", "other"]);
    let (park, new) = (uri(&env, "site/park.md"), uri(&env, "site/new.md"));
    // Neither of the two is saved as it is.
    assert_eq!(editor.open(&park, "# Empty\n"), [] as [Value; 0]);
    assert_eq!(editor.open(&new, PARK_EDITED), [] as [Value; 0]);
    editor.write(&park, 2, &format!("# The park\n\n{PARK}"));
    let told = editor.diagnostics(&park, 2);
    assert_eq!(told[0]["relatedInformation"][0]["location"]["uri"], new);
    editor.tell("textDocument/didClose", &of(&park));
    fs::write(env.path("site/new.md"), PARK_EDITED).unwrap();
    editor.tell("textDocument/didSave", &of(&new));
    let told = editor.diagnostics(&new, 1);
    let found = &told[0]["relatedInformation"][0]["location"]["uri"];
    assert_eq!(*found, park, "{told:?}");
    // A page of another folder is compared with those of its own.
    let other = uri(&env, "other/b.md");
    let told_there = editor.open(&other, PARK_EDITED);
    let found = &told_there[0]["relatedInformation"][0]["location"]["uri"];
    assert_eq!(*found, uri(&env, "other/a.md"));
    assert_eq!(told_there[0]["relatedInformation"][1], json!(null));
    env.run("accept site/new.md site/park.md site --reason x --baseline site/.dupfind-baseline");
    editor.tell("textDocument/didSave", &of(&new));
    assert_eq!(editor.diagnostics(&new, 1), [] as [Value; 0]);
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn many_open_pages_delay_no_answer() {
    let env = site();
    let mut editor = Editor::new(&env, &["site"]);
    let pages = 400;
    for page in 0..pages {
        let name = uri(&env, &format!("site/new{page}.md"));
        let text = words(page * 3, 120);
        let document = json!({"uri": name, "languageId": "markdown", "version": 1, "text": text});
        editor.tell("textDocument/didOpen", &json!({"textDocument": document}));
    }
    let page = uri(&env, "site/new0.md");
    editor.ask("textDocument/hover", &of(&page));
    assert!(
        editor.told.len() < 100,
        "{} were checked first",
        editor.told.len()
    );
    for page in 0..pages {
        editor.diagnostics(&uri(&env, &format!("site/new{page}.md")), 1);
    }
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn nothing_outside_of_the_workspace_is_reported() {
    let env = site();
    let mut editor = Editor::new(&env, &["site"]);
    for name in ["outside.md", "site/.hidden.md", "site/../outside.md"] {
        let expected = [] as [Value; 0];
        assert_eq!(editor.open(&uri(&env, name), PARK), expected, "{name}");
    }
    let unsaved = editor.open("untitled:one", PARK);
    assert_eq!(unsaved, [] as [Value; 0]);
    // A message that makes no sense ends nothing.
    for (method, params) in [
        ("textDocument/didOpen", json!({"no": "document"})),
        ("textDocument/didChange", json!([1, 2])),
        ("$/cancelRequest", json!({"id": 1})),
        ("workspace/didChangeWatchedFiles", json!({"changes": []})),
    ] {
        editor.tell(method, &params);
    }
    let unknown = editor.ask("textDocument/rename", &json!({}));
    assert_eq!(unknown["error"]["code"], -32601);
    let wrong = editor.ask(
        "workspace/executeCommand",
        &json!({"command": "dupfind.accept", "arguments": ["a"]}),
    );
    assert!(wrong.get("error").is_some());
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn many_changes_are_one_check_and_an_editor_may_die() {
    let env = site();
    let mut editor = Editor::new(&env, &["site"]);
    let page = uri(&env, "site/new.md");
    editor.open(&page, "");
    for version in 2..2_002 {
        editor.write(&page, version, &format!("# New\n\n{version}\n\n{PARK}"));
    }
    assert_eq!(editor.diagnostics(&page, 2_001).len(), 1);
    assert!(editor.told.len() < 20, "{}", editor.told.len());
    drop(editor.input.take());
    let mut rest = Vec::new();
    editor.output.read_to_end(&mut rest).unwrap();
    assert_eq!(editor.child.wait().unwrap().code(), Some(2));
    assert!(Path::new(&env.path("site/.dupfind/index")).exists());
}
