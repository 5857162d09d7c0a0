//! The report as a page: the content of the file. The page in a browser is tested in `tests/cli/browser`.

use serde_json::Value;

use crate::env::{Args, BREAD, Env, PARK, PARK_EDITED, PARK_ZH};

/// The content of the element with an id.
pub(crate) fn embedded(page: &str, id: &str) -> Value {
    let start = format!("<script type=\"application/json\" id=\"{id}\">");
    let (_, behind) = page.split_once(&start).expect(id);
    let (json, _) = behind.split_once("</script>").unwrap();
    serde_json::from_str(json).unwrap()
}

fn page(env: &Env, args: impl Args) -> String {
    env.run(("scan --format html", args)).ok().to_owned()
}

#[test]
fn the_page_of_a_check_has_what_fails() {
    let env = Env::parks();
    env.run("accept --all");
    env.write("en/new.md", PARK_EDITED.replace("June", "July"));
    env.check("-o page.html").trips("3 duplicate pairs");
    let data = embedded(&env.read("page.html"), "data");
    let pairs = data["pairs"].as_array().unwrap();
    assert_eq!(pairs.len(), 3);
    assert!(pairs.iter().all(|pair| pair[8] == "new"), "{pairs:?}");
}

#[test]
fn the_head_says_what_was_scanned() {
    let env = Env::parks();
    let root = env.root().to_owned();
    let first = page(&env, ".");
    let head = |page: &str| embedded(page, "data")["head"].clone();
    let expected = serde_json::json!([null, "dupfind scan .", null, " ."]);
    assert_eq!(head(&first), expected);
    // An absolute path, options of the output, and a link to the site of the repository.
    let env = env.repository();
    env.git("remote add origin https://me:secret@github.com/owner/site.git");
    let absolute = format!("{root}/zh");
    let args = ["en", &absolute, "--min-jaccard", "0.3", "-j", "1"];
    let run = env.run(("scan --format html", args));
    let linked = run.ok();
    assert_eq!(
        head(linked),
        serde_json::json!([
            "en, zh",
            "dupfind scan en zh --min-jaccard 0.3",
            "https://github.com/owner/site/blob/main/{path}#L{line}",
            " en zh --min-jaccard 0.3"
        ])
    );
    assert!(!linked.contains(&root) && !linked.contains("secret"));
}

#[test]
fn titles_and_languages_are_those_of_the_documents() {
    let b_html = format!("<html><title>Park &amp; lake</title><body><p>{PARK_EDITED}");
    let env = Env::new()
        .file("a.md", format!("---\ntitle: \"Bread <1>\"\n---\n{PARK}"))
        .file("b.html", b_html)
        .file("c.txt", PARK_ZH)
        .file("d.txt", PARK_ZH);
    let data = embedded(&page(&env, "."), "data");
    let documents = data["documents"].as_array().unwrap();
    let of = |at: usize| {
        documents
            .iter()
            .map(|item| item[at].clone())
            .collect::<Vec<_>>()
    };
    let expected = [
        Value::from("Bread <1>"),
        "Park & lake".into(),
        Value::Null,
        Value::Null,
    ];
    assert_eq!(of(4), expected);
    let chinese = Value::from("zh-Hans");
    assert_eq!(of(5), [Value::Null, Value::Null, chinese.clone(), chinese]);
    assert_eq!(data["worklist"][0][0], "group");
}

#[test]
fn of_a_family_the_first_pairs_can_be_opened() {
    let mut env = Env::new();
    for (at, name) in ('a'..='t').enumerate() {
        let text =
            format!("# Museum {name}\n\n{PARK}\nIt has {at} rooms, {name}{name} and {name}x.\n");
        env = env.file(format!("{name}.md"), text);
    }
    let data = embedded(&page(&env, "."), "data");
    let pairs = data["pairs"].as_array().unwrap();
    let members = data["worklist"][0][5].as_array().unwrap();
    let state = |member: &Value| {
        let pair = usize::try_from(member[1].as_u64().unwrap()).unwrap();
        pairs[pair][10].clone()
    };
    assert_eq!((pairs.len(), members.len()), (190, 19));
    assert!(members[..12].iter().all(|member| state(member) == 0));
    let opened = pairs.iter().filter(|pair| pair[10] == 0).count();
    assert_eq!(data["shown"], opened);
    assert!((100..=112).contains(&opened), "{opened}");
}

#[test]
fn nothing_to_report_is_a_page_too() {
    let env = Env::new().file("bread.md", BREAD);
    let data = embedded(&page(&env, "."), "data");
    assert_eq!(data["pairs"], Value::Array(vec![]));
    env.run("scan . --format html --top 3")
        .fails("--top is for list and table");
}
