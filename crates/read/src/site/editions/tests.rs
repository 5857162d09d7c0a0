use super::*;
use crate::table::table;

/// Returns the languages and the versions, as in `en zh / v1 v2`, and each file as `language version page`.
fn found(names: &str, configs: &[(&str, &str)]) -> Option<(String, Vec<String>)> {
    let names: Vec<&str> = names.split(' ').collect();
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    };
    names.iter().for_each(|name| write(name, ""));
    for (name, content) in configs {
        write(name, content);
    }
    let files: Vec<PathBuf> = names.iter().map(PathBuf::from).collect();
    let editions = Editions::of(&files, folder.path())?;
    let name = |all: &[String], number: u16| match usize::from(number).checked_sub(1) {
        Some(at) => all[at].clone(),
        None => "-".into(),
    };
    let of = |file: &&str| {
        let edition = editions.edition(file);
        let [language, version] = [
            name(&editions.languages, edition.language),
            name(&editions.versions, edition.version),
        ];
        format!("{language} {version} {}", editions.page(file))
    };
    let files = names.iter().map(of).collect();
    let [languages, versions] = [&editions.languages, &editions.versions].map(|all| all.join(" "));
    Some((format!("{languages} / {versions}").trim().to_owned(), files))
}

#[test]
fn names_tell_languages_and_versions_beside_others_of_their_kind() {
    for [names, editions, first] in table(
        "docs/en/a.md docs/zh/a.md docs/en/b.md | en zh /     | en - docs/a.md
         zh-CN/a.md en/a.md assets/x.md         | en zh-CN /  | zh-CN - a.md
         en/a.md zh/a.md b/x.md c/x.md en/b.md  | en zh /     | en - a.md
         v1.2/a.md v1.3/a.md v1.3/x/b.md        | / v1.2 v1.3 | - v1.2 a.md
         2021/docs/a.md 2025/docs/a.md          | / 2021 2025 | - 2021 docs/a.md
         docs/a.md docs/b.md 2-edge/a.md 2-edge/b.md 2.1/a.md 2.2/b.md 2.2/a.md | / 2-edge 2.1 2.2 docs | - docs a.md
         docs/a.md docs/b.md docs/c.md 2.1/a.md 2.2/a.md   | / 2.1 2.2             | - - docs/a.md
         c/en/v1/a.md c/en/v2/a.md c/zh/v1/a.md c/zh/v2/a.md | en zh / v1 v2 | en v1 c/a.md
         docs/a.md docs/b.md zh/docs/a.md zh/docs/b.md en/docs/a.md img/x.md | en source zh / | source - docs/a.md
         d/old/1.0/a.md d/old/1.1/a.md d/2.0/a.md d/2.1/a.md | / 1.0 1.1 2.0 2.1 | - 1.0 d/a.md
         c/en/docs/archive/1.0/use/x/a.md c/en/docs/2.0/run/a.md c/zh/docs/2.0/use/x/b.md c/zh/docs/3.0/use/x/b.md | en zh / 2.0 3.0 | en - c/docs/archive/1.0/use/x/a.md
         c/de/a.md c/en/b.md c/it/c.md c/nn/x.md c/pt/d.md c/pt-br/e.md c/img/f.md | de en it pt pt-br / | de - c/a.md
         4x/a.md 5x/a.md 5x/b.md                | / 4x 5x     | - 4x a.md
         d/v1/1.9/a.md d/v2/2.0/a.md d/v2/2.0/b.md d/v2/2.1/a.md | / v1 v2/2.0 v2/2.1 | - v1 d/1.9/a.md
         1.0/x/v1/a.md 1.0/x/v1/b.md 1.0/x/a.md 1.0/x/b.md 2.0/x/a.md 2.0/x/b.md | / 1.0 1.0/v1 2.0 | - 1.0/v1 x/a.md
         1.0/x/a.md 1.0/x/b.md 1.0/x/v1/a.md 1.0/x/v1/b.md 2.0/x/a.md 2.0/x/b.md | / 1.0 1.0/v1 2.0 | - 1.0 x/a.md
         docs/a.md docs/b.md docs/c/d.md docs/zh/a.md docs/zh/b.md | source zh / | source - docs/a.md
         d/x/a.md d/b.md d/c.md d/lts/x/a.md d/lts/b.md d/lts/e.md | / lts source | - source d/x/a.md
         d/2.0/x/a.md d/2.0/b.md d/x/a.md d/b.md d/2.1/x/a.md | / 2.0 2.1 source | - 2.0 d/x/a.md
         docs/x/a.md docs/b.md docs/c.md v1.0/x/a.md v1.0/b.md src/x.md | / docs v1.0 | - docs x/a.md
         docs/1.0/a.md docs/1.1/a.md docs/1.1/b.md zh/docs/1.1/a.md | source zh / 1.0 1.1 | source 1.0 docs/a.md
         en/a.md en/b.md en/lts/a.md en/lts/b.md zh/a.md zh/b.md zh/lts/b.md | en zh / lts source | en source a.md
         README.zh-CN.md README.md a.md         | source zh-CN / | zh-CN - README.md
         a_cn.md a_en.md b-en.md b-cn.md c_cn.md | cn en /     | cn - a_.md",
    ) {
        let (found, pages) = found(names, &[]).unwrap();
        assert_eq!((&*found, &*pages[0]), (editions, first), "{names}");
    }
}

