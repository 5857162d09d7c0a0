//! The page of `--format html` in a real browser: what an editor does with it, and what hostile documents
//! cannot do.
//!
//! It needs Chromium and its driver (Debian: `chromium`, `chromium-driver`). Where they are missing the tests
//! say so and pass, unless `DUPFIND_REQUIRE_BROWSER=1` is set, as CI does.

mod driver;
mod work;

use std::fs;
use std::path::PathBuf;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use self::driver::Lent;
use crate::env::{Args, Env, Says};

const ENTER: &str = "\u{e007}";
const HOME: &str = "\u{e011}";
const ESCAPE: &str = "\u{e00c}";

/// Takes a browser, or prints why the test does nothing.
fn browser() -> Option<Lent> {
    let browser = Lent::take();
    if browser.is_none() {
        let is_required = std::env::var_os("DUPFIND_REQUIRE_BROWSER").is_some_and(|v| v == "1");
        assert!(!is_required, "chromium or chromedriver is not installed");
        eprintln!("not tested: chromium or chromedriver is not installed");
    }
    browser
}

/// A folder with documents.
fn folder(documents: &[(&str, &str)]) -> Env {
    let files = documents.iter();
    files.fold(Env::new(), |env, (name, text)| env.file(name, text))
}

impl Env {
    /// Makes it a repository of a known site.
    fn is_in_repository(&self) {
        self.git("init --quiet");
        self.git("commit --quiet --allow-empty -m x");
        self.git("remote add origin git@github.com:owner/site.git");
    }

    /// The page that a command writes about all documents.
    fn page(&self, command: &str, args: impl Args) -> PathBuf {
        let report = ". --format html -q -o report.html";
        self.run(([command], report, args)).went_well();
        self.path("report.html")
    }
}

const STREET: &str =
    "去年城市沿着北边的小路种了四百棵枫树，并更换了所有的木头长椅。游客希望夏天延长开放时间。\n";
const LAKE: &str =
    "春天的早晨，跑步的人绕着湖边，退休的老师在柳树下打太极拳，孩子们在草地上放风筝。\n";
const PARK: &str = "河边的老公园三十年前向市民开放，门口有一座石桥和两棵老槐树。\n";
const PARK_EDITED: &str = "河边的老公园四十年前向市民开放，门口有一座石桥和两棵老槐树。\n";
const BREAD: &str = "Knead flour, water and salt until the dough no longer sticks to your hands. Cover the bowl \
    with a damp cloth and wait until its volume has doubled. Shape two loaves and bake for fifty minutes.\n";
const BREAD_EDITED: &str = "Knead flour, milk and salt until the dough no longer sticks to your hands. Cover the \
    bowl with a damp cloth and wait until its volume has doubled. Shape two loaves and bake for an hour.\n";

fn pages() -> Env {
    folder(&[
        ("公园.md", &format!("{PARK}\n{LAKE}\n{STREET}")),
        (
            "公园 新.md",
            &format!("{STREET}\n{PARK_EDITED}\n{LAKE}\n尾声只在这里。\n"),
        ),
        ("bread.md", BREAD),
        ("bread-new.md", BREAD_EDITED),
        ("bread-copy.md", BREAD),
        (
            "other.md",
            "Nothing here is like anything else in this folder at all.",
        ),
    ])
}

