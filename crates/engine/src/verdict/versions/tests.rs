use super::*;

fn of(names: &[impl AsRef<str> + Sync]) -> Versions<'_> {
    Versions::of(|take| names.iter().for_each(|name| take(name.as_ref())))
}

#[test]
fn a_page_has_moved_if_it_is_not_in_the_other_version() {
    let pages = "v1/install.md v2/install.md v3/install.md v1/tuning.md v2/operations/tuning.md v1/canary.md v2/flagger.md \
                 v1/gateway/README.md v1/mesh/README.md v2/mesh/README.md other/v7/tuning.md v9/canary.md 2023/vote.md \
                 2024/vote.md 2023/canary.md 2024/flagger.md README.md docs/README.md LICENSE docs/LICENSE parts/close.md docs/drain.md";
    let site: Vec<&str> = pages.split(' ').collect();
    let versions = of(&site);
    let site_below: Vec<String> = site
        .iter()
        .map(|name| format!("/home/site/{name}"))
        .collect();
    let below = of(&site_below);
    for (a, b, expected) in [
        ("v1/tuning.md", "v2/operations/tuning.md", true),
        ("v1/canary.md", "v2/flagger.md", true),
        // The tuning has its next version elsewhere.
        ("v1/canary.md", "v2/operations/tuning.md", false),
        // The page of the mesh has its own next version.
        ("v1/mesh/README.md", "v2/flagger.md", false),
        ("v1/gateway/README.md", "v2/mesh/README.md", false),
        ("v1/install.md", "v2/install.md", false),
        ("v1/tuning.md", "v1/canary.md", false),
        ("v1/tuning.md", "v3/install.md", false),
        // Another product, and a version that shares no page.
        ("other/v7/tuning.md", "v2/operations/tuning.md", false),
        ("v9/canary.md", "v2/flagger.md", false),
        ("tuning.md", "v2/operations/tuning.md", false),
        // A repository and its guide.
        ("parts/close.md", "docs/drain.md", false),
        // Posts of two years.
        ("2023/canary.md", "2024/flagger.md", false),
    ] {
        assert_eq!(versions.moved([a, b]).is_some(), expected, "{a} {b}");
        assert_eq!(versions.moved([b, a]).is_some(), expected, "{b} {a}");
        let two = [a, b].map(|name| format!("/home/site/{name}"));
        let found = below.moved([&two[0], &two[1]]);
        assert_eq!(found.is_some(), expected, "{two:?}");
    }
}

#[test]
fn translations_are_in_folders_of_two_languages() {
    let names = ["en/v1/a.md", "zh/v1/a.md", "v1/a.md", "en/v2/a.md"];
    let versions = of(&names);
    for (a, b, expected) in [
        ("en/v1/a.md", "zh/v1/a.md", true),
        ("en/v2/a.md", "zh/v1/a.md", true),
        ("en/v1/a.md", "en/v2/a.md", false),
        ("v1/a.md", "zh/v1/a.md", false),
    ] {
        assert_eq!(versions.are_translations([a, b]), expected, "{a} {b}");
    }
}

#[test]
fn pages_of_two_years_are_editions_if_their_folders_have_the_same_pages() {
    let mut names = vec!["2019/old.md".to_owned(), "2023/new.md".to_owned()];
    for (folder, files) in [
        ("2019", "a b c d"),
        ("2023", "a b c e"),
        ("blog/2019", "a b c f g h i j k"),
        ("blog/2023", "a b c l m n o p q"),
        ("notes/2019", "a b"),
        ("notes/2023", "a b"),
    ] {
        let files = files.split(' ').map(|file| format!("{folder}/{file}.md"));
        names.extend(files);
    }
    let versions = of(&names);
    for (a, b, expected) in [
        ("2019/a.md", "2023/a.md", true),
        ("2019/a.md", "2023/b.md", false),
        ("2019/d.md", "2023/d.md", true),
        ("2019/a.md", "2019/a.md", false),
        ("blog/2019/a.md", "blog/2023/a.md", false),
        ("notes/2019/a.md", "notes/2023/a.md", false),
        ("other/2019/a.md", "2023/a.md", false),
    ] {
        assert_eq!(versions.are_editions([a, b]), expected, "{a} {b}");
    }
}

