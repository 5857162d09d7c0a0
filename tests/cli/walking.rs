//! Which files of a folder are compared: depth, hidden names, ignore files, globs, links.

use crate::env::{Env, table};
#[cfg(unix)]
use crate::env::{Report, Says};

#[test]
fn folders_are_walked_with_all_their_subfolders() {
    let env = Env::with("a.md b/c.txt b/d/e/f 城市/公园.md");
    let all = ["a.md", "b/c.txt", "b/d/e/f", "城市/公园.md"];
    assert_eq!(env.names(""), all);
    assert_eq!(env.names("."), all);
    assert_eq!(env.names("./b/"), ["b/c.txt", "b/d/e/f"]);
    let expected = ["../../a.md", "../c.txt", "../d/e/f"];
    assert_eq!(env.names_in("b/d", ".. ../../a.md"), expected);
}

#[test]
fn instructions_for_agents_are_a_type() {
    let told = [
        ".claude/agents/writer.md",
        ".cursor/rules/style.mdc",
        "AGENTS.md",
        "docs/skills/release/SKILL.md",
        "tools/CLAUDE.md",
    ];
    let others = ["docs/page.md", ".github/page.md", ".claude/settings.json"];
    let env = Env::with([&told[..], &others].concat());
    assert_eq!(env.names("-t agents"), told);
    assert_eq!(env.names("-t agents -g !*.mdc").len(), 4);
    let expected = [".github/page.md", "docs/page.md"];
    assert_eq!(env.names("-T agents --hidden"), expected);
    env.scan("-t agents,md").fails("agents stands alone");
}

/// Writes files, as in `a: content of a & b: content of b`.
fn write_all(env: &Env, files: &str) {
    for file in files.split(" & ").filter(|file| !file.is_empty()) {
        let (name, content) = file.split_once(": ").unwrap();
        env.write(name, content);
    }
}

