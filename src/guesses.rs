//! What people type who know other programs, and what is meant by it.
//!
//! Each guess either works, or one line tells what to type. Nothing is guessed by spelling alone, but for slips of one letter.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::Command;

use crate::guesses::Answer::{Means, Says};

/// What becomes of a guess.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Answer {
    /// It means these words.
    Means(&'static [&'static str]),
    /// A sentence with the command to type.
    Says(&'static str),
}

/// What the first words ask for.
pub(crate) enum First {
    /// The list of commands.
    Overview,
    /// These words, which begin with the name of a command.
    Words(Vec<OsString>),
    /// A sentence with the command to type.
    Told(String),
}

/// Guesses of a command, with what is meant.
const COMMANDS: [(&[&str], Answer); 26] = [
    (
        &[
            "list",
            "ls",
            "run",
            "detect",
            "report",
            "analyze",
            "analyse",
            "dupes",
            "duplicates",
        ],
        Means(&["scan"]),
    ),
    (&["diff", "cmp", "comm"], Means(&["compare"])),
    (&["dedupe", "deduplicate", "uniq"], Means(&["dedup"])),
    (&["completion"], Means(&["completions"])),
    (&["version"], Means(&["--version"])),
    (
        &["find", "search", "grep", "similar", "lookup"],
        Says(
            "to find what is like a text: dupfind query docs draft.md; to list all that is duplicated: dupfind docs",
        ),
    ),
    (
        &["serve", "server", "web", "ui", "gui"],
        Says(
            "there is no server: 'dupfind docs -o report.html' writes a page, 'dupfind mcp docs' answers an agent, and 'dupfind lsp' an editor",
        ),
    ),
    (
        &[
            "delete", "remove", "rm", "del", "clean", "cleanup", "prune", "fix", "move", "mv",
        ],
        Says(
            "nothing goes without a plan: dupfind plan docs -o plan.jsonl, then dupfind apply plan.jsonl",
        ),
    ),
    (
        &["undo", "restore", "revert"],
        Says("to move back what a plan moved: dupfind apply --undo plan.jsonl"),
    ),
    (
        &["init", "config", "configure", "setup"],
        Says(
            "options are kept in a file dupfind.toml, each a line such as 'min-jaccard = 0.3': dupfind docs --config dupfind.toml",
        ),
    ),
    (
        &[
            "baseline",
            "ignore",
            "allow",
            "suppress",
            "whitelist",
            "approve",
        ],
        Says(
            "to accept a pair: dupfind accept a.md b.md --reason 'why'; all that there is today: dupfind accept --all docs",
        ),
    ),
    (
        &["lint", "ci", "gate", "test", "verify", "validate", "audit"],
        Says("to fail if a change adds a duplicate: dupfind check docs --since origin/main"),
    ),
    (
        &["watch"],
        Says("to scan after each change: watchexec -e md dupfind docs"),
    ),
    (
        &["man"],
        Says("the manual page: dupfind completions man | man -l -"),
    ),
    (
        &["stats", "status", "count", "info"],
        Says("counts and times are in a scan: dupfind docs --stats"),
    ),
    (
        &["tune"],
        Says(
            "'tune' is gone; all pairs with their similarity: dupfind docs -f csv --min-jaccard 0.05",
        ),
    ),
    (
        &["index"],
        Says("'index' is gone; a query keeps its index by itself: dupfind query docs draft.md"),
    ),
    (
        &["stream"],
        Says("'stream' is gone; records without end: dupfind dedup --stream"),
    ),
    (
        &[
            "text",
            "extract",
            "cat",
            "show-text",
            "tokens",
            "shingles",
            "units",
        ],
        Says("to see a document as it is compared: dupfind show page.md"),
    ),
    (
        &["fingerprint", "hash", "simhash"],
        Says("to print fingerprints: dupfind show docs --as fingerprint"),
    ),
    (
        &["features", "freeze", "join"],
        Says(
            "the commands of a job of many machines are gone; there is Spark: from dupfind.spark import scan",
        ),
    ),
    (
        &["merge"],
        Says("nothing is merged: 'dupfind compare a.md b.md' shows what only one of two pages has"),
    ),
    (
        &["generate"],
        Says("'generate' is now 'completions': dupfind completions bash"),
    ),
    (
        &["update", "upgrade", "self-update", "install"],
        Says("to install the newest version: cargo install --locked dupfind-cli"),
    ),
    (
        &["blocks", "passages", "snippets", "paragraphs", "clones"],
        Says("passages that are in several pages: dupfind reuse docs"),
    ),
    (
        &["agent", "ai", "ide", "editor"],
        Says("'dupfind mcp docs' answers an agent, and 'dupfind lsp' an editor"),
    ),
];