#[test]
fn other_folders_tell_nothing() {
    for names in [
        "docs/a.md docs/b.md",
        "docs/en/a.md",
        "docs/a.md docs/b.md docs/c.md v1.0/a.md",
        "docs/README.md v1.0/README.md",
        "docs/a.md docs/b.md docs/latest/a.md docs/latest/c.md docs/latest/d.md",
        // Chapters, years of posts, and words that are codes too.
        "docs/01/a.md docs/02/a.md",
        "posts/2023/cats.md posts/2024/dogs.md",
        "api/id/a.md api/is/a.md",
        "x/en/a.md x/fr/b.md x/ja/c.md",
        "en/a.md fr/a.md b/a.md c/a.md d/a.md",
        // Half of the pages, and not of the folders.
        "de/a.md de/b.md en/c.md fr/d.md it/e.md ja/f.md u/g.md v/h.md w/i.md x/j.md y/k.md z/l.md",
        // One common language, and words that are codes.
        "de/a.md id/b.md is/c.md it/d.md no/e.md my/f.md",
        "en/use/x/a.md id/use/x/b.md",
        // One folder of the same name, and one of many.
        "en/docs/1.0/use/a.md es/docs/2.0/use/b.md",
        "de/docs/a.md es/docs/b.md",
        "ar/use/x/a.md ar/b/c/d/e/a.md es/use/x/b.md es/k/l/m/n/b.md",
        "tea.id.md tea.md",
        // One page, others without a twin, and departments.
        "a_cn.md a_en.md",
        "a_de.md a_en.md b_de.md b_en.md c_de.md d_de.md e_de.md c1_en.md d1_en.md e1_en.md",
        "rules-hr.md rules-it.md leave-hr.md leave-it.md",
        "x/README.md x/pl/README.md x/a.md",
        "x/a.md y/a.md zh/x/b.md",
    ] {
        assert_eq!(found(names, &[]), None, "{names}");
    }
}

#[test]
fn a_configuration_names_folders_that_tell_nothing_by_themselves() {
    let config = "i18n: {\n  defaultLocale: 'en',\n  locales: ['zh', 'en'],\n}\n";
    let docusaurus = [
        ("docusaurus.config.js", config),
        ("versions.json", "[\"5.0\"]"),
    ];
    let names = "blog/a.md docs/a.md i18n/en/docusaurus-plugin-content-blog/a.md \
                 i18n/en/docusaurus-plugin-content-docs/current/a.md \
                 i18n/en/docusaurus-plugin-content-docs/version-5.0/x/a.md versioned_docs/version-5.0/x/a.md";
    let (editions, pages) = found(names, &docusaurus).unwrap();
    assert_eq!(editions, "en zh / 5.0 current");
    let expected = "zh - blog/a.md, zh current docs/a.md, en - blog/a.md, en current docs/a.md, \
                    en 5.0 docs/x/a.md, zh 5.0 docs/x/a.md";
    assert_eq!(pages.join(", "), expected);
    let beside = [(
        "website/docusaurus.config.js",
        "docs: {\n  path: '../docs',\n}\n",
    )];
    let names = "docs/a.md website/versioned_docs/version-5.0/a.md";
    let (editions, pages) = found(names, &beside).unwrap();
    assert_eq!(
        (&*editions, pages.join(", ")),
        (
            "/ 5.0 current",
            "- current docs/a.md, - 5.0 docs/a.md".into()
        )
    );
    let pages = "a/modules/ROOT/pages/x.adoc b/modules/ROOT/pages/x.adoc";
    let versions = [
        ("a/antora.yml", "name: tea\nversion: '1.0'\n"),
        ("b/antora.yml", "name: tea\nversion: 2.0\n"),
    ];
    assert_eq!(found(pages, &versions).unwrap().0, "/ 1.0 2.0");
    // Two components, each with a version of its own.
    let components = [
        ("a/antora.yml", "name: tea\nversion: 1\n"),
        ("b/antora.yml", "name: ferry\nversion: 2\n"),
    ];
    assert_eq!(
        found("a/modules/x.adoc b/modules/x.adoc", &components),
        None
    );
}

#[test]
fn versions_of_two_products_are_none_of_each_other() {
    let names = [
        "a/v1/x.md",
        "a/v2/x.md",
        "b/v1/x.md",
        "b/v2/x.md",
        "a/old/v1.0/x.md",
        "a/old/v1.1/x.md",
    ];
    let files = names.map(PathBuf::from);
    let editions = Editions::of(&files, Path::new("no such folder")).unwrap();
    for (one, other, are_apart) in [
        (0, 1, true),
        (2, 3, true),
        (0, 2, false),
        (0, 3, false),
        (0, 4, true),
        (2, 4, false),
    ] {
        let found = editions.are_apart(names[one], names[other]);
        assert_eq!(found, are_apart, "{} {}", names[one], names[other]);
    }
}
