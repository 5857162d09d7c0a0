//! Pages for other subjects, and pages that share nothing but code.

use crate::env::{Env, Says};
use crate::scale::words;

#[test]
fn versions_of_a_page_are_near_however_common_their_text_is() {
    let page = |own: u64| format!("{}\n\n{}\n", words(0, 60), words(own, 20));
    let env = Env::new().file("v1/a.md", page(1)).file("v2/a.md", page(2));
    let env = (3..9).fold(env, |env, own| {
        env.file(format!("other/{}.md", words(own, 1).trim()), page(own))
    });
    let report = env.json(".");
    let near = report.pairs.iter().filter(|pair| pair.relation == "near");
    let near: Vec<_> = near.collect();
    assert_eq!(near.len(), 1, "{near:?}");
    assert_eq!(near[0].names(), ("v1/a.md", "v2/a.md"));
    assert_eq!(near[0].rule, "near_versions");
}

#[test]
fn many_copies_with_one_word_changed_are_near() {
    // What all of them share is common here, and still they are one page.
    let page = (0..200).map(|at| format!("word{at} ")).collect::<String>();
    let copy = |at: usize| page.replace("word120 ", &format!("other{at} "));
    let env = (0..40).fold(Env::new(), |env, at| env.file(format!("{at}.md"), copy(at)));
    let report = env.json(".");
    assert_eq!(report.pairs.len(), 780);
    assert!(report.pairs.iter().all(|pair| pair.relation == "near"));
}

#[test]
fn translations_with_the_same_code_are_related() {
    let prose = |name: &str| {
        (0..100)
            .map(|at| format!("{name}{at} "))
            .collect::<String>()
    };
    let code: Vec<String> = (0..25)
        .map(|at| format!("let a{at} = b{at}(c{at}, d{at});"))
        .collect();
    let indented = code.iter().map(|line| format!("    {line}\n"));
    let indented = indented.collect::<String>();
    let code = code.join("\n");
    for (extension, before, after) in [
        ("md", "\n\n```rust\n", "\n```\n"),
        ("html", "<pre><code>", "</code></pre>"),
        ("adoc", "\n\n----\n", "\n----\n"),
    ] {
        let page = |name: &str| match extension {
            "html" => format!(
                "<html><body><article><p>{}</p>{before}{code}{after}</article></body></html>",
                prose(name)
            ),
            _ => format!("{}{before}{code}{after}", prose(name)),
        };
        check(extension, &page("word"), &page("wort"));
    }
    for (extension, before) in [("md", "\n\n"), ("rst", "\n\nThis is it::\n\n")] {
        let page = |name: &str| format!("{}{before}{indented}", prose(name));
        check(extension, &page("word"), &page("wort"));
    }
    // The same prose with the same code.
    let page = format!("{}\n\n```\n{code}\n```\n", prose("word"));
    let edited = page.replace("word50", "other").replace("word90", "other");
    let env = Env::new().file("a.md", page).file("b.md", edited);
    let report = env.json(".");
    assert_eq!(report.pairs[0].relation, "near");
    let prose = report.pairs[0].prose.unwrap();
    assert!(prose > 0.7);
    env.report(". -f csv").ok().ends(format!(",{prose},\n"));
}

/// Checks that two documents share code alone, for a scan in memory, with an index, and for a comparison.
#[track_caller]
fn check(extension: &str, one: &str, other: &str) {
    let [a, b] = ["en", "de"].map(|name| format!("{name}.{extension}"));
    let env = Env::new().file(&a, one).file(&b, other);
    let run = env.report(".");
    let report = env.json(".");
    let pair = &report.pairs[0];
    assert_eq!(pair.relation, "related", "{pair:?}");
    pair.because.says("the same code");
    assert!(pair.prose < Some(0.05), "{pair:?}");
    assert!(pair.jaccard > Some(0.2), "{pair:?}");
    for index in ["new", "warm"] {
        let indexed = env.report(". --index kept.dupidx -q");
        assert_eq!(indexed.stdout, run.stdout, "{index}");
    }
    let compared = env.run(["compare", &a, &b, "--format", "json"]);
    let compared: serde_json::Value = serde_json::from_str(compared.ok()).unwrap();
    assert_eq!(compared["verdict"]["relation"], "related");
    assert!(compared["verdict"]["prose"].as_f64() < Some(0.05));
    env.check(". --fail-on variant").ok();
}
