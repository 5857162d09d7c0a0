use std::sync::Arc;

use super::*;
use crate::table::table;
use crate::verdict::place::PagePlace;

fn are_siblings(a: &str, b: &str) -> bool {
    PagePlace::of(a).subject == PagePlace::of(b).subject
}

#[test]
fn a_row_of_another_table_is_in_the_folder_of_its_id() {
    let two = ["ops/create-user", "against#ops/drop-user"];
    assert_eq!(two.map(folder), ["ops/"; 2]);
    assert!(are_siblings(two[0], two[1]) && name_two_subjects(two[0], two[1]));
    assert!(!name_counts("against#17"));
}

#[test]
fn names_of_pages_for_two_subjects_have_words_in_common() {
    for [a, b, expected] in table(
        "sql/create-user.md        | sql/drop-user.md         | true
         api/BaggingClassifier.txt | api/BaggingRegressor.txt | true
         部署-单机.md                  | 部署-集群.md                 | true
         show-placement.md         | show-locks-of-tables.md  | true
         cluster-scale-out.md      | cluster-deploy.md        | true
         create-user.md            | drop-users.md            | false
         create-user.md            | create-user-name.md      | true
         create-user.md            | create-user-old.md       | false
         create-user.md            | copy of create-user.md   | false
         copy-table.md             | drop-table.md            | true
         archive-user.md           | create-user.md           | true
         old-user.md               | new-user.md              | false
         report.md                 | report-final.md          | false
         report.md                 | Report.orig.md           | false
         报告.md                     | 报告 - 副本.md               | false
         创建用户.md                   | 删除用户.md                 | true
         张三租赁合同.md                | 李四租赁合同.md              | true
         北海.md                     | 上海.md                   | false
         办法-初稿.md                 | 办法终稿.md                 | false
         办法（修改版）.md               | 办法.md                   | false
         周报第十二期.md                | 周报第十三期.md              | false
         create-user.md            | Create-User.txt          | false
         queue.md                  | topics.md                | false
         docs/a/queue.md           | docs/a/topics.md         | false
         page-1.md                 | page-2.md                | false
         3-blog.html               | 3-news.html              | false
         01-create-user.md         | 900.drop-user.md         | true
         s3-sink.md                | s3-source.md             | true
         e2b-client.md             | runtime-client.md        | true
         n8n-triggers.md           | zapier-triggers.md       | true
         page-a1b2c3.md            | page-d4e5f6.md           | false
         page-2b.md                | page-v2.md               | false
         2024-05-01-a.md           | 2024-05-02-b.md          | false
         user-List.md              | user-list.md             | false
         rows.jsonl#1              | rows.jsonl#2             | false
         rows.jsonl#a-one          | more.jsonl#a-two         | true
         rows.jsonl#a-one          | a-two                    | true
         -.md                      | .md                      | false
                                   |                          | false",
    ) {
        let expected = expected == "true";
        assert_eq!(name_two_subjects(a, b), expected, "{a} {b}");
        assert_eq!(name_two_subjects(b, a), expected, "{b} {a}");
    }
}

#[test]
fn paths_may_differ_twice_in_the_subjects() {
    for [a, b, expected] in table(
        "on-mac/2.install-mac.md     | on-linux/5.install-linux.md     | true
         1.on-mac/2.x/install-mac.md | 2.on-linux/7.x/install-linux.md | true
         on-mac/install.md           | on-linux/install.md             | false
         mac/install-mac.md          | linux/install-linux.md          | true
         x/1/mac/install-mac.md      | x/2/linux/install-linux.md      | true
         on-mac/install-mac.md       | on-linux/remove-linux.md        | false
         on-mac/install-mac.md       | on-mac/install-linux.md         | false
         on-mac/install-mac.md       | on-linux/install-mac.md         | false
         on-mac/install-mac.md       | on/linux/install-linux.md       | false
         the-old/tea-old.md          | the-new/tea-new.md              | false
         on-v1/tea-v1.md             | on-v2/tea-v2.md                 | false
         sinks/sink-of-tea/a.md      | sources/source-of-tea/a.md      | true
         on-mac/x/tea-of-mac.md      | on-linux/y/z/cups-in-linux.md   | false
         on-mac/x/tea-of-mac.md      | on-linux/y/z/tea-of-linux.md    | true
         mac/mac.md                  | linux/linux.md                  | false",
    ) {
        let found = differ_twice_in_subjects(a, b);
        assert_eq!(found, expected == "true", "{a} {b}");
        assert_eq!(differ_twice_in_subjects(b, a), found, "{b} {a}");
    }
}

