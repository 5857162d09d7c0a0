//! What newcomers type, who know grep, ripgrep, jscpd, fdupes, git or eslint: it works, or one line tells what to type.

use crate::env::{Env, PARK, Says, record, table};
use crate::readme::COMMANDS;

/// What does what was meant, behind `dupfind`. The name of the program alone does, too.
const WORKS: &str = "\
& help & help scan & --help & -h & version & --version & -V & . & en & en zh & scan en & en -r &
-r en & en --recursive & scan -R en & en --json & --json & -f json & en --jsonl & en --csv & en --sarif &
en --markdown & en --table & en --reporter json & en --output-format=csv & en --out report.json &
en -o report.html & en --jaccard 0.5 & en --hamming 5 & en --distance 5 & en --ngram 5 & en -k 5 &
en --simhash & . --ignore zh & . --ignore=zh & . --exclude-dir zh & . --ignore-pattern zh/** &
. --exclude zh & . --include *.md & . --pattern *.md & . -g *.md & . -t md & . --type md & . --hidden &
. -a & . --all-files & . --no-gitignore & . -u & . --follow-symlinks & --path en & --dir=en & --input en &
en --limit 5 & en -n 5 & en --max-count 5 & en --head 5 & en --verbose & compare en/park.md en/copy.md -v &
compare en/park.md en/copy.md . --across &
en --no-color & en --plain & en --colour never & en --language zh & en --silent & en --no-progress &
en --debug & en --jobs 2 & en --workers=2 & diff en/park.md en/edited.md & en/park.md en/edited.md &
list en & completion bash";

/// What is typed, and words of the answer.
const TEACHES: &str = "\
en -o report.xlsx                        | xlsx
en --html                                | dupfind docs -o report.html
en --report                              | dupfind docs -o report.html
en --xml                                 | dupfind docs -f csv
en --junit                               | dupfind docs -f csv
en -f xml                                | possible values: list, table, json
en --threshold 0.8                       | dupfind docs --min-jaccard 0.8
en --threshold=80                        | dupfind docs --min-jaccard 0.8
en --min-similarity 0.8                  | dupfind docs --min-jaccard 0.8
en --similarity 80%                      | dupfind docs --min-jaccard 0.8
en -s 0.9                                | dupfind docs --min-jaccard 0.8
en --sensitivity 3                       | dupfind docs --min-jaccard 0.8
en --min-jaccard 80                      | did you mean 0.8?
en --minhash                             | nothing is estimated
en --lsh                                 | nothing is estimated
. --exclude-from list                    | .dupfindignore
. --ext md                               | dupfind docs -g '*.md'
. -e md                                  | dupfind docs -g '*.md'
. --extensions md,txt                    | dupfind docs -t md
. --max-depth 1                          | dupfind docs -g 'docs/*.md'
. --depth 1                              | dupfind docs -g 'docs/*.md'
--files-from list -0                     | known by itself
en --dry-run                             | a scan only reads
en --temp-dir /tmp                       | TMPDIR=/scratch
en --watch                               | watchexec -e md dupfind docs
en -w                                    | watchexec -e md dupfind docs
en --list-files                          | dupfind show docs --as fingerprint
en -l                                    | dupfind show docs --as fingerprint
en --fail-on near                        | dupfind check docs --fail-on near
scan en --fail-on near                   | dupfind check docs --fail-on near
en --strict                              | dupfind check docs --fail-on near
en --ci                                  | dupfind check docs --fail-on near
en --exit-code                           | dupfind check docs --fail-on near
en --since main                          | dupfind check docs --since origin/main
en --staged                              | dupfind check docs --since origin/main
en --baseline b                          | dupfind check docs --baseline
en --update-baseline                     | dupfind accept --all docs
en --delete                              | dupfind apply plan.jsonl
en --fix                                 | dupfind apply plan.jsonl
en --yes                                 | dupfind apply plan.jsonl
en --min-lines 5                         | dupfind reuse docs
en --ignore-case                         | never count
en --init                                | a file dupfind.toml
compare en/park.md en/copy.md --among en | dupfind compare a.md b.md docs
compare en/park.md en/copy.md --alone    | dupfind compare a.md b.md a.md b.md
compare en/park.md en/copy.md --width 80 | COLUMNS=160
mcp en --allow-accept                    | dupfind accept a.md b.md .
accept --all en --dry-run                | git diff .dupfind-baseline
dedup r.jsonl -o k --removed r           | --verdicts why.jsonl
apply plan.jsonl --site-root docs        | dupfind plan docs -o plan.jsonl
reuse en --code                          | npx jscpd docs
reuse en --min-units 30                  | dupfind reuse docs --top 20
find en                                  | dupfind query docs draft.md
search park                              | dupfind query docs draft.md
serve                                    | dupfind docs -o report.html
delete en                                | dupfind plan docs -o plan.jsonl
clean                                    | dupfind plan docs -o plan.jsonl
init                                     | a file dupfind.toml
lint en                                  | dupfind check docs
baseline                                 | dupfind accept
man                                      | dupfind completions man
en --markdown-code skip                  | the prose decides by itself: dupfind docs
en --record-format jsonl                 | dupfind pages.jsonl --text-field text
freeze en                                | from dupfind.spark import near_duplicates
tune en                                  | dupfind docs -f csv --min-jaccard 0.05
index en                                 | dupfind query docs draft.md
text en/park.md                          | dupfind show page.md
generate bash                            | dupfind completions bash
sacn en                                  | dupfind scan
docs                                     | 'docs' is no command and no path";

#[test]
fn first_guesses_work_or_teach() {
    let env = Env::parks().file("list", "en/park.md\n");
    let mut wrong = Vec::new();
    let works = WORKS.split('&').map(|typed| [typed, ""]);
    for [typed, part] in works.chain(table(TEACHES)) {
        let run = env.run(typed.split_whitespace().collect::<Vec<&str>>());
        let is_right = match part {
            "" => run.code == Some(0) && !(run.stdout.is_empty() && run.stderr.is_empty()),
            // One line, but where clap lists the values that there are.
            part => {
                let is_short =
                    run.stderr.lines().count() == 1 || run.stderr.contains("invalid value");
                (run.code, &*run.stdout) == (Some(2), "") && run.stderr.contains(part) && is_short
            }
        };
        if !is_right {
            wrong.push(format!(
                "{typed}: {:?} {}{}",
                run.code, run.stdout, run.stderr
            ));
        }
    }
    assert_eq!(wrong, [""; 0]);
}

/// Those that work do what was meant, and not something else that is no error.
#[test]
fn guesses_mean_the_same_as_what_they_stand_for() {
    let env = Env::parks()
        .file("a.jsonl", record(PARK))
        .file("b.jsonl", record(PARK));
    for [guess, meant] in table(
        "en                         | scan en
         a.jsonl b.jsonl            | scan a.jsonl b.jsonl
         en -r --json               | scan en -f json
         . --ignore=zh --json       | scan . --exclude zh -f json
         . --include en/* --csv     | scan . -g en/* -f csv
         --path en -n 1             | scan en --top 1
         en --jaccard 0.9 --json    | scan en --min-jaccard 0.9 -f json
         en/park.md en/copy.md      | compare en/park.md en/copy.md
         diff en/park.md en/copy.md | compare en/park.md en/copy.md
         list zh                    | scan zh
         help plan                  | plan --help
         -h                         | scan -h",
    ) {
        let run = |typed: &str| {
            let words: Vec<&str> = typed.split_whitespace().collect();
            env.run(&words).ok().to_owned()
        };
        assert_eq!(run(guess), run(meant), "{guess}");
    }
}

#[test]
fn a_folder_that_is_called_like_a_command_is_named_by_its_path() {
    let env = Env::parks()
        .file("plan/a.md", "one two three")
        .file("index/a.md", "one two");
    env.run("./plan -f json").ok();
    assert_eq!(env.run("plan plan -q").code, Some(0));
    // There is no such command any more.
    env.run("index -f json").ok();
}

#[test]
fn the_program_alone_lists_its_commands() {
    let env = Env::new();
    let overview = env.run("");
    let definition = env.run("completions bash");
    for command in COMMANDS.split(' ') {
        overview.ok().says(command);
        assert!(
            definition.ok().contains(&format!("dupfind__{command}"))
                || definition.ok().contains(&format!("dupfind,{command}")),
            "{command}"
        );
        env.run([command, "--help"]).ok();
    }
}