/// Guesses of an option, with the commands that they are of (all, if none is named), and what is meant. The first one counts.
const OPTIONS: [(&[&str], &[&str], Answer); 56] = [
    // Folders are always walked with their subfolders.
    (&["-r", "-R", "--recursive", "--recurse"], &[], Means(&[])),
    (&["--json"], &[], Means(&["--format", "json"])),
    (
        &["--jsonl", "--ndjson", "--json-lines"],
        &[],
        Means(&["--format", "jsonl"]),
    ),
    (&["--csv"], &[], Means(&["--format", "csv"])),
    (&["--sarif"], &[], Means(&["--format", "sarif"])),
    (
        &["--markdown", "--md"],
        &[],
        Means(&["--format", "markdown"]),
    ),
    (&["--table", "--long"], &[], Means(&["--format", "table"])),
    (
        &["--html", "--report", "--open", "--web"],
        &[],
        Says("the page is written to a file: dupfind docs -o report.html"),
    ),
    (
        &[
            "--xml",
            "--junit",
            "--checkstyle",
            "--excel",
            "--xlsx",
            "--yaml",
            "--pdf",
        ],
        &[],
        Says(
            "there is no such format: dupfind docs -f csv, or json, sarif, html; --help lists them",
        ),
    ),
    (
        &[
            "--output-format",
            "--reporter",
            "--reporters",
            "--fmt",
            "--formatter",
            "-F",
        ],
        &[],
        Means(&["--format"]),
    ),
    (
        &["--out", "--outfile", "--out-file", "--output-file"],
        &[],
        Means(&["--output"]),
    ),
    (
        &[
            "--threshold",
            "--min-similarity",
            "--similarity",
            "--min-score",
            "--ratio",
            "--min-ratio",
            "-s",
            "--min-jaccard",
            "--min-containment",
            "--min-weighted",
            "--max-hamming",
            "--detectors",
        ],
        &["dedup"],
        Says(
            "records go from a Jaccard similarity on: dupfind dedup pages.jsonl --min-similarity 0.8 -o kept.jsonl",
        ),
    ),
    (
        &[
            "--threshold",
            "--min-similarity",
            "--similarity",
            "--min-score",
            "--score",
            "--ratio",
            "--min-ratio",
            "--sensitivity",
            "--percent",
            "-s",
            "-p",
        ],
        &[],
        Says(
            "the least similarity is a number above 0 and up to 1: dupfind docs --min-jaccard 0.8",
        ),
    ),
    (&["--jaccard"], &[], Means(&["--min-jaccard"])),
    (&["--containment"], &[], Means(&["--min-containment"])),
    (
        &["--hamming", "--distance", "--max-distance"],
        &[],
        Means(&["--max-hamming"]),
    ),
    (
        &[
            "--ngram",
            "--ngrams",
            "--ngram-size",
            "-k",
            "--k",
            "--shingle",
            "--window-size",
        ],
        &[],
        Means(&["--shingle-size"]),
    ),
    (
        &["--minhash", "--lsh", "--num-perm", "--bands", "--seed"],
        &[],
        Says(
            "nothing is estimated: all pairs from a similarity on are found: dupfind docs --min-jaccard 0.8",
        ),
    ),
    (&["--simhash"], &[], Means(&["--detectors", "simhash"])),
    (
        &[
            "--ignore",
            "--exclude-dir",
            "--ignore-pattern",
            "--skip",
            "--ignore-path",
        ],
        &[],
        Means(&["--exclude"]),
    ),
    (
        &["--exclude-from", "--ignore-file"],
        &[],
        Says(
            "globs of files to leave out are lines of a file .dupfindignore; or: dupfind docs --exclude 'old/**'",
        ),
    ),
    (
        &["--include", "--pattern", "--iglob"],
        &[],
        Means(&["--glob"]),
    ),
    (
        &[
            "--ext",
            "--exts",
            "--extension",
            "--extensions",
            "-e",
            "--formats-exts",
            "--suffix",
        ],
        &[],
        Says(
            "files by their endings: dupfind docs -g '*.md' -g '*.txt', or by type: dupfind docs -t md",
        ),
    ),
    (
        &["--preset"],
        &[],
        Says("'--preset' is gone; the files of agents are a type: dupfind . -t agents"),
    ),
    (
        &[
            "--code-files",
            "--markdown-code",
            "--record-format",
            "--no-code",
        ],
        &[],
        Says("code is set apart by itself; to leave it out: dupfind docs -T code"),
    ),
    (
        &["--max-depth", "--depth", "-d", "--maxdepth"],
        &["scan", "check", "reuse", "plan", "compare"],
        Says("files of a folder without its subfolders: dupfind docs -g '/*.md'"),
    ),
    (
        &[
            "--no-gitignore",
            "-u",
            "--unrestricted",
            "--no-ignore-vcs",
            "--no-ignores",
        ],
        &[],
        Means(&["--no-ignore"]),
    ),
    (
        &["--all-files", "-a", "--dotfiles", "-H", "-."],
        &[],
        Means(&["--hidden"]),
    ),
    (
        &[
            "--follow-links",
            "--follow-symlinks",
            "--symlinks",
            "--dereference",
        ],
        &[],
        Means(&["--follow"]),
    ),
    (
        &["--null", "-0", "-z", "--null-data", "--print0", "--zero"],
        &[],
        Says(
            "a list with NUL between its names is known by itself: git ls-files -z | dupfind --files-from -",
        ),
    ),
    (
        &["--path", "--dir", "--directory", "--input", "--src", "--in"],
        &[],
        Means(&[]),
    ),
    (
        &[
            "--limit",
            "-n",
            "--max-results",
            "--max-count",
            "-m",
            "--head",
            "--first",
        ],
        &[],
        Means(&["--top"]),
    ),
    (
        &["--dry-run", "--dryrun", "--simulate", "--what-if", "-n"],
        &["apply"],
        Says("without --yes nothing is touched: dupfind apply plan.jsonl"),
    ),
    (
        &["--dry-run", "--dryrun", "--simulate", "--noop", "--what-if"],
        &[],
        Says("a scan only reads: dupfind docs; what a plan would move: dupfind apply plan.jsonl"),
    ),
    (
        &["--verbose", "-v", "-vv", "--measures", "--details"],
        &["scan", "check"],
        Means(&["--format", "table"]),
    ),
    // It shows the measures always.
    (
        &["--verbose", "-v", "--measures", "--details"],
        &["compare"],
        Means(&[]),
    ),
    (
        &["--no-color", "--no-colour", "--no-colors", "--plain"],
        &[],
        Means(&["--color", "never"]),
    ),
    (&["--colour", "--colors"], &[], Means(&["--color"])),
    (&["--language", "--locale"], &[], Means(&["--lang"])),
    (
        &["--silent", "--no-progress", "--no-warnings", "--quiet-mode"],
        &[],
        Means(&["--quiet"]),
    ),
    (
        &[
            "--debug",
            "--trace",
            "--time",
            "--timing",
            "--profile",
            "--benchmark",
        ],
        &[],
        Means(&["--stats"]),
    ),
    (
        &[
            "--jobs",
            "--workers",
            "--parallel",
            "--cpus",
            "--processes",
            "--thread",
            "--concurrency",
        ],
        &[],
        Means(&["--threads"]),
    ),
    (
        &["--memory", "--max-memory", "--mem"],
        &["scan", "check", "plan", "dedup", "reuse"],
        Means(&["--memory-limit"]),
    ),
    (
        &["--temp-dir", "--tmp", "--tmpdir"],
        &[],
        Says("TMPDIR names the folder for temporary files: TMPDIR=/scratch dupfind docs"),
    ),
    (
        &["--watch", "-w"],
        &[],
        Says("to scan after each change: watchexec -e md dupfind docs"),
    ),
    (
        &[
            "--list-files",
            "-l",
            "--files",
            "--files-with-matches",
            "--list",
            "--debug-files",
        ],
        &[],
        Says("the documents that are read: dupfind show docs --as fingerprint | jq -r .path"),
    ),
    (
        &[
            "--fail-on",
            "--fail",
            "--fail-on-new",
            "--fail-on-empty",
            "--max-pairs",
            "--max-warnings",
            "--exit-code",
            "--strict",
            "--error",
            "--ci",
            "--check",
        ],
        &["scan"],
        Says("a scan never fails because of pairs; to fail: dupfind check docs --fail-on near"),
    ),
    (
        &[
            "--since",
            "--changed-since",
            "--changed",
            "--staged",
            "--diff",
            "--baseline-from",
            "--base",
        ],
        &["scan", "plan", "reuse"],
        Says("what a branch adds: dupfind check docs --since origin/main"),
    ),
    (
        &["--baseline", "--allow-empty"],
        &["scan"],
        Says("accepted pairs are for the check: dupfind check docs --baseline .dupfind-baseline"),
    ),
    (
        &[
            "--update-baseline",
            "--accept",
            "--accept-all",
            "--write-baseline",
            "--save-baseline",
        ],
        &[],
        Says("to accept all that there is today: dupfind accept --all docs"),
    ),
    (
        &[
            "--delete",
            "--remove",
            "--move",
            "--fix",
            "--write",
            "--link",
            "--hardlink",
            "--replace",
            "--yes",
            "-y",
            "--force",
            "-N",
            "--noprompt",
        ],
        &["scan", "check", "reuse", "plan", "compare"],
        Says(
            "nothing goes without a plan: dupfind plan docs -o plan.jsonl, then dupfind apply plan.jsonl",
        ),
    ),
    (
        &[
            "--min-lines",
            "--min-tokens",
            "--min-size",
            "--min-words",
            "--min-length",
        ],
        &["scan", "check"],
        Says(
            "documents are compared whole; passages of a least size: dupfind reuse docs --min-units 50",
        ),
    ),
    (
        &[
            "--require",
            "--cluster-on",
            "--simhash-bits",
            "--super-shingle-hashes",
            "--super-shingle-run",
            "--min-super-shingles",
        ],
        &[],
        Says(
            "this option is gone; detectors are chosen by name: dupfind docs --detectors simhash128,shingle",
        ),
    ),
    (
        &[
            "--ignore-case",
            "-i",
            "--ignore-whitespace",
            "--ignore-space",
            "--ignore-all-space",
        ],
        &[],
        Says("capitals and white space never count: dupfind docs"),
    ),
    (
        &["--ours", "--index-dir", "--cache", "--cache-dir"],
        &["scan", "query"],
        Means(&["--index"]),
    ),
    (
        &["--init", "--save-config"],
        &[],
        Says(
            "options are kept in a file dupfind.toml, each a line such as 'min-jaccard = 0.3': dupfind docs --config dupfind.toml",
        ),
    ),
];

