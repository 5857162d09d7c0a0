//! What the list proposes for the sites of generators, followed to its end.

use crate::env::{BREAD, Env, PARK, PARK_ZH, Says, table};

/// A page of a few words, as there are many in a site.
const STUB: &str = "# To be determined\n\nThis page is to be written.\n";

/// A site of a generator. `park` is in its navigation, and a copy of it beside it in nothing; one copy of `bread` is in the
/// navigation, and one in a link. There are stubs, a page that leads to another one, a part of pages, and the text of a page
/// in another version and language.
fn site(navigation: [&str; 2], end: &str, link: &str, versions: [&str; 2]) -> Env {
    let [file, content] = navigation;
    let redirect = format!("---\nredirect_to: /guide/river/\n---\n{PARK_ZH}");
    let page = |name: &str| format!("docs/{name}.{end}");
    Env::new()
        .file(file, content)
        .file(page("index"), format!("The town, in words.\n\n{link}\n"))
        .file(page("guide/park"), PARK)
        .file(page("guide/park-old"), PARK)
        .file(page("guide/bread"), BREAD)
        .file(page("recipes/loaf"), BREAD)
        .file(page("guide/river"), PARK_ZH)
        .file(page("guide/ponds"), redirect)
        .file(page("guide/_ponds"), PARK_ZH)
        .file(page("guide/a"), STUB)
        .file(page("guide/b"), STUB)
        .file(format!("{}/guide/bread.{end}", versions[0]), BREAD)
        .file(format!("{}/guide/park.{end}", versions[0]), PARK)
        .file(format!("{}/guide/park.{end}", versions[1]), PARK)
}

#[test]
fn what_is_proposed_for_a_site_breaks_no_link_and_loses_no_page() {
    let mkdocs = "nav:\n- Park: guide/park.md\n- Bread: guide/bread.md\n- River: guide/river.md\n";
    let docusaurus = "module.exports = {docs: ['guide/park', 'guide/bread', 'guide/river']};\n";
    let sphinx = ".. toctree::\n\n   guide/park\n   guide/bread\n   guide/river\n";
    let antora = "* xref:guide/park.adoc[]\n* xref:guide/bread.adoc[]\n* xref:guide/river.adoc[]\n";
    let book = "# Summary\n\n- [Park](guide/park.md)\n- [Bread](guide/bread.md)\n- [River](guide/river.md)\n";
    let notes = "[[park]], [[bread]] and [[river]] are worth a visit.\n";
    for ([file, end, link, older, other], text) in table(
        r#"mkdocs.yml        | md   | [Loaf](recipes/loaf.md)  | docs/v1.2        | docs/de
           sidebars.js       | mdx  | [Loaf](/recipes/loaf)    | docs/version-1.2 | docs/zh-CN
           docs/contents.rst | rst  | :doc:`/recipes/loaf`     | docs/1.x         | docs/fr
           docs/nav.adoc     | adoc | xref:recipes/loaf.adoc[] | docs/v3          | docs/ja
           docs/SUMMARY.md   | md   | <a href="recipes/loaf.html">loaf</a> | docs/2024 | docs/es
           docs/start.md     | md   | ![[Loaf]]                | docs/next        | docs/ko"#,
    )
    .into_iter()
    .zip([mkdocs, docusaurus, sphinx, antora, book, notes])
    {
        let env = site([file, text], end, link, [older, other]);
        let list = env.run("scan docs");
        let next = "\n1 page may go: another page has the same text, and nothing leads to it\n\
                    Next: dupfind plan docs -o plan.jsonl\n";
        list.ok().ends(next);
        let plan = env.run("plan docs -o plan.jsonl");
        plan.went_well();
        let told = format!("docs/guide/park-old.{end} goes for docs/guide/park.{end}: ");
        plan.says(&told);
        plan.says("\ndupfind: 1 document goes");
        let before = env.json("docs").summary.documents;
        env.run("apply plan.jsonl --yes").went_well();
        assert!(!env.path(format!("docs/guide/park-old.{end}")).exists());
        assert_eq!(env.json("docs").summary.documents, before - 1);
        // There is nothing more to do, though there are equal pages.
        let list = env.run("scan docs");
        list.ok().says("exact");
        list.stdout.omits("dupfind plan");
    }
}

#[test]
fn a_bare_name_of_the_page_that_stays_keeps_no_copy() {
    let env = Env::of("PARK: docs/guide/kiln.md docs/archive/kiln.md")
        .file("docs/index.md", "# Home\n\n[The kiln](guide/kiln.md)\n")
        .file("docs/notes.md", "# Notes\n\nSee `kiln`.\n");
    env.run("plan docs -q -o plan.jsonl").ok();
    let apply = env.run("apply plan.jsonl --yes -q");
    assert!(apply.ok().is_empty(), "{apply:?}");
    assert!(!env.path("docs/archive/kiln.md").exists(), "{apply:?}");
}
