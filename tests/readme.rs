//! README and the guide in `docs/` are a contract: what they show is what the program prints.
//!
//! A code block of the language `console` is run. A line `$ dupfind ARGS` is a command, and the lines
//! below it are what it prints to standard output. Where the next command is `$ echo $?`, they are what
//! it prints to standard output and to standard error, and the line below that is its exit status.
//!
//! `DUPFIND_UPDATE_DOCS=1 cargo test --test readme` writes into the blocks what the program prints now.

#![allow(
    clippy::unwrap_used,
    reason = "these are tests, their helpers included"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

use dupfind::document::SkipReason;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// The most lines of the front page, and of a page of the guide.
const FRONT_PAGE: usize = 250;
const PAGE: usize = 400;

/// The commands of the program.
const COMMANDS: [&str; 7] = [
    "scan",
    "fingerprint",
    "compare",
    "tune",
    "stream",
    "text",
    "generate",
];

/// A page of Markdown of this project.
struct Page {
    /// Its path from the root of the project.
    name: PathBuf,
    text: String,
}

impl Page {
    fn read(name: impl Into<PathBuf>) -> Self {
        let name = name.into();
        let text = fs::read_to_string(root().join(&name)).unwrap();
        // Git for Windows ends lines its own way.
        let text = text.replace("\r\n", "\n");
        Self { name, text }
    }

    fn events(&self) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
        Parser::new_ext(&self.text, Options::ENABLE_TABLES).into_offset_iter()
    }

    /// Returns the languages of the code blocks, and where their texts are.
    fn code_blocks(&self) -> Vec<(String, Range<usize>)> {
        let mut blocks = Vec::new();
        for (event, range) in self.events() {
            if let Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) = event {
                let block = &self.text[range.clone()];
                let begin = range.start + block.find('\n').unwrap() + 1;
                let end = range.start + block.rfind("```").unwrap();
                blocks.push((language.to_string(), begin..end));
            }
        }
        blocks
    }

    /// Returns the anchors of the headings, as GitHub makes them.
    fn anchors(&self) -> BTreeSet<String> {
        let mut heading = None;
        let mut anchors = BTreeSet::new();
        for (event, _) in self.events() {
            match event {
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => {
                    let anchor = anchor(&heading.take().unwrap());
                    let further = (1..).map(|number| format!("{anchor}-{number}"));
                    let mut names = std::iter::once(anchor.clone()).chain(further);
                    anchors.insert(names.find(|name| !anchors.contains(name)).unwrap());
                }
                Event::Text(text) | Event::Code(text) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&text);
                    }
                }
                _ => {}
            }
        }
        anchors
    }

    /// Returns the targets of links and images.
    fn links(&self) -> Vec<String> {
        let links = self.events().filter_map(|(event, _)| match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                Some(dest_url.to_string())
            }
            _ => None,
        });
        links.collect()
    }

    /// Returns the options of dupfind that the page names: in its text, and in commands.
    fn options(&self) -> BTreeSet<String> {
        let mut texts: Vec<String> = Vec::new();
        for (event, _) in self.events() {
            if let Event::Code(code) = event
                && (code.starts_with("--") || code.starts_with("dupfind "))
            {
                texts.push(code.to_string());
            }
        }
        for (language, range) in self.code_blocks() {
            let block = &self.text[range];
            if ["sh", "yaml"].contains(&language.as_str()) {
                let block = block.replace("\\\n", " ").replace("\n      --", " --");
                let commands = block.lines().flat_map(|line| line.split('|'));
                let commands = commands.filter(|command| command.contains("dupfind "));
                texts.extend(commands.map(str::to_owned));
            }
        }
        let options = texts.iter().flat_map(|text| {
            // What stands before the name of the program is another program.
            let text = text
                .split_once("dupfind ")
                .map_or(&**text, |(_, args)| args);
            options_in(text)
        });
        options.collect()
    }
}

/// Returns the words of a text that are long options.
fn options_in(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
    let options = words.filter(|word| {
        let name = word.strip_prefix("--");
        name.is_some_and(|name| name.starts_with(|c: char| c.is_ascii_lowercase()))
    });
    options.map(str::to_owned)
}

/// What GitHub calls a heading in an address.
fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase();
    let kept = kept
        .chars()
        .filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The front page and all pages of the guide.
fn pages() -> Vec<Page> {
    let mut names = vec![PathBuf::from("README.md")];
    for entry in fs::read_dir(root().join("docs")).unwrap() {
        let name = PathBuf::from("docs").join(entry.unwrap().file_name());
        assert_eq!(name.extension().unwrap(), "md", "{}", name.display());
        names.push(name);
    }
    names.sort();
    names.into_iter().map(Page::read).collect()
}