#[test]
fn hidden_names_and_ignored_ones_are_left_out_unless_asked_for() {
    for [names, rules, args, left] in table(
        r"a.md .b.md .c/d.md e/.f/g.md  |                      |                        | a.md
          a.md .b.md .c/d.md e/.f/g.md  |                      | --hidden               | .b.md .c/d.md a.md e/.f/g.md
          a.md .b.md .c/d.md e/.f/g.md  |                      | .c                     | .c/d.md
          a.md .git/b.md sub/.git/c.md  |                      | --hidden --no-ignore   | a.md
          a.md .git/b.md sub/.git/c.md  |                      | --hidden -g *.md -g .git/** | a.md
          a.md .b.md c.txt              | .gitignore: *.md\n   | -g *.md                | .b.md a.md
          a.md .b.md c.txt              | .gitignore: *.md\n   | -g *.md --exclude .*   | a.md
          docs/a.md                     | .gitignore: a.md\n   | docs                   | docs/a.md
          .git/x out/a.md out/b.tmp     | .gitignore: out/\n*.tmp\n | out               | out/a.md
          .git/x a.md b.md in/a.md in/b.md | .gitignore: a.md\n & in/.git: gitdir: ../.git/modules/in\n & in/.gitignore: b.md\n | | b.md in/a.md",
    ) {
        let env = Env::with(names);
        write_all(&env, rules);
        assert_eq!(env.names(args).join(" "), left, "{names} {rules} {args}");
    }
}

#[test]
fn ignore_files_are_honoured_as_git_does() {
    for [what, files, left] in table(
        r"a name, in every folder               | .gitignore: b.md\n                     | a.md d/a.md
          a name anchored to its folder         | .gitignore: /b.md\n                    | a.md d/a.md d/b.md
          a folder                              | .gitignore: d/\n                       | a.md b.md
          a later line outweighs an earlier one | .gitignore: *.md\n!a.md\n              | a.md d/a.md
          a deeper file outweighs a higher one  | .gitignore: b.md\n & d/.gitignore: !b.md\na.md\n | a.md d/b.md
          what lies in an ignored folder cannot be brought back | .gitignore: d\n!d/a.md\n & d/.gitignore: !*\n | a.md b.md
          comments and empty lines say nothing  | .gitignore: # a.md\r\n\r\nb.md\r\n     | a.md d/a.md
          braces are letters                    | .gitignore: {a,b}.md\n/{b.md\n/b.md}\n   | a.md b.md d/a.md d/b.md
          classes of characters                 | .gitignore: /[[:alpha:]].md\n/d/[^[:punct:]a[:digit:]].md\n | d/a.md
          .ignore outweighs .gitignore          | .gitignore: b.md\n & .ignore: !b.md\nd\n | a.md b.md
          .ignore outweighs a deeper .gitignore | d/.gitignore: a.md\n & .ignore: !a.md\nb.md\n | a.md d/a.md
          .dupfindignore outweighs .ignore      | .dupfindignore: !b.md\na.md\n & .ignore: b.md\n | b.md d/b.md
          .git/info/exclude counts too          | .git/info/exclude: b.md\n              | a.md d/a.md
          .gitignore outweighs .git/info/exclude | .git/info/exclude: *.md\n & d/.gitignore: !b.md\n | d/b.md",
    ) {
        let env = Env::with("a.md b.md d/a.md d/b.md");
        write_all(&env, files);
        assert_eq!(env.names("").join(" "), left, "{what}");
        let all = env.names("--no-ignore").join(" ");
        assert_eq!(all, "a.md b.md d/a.md d/b.md", "{what}");
    }
}

#[test]
fn rules_of_parent_folders_hold_up_to_the_root_of_the_repository() {
    let env = Env::with("repo/docs/in/a.md repo/docs/in/b.md repo/docs/in/c.md")
        .folder("repo/.git")
        .file(".gitignore", "a.md\n")
        .file(".ignore", "a.md\n")
        .file("repo/.gitignore", "b.md\n")
        .file("repo/docs/.dupfindignore", "c.md\n");
    assert_eq!(env.names_in("repo/docs", "in"), ["in/a.md"]);
    assert_eq!(env.names("repo/docs/in"), ["repo/docs/in/a.md"]);
    assert_eq!(env.names_in("repo/docs/in", ""), ["a.md"]);
    let expected = ["a.md", "b.md", "c.md"];
    assert_eq!(env.names_in("repo/docs/in", "--no-ignore"), expected);
}

#[test]
fn a_bad_line_in_an_ignore_file_is_warned_about_once() {
    let env = Env::with("a/1.md b/2.md c.md")
        .folder(".git")
        .file(".gitignore", "[z-a]\nc.md\n");
    for args in ["scan", "scan a b", "show --as fingerprint a b"] {
        let run = env.run(args);
        run.warns(".gitignore: line 1").omits("c.md");
        assert_eq!(run.stderr.lines().count(), 1, "{args:?}: {}", run.stderr);
        assert_eq!(env.run((args, "--quiet")).ok(), run.stdout);
    }
}

#[test]
fn an_ignore_file_may_be_in_any_encoding() {
    let env = Env::with("a.md b.md \u{e9}.md")
        .file(".gitignore", b"# \xc4\xea\n??\xa9.md\n\xc3\xa9.md\nb.md\n");
    assert_eq!(env.names(""), ["a.md"]);
}

#[cfg(unix)]
#[test]
fn a_link_is_an_ignore_file_unless_git_does_not_follow_it() {
    let env = Env::with("a.md b.md")
        .file("rules", "a.md\n")
        .link(".gitignore", "rules");
    assert_eq!(env.names("-t md"), ["a.md", "b.md"]);
    assert_eq!(env.link(".ignore", "rules").names("-t md"), ["b.md"]);
}

#[test]
fn an_ignore_file_that_is_too_large_is_warned_about_and_not_used() {
    let env = Env::with("a.md b.md")
        .folder(".git")
        .file(".gitignore", format!("b.md\n{}", "x".repeat(256 << 10)));
    let run = env.scan("");
    let report = Report::of(run.warns(".gitignore: an ignore file has at most 262144 bytes"));
    assert_eq!(report.summary.documents, 2);
    env.write(".gitignore", "b.md\n".repeat((256 << 10) / 5));
    assert_eq!(env.names(""), ["a.md"]);
}

#[test]
fn globs_take_and_leave_out_and_the_last_one_counts() {
    for [args, left] in table(
        "-g *.md                         | a.md docs/a.md docs/old/c.md
         --glob *.md --glob *.txt        | a.md b.txt docs/a.md docs/b.txt docs/old/c.md
         -g docs/*.md                    | docs/a.md
         -g /*.md                        | a.md
         -g docs/**                      | docs/a.md docs/b.txt docs/old/c.md
         -g !*.md                        | b.txt docs/b.txt
         -g !docs                        | a.md b.txt
         -g !docs/old/                   | a.md b.txt docs/a.md docs/b.txt
         -g *.md -g !a.md                | docs/old/c.md
         -g !a.md -g *.md                | a.md docs/a.md docs/old/c.md
         -g *.{md,txt} -g !docs/old/*    | a.md b.txt docs/a.md docs/b.txt
         --exclude *.md                  | b.txt docs/b.txt
         --exclude docs/old/** -g *.md   | a.md docs/a.md
         --exclude docs --exclude *.txt  | a.md
         -g *.rs                         |",
    ) {
        let env = Env::with("a.md b.txt docs/a.md docs/b.txt docs/old/c.md");
        assert_eq!(env.names(args).join(" "), left, "{args}");
    }
}

#[test]
fn globs_are_relative_to_the_current_folder_whatever_the_roots() {
    let env = Env::with("docs/a.md docs/sub/b.md");
    for root in [
        "docs",
        "./docs/",
        "docs/../docs",
        &format!("{}/docs", env.root()),
    ] {
        let names = env.names([root, "-g", "docs/*.md"]);
        assert_eq!(names.len(), 1, "{root}: {names:?}");
    }
}

#[cfg(unix)]
#[test]
fn links_are_followed_only_if_asked_for_or_named() {
    for [files, links, args, left] in table(
        "a/b.md c/d.md c/e/f.md         | a/g: ../c & a/h.md: ../c/d.md | a               | a/b.md
         a/b.md c/d.md c/e/f.md         | a/g: ../c & a/f.md: ../c/d.md | a -L            | a/b.md a/f.md a/g/e/f.md
         a/b.md c/d.md c/e/f.md         | a/g: ../c & a/f.md: ../c/d.md | a --follow      | a/b.md a/f.md a/g/e/f.md
         a/b.md c/d.md c/e/f.md         | a/g: ../c & a/h.md: ../c/d.md | a a/h.md        | a/b.md a/h.md
         z/a.md                         | a: z & b: z                   | -L -g b/**      | b/a.md
         a/b/c.md a/b/d.md e/f.md       | e/g: ../a/b                   | e/g -g e/g/c.*  | e/g/c.md
         n/.git/x n/b.md n/c.md n/d/e.md | f: n                         | f               | f/b.md f/d/e.md
         n/.git/x n/b.md n/c.md n/d/e.md | f: n                         | f/              | f/b.md f/d/e.md
         n/.git/x n/b.md n/c.md n/d/e.md | f: n                         | f -L            | f/b.md f/d/e.md
         n/.git/x n/b.md n/c.md n/d/e.md | f: n                         | ./f             | f/b.md f/d/e.md",
    ) {
        let mut env = Env::with(files);
        for link in links.split(" & ") {
            let (name, target) = link.split_once(": ").unwrap();
            env = env.link(name, target);
        }
        // A folder that a link leads to has its rules.
        let env = env.file("n/.gitignore", "c.md\n");
        assert_eq!(env.names(args).join(" "), left, "{links} {args}");
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_is_reached_in_several_ways_counts_once_under_its_own_name() {
    let env = Env::with("z/park.md z/other.md")
        .link("a/link.md", "../z/park.md")
        .link("b", "z");
    std::fs::hard_link(env.path("z/other.md"), env.path("z/twin.md")).unwrap();
    let once = ["z/other.md", "z/park.md"];
    for args in [
        &[".", "--follow"][..],
        &["a", "z", "--follow"],
        &["z", "z/", "./z/park.md"],
        &["z", env.path("z").to_str().unwrap()],
    ] {
        assert_eq!(env.names(args), once, "{args:?}");
    }
}

#[cfg(unix)]
#[test]
fn link_loops_are_reported_and_end() {
    let env = Env::with("a/b/c.md")
        .link("a/b/up", "..")
        .link("a/b/here", ".");
    assert_eq!(env.names(""), ["a/b/c.md"]);
    let report = env.json("-L");
    assert_eq!(report.summary.documents, 1);
    let expected = [("a/b/here", "link loop"), ("a/b/up", "link loop")];
    assert_eq!(report.skips(), expected);
    assert_eq!(report.skipped[0].detail, "leads back to a/b");
    assert_eq!(report.skipped[1].detail, "leads back to a");
}

#[cfg(unix)]
#[test]
fn folders_with_many_paths_by_links_are_walked_a_few_times() {
    // A million paths lead to the last folder.
    let env = (0..20).fold(Env::with("20/a.md"), |env, at| {
        let next = format!("../{}", at + 1);
        env.link(&format!("{at}/x"), &next)
            .link(&format!("{at}/y"), &next)
    });
    let report = env.json("-L");
    assert_eq!(report.summary.documents, 1);
    assert_eq!(env.names("-L"), ["20/a.md"]);
    let loops = report.skips();
    assert!((1..=20).contains(&loops.len()), "{loops:?}");
    assert!(loops.iter().all(|(_, reason)| *reason == "link loop"));
    let detail = &report.skipped[0].detail;
    assert_eq!(detail, "links lead to it on more than 16 paths");
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_is_an_error_only_if_links_are_followed() {
    let env = Env::with("docs/a.md")
        .link("docs/gone", "nowhere")
        .link("docs/ring", "ring");
    assert_eq!(env.json("docs").skips(), []);

    let run = env.scan("docs -L");
    let report = Report::of(run.complains("docs/gone: not found"));
    assert_eq!(report.summary.documents, 1);
    assert_eq!(report.skipped[0].path, "docs/gone");
    assert_eq!(report.skipped[1].path, "docs/ring");
    assert_eq!(report.summary.skipped, 2);

    env.scan("docs/gone").complains("docs/gone: not found");
}

#[test]
fn a_linked_worktree_has_the_excluded_names_of_its_repository() {
    let env = Env::with(
        "main/a.md wt/a.md wt/private.md wt/drafts/b.md wt/below/c.tmp.md sub/a.md sub/private.md",
    )
    .file("main/.git/info/exclude", "private.md\ndrafts/\n*.tmp.md\n")
    .file("main/.git/worktrees/wt/commondir", "../..\n")
    .file("wt/.git", "gitdir: ../main/.git/worktrees/wt\n")
    .file("sub/.git", "gitdir: nowhere\n");
    assert_eq!(env.names("wt"), ["wt/a.md"]);
    assert_eq!(env.names("sub"), ["sub/a.md", "sub/private.md"]);
}