/// Returns what the first words ask for: without a command, a path or an option is for `scan`, and two files for `compare`.
pub(crate) fn first(words: &[OsString], definition: &Command) -> First {
    let is_command = |word: &OsStr| definition.find_subcommand(word).is_some();
    let word = words.get(1).map(OsString::as_os_str);
    let asks_help = word == Some(OsStr::new("help"));
    match word {
        None => First::Overview,
        Some(word) if is_command(word) || word == "-V" || word == "--version" => {
            First::Words(words.to_vec())
        }
        Some(_) if asks_help && words.len() == 2 => First::Overview,
        Some(_) if asks_help => {
            let (program, name) = (words[0].clone(), words[2].clone());
            first(&[program, name, "--help".into()], definition)
        }
        Some(word) if word.as_encoded_bytes().starts_with(b"-") => with(words, "scan"),
        Some(word) if Path::new(word).exists() => match &words[1..] {
            [a, b] if Path::new(a).is_file() && Path::new(b).is_file() => with(words, "compare"),
            _ => with(words, "scan"),
        },
        Some(word) => guessed(words, &word.to_string_lossy(), definition),
    }
}

/// Returns the words of a command, from those without its name.
fn with(words: &[OsString], command: &str) -> First {
    let (program, rest) = words.split_at(1);
    First::Words([program, &[command.into()], rest].concat())
}