#[test]
fn a_chinese_page_has_no_english_label() {
    let Some(browser) = browser() else { return };
    let pages = pages();
    browser.open(&pages.page("scan", "--lang zh"), "");
    let found = browser.run("return document.documentElement.lang");
    assert_eq!(found, json!("zh-CN"));
    let expected = json!("dupfind：近似重复的文档");
    assert_eq!(browser.run("return document.title"), expected);
    // The words of every view, of the help and of a pair: all texts and labels that are not of documents.
    let labels = r#"
        const own = 'bdi, noscript, .snippet, .texts, kbd, code, script, style, textarea';
        const said = new Set();
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        for (let node; (node = walker.nextNode());) {
            if (!node.parentElement.closest(own)) said.add(node.textContent.trim());
        }
        for (const element of document.querySelectorAll('[aria-label], [placeholder]')) {
            said.add(element.getAttribute('aria-label') ?? element.getAttribute('placeholder'));
        }
        const names = /[\w./-]*\.md\b|https?:\S+|--[a-z-]+|dupfind(\.toml)?|FILE|JSON|Jaccard|Hamming|[AB](?= |$)|v?\d+\.\d+\.\d+/g;
        const known = /^(simhash|shingle|containment|Esc|auto|and)$/;
        return [...said].filter((text) => (text.replace(names, '').match(/[A-Za-z]{2,}/g) ?? []).some((word) => !known.test(word)));
    "#;
    for view in ["", "#view=pairs", "#view=documents", "#view=map"] {
        browser.open(&pages.page("scan", "--lang zh"), view);
        assert_eq!(browser.run(labels), json!([]), "{view}");
    }
    browser.text("#summary").begins("6\n文档\n4\n文档对\n");
    browser.open(&pages.page("scan", "--lang zh"), "#view=pairs");
    browser.keys("?");
    assert_eq!(browser.text("#help-title"), "快捷键");
    browser.keys(ESCAPE);
    browser.keys("j");
    browser.keys(ENTER);
    browser.wait("!document.querySelector('#pair').hidden");
    assert_eq!(browser.run(labels), json!([]), "a pair");
    browser.text("#pair").says("检测器");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn an_editor_works_through_the_list() {
    let Some(browser) = browser() else { return };
    let pages = pages();
    let report = pages.page("scan", "");
    // An unknown column in the address sorts nothing.
    browser.open(&report, "#view=pairs&sort=constructor");
    assert_eq!(browser.text("#list-count"), "4 pairs");
    browser.open(&report, "#view=pairs");
    assert_eq!(browser.count(".item"), 4);
    assert_eq!(browser.count(".block"), 2);
    browser.text("#summary").begins("6\ndocuments\n4\npairs\n");

    // Filter by name, then by relation, then by cluster.
    browser.keys("/公园");
    browser.wait("document.querySelectorAll('.item').length === 1");
    assert_eq!(browser.text("#list-count"), "1 of 4 pairs");
    let expected = json!("#view=pairs&q=%E5%85%AC%E5%9B%AD");
    assert_eq!(browser.run("return location.hash"), expected);
    browser.keys(ESCAPE);
    browser.keys(ESCAPE);
    assert_eq!(browser.count(".item"), 4);
    browser.keys("1");
    assert_eq!(browser.text("#list-count"), "3 of 4 pairs");
    browser.click(".toggle[data-relation=exact]");
    // A cluster that is chosen on the map is listed in the view that one came from.
    browser.keys("m");
    browser.click(".block[title*='公园']");
    assert_eq!(browser.text("#list-count"), "1 of 4 pairs");
    browser.text("#members").says("公园 新.md");
    browser.keys(ESCAPE);

    // Sort by a column, both ways, and back.
    let order = || browser.text(".rows").lines().next().unwrap().to_owned();
    assert_eq!(order(), "exact");
    browser.click("[data-sort=weighted] button");
    browser.click("[data-sort=weighted] button");
    let sorted = "document.querySelector('[data-sort=weighted]').getAttribute('aria-sort')";
    assert_eq!(browser.run(&format!("return {sorted}")), json!("ascending"));
    assert_eq!(order(), "near");
    browser.click("[data-sort=weighted] button");
    assert_eq!(order(), "exact");

    // Open a pair with the keyboard, walk on, come back to where one was.
    browser.keys(&format!("{HOME}{ENTER}"));
    assert_eq!(browser.text(".place"), "1 of 4");
    browser.keys("j");
    assert_eq!(browser.text(".place"), "2 of 4");
    browser.keys(ESCAPE);
    let found = browser.run("return document.activeElement.dataset.at");
    assert_eq!(found, json!("1"));
    browser.keys("?");
    let found = browser.run("return document.getElementById('help').open");
    assert_eq!(found, json!(true));
    browser.keys(ESCAPE);

    let colour = || browser.run("return getComputedStyle(document.body).backgroundColor");
    browser.keys("t");
    let light = colour();
    browser.keys("t");
    assert_ne!(colour(), light);
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn a_pair_shows_shared_changed_and_moved_passages() {
    let Some(browser) = browser() else { return };
    let pages = pages();
    let report = pages.page("scan", "");
    browser.open(&report, "#pair=bread-new.md&with=bread.md");
    let expected = json!("bread-new.md · bread.md");
    assert_eq!(browser.run("return document.title"), expected);
    let marks =
        "return [...document.querySelectorAll('mark')].map((mark) => mark.textContent).join('|')";
    assert_eq!(
        browser.run(marks),
        json!("milk|an hour.|water|fifty minutes.")
    );

    browser.open(&report, "#pair=公园 新.md&with=公园.md");
    assert_eq!(browser.count(".passage"), 2);
    assert_eq!(browser.count(".passage.moved"), 1);
    assert_eq!(browser.count(".elsewhere"), 1);
    assert_eq!(browser.run(marks), json!("四|三"));
    assert_eq!(browser.text(".only .a"), "尾声只在这里。");
    // Texts that belong together are at one height, wide or narrow.
    let tops = "const [a, b] = [...document.querySelectorAll('mark')].map((mark) => mark.getBoundingClientRect().top); \
                return b - a";
    assert_eq!(browser.run(tops), json!(0));
    browser.resize(420, 800);
    assert!(browser.run(tops).as_f64().unwrap() > 0.0);
    let picture = STANDARD.decode(browser.screenshot()).unwrap();
    assert!(picture.starts_with(b"\x89PNG") && picture.len() > 5_000);
    let wider = "return document.documentElement.scrollWidth > innerWidth";
    let found = browser.run(wider);
    assert_eq!(found, json!(false), "the page is wider than the window");
    assert_eq!(browser.complaints(), [""; 0]);
}

/// Documents whose names and texts try to run something.
fn hostile() -> Env {
    let hostile = "<script>document.title = 'owned'; alert(1)</script> </script><!-- <img src=x onerror=alert(2)> \
        ]]> \u{2028} \u{2029} &lt;b&gt; \u{202e}txt.exe ' \" ` ${alert(3)} {{script}} </style></noscript></textarea> \
        <svg onload=alert(4)> <a href='javascript:alert(5)'>here</a> and some words so that it is long enough";
    let name = "<img src=x onerror=alert(6)>'\"&lt;\u{202e}\u{2028}.txt";
    folder(&[
        (name, &format!("{hostile} one")),
        ("<script>alert(7)<", hostile),
        ("`${alert(8)}`.txt", &format!("{hostile} two")),
    ])
}

#[test]
fn hostile_documents_are_text() {
    let Some(browser) = browser() else { return };
    let folder = hostile();
    let report = folder.page("scan", "");
    browser.open(&report, "#view=pairs");
    assert_eq!(browser.count(".item"), 3);
    browser
        .text(".rows")
        .says("<img src=x onerror=alert(6)>'\"&lt;\\u{202e}\\u{2028}.txt");
    browser.keys(&format!("j{ENTER}"));
    for _ in 0..3 {
        let text = browser.text(".texts");
        text.says("<script>document.title = 'owned'; alert(1)</script> </script><!--");
        assert!(text.contains("U+202E") && text.contains("U+2028") && text.contains("&lt;b&gt;"));
        browser.keys("j");
    }
    // A dialog would have made one of the commands above fail.
    let made = "return document.querySelectorAll('img, #pair a, #list a, #pair script, iframe, svg[onload]').length";
    assert_eq!(browser.run(made), json!(0));
    assert!(
        browser.text("title").is_empty() || browser.run("return document.title") != json!("owned")
    );
    // The policy holds even if something got in.
    let injected = "const script = document.createElement('script'); script.textContent = 'window.ran = 1'; \
                    document.body.append(script); return window.ran ?? null";
    assert_eq!(browser.complaints(), [""; 0]);
    assert_eq!(browser.run(injected), json!(null));
}

#[test]
fn without_the_other_side_a_page_does_not_tell_that_nothing_is_alike() {
    let Some(browser) = browser() else { return };
    let pages = pages();
    fs::create_dir(pages.path("empty")).unwrap();
    browser.open(&pages.page("scan", "--against empty"), "#view=pairs");
    let expected = "There was nothing to compare with.";
    assert_eq!(browser.text("#nothing"), expected);
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn pairs_without_a_cluster_are_listed() {
    let Some(browser) = browser() else { return };
    // Too short to be duplicates.
    let pages = folder(&[
        (
            "bread.md",
            "Bread is baked in the morning, every day of the week.",
        ),
        (
            "bread-new.md",
            "Bread is baked in the morning, every day of the year.",
        ),
    ]);
    let report = pages.page("scan", "");
    browser.open(&report, "#view=pairs");
    assert_eq!(browser.text("#list-count"), "1 pair");
    browser.text("#grid").says("bread-new.md");
    browser.open(&report, "#view=documents");
    browser.text("#documents").says("bread-new.md");
    // There is no map, so an address of it leads to the worklist.
    browser.open(&report, "#view=map");
    assert_ne!(browser.text("#work"), "");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn clusters_alone_make_a_page() {
    let Some(browser) = browser() else { return };
    let pages = pages();
    browser.open(&pages.page("scan", "--no-pairs"), "");
    browser.text("#list").says("--no-pairs");
    browser.click(".block");
    browser.text("#members").says("bread-copy.md");
    browser.keys("jt?");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn a_page_with_some_of_the_texts_says_of_how_many_pairs_it_has_them() {
    let Some(browser) = browser() else { return };
    let pages = ('a'..='t').fold(Env::new(), |env, name| {
        let text = format!("# Museum {name}\n\n{STREET}{LAKE}{PARK}It has {name}{name}.\n");
        env.file(format!("{name}.md"), text)
    });
    browser.open(&pages.page("scan", ""), "#view=pairs");
    let said = browser.text("#list > .note");
    // The head has the number of all pairs.
    said.says(" pairs; the others are marked");
    said.omits("190");
}
