//! Pull requests, checked as in docs/ci.md: which ones fail, and at which file.

use crate::env::{Args, BREAD, Env, PARK, Run, Says};
use crate::scale::words;

/// Runs git in the repository, and commits everything.
fn git(env: &Env, args: impl Args) {
    env.git(args);
    env.commit();
}

/// Returns a text of twelve sentences. Those whose number `is_new` have other words.
fn guide(is_new: impl Fn(u64) -> bool) -> String {
    let sentence = |at: u64| words(if is_new(at) { 100 + at } else { at }, 20) + ".\n";
    (0..12).map(sentence).collect()
}

/// Writes a page with this text below a title.
fn write(env: &Env, path: &str, title: &str, text: &str) {
    env.write(path, format!("# {title}\n\n{text}"));
}

/// Writes a page that is the guide with a third of its sentences in other words.
fn reword(env: &Env) {
    write(env, "docs/reworded.md", "Guide", &guide(|at| at % 3 == 1));
}

/// A repository with a branch `main`, and a branch that is checked out for a change.
fn site() -> Env {
    let env = Env::new()
        .file("docs/guide.md", format!("# Guide\n\n{}", guide(|_| false)))
        .file("docs/park.md", PARK)
        .file("docs/bread.md", BREAD);
    git(&env, "init --quiet");
    git(&env, "checkout --quiet -b topic");
    env
}

/// Runs the check of a pull request.
fn check(env: &Env) -> Run {
    env.check("docs --since main -f github")
}

/// Asserts that the check fails because of one page, and names the other one.
#[track_caller]
fn fails(env: &Env, at: &str, message: &str) {
    let run = check(env);
    assert_eq!(run.code, Some(1), "{}{}", run.stdout, run.stderr);
    let errors = run.stdout.lines();
    let errors: Vec<&str> = errors.filter(|line| line.starts_with("::error")).collect();
    assert_eq!(errors.len(), 1, "{}", run.stdout);
    errors[0].says(format!("file={at},"));
    errors[0].says(message);
}

#[track_caller]
fn passes(env: &Env) {
    check(env).went_well().omits("::error");
}

#[test]
fn a_page_that_is_split_in_two_passes() {
    let env = site();
    let text = guide(|_| false);
    let lines: Vec<&str> = text.lines().collect();
    let text = format!("# Guide\n\n{}\n", lines[..6].join("\n"));
    env.write("docs/guide.md", text);
    let text = format!("# Guide, part 2\n\n{}\n", lines[6..].join("\n"));
    env.write("docs/guide-2.md", text);
    env.commit();
    passes(&env);
}

#[test]
fn a_page_with_all_of_another_one_fails_and_one_with_half_of_it_passes() {
    let env = site();
    let own = words(300, 300);
    let text = format!("# Half\n\n{}\n{own}\n", guide(|at| at >= 6));
    env.write("docs/half.md", text);
    env.commit();
    passes(&env);
    let text = format!("# All\n\n{}\n{own}\n", guide(|_| false));
    env.write("docs/half.md", text);
    env.commit();
    fails(&env, "docs/half.md", "contains docs/guide.md");
}

/// The site with a reworded page that was there before the branch.
fn with_old_pair() -> Env {
    let env = site();
    git(&env, "checkout --quiet main");
    reword(&env);
    env.commit();
    git(&env, "checkout --quiet -B topic");
    env
}

#[test]
fn a_merge_of_the_target_brings_nothing_new() {
    let env = site();
    git(&env, "checkout --quiet main");
    env.write("docs/again.md", env.read("docs/guide.md"));
    env.commit();
    git(&env, "checkout --quiet topic");
    env.write("docs/own.md", words(500, 80));
    env.commit();
    passes(&env);
    git(&env, "merge --quiet --no-edit main");
    passes(&env);
    env.write("docs/third.md", env.read("docs/guide.md"));
    env.commit();
    fails(&env, "docs/third.md", "copy of docs/");
}

#[test]
fn a_revert_is_judged_by_what_it_brings_back() {
    let env = with_old_pair();
    git(&env, "rm --quiet docs/reworded.md");
    git(&env, "revert --no-edit HEAD");
    // It was there where the branch left.
    passes(&env);
    git(&env, "checkout --quiet main");
    git(&env, "rm --quiet docs/reworded.md");
    git(&env, "checkout --quiet -B topic");
    git(&env, "revert --no-edit HEAD~1");
    fails(&env, "docs/reworded.md", "near-duplicate of docs/guide.md");
}

#[test]
fn a_deletion_that_leaves_a_page_in_another_one_fails() {
    let env = site();
    let own = words(300, 300);
    let content = format!("# Half\n\n{}\n{own}\n", guide(|at| at >= 6));
    env.write("docs/half.md", content);
    env.commit();
    git(&env, "checkout --quiet -B main");
    git(&env, "checkout --quiet -B topic");
    // What is left of the page is all in the other one.
    let text: String = guide(|_| false)
        .lines()
        .take(6)
        .map(|line| format!("{line}\n"))
        .collect();
    env.write("docs/guide.md", format!("# Guide\n\n{text}"));
    env.commit();
    fails(&env, "docs/guide.md", "contained in docs/half.md");
}
