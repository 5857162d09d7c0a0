//! The recipes of the guide, from its own text.

use std::process::Command;

use crate::env::{PARK, Says};

use super::repository::{KILN, Repository, of_project};

const GUIDE: &str = include_str!("../../../docs/ci.md");

fn recipe(name: &str) -> &'static str {
    recipe_of(GUIDE, name)
}

/// The code block of a page after the line that names a recipe.
pub(super) fn recipe_of(page: &'static str, name: &str) -> &'static str {
    let marker = format!("<!-- recipe: {name} -->\n");
    let (_, rest) = page.split_once(&marker).unwrap();
    let (_, block) = rest.split_once('\n').unwrap();
    block.split_once("```\n").unwrap().0
}

#[test]
fn the_shell_gets_the_exit_status_of_a_run() {
    let script = recipe("shell");
    let ran = Repository::new().shell(script, 0);
    ran.stdout.says("no page repeats another");

    let repository = Repository::with_copy();
    let ran = repository.shell(script, 1);
    ran.stdout.says("docs/copy.md");
    ran.stdout.ends("see above\n");
    assert!(repository.beside("site/duplicates.json").exists());

    let repository = Repository::new();
    repository.git(["mv", "docs", "pages"]);
    let ran = repository.shell(script, 2);
    ran.stdout.says("could not do its work");
    ran.says("docs: not found");
}

#[test]
fn accepted_pairs_pass_and_further_copies_fail() {
    let [accept, check] = recipe("baseline").lines().collect::<Vec<_>>()[..] else {
        panic!("the recipe has two lines");
    };
    let repository = Repository::with_copy();
    repository.shell(check, 1);
    repository.shell(accept, 0);
    repository.shell(check, 0);
    repository.commit("Accept what there is");

    repository.git(["mv", "docs/copy.md", "docs/renamed.md"]);
    repository.page("docs/lighthouse.md", "Another text altogether.");
    // Renamed, and edited elsewhere.
    repository.shell(check, 0);

    repository.page("docs/third.md", KILN);
    let ran = repository.shell(check, 1);
    ran.stdout.says("docs/third.md");
}

#[test]
fn what_a_branch_changes_fails() {
    let repository = Repository::with_copy();
    repository.commit("A copy");
    repository.git(["update-ref", "refs/remotes/origin/main", "HEAD"]);
    let check = recipe("since");
    repository.shell(check, 0);
    repository.page("docs/third.md", KILN);
    let ran = repository.shell(check, 1);
    ran.stdout.says("docs/third.md");
}

#[test]
fn a_pair_that_is_right_is_accepted() {
    let repository = Repository::new();
    for page in ["a", "b"] {
        repository.page(&format!("docs/{page}.md"), PARK);
    }
    repository.shell(recipe("decisions"), 0);
    let check = recipe("baseline").lines().last().unwrap();
    repository.shell(check, 0);
    repository.page("docs/c.md", PARK);
    repository.shell(check, 1);
}

#[test]
fn a_family_is_accepted_and_a_copy_in_it_is_not() {
    let repository = Repository::new();
    for name in ["kiln", "oven", "stove"] {
        let page = format!("# The {name}\n\n{PARK}");
        repository.page(&format!("docs/drivers/{name}.md"), &page);
    }
    let check = "dupfind check docs";
    repository.shell(check, 1);
    repository.shell(recipe("family"), 0);
    let line = GUIDE.split_once("```json\n{\"family\"").unwrap().1;
    let line = line.lines().next().unwrap();
    let written = std::fs::read_to_string(repository.beside("site/.dupfind-baseline")).unwrap();
    written.ends(format!("{{\"family\"{line}\n"));
    repository.shell(check, 0);
    repository.page("docs/drivers/copy.md", &format!("# The kiln\n\n{PARK}"));
    repository.shell(check, 1);
}

#[test]
fn a_plan_lists_the_pages_that_go_with_those_that_stay() {
    if Command::new("jq").arg("--version").output().is_err() {
        return;
    }
    let repository = Repository::with_copy();
    let list = recipe_of(include_str!("../../../docs/clean-up.md"), "addresses");
    let ran = repository.shell(&format!("dupfind plan docs -o plan.jsonl && {list}"), 0);
    let pages: Vec<&str> = ran.stdout.trim_end().split('\t').collect();
    assert_eq!(pages.len(), 2, "{ran:?}");
    assert_ne!(pages[0], pages[1]);
    for page in pages {
        assert!(repository.beside("site").join(page).exists(), "{ran:?}");
    }
}

#[test]
fn a_plan_lists_the_pages_whose_files_have_more_than_those_that_stay() {
    if Command::new("jq").arg("--version").output().is_err() {
        return;
    }
    let repository = Repository::with_copy();
    repository.page("docs/a/park.md", PARK);
    repository.page("docs/b/park.md", &format!("{PARK}\n<!-- later -->\n"));
    let list = recipe_of(include_str!("../../../docs/clean-up.md"), "lost");
    let ran = repository.shell(
        &format!("dupfind plan docs --keep path -o plan.jsonl && {list}"),
        0,
    );
    let because =
        "the same text; 1 line of the file that goes is not in the one that stays: <!-- later -->";
    let expected = format!("docs/a/park.md\tdocs/b/park.md\t{because}\n");
    assert_eq!(ran.stdout, expected, "{ran:?}");
}

#[test]
fn recipes_name_this_version() {
    let version = concat!("v", env!("CARGO_PKG_VERSION"));
    let is_version = |word: &&str| {
        let parts: Vec<&str> = word.split('.').collect();
        let is_number = |part: &&str| part.parse::<u32>().is_ok();
        parts.len() == 3 && parts[0].starts_with('v') && parts[1..].iter().all(is_number)
    };
    for name in ["gitlab", "pre-commit"] {
        let recipe = recipe(name);
        let words = recipe.split(|c: char| !(c.is_alphanumeric() || c == '.'));
        let versions: Vec<&str> = words.filter(is_version).collect();
        assert!(!versions.is_empty(), "{name}");
        for found in &versions {
            assert_eq!(*found, version, "{found:?}");
        }
    }
}

/// The names below `inputs:` or `outputs:` of the action.
fn names_of(section: &str) -> Vec<String> {
    let action = std::fs::read_to_string(of_project(".github/actions/dupfind/action.yml")).unwrap();
    let (_, rest) = action.split_once(&format!("\n{section}:\n")).unwrap();
    let lines = rest.lines();
    let lines = lines.take_while(|line| line.is_empty() || line.starts_with(' '));
    let names = lines.filter_map(|line| line.strip_prefix("  ")?.strip_suffix(':'));
    let names = names.filter(|name| !name.starts_with(' '));
    names.map(str::to_owned).collect()
}

#[test]
fn inputs_and_outputs_of_the_action_are_documented() {
    let (_, section) = GUIDE.split_once("\n## GitHub\n").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let (inputs, outputs) = (names_of("inputs"), names_of("outputs"));
    assert_eq!((inputs.len(), outputs.len()), (7, 7));
    for name in inputs.iter().chain(&outputs) {
        section.says(format!("`{name}`"));
    }
}
