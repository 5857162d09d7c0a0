//! Where pages are named, in every syntax that sites have.

use super::*;
use crate::table::table;

/// Makes a repository of the folder.
const GIT: (&str, &str) = (".git/HEAD", "");

/// Returns where pages are mentioned in a folder of these files, and how many links lead to each.
fn mentioned(pages: &[&str], files: &[(&str, &str)]) -> (Mentions, BTreeMap<String, usize>) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("site");
    for (name, text) in files {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    mentions(&pages.iter().map(Path::new).collect(), &root)
}

/// Returns where a page is mentioned, of a site with one other file beside pages of one sentence.
fn places(pages: &[&str], page: &str, other: (&str, &str)) -> Vec<String> {
    let pages = pages.iter().map(|page| (*page, "One sentence."));
    let files: Vec<_> = pages.chain([GIT, other]).collect();
    mentioned(&[page], &files)
        .0
        .places
        .into_values()
        .flatten()
        .collect()
}

#[test]
fn what_git_ignores_names_no_page_unless_it_ignores_a_page() {
    let pages = [("a.md", "One sentence."), ("build/c.md", "One sentence.")];
    let link = ("build/b.md", "[A page](/a.md), [another](/build/c.md)");
    let files = [GIT, link, pages[0], pages[1]];
    let rules = (".gitignore", "/build");
    let ignored = [GIT, link, pages[0], pages[1], rules];
    let count = |page: &str, files: &[(&str, &str)]| mentioned(&[page], files).0.places.len();
    assert_eq!(count("a.md", &files), 1);
    assert_eq!(count("a.md", &ignored), 0);
    assert_eq!(count("build/c.md", &ignored), 1);
}

#[test]
fn without_a_repository_files_beside_the_folder_of_a_site_name_its_pages() {
    let files = [
        ("docs/mkdocs.yml", "site_name: Tea"),
        ("docs/kiln.md", "One sentence."),
        ("README.md", "[the kiln](docs/kiln.md)"),
    ];
    let (found, _) = mentioned(&["docs/kiln.md"], &files);
    let expected = BTreeSet::from(["README.md:1".to_owned()]);
    assert_eq!(found.places.get("docs/kiln.md"), Some(&expected));
}

