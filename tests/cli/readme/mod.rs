//! README and the guide in `docs/` are a contract: what they show is what the program prints. The same holds for
//! the Chinese pages, which say what the English ones say, and show what is printed where the locale is Chinese.
//!
//! A code block of the language `console` is run. A line `$ dupfind ARGS` is a command, and the lines
//! below it are what it prints to standard output. Where the next command is `$ echo $?`, they are what
//! it prints to standard output and to standard error, and the line below that is its exit status.
//!
//! `DUPFIND_UPDATE_DOCS=1 cargo test --test cli readme` writes into the blocks what the program prints now.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use dupfind_read::SkipReason;
use dupfind_report::FORMATS;

use crate::env::{BREAD, Env, PARK, Says, table};

use self::page::{Page, options_in, pages, root};
use self::program::{CHINESE, ENGLISH, printed, session};

pub(crate) mod page;
mod program;
mod translation;

/// The most lines of a front page, and of a page of the guide.
const FRONT_PAGE: usize = 150;
const PAGE: usize = 400;

/// The commands of the program.
pub(crate) const COMMANDS: &str =
    "scan compare reuse query check accept plan apply dedup mcp lsp show completions";

#[test]
fn blocks_show_what_the_program_prints() {
    let update = std::env::var_os("DUPFIND_UPDATE_DOCS").is_some();
    // The page that shows a command. Where a Chinese page repeats it, the English one.
    let mut shown: BTreeMap<String, PathBuf> = BTreeMap::new();
    let mut sessions: BTreeMap<(&str, String), String> = BTreeMap::new();
    for page in pages() {
        let mut text = page.text.clone();
        let locale = match translation::is_chinese(&page.name) {
            true => CHINESE,
            false => ENGLISH,
        };
        for (language, range) in page.code_blocks().into_iter().rev() {
            if language != "console" {
                continue;
            }
            let block = page.text[range.clone()].to_owned();
            let commands = block.lines();
            let commands = commands.filter_map(|line| line.strip_prefix("$ dupfind "));
            for args in commands {
                let first = shown.entry(args.to_owned());
                first.or_insert_with(|| page.name.clone());
            }
            let now = sessions
                .entry((locale, block.clone()))
                .or_insert_with(|| session(&block, locale));
            if update {
                text.replace_range(range, now);
            } else {
                let name = page.name.display();
                assert!(
                    block == *now,
                    "{name}: the program prints\n{now}\ninstead of\n{block}"
                );
            }
        }
        if update {
            page.rewrite(&text);
        }
    }
    let helps = shown.keys().filter(|args| args.ends_with("-h"));
    let found = helps.count();
    assert_eq!(found, 0, "docs/all-options.md alone has the options");
    // The pages of this repository are named in its guide, so that a plan lets all of them stay.
    for command in ["scan", "compare", "reuse", "dedup", "query"] {
        let mut shown = shown.keys();
        assert!(
            shown.any(|args| args.starts_with(command)),
            "no output of {command}"
        );
    }
    let front = shown.values().filter(|page| page.ends_with("README.md"));
    assert_eq!(front.count(), 1, "the front page has one picture of output");
}

#[test]
fn the_plan_that_the_guide_shows_is_printed() {
    let navigation = format!(
        "nav:\n{}- guide/ferry.md\n- old/ferry.md\n",
        "\n".repeat(11)
    );
    let env = Env::new()
        .file("mkdocs.yml", navigation)
        .file("docs/index.md", "[Ferry](guide/ferry.md)\n")
        .file("docs/guide/kiln.md", PARK)
        .file("docs/guide/kiln-old.md", PARK)
        .file("docs/guide/ferry.md", BREAD)
        .file("docs/old/ferry.md", BREAD);
    let lines = |text: &str| -> Vec<serde_json::Value> {
        let lines = text.lines().filter(|line| line.starts_with("{\"type\":"));
        let lines = lines.map(|line| serde_json::from_str(line).unwrap());
        let without_hashes = |mut line: serde_json::Value| {
            for key in ["keep_hash", "drop_hash"] {
                line.as_object_mut().unwrap().remove(key);
            }
            line
        };
        lines.map(without_hashes).collect()
    };
    let printed = lines(env.run("plan docs -q").ok());
    assert!(printed.len() > 1);
    for page in ["docs/clean-up.md", "docs/zh/clean-up.md"] {
        assert_eq!(lines(&Page::read(page).text), printed[1..], "{page}");
    }
}

