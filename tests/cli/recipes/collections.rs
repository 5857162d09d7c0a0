//! The recipes for what other programs keep, from the guide, on small collections of their form.

use std::fs;
use std::process::Command;

use super::guide::recipe_of;
use super::repository::{KILN, LIGHTHOUSE, Repository, of_project};
#[cfg(feature = "pdf")]
use crate::env::{BREAD, PARK, PARK_EDITED};
use crate::env::{Says, records};
#[cfg(feature = "pdf")]
use crate::pdf::pdf;

const GUIDE: &str = include_str!("../../../docs/input.md");
const CLEAN_UP: &str = include_str!("../../../docs/clean-up.md");

/// Runs each line of a recipe, and returns what they print.
fn printed(repository: &Repository, name: &str) -> Vec<String> {
    let script = recipe_of(GUIDE, name).replace("\\\n", "");
    let lines = script.lines().map(|line| repository.shell(line, 0).stdout);
    lines.collect()
}

#[test]
fn versions_and_translations_of_docusaurus_are_apart() {
    let repository = Repository::new();
    let pages = "docusaurus-plugin-content-docs";
    for folder in [
        "versioned_docs/version-1.0".to_owned(),
        "versioned_docs/version-2.0".to_owned(),
        format!("i18n/fr/{pages}/current"),
        format!("i18n/fr/{pages}/version-1.0"),
    ] {
        repository.page(&format!("{folder}/kiln.mdx"), KILN);
        repository.page(&format!("{folder}/lighthouse.md"), LIGHTHOUSE);
    }
    repository.page("blog/2021-08-26-kiln/index.mdx", KILN);
    repository.page("versioned_docs/version-2.0/again.mdx", KILN);
    let outputs = printed(&repository, "docusaurus");
    for (output, pairs) in outputs.iter().zip([1, 1, 0]) {
        let copies = output.matches("2 copies of one text").count();
        assert_eq!(copies, pairs, "{outputs:?}");
    }
    outputs[0].says("blog/2021-08-26-kiln/index.mdx");
    outputs[1].says("versioned_docs/version-2.0/again.mdx");
}

#[test]
fn chapters_of_mdbook_are_compared_with_older_ones() {
    let repository = Repository::new();
    repository.page("src/SUMMARY.md", "# Summary\n\n- [Kiln](kiln.md)\n");
    repository.page("src/kiln.md", KILN);
    repository.page("old/src/kiln.md", KILN);
    let [alone, with_old] = printed(&repository, "mdbook").try_into().unwrap();
    alone.omits("copies");
    with_old.says("old/src/kiln.md");
}

#[test]
fn documents_of_paperless_have_their_recognised_text() {
    if Command::new("jq").arg("--version").output().is_err() {
        return;
    }
    let document = |file: &str, text: &str| {
        serde_json::json!({
            "model": "documents.document", "pk": 1, "fields": {"title": file, "content": text},
            "__exported_file_name__": file, "__exported_archive_name__": format!("{file}-archive.pdf"),
        })
    };
    let manifest = serde_json::json!([
        {"model": "auth.user", "pk": 1, "fields": {"username": "ann"}},
        document("2024-01-01 a.pdf", KILN),
        document("2024-01-02 b.png", KILN),
        document("2024-01-03 c.pdf", LIGHTHOUSE),
    ]);
    let repository = Repository::new();
    repository.page("export/manifest.json", &manifest.to_string());
    let outputs = printed(&repository, "paperless");
    let listed = outputs.last().unwrap();
    listed.says("documents.jsonl#2024-01-02 b.png");
    listed.omits("2024-01-03");
}

#[cfg(feature = "pdf")]
#[test]
fn papers_of_zotero_are_compared() {
    let repository = Repository::new();
    for (key, name, text) in [
        ("AB2CD3EF", "Smith - 2024 - Park.pdf", PARK),
        (
            "GH4IJ5KL",
            "Smith et al. - 2023 - Park (preprint).pdf",
            PARK_EDITED,
        ),
        ("MN6OP7QR", "Miller - 2020 - Bread.pdf", BREAD),
    ] {
        let folder = repository.beside("home/Zotero/storage").join(key);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(name), pdf(text)).unwrap();
        fs::write(folder.join(".zotero-ft-cache"), text).unwrap();
    }
    let [listed] = printed(&repository, "zotero").try_into().unwrap();
    listed.says("Smith - 2024 - Park.pdf");
    listed.says("Park (preprint).pdf");
    listed.omits("ft-cache");
    listed.omits("Bread");
}