/// The words of a command, which single quotes may hold together, and the file on its standard input.
fn words(command: &str) -> (Vec<String>, Option<String>) {
    let (command, input) = match command.split_once(" < ") {
        Some((command, input)) => (command, Some(input.to_owned())),
        None => (command, None),
    };
    let mut words = Vec::new();
    for (number, part) in command.split('\'').enumerate() {
        if number % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    (words, input)
}

/// What the program does for arguments given in one string: its status, output and errors.
fn ran(args: &str) -> (i32, String, String) {
    let (words, input) = words(args);
    let input = input.map_or_else(Stdio::null, |file| {
        File::open(root().join(file)).unwrap().into()
    });
    let output = Command::new(env!("CARGO_BIN_EXE_dupfind"))
        .args(words)
        .stdin(input)
        .current_dir(root())
        .env("COLUMNS", "100")
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    (
        output.status.code().unwrap(),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

/// What the program prints for arguments given in one string.
fn printed(args: &str) -> String {
    let (status, output, errors) = ran(args);
    assert_eq!(status, 0, "dupfind {args}: {errors}");
    output
}

/// A block of commands with what they print now.
fn session(block: &str) -> String {
    let commands = block.lines().filter_map(|line| line.strip_prefix("$ "));
    let commands: Vec<&str> = commands.collect();
    let mut session = String::new();
    let mut status = 0;
    for (number, command) in commands.iter().enumerate() {
        session.push_str(&format!("$ {command}\n"));
        let output = if *command == "echo $?" {
            format!("{status}\n")
        } else {
            let args = command.strip_prefix("dupfind ").unwrap();
            let (ended, output, errors) = ran(args);
            status = ended;
            if commands.get(number + 1) == Some(&"echo $?") {
                output + &errors
            } else {
                assert_eq!(ended, 0, "{command}: {errors}");
                output
            }
        };
        // Trailing spaces do not survive editors.
        for line in output.trim_end().lines() {
            session.push_str(line.trim_end());
            session.push('\n');
        }
    }
    session
}

#[test]
fn blocks_show_what_the_program_prints() {
    let update = std::env::var_os("DUPFIND_UPDATE_DOCS").is_some();
    let mut shown: BTreeMap<String, PathBuf> = BTreeMap::new();
    for mut page in pages() {
        for (language, range) in page.code_blocks().into_iter().rev() {
            if language != "console" {
                continue;
            }
            let block = page.text[range.clone()].to_owned();
            let commands = block
                .lines()
                .filter_map(|line| line.strip_prefix("$ dupfind "));
            shown.extend(commands.map(|args| (args.to_owned(), page.name.clone())));
            let now = session(&block);
            if update {
                page.text.replace_range(range, &now);
            } else {
                let name = page.name.display();
                assert!(
                    block == now,
                    "{name}: the program prints\n{now}\ninstead of\n{block}"
                );
            }
        }
        if update {
            fs::write(root().join(&page.name), &page.text).unwrap();
        }
    }
    for command in [
        "scan -h",
        "fingerprint -h",
        "compare -h",
        "stream -h",
        "text -h",
    ] {
        let page = shown.get(command).map(PathBuf::as_path);
        assert_eq!(page, Some(Path::new("docs/options.md")), "{command}");
    }
    for command in ["scan", "compare", "tune", "stream"] {
        let is_shown = |args: &String| args.starts_with(command) && !args.ends_with(" -h");
        assert!(shown.keys().any(is_shown), "no output of {command}");
    }
    let front = shown.values().filter(|page| page.ends_with("README.md"));
    assert_eq!(front.count(), 1, "the front page has one picture of output");
}

#[test]
fn every_key_of_the_reports_is_documented() {
    let text = Page::read("docs/json.md").text;
    let json = printed("scan fixtures/corpus --format json");
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    let mut keys = Vec::new();
    collect_keys(&value, &mut keys);
    let fingerprint = printed("fingerprint fixtures/corpus/zh --quiet");
    collect_keys(
        &serde_json::from_str(fingerprint.lines().next().unwrap()).unwrap(),
        &mut keys,
    );
    let (a, b) = ("zh/notice-lift.txt", "zh/notice-water.txt");
    let folder = "fixtures/corpus";
    let compared = printed(&format!("compare {folder}/{a} {folder}/{b} -f json"));
    collect_keys(&serde_json::from_str(&compared).unwrap(), &mut keys);
    let streamed = printed("stream --verdicts --quiet < fixtures/pages.jsonl");
    collect_keys(
        &serde_json::from_str(streamed.lines().next().unwrap()).unwrap(),
        &mut keys,
    );
    keys.extend(["detail".into(), "note".into(), "type".into()]);
    assert!(keys.len() > 20);
    for key in keys {
        assert!(
            text.contains(&format!("`{key}`")),
            "the key {key} is not documented"
        );
    }
}

fn collect_keys(value: &serde_json::Value, keys: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(object) => {
            for (key, value) in object {
                if !keys.contains(key) {
                    keys.push(key.clone());
                }
                collect_keys(value, keys);
            }
        }
        serde_json::Value::Array(list) => list.iter().for_each(|item| collect_keys(item, keys)),
        _ => {}
    }
}

#[test]
fn every_reason_for_skipping_is_documented() {
    let text = Page::read("docs/input.md").text;
    let (_, section) = text.split_once("\n## What is skipped\n").unwrap();
    for reason in [
        SkipReason::Binary,
        SkipReason::Empty,
        SkipReason::OptedOut,
        SkipReason::TooLarge,
        SkipReason::NotAFile,
        SkipReason::Loop,
        SkipReason::Malformed,
        SkipReason::PreFailed,
        SkipReason::NotFound,
        SkipReason::Unreadable,
    ] {
        assert!(
            section.contains(&format!("`{}`", reason.as_str())),
            "{reason:?}"
        );
    }
}

#[test]
fn the_long_help_has_an_example_for_every_group() {
    for (command, groups) in [
        (
            "scan",
            vec![
                "Input",
                "Text",
                "Detection",
                "Scope",
                "Output",
                "Gate",
                "Running",
            ],
        ),
        ("fingerprint", vec!["Input", "Text", "Output", "Running"]),
        ("compare", vec!["Input", "Text", "Output"]),
        (
            "stream",
            vec![
                "Input",
                "Text",
                "Detection",
                "Memory",
                "State",
                "Output",
                "Running",
            ],
        ),
        ("text", vec!["Input", "Text", "Output"]),
    ] {
        let help = printed(&format!("{command} --help"));
        let (options, examples) = help.split_once("Examples:").unwrap();
        for group in groups {
            assert!(
                options.contains(&format!("\n{group}:\n")),
                "{command}: no group {group}"
            );
            assert!(
                examples.contains(&format!("  {group}: ")),
                "{command}: no example of {group}"
            );
        }
        assert!(examples.contains("Exit status"));
    }
}

#[test]
fn options_that_pages_name_exist() {
    let mut known = BTreeSet::from(["--version".to_owned()]);
    for command in COMMANDS {
        let help = printed(&format!("{command} --help"));
        known.extend(options_in(&help));
    }
    // What takes a flag of the configuration back has no help of its own.
    known.extend(["--no-hidden", "--ignore"].map(str::to_owned));
    // Options of cargo, and of the benches.
    let others = ["--features", "--path", "--locked", "--release", "--seed"];
    known.extend(others.map(str::to_owned));
    let mut count = 0;
    for page in pages() {
        for option in page.options() {
            assert!(
                known.contains(&option),
                "{}: there is no option {option}",
                page.name.display()
            );
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn links_lead_somewhere() {
    let further = [
        "CHANGELOG.md",
        "fixtures/README.md",
        "benches/peers/README.md",
    ];
    let pages = pages().into_iter().chain(further.map(Page::read));
    let mut count = 0;
    for page in pages {
        for link in page.links() {
            if link.contains("://") {
                continue;
            }
            let (path, anchor) = match link.split_once('#') {
                Some((path, anchor)) => (path, Some(anchor)),
                None => (&*link, None),
            };
            let target = match path {
                "" => page.name.clone(),
                path => joined(page.name.parent().unwrap(), path),
            };
            let shown = format!("{}: {link}", page.name.display());
            assert!(root().join(&target).exists(), "{shown}");
            if let Some(anchor) = anchor {
                assert!(Page::read(target).anchors().contains(anchor), "{shown}");
            }
            count += 1;
        }
    }
    assert!(count > 50, "{count}");
}

/// A path relative to a folder, without `..`.
fn joined(folder: &Path, path: &str) -> PathBuf {
    let mut joined = folder.to_owned();
    for component in Path::new(path).components() {
        match component {
            Component::ParentDir => assert!(joined.pop(), "{path}"),
            component => joined.push(component),
        }
    }
    joined
}

#[test]
fn pages_are_short_and_listed() {
    let [front, index] = ["README.md", "docs/README.md"].map(Page::read);
    assert!(front.text.lines().count() <= FRONT_PAGE);
    for page in pages() {
        let lines = page.text.lines().count();
        assert!(lines <= PAGE, "{}: {lines} lines", page.name.display());
        let Ok(name) = page.name.strip_prefix("docs") else {
            continue;
        };
        let name = name.to_str().unwrap();
        assert!(
            index.links().contains(&name.to_owned()) || name == "README.md",
            "{name}"
        );
        let linked = format!("docs/{name}");
        assert!(front.links().contains(&linked), "README.md: {linked}");
    }
}

/// The gate runs the first line of each.
#[test]
fn the_front_page_names_the_two_commands() {
    let front = Page::read("README.md");
    for (begin, wanted) in [
        ("cargo test ", "cargo test --locked"),
        (
            "cargo run ",
            "cargo run --release --locked -- scan fixtures/corpus",
        ),
    ] {
        let line = front.text.lines().find(|line| line.starts_with(begin));
        assert_eq!(line, Some(wanted));
    }
}