#[test]
fn names_of_releases_differ_in_version_numbers() {
    for (a, b, expected) in [
        ("docs/release-7.1.6.md", "docs/release-8.1.md", true),
        ("releases/1.6.3.txt", "releases/1.10.txt", true),
        ("v1beta3.md", "v1.md", true),
        ("api/config.v1.md", "api/config.v1alpha1.md", true),
        ("docs/release-5.0.0-rc.1.md", "docs/release-5.0.0.md", true),
        ("docs/release-7.1.md", "docs/releases-7.2.md", false),
        ("docs/release.md", "docs/release-7.1.md", false),
        ("docs/release-7.1.md", "docs/release-7.1.md", false),
        ("docs/2024-05 weekly.md", "docs/2024-06 weekly.md", false),
        ("text1.txt", "text2.txt", false),
        ("page-1.md", "page-2.md", false),
        ("docs/rev1.md", "docs/rev2.md", false),
        ("docs/001.md", "docs/002.md", false),
        ("pages.jsonl#1", "pages.jsonl#2", false),
    ] {
        assert_eq!(name_two_releases(a, b), expected, "{a} {b}");
    }
}

#[test]
fn versions_of_a_page_differ_in_folders_of_versions_alone() {
    for [a, b, expected] in table(
        "docs/v1/api.md                                      | docs/v2/api.md                       | true
         2021/docs/a.md                                      | 2025/docs/a.md                       | true
         v04/draft.md                                        | v34/draft.md                         | true
         beta/user/get.md                                    | v1.0/user/get.md                     | true
         old/a.md                                            | new/a.md                             | true
         v1/Tea/A.md                                         | v2/tea/a.md                          | true
         docs/zh-cn/a.md                                     | docs/en/a.md                         | true
         a.jsonl#v1/user.md                                  | b.jsonl#v2/user.md                   | true
         mysql/config.md                                     | postgres/config.md                   | false
         r0/Bershka/Privacy.md                               | r1/Zara/Privacy.md                   | false
         v1/a/x.md                                           | v2/b/x.md                            | false
         v1/api.md                                           | v2/apis.md                           | false
         api.md                                              | v2/api.md                            | true
         docs/1.12.0/a.md                                    | docs/archives/1.5.4/a.md             | true
         docs/g/a.md                                         | versioned_docs/version-2.0/g/a.md    | true
         content/en/docs/a.md                                | content/zh/docs/v1-10-0/a.md         | true
         content/docs/a.md                                   | content/v1.12-docs/a.md              | true
         i18n/zh/docusaurus-plugin-content-docs/current/a.md | versioned_docs/version-1.0/a.md      | true
         docs/a.md                                           | versioned_docs/version-v1.8/a.md     | true
         tea/a.md                                            | tea_versioned_docs/version-v1.8/a.md | true
         i18n/zh/docusaurus-plugin-content-docs-tea/current/a.md | tea/a.md                             | true
         content/2.14/g/a.md                                 | content/docs/g/a.md                  | true
         docs/r/a.md                                         | docs/a.md                            | false
         mysql-8.0/a.md                                      | fabric-2.5/a.md                      | false
         blog/2021/01/index.md                               | blog/2021/02/index.md                | false
         mysql8/a.md                                         | postgres15/a.md                      | false
         fabric-2.2/a.md                                     | fabric-2.5/a.md                      | true
         release_1/a.md                                      | release_2/a.md                       | true
         v1beta1/a.md                                        | v1beta2/a.md                         | true
         v1alpha1/a.md                                       | v1/a.md                              | true
         docs-v1/a.md                                        | docs-v2/a.md                         | true
         v1.x/a.md                                           | v2.x/a.md                            | true
         2.x/a.md                                            | 3.x/a.md                             | true
         rc1/a.md                                            | rc2/a.md                             | true
         chapter1/a.md                                       | chapter2/a.md                        | false
         lesson-01/README.md                                 | lesson-02/README.md                  | false
         第1章/a.md                                            | 第2章/a.md                             | false
         v1/api.md                                           | v1/api.md                            | false",
    ) {
        let expected = expected == "true";
        let found = are_siblings(a, b) && are_one_file(a, b);
        assert_eq!(found, expected, "{a} {b}");
    }
    assert!(name_two_revisions("d/page__r003.html", "d/page__r034.html"));
    for (a, b) in [
        ("d/page-a.html", "d/page-b.html"),
        ("x.jsonl#1", "x.jsonl#2"),
        ("1.md", "2.md"),
    ] {
        assert!(!name_two_revisions(a, b), "{a} {b}");
    }
}

#[test]
fn titles_may_name_the_folders_of_documents() {
    let of = |name: &str, title: &str| {
        let mut document = Document::sample(name);
        Arc::make_mut(&mut document.facts).title.shown = title.into();
        document
    };
    let kettle = of("packages/tea-kettle/CHANGELOG.md", "@tea/teaKettle");
    for (name, title, expected) in [
        ("packages/mugs/CHANGELOG.md", "Mugs for tea", true),
        ("mugs/CHANGELOG.md", "@tea/mugs", true),
        ("packages/mugs/README.md", "@tea/mugs", false),
        ("packages/mugs/CHANGELOG.md", "Changes", false),
        (
            "packages/mugs/CHANGELOG.md",
            "Mugs and the tea kettle",
            false,
        ),
        ("packages/m/CHANGELOG.md", "m", false),
        ("old/tea-kettle/CHANGELOG.md", "tea-kettle", false),
        ("CHANGELOG.md", "tea", false),
    ] {
        let other = of(name, title);
        assert_eq!(
            are_titled_after_folders([&kettle, &other]),
            expected,
            "{name}"
        );
        assert_eq!(
            are_titled_after_folders([&other, &kettle]),
            expected,
            "{name}"
        );
    }
}