#[test]
fn pages_are_named_in_every_syntax() {
    let pages = [
        "docs/index.md",
        "docs/guide/tea pot.md",
        "docs/guide/kiln.md",
    ];
    for [file, text] in table(
        r#"mkdocs.yml  | nav:\n  - Home: index.md\n  - Kiln: guide/kiln.md\n
               sidebars.js | module.exports = {docs: [\n  'x', 'y',\n  'guide/kiln']}
               docs/toc.rst        | .. toctree::\n\n   guide/kiln\n
               docs/guide/toc.rst  | .. toctree::\n\n   kiln\n
               docs/a.rst          | See\n\n:doc:`the kiln <guide/kiln>`
               docs/_toc.yml       | chapters:\n\n- file: guide/kiln\n
               docs/guide/_toc.yml | chapters:\n\n- file: kiln\n
               nav.adoc            | *\n\n* xref:guide:kiln.adoc[Kiln]
               docs/a.adoc         | \n\ninclude::guide/kiln.md[]
               notes/a.md          | As\n\n[[Kiln]] says
               docs/a.md           | \n\n[kiln](guide/kiln.md#fire)
               docs/guide/a.md     | \n\n[kiln](./kiln)
               docs/b/a.md         | \n\n[kiln]: ../guide/kiln.md 'x'
               a.html              | <p>\n\n<a href=/docs/guide/kiln/?x=1>kiln</a>
               b.html              | \n\n<a href="https://site.example/guide/kiln.html">
               static/_redirects   | \n\n/old /guide/kiln 301
               package.json        | {\n\n"page": "guide/kiln"}
               docs/.pages         | nav:\n\n  - kiln.md\n"#,
    ) {
        let expected = [format!("{file}:3")];
        let found = places(&pages, "docs/guide/kiln.md", (file, text));
        assert_eq!(found, expected, "{file}: {text}");
    }
    for link in [
        "[[Tea Pot|the pot]]",
        "[x](guide/tea%20pot.md)",
        "[x](<guide/tea pot.md>)",
        "- guide/tea pot.md",
    ] {
        let found = places(&pages, "docs/guide/tea pot.md", ("docs/a.md", link));
        assert_eq!(found, ["docs/a.md:1"], "{link}");
    }
}

#[test]
fn pages_are_named_by_the_addresses_that_generators_make_of_their_paths() {
    for [page, text] in table(
        r#"docs/guide/02-firing.md              | [x](/docs/guide/firing)
               docs/01-guide/firing.md              | module.exports = {docs: ['guide/firing']}
               docs/1.guide/2.firing.md             | <Link to="/docs/guide/firing">
               docs/modules/guide/pages/firing.adoc | * xref:guide:firing.adoc[]
               docs/modules/guide/pages/firing.adoc | xref:1.0@guide:firing.adoc[x]
               docs/modules/guide/pages/firing.adoc | include::guide:page$firing.adoc[]
               docs/Night Firing.md                 | [x](/docs/night-firing/)
               docs/Night-Firing.md                 | As [[Night Firing]] says"#,
    ) {
        assert_eq!(
            places(&[page], page, ("a/a.md", text)),
            ["a/a.md:1"],
            "{page}: {text}"
        );
    }
    for [page, text] in table(
        "docs/01-guide/firing.md | the `2-firing` and firing
             docs/2024-01-02/firing.md | [x](/docs/01-02/firing)
             docs/guide/02-firing.md | [x](/other/firing)",
    ) {
        assert_eq!(
            places(&[page], page, ("a/a.md", text)),
            [""; 0],
            "{page}: {text}"
        );
    }
    let files = [
        ("kiln.md", "---\nuid: site.burn\n---\nOne sentence."),
        ("a.md", "See <xref:site.burn>."),
    ];
    let (found, _) = mentioned(&["kiln.md"], &files);
    assert_eq!(found.places.len(), 1);
}

#[test]
fn an_address_with_a_base_or_a_branch_leads_to_the_page_at_the_top() {
    let pages = ["docs/kiln.md", "docs/guide/kiln.md", "docs/index.md"];
    for link in [
        "[x](/site/kiln/)",
        "https://o.example/site/kiln/",
        "https://github.example/o/r/blob/main/kiln.md",
    ] {
        let found = pages.map(|page| places(&pages, page, ("a/a.md", link)).len());
        assert_eq!(found, [1, 0, 0], "{link}");
    }
    let found = places(&pages, pages[0], ("a/a.md", "[x](site/kiln/)"));
    assert_eq!(found, [""; 0]);
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_names_the_page_that_it_leads_to() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("docs")).unwrap();
    fs::write(folder.path().join("docs/tea pot.md"), "One sentence.").unwrap();
    for (link, target) in [
        ("README.md", "docs/tea pot.md"),
        ("docs/a.md", "tea pot.md"),
    ] {
        std::os::unix::fs::symlink(target, folder.path().join(link)).unwrap();
    }
    let (found, _) = mentions(&[Path::new("docs/tea pot.md")].into(), folder.path());
    let places = Vec::from_iter(&found.places["docs/tea pot.md"]);
    assert_eq!(places, ["README.md:1", "docs/a.md:1"]);
}