/// Returns whether all programs are installed. The gate has them.
fn have(programs: &[&str]) -> bool {
    let is_there = |program: &&str| Command::new(program).arg("--version").output().is_ok();
    let all = programs.iter().all(is_there);
    assert!(all || std::env::var_os("DUPFIND_REQUIRE_CONVERTERS").is_none());
    all
}

#[test]
fn files_that_a_converter_reads_are_compared() {
    let repository = Repository::new();
    for (file, head, tail) in [
        (
            "papers/a.tex",
            "\\documentclass{article}\n\\newcommand{\\hidden}{hidden}\n\\begin{document}\n",
            "\n\\end{document}\n",
        ),
        (
            "notes/a.org",
            "#+TITLE: hidden\n:PROPERTIES:\n:ID: x\n:END:\n\n",
            "",
        ),
        (
            "manual/a.xml",
            "<article xmlns='http://docbook.org/ns/docbook'><info><date>hidden</date></info><para>",
            "</para></article>\n",
        ),
        ("letters/a.rtf", "{\\rtf1\\ansi ", "}"),
    ] {
        repository.page(file, &format!("{head}{KILN}{tail}"));
        let folder = file.split('/').next().unwrap();
        repository.page(&format!("{folder}/b.txt"), KILN);
    }
    let message = KILN.replace('\n', "\\n");
    repository.page(
        "po/a.po",
        &format!("msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n\nmsgid \"x\"\nmsgstr \"{message}\"\n"),
    );
    repository.page("po/b.txt", KILN);
    for line in recipe_of(GUIDE, "converters").lines() {
        let programs = line.split('=').skip(1);
        let programs: Vec<&str> = programs
            .filter_map(|command| command.split([' ', '\'']).next())
            .filter(|program| !program.starts_with("{}"))
            .collect();
        if !have(&programs) {
            continue;
        }
        let ran = repository.shell(&format!("{line} -f json"), 0);
        let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        let pair = &report["pairs"][0];
        let jaccard = pair["jaccard"].as_f64().unwrap_or_default();
        assert!(jaccard > 0.8, "{line}: {pair}");
    }
}

#[test]
fn messages_are_compared() {
    if !have(&["python3"]) {
        return;
    }
    let message = |id: &str, text: &str| {
        format!(
            "From a@b.example Mon May  3 09:00:00 2021\nSubject: a\nMessage-ID: {id}\n\n{text}\n"
        )
    };
    let quoted: String = KILN.lines().map(|line| format!("> {line}\n")).collect();
    let repository = Repository::new();
    repository.page(
        "inbox.mbox",
        &[
            message("1", KILN),
            message("2", &format!("{quoted}\nThe council may well vote for it.")),
            message("3", LIGHTHOUSE),
        ]
        .concat(),
    );
    repository.page(
        "saved/a.mhtml",
        &format!(
            "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=x\n\n--x\nContent-Type: text/html\n\n\
             <!doctype html><body><nav>hidden</nav><article><p>{KILN}</p></article></body>\n--x--\n"
        ),
    );
    repository.page("archive.mbox", &message("4", LIGHTHOUSE));
    let ran = repository.shell(recipe_of(GUIDE, "mail"), 0);
    for part in ["-#1", "-#saved/a.mhtml", "-#3", "archive.jsonl#4"] {
        ran.stdout.says(part);
    }
    ran.stdout.omits("-#2");
}

