//! The work of an editor with the worklist: search, decide, export, go to the files.

use std::fs;

use serde_json::json;

use super::driver::Browser;
use super::{BREAD, BREAD_EDITED, ENTER, ESCAPE, LAKE, PARK, STREET, browser, pages};
use crate::env::{Says, value};

/// Chooses an option as a user does.
fn choose(browser: &Browser, selector: &str, value: &str) {
    browser.run(&format!(
        "const box = document.querySelector({selector:?}); box.value = {value:?}; \
         box.dispatchEvent(new Event('change')); box.dispatchEvent(new Event('input'))"
    ));
}

/// Returns the text of all elements.
fn texts(browser: &Browser, selector: &str) -> Vec<String> {
    let texts = browser.run(&format!(
        "return [...document.querySelectorAll({selector:?})].map((found) => found.textContent)"
    ));
    serde_json::from_value(texts).unwrap()
}

#[test]
fn the_worklist_comes_first() {
    let Some(browser) = browser() else { return };
    let folder = super::folder(&[
        (
            "one.md",
            &format!("---\ntitle: 城市公园\n---\n{PARK}\n{LAKE}\n{STREET}"),
        ),
        (
            "two.md",
            &format!("# The other \\<b>park\\</b>\n\n{PARK}\n{LAKE}\n{STREET}\n新的一段文字。"),
        ),
        ("bread.md", BREAD),
        ("bread-new.md", BREAD_EDITED),
    ]);
    let report = folder.page("scan", "");
    browser.open(&report, "");
    assert_eq!(browser.text("#list-count"), "2 entries");
    assert_eq!(browser.count(".item"), 0);
    let titles = texts(&browser, ".entry .title");
    assert_eq!(titles.len(), 2, "{titles:?}");
    assert!(titles.contains(&"城市公园".to_owned()), "{titles:?}");
    assert!(
        titles.contains(&"The other <b>park</b>".to_owned()),
        "{titles:?}"
    );

    // Titles and texts are searched as names are.
    for (sought, snippets) in [("城市公园", 0), ("太极拳", 2)] {
        browser.keys(&format!("/{sought}"));
        browser.wait("document.querySelectorAll('.entry').length === 1");
        assert_eq!(browser.text("#list-count"), "1 of 2 entries");
        assert_eq!(browser.count(".snippet mark"), snippets, "{sought}");
        browser.keys(&format!("{ESCAPE}{ESCAPE}"));
        browser.wait("document.querySelectorAll('.entry').length === 2");
    }

    browser.open(&report, "#q=太极拳");
    browser.wait("document.querySelectorAll('.entry .snippet').length === 2");
    browser.open(&report, "");

    // With the keys alone: to an entry, to its pair, and back.
    browser.keys(&format!("jj{ENTER}"));
    assert_eq!(browser.text(".place"), "2 of 2");
    browser.keys(ESCAPE);
    let rank = "return document.activeElement.querySelector('.rank').textContent";
    assert_eq!(browser.run(rank), json!("2"));
    browser.keys("l");
    assert_eq!(browser.text("#list-count"), "2 pairs");
    browser.keys("w");
    assert_eq!(browser.count(".entry"), 2);

    // The map has titles too.
    browser.keys("m");
    let hints =
        "return [...document.querySelectorAll('.block')].map((block) => block.title).join()";
    let hints = browser.run(hints);
    hints.as_str().unwrap().says("park</b>\ntwo.md");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn decisions_become_a_baseline() {
    let Some(browser) = browser() else { return };
    let pages = pages();
    let report = pages.page("scan", "");
    browser.open(&report, "");
    assert_eq!(browser.count("#export-open:not([hidden])"), 0);
    let entries = browser.count(".entry");
    for at in 1..=entries {
        let entry = format!(".entry:nth-child({at})");
        choose(&browser, &format!("{entry} .decision"), "intended");
        choose(
            &browser,
            &format!("{entry} .decision-note"),
            "\"so\" \\ it is </script>",
        );
    }
    // One of the pairs is no member of a group, and is decided about by itself.
    browser.open(&report, "#view=pairs&open=1");
    assert_eq!(browser.text("#list-count"), "1 of 4 pairs");
    browser.click(".item");
    choose(&browser, "#pair .decision", "different");

    // It is kept.
    browser.open(&report, "");
    assert_eq!(browser.text("#export-open"), "Export 4 decisions");
    assert_eq!(browser.count(".entry[data-decided=intended]"), entries);
    browser.click("#only-open");
    assert_eq!(browser.count(".entry"), 0);
    browser.click("#export-open");
    let exported = |id: &str| {
        let text = browser.run(&format!("return document.getElementById({id:?}).value"));
        text.as_str().unwrap().to_owned()
    };
    let file = |name: &str| pages.path(name);
    fs::write(file("accepted.jsonl"), exported("export-baseline")).unwrap();
    assert_eq!(browser.complaints(), [""; 0]);

    let accepted = value(
        &pages
            .run("check . -f json -q --baseline accepted.jsonl")
            .stdout,
    );
    assert_eq!(accepted["summary"]["pairs"], 0, "{accepted}");
    let reasons = fs::read_to_string(file("accepted.jsonl")).unwrap();
    assert_eq!(
        reasons
            .matches(r#""reason":"\"so\" \\ it is </script>""#)
            .count(),
        3,
        "{reasons}"
    );
    reasons.says(r#""reason":"not a duplicate""#);

    // A decision can be taken back.
    browser.open(&report, "#view=pairs");
    browser.click(".item");
    choose(&browser, "#pair .decision", "");
    browser.keys(ESCAPE);
    assert_eq!(browser.text("#export-open"), "Export 3 decisions");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn links_lead_to_the_file_and_the_line() {
    let Some(browser) = browser() else { return };
    let folder = super::folder(&[
        ("a b#?%{line}.md", &format!("{LAKE}{STREET}\n{BREAD}")),
        ("城市.md", BREAD_EDITED),
    ]);
    folder.is_in_repository();
    let report = folder.page("scan", "");
    let links = |of: &str| {
        let script = format!(
            "return [...document.querySelectorAll('{of} a')].map((link) => link.href + ' ' + link.rel).sort()"
        );
        browser.run(&script)
    };
    let [name, city] = ["a%20b%23%3F%25%7Bline%7D.md", "%E5%9F%8E%E5%B8%82.md"]
        .map(|name| format!("https://github.com/owner/site/blob/main/{name}#L"));
    let rel = "noopener noreferrer";
    browser.open(&report, "");
    let first_lines = [format!("{city}1 {rel}"), format!("{name}1 {rel}")];
    assert_eq!(links(".entry"), json!(first_lines));
    // In a pair they lead to the first passage that is shared.
    browser.open(&report, "#pair=a b%23?%25{line}.md&with=城市.md");
    let lines = [format!("{city}1 {rel}"), format!("{name}4 {rel}")];
    assert_eq!(links("#pair"), json!(lines));
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn measures_are_explained() {
    let Some(browser) = browser() else { return };
    let pages = pages();
    let report = pages.page("scan", "");
    browser.open(&report, "#pair=bread-new.md&with=bread.md");
    let tip = || {
        browser.run("const tip = document.getElementById('tip'); return tip.hidden ? null : tip.textContent")
    };
    assert_eq!(tip(), json!(null));
    for (at, words) in [
        (1, "smaller document"),
        (2, "rare words count more"),
        (4, "fingerprint"),
    ] {
        let button = format!(".measures > :nth-child({at}) .term");
        browser.run(&format!("document.querySelector({button:?}).focus()"));
        tip().as_str().unwrap().says(words);
        let described =
            browser.run("return document.activeElement.getAttribute('aria-describedby')");
        assert_eq!(described, json!("tip"));
    }
    // The key closes the explanation, and not yet the pair.
    browser.keys(ESCAPE);
    assert_eq!(tip(), json!(null));
    assert_eq!(browser.count("#pair:not([hidden])"), 1);
    browser.click(".measures > :nth-child(3) .term");
    tip().as_str().unwrap().says("share that is in both");
    browser.keys(&format!("{ESCAPE}?"));
    browser.text(".measure-help").says("Least similarity");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn texts_say_their_language() {
    let Some(browser) = browser() else { return };
    let pages = pages();
    let report = pages.page("scan", "");
    let langs = "return [...new Set([...document.querySelectorAll('.texts .line')].map((line) => line.parentElement.lang))].join()";
    browser.open(&report, "#pair=公园 新.md&with=公园.md");
    assert_eq!(browser.run(langs), json!("zh-Hans"));
    browser.open(&report, "#pair=bread-new.md&with=bread.md");
    assert_eq!(browser.run(langs), json!(""));
}

#[test]
fn many_moved_passages_are_summed_up() {
    let Some(browser) = browser() else { return };
    let sentence = |at: usize| {
        format!("{BREAD} Recipe {at}x{at} asks for {at}a spoons of flour{at} and {at}b cups of water{at} in bowl{at}.")
            .split(' ')
            .enumerate()
            .map(|(word, text)| format!("{text}{at}{word}"))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let lines: Vec<String> = (0..24).map(sentence).collect();
    let turned: Vec<String> = lines.iter().rev().cloned().collect();
    let folder = super::folder(&[
        ("a.md", &lines.join("\n\n")),
        ("b.md", &turned.join("\n\n")),
    ]);
    browser.open(&folder.page("scan", ""), "#pair=a.md&with=b.md");
    let expected = "24 passages are shared, and 23 of them are in another order.";
    assert_eq!(browser.text(".tangle b"), expected);
    assert_eq!(browser.count(".band.moved"), 0);
    assert!(browser.count(".passage") < 6);
    assert!(browser.count(".elsewhere") < 6);
    // All of it is there on request.
    browser.click(".tangle button");
    assert_eq!(browser.count(".band.moved"), 23);
    browser.click(".elsewhere button");
    assert_eq!(browser.count(".passage"), 24);
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn documents_have_their_figures() {
    let Some(browser) = browser() else { return };
    let folder = super::folder(&[
        ("bread.md", BREAD),
        ("bread-new.md", BREAD_EDITED),
        ("bread-copy.md", BREAD),
        ("park.md", PARK),
        ("park-more.md", &format!("{PARK}\n{LAKE}\n{STREET}")),
    ]);
    let said = value(&folder.run("scan . -f json -q").stdout);
    browser.open(&folder.page("scan", ""), "#view=documents");
    assert_eq!(browser.text("#list-count"), "5 documents");
    // As in JSON, sorted by name.
    browser.click("[data-by=name] button");
    let cells = texts(&browser, "#document-rows td.number");
    for (cells, document) in cells.chunks(2).zip(said["documents"].as_array().unwrap()) {
        let number = |key: &str| document[key].as_f64().unwrap();
        assert_eq!(cells[0], format!("{:.4}", number("jaccard")));
        assert_eq!(cells[1], number("near").to_string());
    }
    let names = texts(&browser, "#document-rows .name");
    let closest = names.iter().skip(1).step_by(2).map(String::as_str);
    let closest: Vec<&str> = closest.collect();
    let documents = said["documents"].as_array().unwrap().iter();
    let expected: Vec<&str> = documents.map(|d| d["closest"].as_str().unwrap()).collect();
    assert_eq!(closest, expected);
    // The other way round; a pair, and back.
    browser.click("[data-by=name] button");
    assert_eq!(texts(&browser, "#document-rows .name")[0], "park.md");
    browser.click("#document-rows button");
    assert_eq!(browser.count("#pair:not([hidden])"), 1);
    browser.keys(ESCAPE);
    assert_eq!(browser.count("#pair:not([hidden])"), 0);
    assert_eq!(texts(&browser, "#document-rows .name")[0], "park.md");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn on_a_phone_every_name_and_button_is_in_reach() {
    let Some(browser) = browser() else { return };
    let long =
        "a-very-long-name-of-a-page-that-nobody-would-cut-in-the-middle-as-it-is-read-by-people";
    let folder = super::folder(&[
        (&format!("{long}.md"), BREAD),
        (&format!("{long}-new.md"), BREAD_EDITED),
    ]);
    browser.resize(390, 844);
    folder.is_in_repository();
    let report = folder.page("scan", "");
    let outside = "return [...document.querySelectorAll('button, select, input, a, textarea')].filter((found) => { \
         const { left, right, width } = found.getBoundingClientRect(); \
         return width > 2 && (left < 0 || right > innerWidth) && !found.matches('.skip'); }).map((found) => found.outerHTML)";
    for view in [
        "",
        "#view=pairs",
        "#view=documents",
        "#view=map",
        &format!("#pair={long}-new.md&with={long}.md"),
    ] {
        browser.open(&report, view);
        assert_eq!(browser.run(outside), json!([]), "{view}");
        let wider = "return Math.max(0, document.documentElement.scrollWidth - innerWidth)";
        assert_eq!(browser.run(wider), json!(0), "{view}");
    }
    // No part of a name is cut off.
    for (view, names) in [("", ".entry .name"), ("#view=pairs", ".item .base")] {
        browser.open(&report, view);
        let cut = format!(
            "return [...document.querySelectorAll('{names}')].filter((name) => \
             name.scrollWidth > name.clientWidth + 1 && getComputedStyle(name).display !== 'inline' || \
             name.scrollHeight > name.clientHeight + 1 && getComputedStyle(name).display !== 'inline').length"
        );
        assert_eq!(browser.run(&cut), json!(0), "{view}");
    }
}