#[test]
fn every_key_of_the_reports_is_documented() {
    let text = Page::read("docs/reports.md").text;
    let json = printed("scan fixtures/corpus --format json");
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    let mut keys = Vec::new();
    collect_keys(&value, &mut keys);
    for stage in ["fingerprint", "signatures"] {
        let shown = printed(&format!("show --as {stage} fixtures/corpus/zh --quiet"));
        let first = shown.lines().next().unwrap();
        collect_keys(&serde_json::from_str(first).unwrap(), &mut keys);
    }
    let (a, b) = ("zh/notice-lift.txt", "zh/notice-water.txt");
    let folder = "fixtures/corpus";
    let compared = printed(&format!("compare {folder}/{a} {folder}/{b} -f json"));
    collect_keys(&serde_json::from_str(&compared).unwrap(), &mut keys);
    let reused = printed("reuse fixtures/corpus/en -f json");
    collect_keys(&serde_json::from_str(&reused).unwrap(), &mut keys);
    // Names of folders are keys too.
    keys.retain(|key| !key.starts_with("fixtures"));
    keys.extend(["detail".into(), "note".into(), "type".into()]);
    assert!(keys.len() > 20);
    for key in keys {
        text.says(format!("`{key}`"));
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
fn the_formats_that_keep_no_pairs_are_named() {
    let formats = FORMATS.iter().filter(|format| format.is_streamed());
    let names: Vec<String> = formats.map(|format| format!("`{}`", format.name)).collect();
    let (last, others) = names.split_last().unwrap();
    let listed = format!("{} and {last} keep none", others.join(", "));
    let page = Page::read("docs/how-it-works.md").text.replace("\n  ", " ");
    assert!(
        page.contains(&listed),
        "docs/how-it-works.md lacks: {listed}"
    );
}

#[test]
fn every_reason_for_skipping_is_documented() {
    let text = Page::read("docs/input.md").text;
    let (_, section) = text.split_once("\n## What is skipped\n").unwrap();
    for reason in [
        SkipReason::Binary,
        SkipReason::Data,
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
        section.says(format!("`{}`", reason.as_str()));
    }
}

#[test]
fn the_long_help_has_an_example_for_every_group() {
    for [command, groups] in table(
        "scan    | Input Text Detection Scope Output Running
         compare | Input Text Output
         plan    | Input Text Detection Scope Decision Output Running
         apply   | Action Output Running
         dedup   | Input Text Decision Output Running",
    ) {
        let help = printed(&format!("{command} --help"));
        let (options, examples) = help.split_once("Examples:").unwrap();
        for group in groups.split(' ') {
            options.says(format!("\n{group}:\n"));
            examples.says(format!("  {group}: "));
        }
        examples.says("Exit status");
    }
}

#[test]
fn options_that_pages_name_exist() {
    let mut known = BTreeSet::from(["--version".to_owned()]);
    for command in COMMANDS.split(' ') {
        let help = printed(&format!("{command} --help"));
        known.extend(options_in(&help));
    }
    let of_cargo = "--features --path --locked --profile --release";
    let of_converters = "--input";
    let of_benches = "--json --parts --plant --scans --seed --sets --tool --variants";
    for names in [of_cargo, of_converters, of_benches] {
        known.extend(names.split(' ').map(str::to_owned));
    }
    let mut count = 0;
    for page in pages() {
        for option in page.options() {
            assert!(known.contains(&option), "{option}");
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn the_pages_for_contributors_name_files_that_exist() {
    let roots = [
        "src/", "crates/", "tests/", "docs/", "python/", "benches/", ".ci/",
    ];
    for page in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let text = Page::read(page).text;
        let quoted = text.lines();
        let quoted = quoted.flat_map(|line| line.split('`').skip(1).step_by(2));
        let words = quoted.flat_map(str::split_whitespace);
        for path in words.filter(|word| roots.iter().any(|root| word.starts_with(root))) {
            assert!(root().join(path).exists(), "{page}: {path}");
        }
    }
}

#[test]
fn links_lead_somewhere() {
    let further = [
        "CHANGELOG.md",
        "fixtures/README.md",
        "benches/peers/README.md",
        "benches/quality/README.md",
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
    for (front, folder) in [("README.md", "docs"), ("README.zh-CN.md", "docs/zh")] {
        let front = Page::read(front);
        assert!(front.text.lines().count() <= FRONT_PAGE);
        let linked = front.links();
        for page in pages() {
            let lines = page.text.lines().count();
            assert!(lines <= PAGE, "{}: {lines} lines", page.name.display());
            if page.name.parent() != Some(Path::new(folder)) {
                continue;
            }
            let path = page.name.to_str().unwrap().to_owned();
            assert!(linked.contains(&path), "{path}");
        }
    }
}