#[test]
fn names_with_signs_are_named_in_every_syntax() {
    for sign in "!\"#$%&'()*+,:;<=>?@[]^`{|}~、（".chars() {
        let name = format!("tea {sign}1 pot{sign}");
        let page = format!("docs/{sign}a{sign}/{name}.md");
        let path = format!("{sign}a{sign}/{name}.md");
        let encoded: String = path.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let html: String = path
            .chars()
            .map(|c| format!("&#{};", u32::from(c)))
            .collect();
        let hex: String = path
            .chars()
            .map(|c| format!("&#x{:x};", u32::from(c)))
            .collect();
        let units = path.encode_utf16().map(|unit| format!("\\u{unit:04x}"));
        let links = [
            format!("[[{name}]]"),
            format!("[[{name}|the pot]]"),
            format!("[x]({path})"),
            format!("[x](<{path}>)"),
            format!("[x]({})", path.replace(' ', "%20")),
            format!("[x](docs/{encoded})").replace("%2F", "/"),
            format!("<a href=\"{html}\">"),
            format!("<a href='{hex}'>"),
            format!("{{\"x\": \"{}\"}}", units.collect::<String>()),
        ];
        // Each in a file of its own.
        let names: Vec<_> = (1..=links.len()).map(|n| format!("docs/{n}.md")).collect();
        let others = names.iter().zip(&links);
        let others = others.map(|(name, link)| (name.as_str(), link.as_str()));
        let pages = [(page.as_str(), ""), ("docs/tea 1 pot.md", "")];
        let files: Vec<_> = pages.into_iter().chain([GIT]).chain(others).collect();
        let found = mentioned(&[&page], &files).0.places;
        let expected = names.iter().map(|name| format!("{name}:1")).collect();
        assert_eq!(found.get(&page), Some(&expected), "{links:#?}");
    }
    let post = "_posts/2019-01-31-kiln(1).md";
    let found = places(&[post], post, ("a.md", "[x](/2019/kiln(1).html)"));
    assert_eq!(found, ["a.md:1"]);
    for link in [r"[x](kiln\(1\).md)", "`KILN(1)`", "\u{feff}kiln(1).md"] {
        let found = places(&["kiln(1).md"], "kiln(1).md", ("a.md", link));
        assert_eq!(found, ["a.md:1"], "{link}");
    }
    for link in ["[x](kiln.md)", "kiln 1", "[[kiln[1]]]", "a kiln(1)"] {
        let found = places(&["kiln(1).md", "kiln.md"], "kiln(1).md", ("a.md", link));
        assert_eq!(found, [""; 0], "{link}");
    }
}

#[test]
fn pages_are_named_in_every_encoding() {
    let wide = |unit: fn(u16) -> [u8; 2]| {
        let text: Vec<u16> = "\u{feff}- tea/茶壶和火.md\n".encode_utf16().collect();
        text.into_iter().flat_map(unit).collect::<Vec<u8>>()
    };
    let gbk = b"<meta charset=gbk>\n<a href='tea/\xb2\xe8\xba\xf8\xba\xcd\xbb\xf0.md'>\xb2\xe8</a>";
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("tea")).unwrap();
    for page in ["tea/茶壶和火.md", "tea/cafe\u{301}.md"] {
        fs::write(at(page), "One sentence.").unwrap();
    }
    let decomposed = "[x](tea/cafe\u{301}.md)".as_bytes().to_vec();
    for (page, text) in [
        ("tea/茶壶和火.md", wide(u16::to_le_bytes)),
        ("tea/茶壶和火.md", wide(u16::to_be_bytes)),
        ("tea/茶壶和火.md", gbk.to_vec()),
        ("tea/cafe\u{301}.md", "[x](tea/café.md)".into()),
        ("tea/cafe\u{301}.md", decomposed),
        ("tea/cafe\u{301}.md", b"[x](tea/caf%C3%A9.md)".to_vec()),
    ] {
        fs::write(at("a.html"), &text).unwrap();
        let (found, _) = mentions(&[Path::new(page)].into(), folder.path());
        assert_eq!(found.places.len(), 1, "{page}: {text:?}");
    }
}

