//! The recipes for what other programs keep, from the guide, on small collections of their form.

#[cfg(feature = "pdf")]
use std::fs;
use std::process::Command;

use super::guide::recipe_of;
use super::repository::{KILN, LIGHTHOUSE, Repository};
#[cfg(feature = "pdf")]
use crate::env::{BREAD, PARK, PARK_EDITED};
#[cfg(feature = "pdf")]
use crate::pdf::pdf;

const GUIDE: &str = include_str!("../../../docs/recipes.md");

/// Runs each line of a recipe, and returns what they print.
fn printed(repository: &Repository, name: &str) -> Vec<String> {
    let script = recipe_of(GUIDE, name).replace("\\\n", "");
    let lines = script.lines().map(|line| {
        let ran = repository.shell(line);
        assert_eq!(ran.status, Some(0), "{line}: {ran:?}");
        ran.stdout
    });
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
    assert!(outputs[0].contains("blog/2021-08-26-kiln/index.mdx"));
    assert!(outputs[1].contains("versioned_docs/version-2.0/again.mdx"));
}

#[test]
fn chapters_of_mdbook_are_compared_with_older_ones() {
    let repository = Repository::new();
    repository.page("src/SUMMARY.md", "# Summary\n\n- [Kiln](kiln.md)\n");
    repository.page("src/kiln.md", KILN);
    repository.page("old/src/kiln.md", KILN);
    let [alone, with_old] = printed(&repository, "mdbook").try_into().unwrap();
    assert!(!alone.contains("copies"), "{alone}");
    assert!(with_old.contains("old/src/kiln.md"), "{with_old}");
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
    assert!(
        listed.contains("documents.jsonl#2024-01-02 b.png"),
        "{listed}"
    );
    assert!(!listed.contains("2024-01-03"), "{listed}");
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
    for name in ["Smith - 2024 - Park.pdf", "Park (preprint).pdf"] {
        assert!(listed.contains(name), "{listed}");
    }
    for name in ["ft-cache", "Bread"] {
        assert!(!listed.contains(name), "{listed}");
    }
}

#[test]
fn mailboxes_are_compared() {
    let message = |id: &str, text: &str| {
        format!(
            "From a@b.example Mon May  3 09:00:00 2021\nSubject: a\nMessage-ID: <{id}>\n\n{text}\n"
        )
    };
    let repository = Repository::new();
    repository.page(
        "inbox.mbox",
        &[
            message("1", KILN),
            message("2", KILN),
            message("3", LIGHTHOUSE),
        ]
        .concat(),
    );
    repository.page("archive.mbox", &message("4", LIGHTHOUSE));
    let [alone, with_archive] = printed(&repository, "mailbox").try_into().unwrap();
    assert!(
        alone.contains("inbox.mbox#2") && !alone.contains("#3"),
        "{alone}"
    );
    assert!(with_archive.contains("archive.mbox#4"), "{with_archive}");
}
