//! The page of the canned report, and of documents that want to get out of their elements.

use super::*;
use crate::tests::{Canned, canned, empty};
use dupfind_decide::{Baseline, PairScope};
use dupfind_engine::{DocId, Judge, Relations};
use dupfind_scan::{Scan, ScanJudge, ScanOptions, TextLost, TextRead};
use serde_json::{Value, json};

const HOSTILE: &str =
    "</script><script>alert(1)</script><!-- \u{2028}\u{202e} &amp; ' \" {{data}}\n";

/// The page of a report with these texts.
fn page_of(canned: &Canned, texts: Vec<(DocId, TextRead)>) -> String {
    let settings = ScanOptions::for_paths(["docs"]);
    let pairs = canned.pairs.as_deref();
    let listed = pairs.unwrap_or_default();
    let details = Details::new(&settings, listed, &vec![true; listed.len()], texts);
    let gate = Gate::default();
    let report = Report {
        pairs,
        ..Report::new(&canned.outcome, &gate)
    };
    let mut out = Vec::new();
    write_html(&report, &details, &Worklist::new(&report), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// A gate whose baseline accepts the first of some pairs and holds no other.
fn gate_that_accepts_the_first(outcome: &Scan, pairs: &[Pair]) -> Gate {
    let relations = Relations::DUPLICATES;
    let baseline = Baseline::from_run(&outcome.documents, &pairs[..1], relations);
    let mut gate = Gate::new(PairScope::default(), Some(baseline));
    ScanJudge::documents(&mut gate, &outcome.documents, &outcome.sources);
    for pair in pairs {
        gate.counts(&outcome.documents, pair, 1);
    }
    gate
}

#[test]
fn open_pairs_come_before_accepted_ones() {
    let Canned { outcome, pairs } = canned();
    let pairs = pairs.unwrap();
    assert_eq!(&*listed(&pairs, &Gate::default()), pairs);
    let gate = gate_that_accepts_the_first(&outcome, &pairs);
    assert_eq!((gate.accepted, gate.is_open(&pairs[1])), (1, true));
    assert_eq!(&*listed(&pairs, &gate), [pairs[1], pairs[0]]);
    // However many are accepted, they do not push others out.
    let mut many = vec![pairs[0]; MAX_PAIRS + 1];
    many.push(pairs[1]);
    let first = listed(&many, &gate);
    assert_eq!((first[0], first.len()), (pairs[1], MAX_PAIRS));
}

/// The page of the canned report, with texts for all of its documents.
fn page() -> String {
    let texts = (0..4).map(|id| {
        let text = format!("一二三四五六七八九十 {id} {HOSTILE}");
        (DocId::from(id), Ok(text))
    });
    page_of(&canned(), texts.collect())
}

/// Returns the content of the element with an id, if there is one.
fn embedded(page: &str, id: &str) -> Option<Value> {
    let start = format!("<script type=\"application/json\" id=\"{id}\">");
    let (_, behind) = page.split_once(&start)?;
    let (json, _) = behind.split_once("</script>").unwrap();
    Some(serde_json::from_str(json).unwrap())
}

#[test]
fn everything_comes_back_from_the_page() {
    let page = page();
    let data = embedded(&page, "data").unwrap();
    assert_eq!(data["summary"]["documents"], 4);
    let documents = r#"[["docs/a.md",30,null,false,null,null,null,null],
        ["docs/evil\\n\\u{1b}[31m.md",30,null,false,null,null,"docs/evil\n\u001b[31m.md",null],
        ["docs/城市公园.md",30,null,false,null,null,null,null]]"#;
    let pair = r#"[0,2,"exact",10000,10000,[100,100],0,3,null,"the same text but for case, width and white space",0,null,false,
        "the same text but for case, width and white space"]"#;
    let value = |text| serde_json::from_str::<Value>(text).unwrap();
    assert_eq!(data["documents"], value(documents));
    assert_eq!(data["pairs"][0], value(pair));
    assert_eq!(data["clusters"], json!([[2, 0.25, 3, [0, 1, 2]]]));
    assert_eq!(data["skipped"][0], json!(["docs/logo.png", "binary", ""]));
    for (number, id) in [(0, 0), (1, 1), (2, 3)] {
        let text = embedded(&page, &format!("t{number}")).unwrap();
        assert_eq!(text, format!("一二三四五六七八九十 {id} {HOSTILE}"));
    }
    assert_eq!(embedded(&page, "t3"), None, "a document of no list");
    let rows = embedded(&page, "r0").unwrap();
    assert_eq!(rows.as_array().unwrap().len(), 2);
    assert_eq!(rows[0][0][0], 0);
}