#[test]
fn links_lead_to_pages_and_other_words_do_not() {
    let pages = ["docs/kiln.md", "docs/tea.md"].map(|page| (page, "One sentence."));
    for [text, expected] in table(
        r#"[x](kiln.md)                        | 1
               :doc:`kiln`                         | 1
               :doc:`the pot <kiln>`               | 1
               {doc}`kiln`                         | 1
               {doc}`tea <kiln>`                   | 1
               <a href='./kiln.html#x'>go</a>      | 1
               <a href=kiln>go</a>                 | 1
               [[file:kiln.org][x]]                | 1
               [[kiln][x]]                         | 1
               [x]({{< relref "kiln" >}})          | 1
               [x]({{< ref kiln >}})               | 1
               [x]({{<relref kiln#fire>}})         | 1
               {{% ref kiln %}}                    | 1
               {{%relref kiln lang=de%}}           | 1
               {% post_link kiln %}                | 1
               {%post_path kiln%}                  | 1
               <!--@include: ./kiln.md-->          | 1
               <!-- #include file="kiln.md" -->    | 1
               <!-- x --> [x](kiln.md) <!-- x -->  | 1
               <!-- [x](kiln.md) -->               | 0
               <!--\n[x](kiln.md)\n-->             | 0
               [x](https://other.example/kiln)     | 0
               https://other.example/docs/kiln.md  | 0
               :doc:`kiln <tea>`                   | 0
               `kiln`, :ref:`x <kiln>` and <<kiln>> | 0
               The pot <kiln>                      | 0"#,
    ) {
        let (found, links) = mentioned(
            &["docs/kiln.md"],
            &[GIT, pages[0], pages[1], ("docs/a.md", text)],
        );
        assert_eq!(found.places.len(), 1, "{text}");
        assert_eq!(links["docs/kiln.md"].to_string(), expected, "{text}");
    }
    for text in [
        "[kiln.md](https://other.example/z)",
        "[see kiln.md](z.md)",
        "Click <kiln>OK</kiln>.",
        "`<kiln>OK</kiln>`",
        "  <kiln>",
        "<kiln/>",
        "<div class=\"kiln\">",
        "<div className='kiln'>",
        "<div class=kiln>",
        "{{< note kiln >}}",
        "The ref kiln is one.",
    ] {
        let found = places(&["docs/kiln.md"], "docs/kiln.md", ("docs/a.md", text));
        assert_eq!(found, [""; 0], "{text}");
    }
}

#[test]
fn other_words_name_no_page() {
    let pages = ["docs/kiln.md", "docs/old/kiln.md", "docs/old/tea.md"];
    for (file, text) in [
        ("docs/a.md", "The kiln is hot, and tea is in it."),
        ("docs/a.md", "[kiln](kiln.md) and [[kiln]]"),
        ("docs/a.md", "[kiln][1], see\n\n[1]: kiln.md"),
        ("mkdocs.yml", "- kiln.md"),
        ("docs/a.md", "[kiln](https://kiln)"),
        ("docs/new/a.md", "[kiln](../kiln.md)"),
        ("node_modules/x/a.md", "[kiln](old/kiln.md)"),
        ("site/index.html", "<a href='old/kiln'>"),
        ("plan.jsonl", "{\"type\":\"plan\",\"keep\":\"old/kiln.md\"}"),
    ] {
        let pages = [&pages[..], &["mkdocs.yml"]].concat();
        let found = places(&pages, "docs/old/kiln.md", (file, text));
        assert_eq!(found, [""; 0], "{file}: {text}");
    }
}

#[test]
fn two_pages_of_one_name_are_named_by_their_folders() {
    let pages = ["docs/guide/kiln.md", "docs/old/kiln.md"];
    let sentence = pages.map(|page| (page, "One sentence."));
    let others = [
        ("mkdocs.yml", "- guide/kiln.md\n- old/kiln.md\n"),
        ("docs/a.md", "[x](guide/kiln.md), and `kiln`\n"),
    ];
    let (found, links) = mentioned(&pages, &[sentence, others].concat());
    let places = |page: &str| found.places[page].iter().cloned().collect::<Vec<String>>();
    assert_eq!(places(pages[0]), ["docs/a.md:1", "mkdocs.yml:1"]);
    // The bare name may be that of both.
    assert_eq!(places(pages[1]), ["docs/a.md:1", "mkdocs.yml:2"]);
    assert_eq!([links[pages[0]], links[pages[1]]], [2, 1]);
}

#[test]
fn a_link_in_a_version_leads_to_the_page_of_that_version() {
    let pages = ["v1/guide/kiln.md", "v2/guide/kiln.md"];
    let sentence = pages.map(|page| (page, "One sentence."));
    // Hugo has each page in a folder of its own.
    let link = ("v2/ops/run.md", "[x](../../guide/kiln/)");
    let (found, links) = mentioned(&pages, &[&sentence[..], &[GIT, link]].concat());
    assert_eq!([links[pages[0]], links[pages[1]]], [0, 1]);
    assert_eq!(found.places.len(), 2);
}

#[test]
fn an_address_in_front_matter_is_a_name_unless_two_pages_have_it() {
    let slug = "---\nslug: pot\n---\nText";
    let files = [
        GIT,
        (
            "a.md",
            "---\naliases: [/start/tea/, c, guide/d]\nslug: pot\n---\nText",
        ),
        ("b.md", slug),
        ("c.md", "[x](/start/tea/) [y](pot)"),
        // The paths of other pages.
        ("guide/d.md", "[z](c)"),
        ("e.md", "[z](guide/d)"),
    ];
    let (found, _) = mentioned(&["a.md", "b.md"], &files);
    let expected = ("a.md".to_owned(), BTreeSet::from(["c.md:1".to_owned()]));
    assert_eq!(found.places, BTreeMap::from([expected]));
}

#[test]
fn posts_and_pages_of_collections_are_named_by_their_addresses() {
    let pages = [
        "_posts/2019-01-31-kiln.md",
        "_posts/2021-05-06-kiln.md",
        "_posts/2021-05-06-pot.md",
        "_docs/guide/cup.md",
    ];
    for [text, expected] in table(
        r#"{% post_url 2019-01-31-kiln %}       | 0
               [x](/2019/01/31/kiln.html)           | 0
               [x](/2021/kiln/)                     | 1
               {% link _posts/2021-05-06-kiln.md %} | 1
               [x](/blog/pot/)                      | 2
               [x](/docs/guide/cup/)                | 3
               [x](../docs/guide/cup)               | 3
               Tags: `kiln`                         | "#,
    ) {
        let sentence = pages.map(|page| (page, "One sentence."));
        let (found, _) = mentioned(&pages, &[&sentence[..], &[GIT, ("a/a.md", text)]].concat());
        let is_named = |at: &usize| found.places.contains_key(pages[*at]);
        let named: Vec<String> = (0..pages.len())
            .filter(is_named)
            .map(|at| at.to_string())
            .collect();
        assert_eq!(named.join(" "), expected, "{text}");
    }
}

#[test]
fn what_goes_names_nothing_unless_it_stays_itself() {
    let places = |list: &[(&str, &str)]| -> Mentions {
        let one = |(name, place): &(&str, &str)| {
            ((*name).to_owned(), BTreeSet::from([(*place).to_owned()]))
        };
        Mentions {
            places: list.iter().map(one).collect(),
            ..Mentions::default()
        }
    };
    let named = |mentions: &Mentions| {
        let going = ["a", "b", "c"].map(|page| (page, "kept"));
        Vec::from_iter(mentions.named_by_what_stays(going.into()))
    };
    let circle = places(&[("a", "b:1"), ("b", "c:1"), ("c", "a:7")]);
    assert_eq!(named(&circle), [""; 0]);
    let chain = places(&[("a", "b:1"), ("b", "c:1"), ("c", "nav:7")]);
    assert_eq!(named(&chain), ["a", "b", "c"]);
    let one = places(&[("a", "nav:1"), ("b", "c:1")]);
    assert_eq!(named(&one), ["a"]);
}

#[test]
fn a_bare_name_means_the_page_that_stays_if_something_leads_to_that_one_alone() {
    let pages = ["a/kiln.md", "b/kiln.md", "a/tea.md"];
    let sentence = pages.map(|page| (page, "One sentence."));
    let word = ("x.md", "As `kiln` says");
    let named = |link: &str, keeper: &str| {
        let others = [GIT, word, ("y.md", link)];
        let (found, _) = mentioned(&pages, &[&sentence[..], &others].concat());
        found.of("b/kiln.md", keeper).is_some()
    };
    assert!(named("", "a/kiln.md"));
    assert!(!named("[x](a/kiln.md)", "a/kiln.md"));
    // It stays for a page of another name.
    assert!(named("[x](a/kiln.md)", "a/tea.md"));
    assert!(named("[x](a/kiln.md) [x](b/kiln.md)", "a/kiln.md"));
}