#[test]
fn an_index_is_named_after_its_folder() {
    for (a, b, expected) in [
        ("v1/tuning.md", "v2/operations/tuning.mdx", true),
        ("v1/features.md", "v2/features/_index.md", true),
        ("v1/install/README.md", "v2/install/remove/README.md", false),
        ("v1/a/index.md", "v2/b/index.md", false),
        ("index.md", "README.md", true),
        ("v1/01-tuning.md", "v2/300.tuning.md", true),
        ("v1/1.md", "v2/2.md", false),
    ] {
        let [a, b] = [a, b].map(PagePlace::of);
        assert_eq!(a.name == b.name, expected, "{a:?} {b:?}");
    }
    let notes = ["blog/release-v1.4/index.md", "blog/release-v1.5/index.md"];
    assert!(are_notes_in_folders(notes[0], notes[1]));
    assert!(are_notes_in_folders(
        "2018/10/29/tea-1.5.5-released/index.html",
        "2018/12/22/tea-1.6.3-released/index.html"
    ));
    assert!(!are_notes_in_folders(
        "docs/v1.4/index.md",
        "docs/v1.5/index.md"
    ));
    assert!(!are_notes_in_folders(notes[0], "blog/release-v1.5/tea.md"));
}

#[test]
fn documents_of_one_folder_are_siblings_whatever_its_version() {
    assert!(are_siblings("docs/a.md", "docs/b.md") && are_siblings("a.md", "b.md"));
    assert!(!are_siblings("docs/a.md", "docs/sql/a.md") && !are_siblings("a.md", "sql/a.md"));
    assert!(are_siblings("docs/v1/a.md", "docs/v2/b.md"));
    // Of records, the ids count, in whatever files they are.
    assert!(are_siblings("1.jsonl#notes/a", "s/2.jsonl#notes/b"));
    assert!(are_siblings("x.csv#1", "s/y.csv#1"));
    assert!(!are_siblings("x.jsonl#s/a", "x.jsonl#t/a"));
    assert!(!are_siblings("c#/a.md", "c/a.md"));
}

/// Returns a document of these words.
fn document(name: &str, text: &str) -> Document {
    let mut document = Document::sample(name);
    let words: Vec<Unit> = text.split(' ').map(word).collect();
    document.sketches.words = WordFilter::of(&words);
    document
}

#[test]
fn texts_name_the_subjects_of_their_paths() {
    for [a, text_a, b, text_b, expected] in table(
        "setup-mac.md        | tea on mac      | setup-linux.md    | tea on linux    | true
         setup-mac.md        | tea             | setup-linux.md    | tea             | false
         setup-mac.md        | tea on mac      | setup-linux.md    | tea             | false
         setup-mac.md        | mac linux       | setup-linux.md    | linux mac       | false
         setup-mac.md        | mac linux       | setup-linux.md    | linux           | false
         mac/setup.md        | tea on mac      | linux/setup.md    | tea on linux    | true
         api/tea.md          | tea             | api/fast/tea.md   | fast tea        | true
         api/tea.md          | fast tea        | api/fast/tea.md   | fast tea        | false
         v1/tea.md           | v1              | v2/tea.md         | v2              | false
         second-edition/a.md | second tea      | 2018-edition/a.md | tea             | false
         a/notes-old.md      | old             | a/notes-new.md    | new             | false
         1/setup.md          | 1               | 2/setup.md        | 2               | false",
    ) {
        let two = [&document(a, text_a), &document(b, text_b)];
        for two in [two, [two[1], two[0]]] {
            let found = texts_name_their_subjects(two);
            assert_eq!(found, expected == "true", "{a} {b}");
        }
    }
}

#[test]
fn texts_repeat_the_subjects_of_their_paths() {
    for [a, text_a, b, text_b, expected] in table(
        "cpu.md           | cpu cpu memory cpu cpu      | memory.md           | memory cpu memory memory memory | true
         cpu.md           | cpu cpu cpu memory memory   | memory.md           | memory memory memory cpu cpu    | false
         setup.md         | install install setup       | install.md          | install install install         | false
         go/tea.md        | go go                       | php/tea.md          | php php                         | true
         go/tea.md        | go                          | php/tea.md          | php                             | false",
    ) {
        let two = [&document(a, text_a), &document(b, text_b)];
        for two in [two, [two[1], two[0]]] {
            let found = texts_repeat_their_subjects(two);
            assert_eq!(found, expected == "true", "{a} {b}");
        }
    }
}