#[test]
fn subjects_are_known_if_other_documents_are_named_after_them() {
    let site = [
        "mac-install.md",
        "linux-install.md",
        "arm-linux-install.md",
        "remove/linux.md",
        "remove/mac.txt",
        "v2/mac-install.md",
        "anna-cats.md",
        "bob-cats.md",
        "v2/bob-cats.md",
        "cats.md",
        "old-mac-install.md",
        "edited-install.md",
        "old-and-edited.md",
        "install-mac.md",
        "install-linux.md",
        "use-mac-cups.md",
        "use-linux-cups.md",
    ];
    let versions = of(&site);
    for (a, b, expected) in [
        ("mac-install.md", "linux-install.md", true),
        ("v2/mac-install.md", "linux-install.md", true),
        ("use-mac-cups.md", "use-linux-cups.md", true),
        // Nothing else is named after one of the two.
        ("anna-cats.md", "bob-cats.md", false),
        ("linux-install.md", "arm-linux-install.md", false),
        ("cats.md", "bob-cats.md", false),
        ("mac-install.md", "old-mac-install.md", false),
        ("mac-install.md", "edited-install.md", false),
        ("mac-install.md", "v2/mac-install.md", false),
        ("mac-install.md", "cats.md", false),
        // A copy may be named so.
        ("install-mac.md", "install-linux.md", false),
    ] {
        assert_eq!(versions.have_known_subjects([a, b]), expected, "{a} {b}");
        assert_eq!(versions.have_known_subjects([b, a]), expected, "{b} {a}");
    }
}

#[test]
fn folders_with_files_of_the_same_names_are_for_two_subjects() {
    let mut names = Vec::new();
    let folders = "page site page-copy v1 v2 notes/page x/site v1/page v2/site v1/site v2/x/page page/v1 site/v2 \
                   v3/moved/page v3/moved/site";
    for folder in folders.split(' ') {
        names.extend(["a.md", "b.md", "c.md"].map(|file| format!("{folder}/{file}")));
    }
    names.extend(["blog/a.md".to_owned(), "blog/b.md".to_owned()]);
    // Trees share three names, but no two of their folders do.
    for tree in ["cloud", "local", "backup"] {
        names.extend(["a/x.md", "b/x/x.md", "y.md"].map(|file| format!("{tree}/{file}")));
    }
    names.extend(["hosted/a/x.md", "hosted/b/x/x.md"].map(str::to_owned));
    let versions = of(&names);
    for (a, b, expected) in [
        ("page/a.md", "site/a.md", true),
        ("page/a.md", "site/b.md", false),
        // These share two names alone.
        ("page/a.md", "blog/a.md", false),
        ("page/a.md", "page-copy/a.md", false),
        ("v1/a.md", "v2/a.md", false),
        ("page/a.md", "page/b.md", false),
        ("v1/page/a.md", "v2/site/a.md", true),
        ("page/v1/a.md", "site/v2/a.md", true),
        ("v1/page/a.md", "v2/x/page/a.md", false),
        // The folder of pages has moved, and that of sites is beside it.
        ("v2/site/a.md", "v3/moved/page/a.md", true),
        ("v1/page/a.md", "v3/moved/page/a.md", false),
        ("notes/page/a.md", "x/site/a.md", false),
        ("cloud/b/x/x.md", "local/b/x/x.md", true),
        ("cloud/a/x.md", "local/b/x/x.md", false),
        ("cloud/b/x/x.md", "hosted/b/x/x.md", false),
        ("cloud/b/x/x.md", "backup/b/x/x.md", false),
    ] {
        let found = versions.are_in_parallel_folders([a, b]);
        assert_eq!(found, expected, "{a} {b}");
    }
}

#[test]
fn trees_are_compared_in_any_order_of_the_names() {
    let inner = "a/".repeat(6);
    let deep = format!("{}{}", "a/".repeat(5), "b/".repeat(13));
    let files = [
        format!("{deep}y.md"),
        format!("{inner}x.md"),
        format!("{inner}z.md"),
    ];
    let trees = ["cloud", "local"].into_iter();
    let mut names: Vec<String> = trees
        .flat_map(|tree| files.iter().map(move |file| format!("{tree}/{file}")))
        .collect();
    let [a, b] = ["cloud", "local"].map(|tree| format!("{tree}/{inner}x.md"));
    for _ in 0..2 {
        assert!(of(&names).are_in_parallel_folders([&a, &b]), "{names:?}");
        names.reverse();
    }
}