#[test]
fn nothing_gets_out_of_its_element() {
    let page = page();
    let ours = page_of(&empty(), Vec::new()).matches("</script>").count();
    // Data, program; a text each, the rows, and the lines of a baseline.
    assert_eq!(ours, 2);
    assert_eq!(page.matches("</script>").count(), ours + 5);
    let expected = page.matches("</script>").count();
    assert_eq!(page.matches("<script").count(), expected);
    assert!(!page.contains("alert(1)<") && !page.contains("<!--"));
    assert!(!page.contains(['\u{2028}', '\u{202e}', '\u{1b}']));
    let expected = page.matches("http-equiv").count() + 1;
    assert_eq!(page.matches("http").count(), expected, "only SVG's");
}

#[test]
fn pairs_say_why_they_cannot_be_opened() {
    let states = |texts| {
        let data = embedded(&page_of(&canned(), texts), "data").unwrap();
        [0, 1].map(|pair| data["pairs"][pair][10].as_u64().unwrap())
    };
    let [a, evil, park] = [0, 1, 3].map(DocId::from);
    let text = || Ok("text".to_owned());
    let (gone, changed) = (Err(TextLost::Unreadable), Err(TextLost::Changed));
    assert_eq!(states(Vec::new()), [1, 1]);
    assert_eq!(states(vec![(a, text()), (park, gone.clone())]), [2, 1]);
    assert_eq!(states(vec![(a, changed), (park, text())]), [3, 1]);
    let found = states(vec![(a, text()), (evil, text()), (park, gone)]);
    assert_eq!(found, [2, 0]);
}

#[test]
fn long_documents_are_cut_at_a_line() {
    let line = "一二三四五六七八九十\n";
    let long = line.repeat(10_000);
    let texts = vec![
        (DocId::from(0), Ok(long)),
        (DocId::from(3), Ok(line.into())),
    ];
    let page = page_of(&canned(), texts);
    let data = embedded(&page, "data").unwrap();
    assert_eq!(data["documents"][0][3], true);
    assert_eq!(data["documents"][2][3], false);
    let text = embedded(&page, "t0").unwrap();
    let text = text.as_str().unwrap();
    assert!(text.len() <= 128 << 10 && text.len() > 127 << 10 && text.ends_with(line));
}

#[test]
fn only_sure_languages_are_named() {
    let simplified =
        "旧城区的梧桐树在雨后显得格外安静，图书馆周日闭馆，还书请用门口的箱子。".repeat(3);
    let traditional =
        "舊城區的梧桐樹在雨後顯得格外安靜，圖書館週日閉館，還書請用門口的箱子。".repeat(3);
    let japanese =
        "雨上がりの旧市街のプラタナスはとても静かです。図書館は日曜日に閉館します。".repeat(3);
    let korean = "비가 온 뒤의 구시가지 플라타너스는 매우 조용합니다.".repeat(3);
    let english = "The plane trees of the old town are quiet after the rain, and the library is closed on \
         Sunday. Please return the books to the box that stands at the door of the house.";
    let german = "Die Platanen der Altstadt sind nach dem Regen still, und die Bibliothek ist am Sonntag \
         geschlossen. Bitte legen Sie die Bücher in den Kasten, der an der Tür des Hauses steht, und gehen Sie.";
    let russian = "После дождя платаны старого города необычайно тихи, библиотека закрыта.";
    let greek = "Μετά τη βροχή τα πλατάνια της παλιάς πόλης είναι ήσυχα.";
    let code = format!("```\nkubectl apply -f tidb-cluster.yaml -n namespace\n```\n{simplified}");
    for (text, expected) in [
        (simplified.as_str(), Some("zh-Hans")),
        (&traditional, Some("zh-Hant")),
        (
            &format!("{simplified}{simplified}{traditional}"),
            Some("zh"),
        ),
        (&japanese, Some("ja")),
        (&korean, Some("ko")),
        (english, None),
        (&code, Some("zh-Hans")),
        (greek, None),
        (german, None),
        (russian, None),
        ("城市公园", None),
        ("kubectl get pods", None),
        ("", None),
    ] {
        assert_eq!(lang(text), expected, "{text}");
    }
}

#[test]
fn text_that_only_one_has_is_marked() {
    let page = "the old park by the river opened to the public thirty years ago <today>";
    let other = page.replace("thirty", "fifty");
    let html = beside(&Options::default(), ["a", "b&"], [page, &other]);
    let marks = html.split("inherit\">").skip(1);
    let marks = marks.filter_map(|rest| rest.split("</mark>").next());
    let marks: Vec<&str> = marks.map(str::trim).collect();
    assert_eq!(marks, ["thirty", "fifty"]);
    assert!(html.contains("&lt;today&gt;") && html.contains("<b>b&amp;</b>"));
}