#[test]
fn reposts_and_spun_articles_are_found_among_ones_own() {
    let repository = Repository::new();
    let fixture =
        |name: &str| fs::read_to_string(of_project(&format!("fixtures/corpus/zh/{name}"))).unwrap();
    for name in ["tea-harvest.txt", "paper-making.txt", "soy-sauce.md"] {
        repository.page(&format!("articles/{name}"), &fixture(name));
    }
    let article = fixture("paper-making.txt");
    let article = article.lines().map(|line| format!("<p>{line}</p>"));
    let article: String = article.collect();
    let saved = format!("<!doctype html><div style='visibility:hidden'>{article}</div>");
    repository.page("collected/account.html", &saved);
    repository.page("collected/spun.txt", &fixture("tea-harvest-words-20.txt"));
    repository.page("collected/other.txt", &fixture("abacus.txt"));
    repository.shell(
        recipe_of(include_str!("../../../docs/draft.md"), "reposts"),
        0,
    );
    let pairs = fs::read_to_string(repository.beside("site/pairs.csv")).unwrap();
    assert_eq!(pairs.lines().count(), 3, "{pairs}");
    for (found, own) in [
        ("account.html", "paper-making.txt"),
        ("spun.txt", "tea-harvest.txt"),
    ] {
        let is_there = |line: &str| line.contains(found) && line.contains(own);
        assert!(pairs.lines().any(is_there), "{found}: {pairs}");
    }
    assert!(repository.beside("site/report.html").exists());
}

#[test]
fn a_draft_of_a_skill_that_is_there_is_refused() {
    let repository = Repository::new();
    let steps = "1. List the commits since the last tag, and leave out those of the build.\n\
        2. Group them: what is new, what is mended, what breaks.\n\
        3. Write one line for each, in the words of a user, and link the issue.\n";
    repository.page(
        ".claude/skills/notes/SKILL.md",
        &format!("---\nname: notes\n---\n\n# Release notes\n\n{steps}"),
    );
    let script = recipe_of(include_str!("../../../docs/agents.md"), "skill");
    for (text, status) in [(steps, 1), (KILN, 0)] {
        repository.page(
            "draft/SKILL.md",
            &format!("---\nname: new\n---\n\n# Changelog\n\n{text}"),
        );
        let ran = repository.shell(script, status);
        assert_eq!(ran.stdout.contains("notes/SKILL.md"), status == 1);
    }
}

#[test]
fn notes_that_wikilinks_lead_to_stay() {
    let repository = Repository::new();
    for (name, text) in [
        ("Kiln.md", KILN),
        ("old/Kiln 1.md", KILN),
        ("Today.md", "Read [[Kiln 1]] before the next firing."),
        (".obsidian/copy.md", KILN),
    ] {
        repository.page(&format!("vault/{name}"), text);
    }
    let ran = repository.shell(recipe_of(CLEAN_UP, "vault"), 0);
    let vault = repository.beside("site/vault");
    for (name, is_there) in [
        ("Kiln.md", false),
        ("old/Kiln 1.md", true),
        (".obsidian/copy.md", true),
    ] {
        assert_eq!(vault.join(name).exists(), is_there, "{name}: {ran:?}");
    }
}

#[test]
fn an_audit_of_built_pages_leaves_canonical_copies_out() {
    let repository = Repository::new();
    let built = |head: &str| {
        let lines = KILN.lines().map(|line| format!("<p>{line}</p>"));
        let text: String = lines.collect();
        format!("<!doctype html><title>Kiln</title>{head}<main>{text}</main>")
    };
    let canonical = built("<link rel=canonical href=/kiln/>");
    repository.page("public/kiln/index.html", &canonical);
    repository.page("public/print/index.html", &canonical);
    repository.page("public/again/index.html", &built(""));
    let ran = repository.shell(recipe_of(CLEAN_UP, "built"), 0);
    let listed = "public/print/index.html\tit names another page as canonical\n";
    ran.stdout.ends(listed);
    let page = fs::read_to_string(repository.beside("site/audit.html")).unwrap();
    page.says("public/again/index.html");
}

#[test]
fn leaks_of_a_test_set_are_reported() {
    let repository = Repository::new();
    repository.page("train.jsonl", &records(&[KILN, LIGHTHOUSE]));
    repository.page("test.jsonl", &records(&[KILN]));
    repository.shell(
        recipe_of(include_str!("../../../docs/corpus.md"), "leaks"),
        0,
    );
    let leaks = fs::read_to_string(repository.beside("site/leaks.csv")).unwrap();
    assert_eq!(leaks.lines().count(), 2, "{leaks}");
    leaks.says("train.jsonl#1");
    assert!(repository.beside("site/leaks.html").exists());
}