/// Returns what a word means that is neither a command nor a path.
fn guessed(words: &[OsString], word: &str, definition: &Command) -> First {
    let mut known = COMMANDS.iter();
    match known.find(|(names, _)| names.contains(&word)) {
        Some((_, Means(meant))) => {
            let meant = meant.iter().map(OsString::from).collect();
            return First::Words([words[..1].to_vec(), meant, words[2..].to_vec()].concat());
        }
        Some((_, Says(text))) => return First::Told((*text).into()),
        None => {}
    }
    // The scan tells that there is no such path.
    if word.contains(['/', '\\', '.', '*']) {
        return with(words, "scan");
    }
    let names = definition.get_subcommands().map(Command::get_name);
    First::Told(match nearest(word, names) {
        Some(near) => format!("'{word}' is no command and no path; did you mean: dupfind {near}"),
        None => format!("'{word}' is no command and no path; to list the commands: dupfind"),
    })
}

/// Returns what is meant by an option that a command does not have.
pub(crate) fn of_option(option: &str, command: &str) -> Option<Answer> {
    let mut known = OPTIONS.iter();
    let is_of = |commands: &[&str]| commands.is_empty() || commands.contains(&command);
    let found = known.find(|(names, commands, _)| names.contains(&option) && is_of(commands));
    found.map(|(_, _, answer)| *answer)
}

/// Returns words with others in the place of an option; `None` if it is not a word by itself.
pub(crate) fn replaced(words: &[OsString], option: &str, meant: &[&str]) -> Option<Vec<OsString>> {
    let assigned = format!("{option}=");
    let is_it = |word: &OsString| word == option || word.to_string_lossy().starts_with(&assigned);
    let at = words.iter().position(is_it)?;
    let mut new = words[..at].to_vec();
    new.extend(meant.iter().map(OsString::from));
    if let Some(value) = words[at].to_string_lossy().strip_prefix(&assigned) {
        new.push(value.into());
    }
    new.extend_from_slice(&words[at + 1..]);
    Some(new)
}

/// Returns the name that a word misses by one letter, or by two if it is long.
pub(crate) fn nearest<'n>(word: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let most = if word.len() < 9 { 1 } else { 2 };
    let near = names.map(|name| (strsim::osa_distance(word, name), name));
    let near = near.filter(|(distance, _)| *distance <= most).min();
    near.map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_line::Args;

    #[test]
    fn no_guess_is_a_command_or_an_option_that_there_is() {
        let definition = Args::definition();
        for name in COMMANDS.iter().flat_map(|(names, _)| *names) {
            assert!(definition.find_subcommand(name).is_none(), "{name}");
        }
        let scan = definition.find_subcommand("scan").unwrap();
        for (names, commands, _) in &OPTIONS {
            let of_scan = commands.is_empty() || commands.contains(&"scan");
            for name in names.iter().filter(|_| of_scan) {
                let long = name.strip_prefix("--");
                let mut all = scan.get_arguments();
                assert!(
                    !all.any(|arg| arg.get_long().is_some_and(|it| Some(it) == long)),
                    "{name}"
                );
            }
        }
    }
}
