//! `dupfind completions`: completions that shells load, and pages that man shows.

use crate::env::{Env, Says};
use crate::readme::COMMANDS;

#[test]
fn completions_know_the_options() {
    let env = Env::new();
    for (shell, part) in [
        ("bash", "complete -F _dupfind"),
        ("zsh", "#compdef dupfind"),
        ("fish", "complete -c dupfind"),
        ("powershell", "Register-ArgumentCompleter"),
        ("elvish", "edit:completion:arg-completer[dupfind]"),
    ] {
        let run = env.run(["completions", shell]);
        for part in [part, "min-jaccard", "shingle-size", "completions", "near"] {
            run.ok().says(part);
        }
    }
}

#[cfg(unix)]
#[test]
fn bash_loads_its_completions() {
    let env = Env::new();
    let script = env.run("completions bash");
    env.write("dupfind.bash", script.ok());
    for (line, expected) in [
        ("dupfind scan --min-j", "--min-jaccard"),
        ("dupfind sho", "show"),
        ("dupfind check --fail-on nea", "near"),
        ("dupfind completions f", "fish"),
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        let (last, before) = (words[words.len() - 1], words[words.len() - 2]);
        let test = format!(
            "set -e; source ./dupfind.bash; COMP_WORDS=({line}); COMP_CWORD={}; _dupfind dupfind {last} {before}; \
             printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            words.len() - 1
        );
        let bash = std::process::Command::new("bash")
            .args(["--norc", "--noprofile", "-c", &test])
            .current_dir(env.root())
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&bash.stderr);
        let found = String::from_utf8_lossy(&bash.stdout);
        assert_eq!(found, format!("{expected}\n"), "{line}: {stderr}");
    }
}

#[test]
fn there_is_a_page_for_the_program_and_for_each_command() {
    let env = Env::new();
    let main = env.run("completions man");
    main.ok().says(".TH dupfind 1");
    main.ok().says(".SH NAME");
    main.ok().says(".SH SYNOPSIS");
    main.ok().says(".SH SUBCOMMANDS");
    main.ok().says("dupfind\\-scan(1)");
    for command in COMMANDS.split(' ') {
        let page = env.run(["completions", "man", command]);
        let title = format!(".TH dupfind-{command} 1");
        page.ok().says(&title);
        page.ok().says(".SH NAME");
        page.ok().says(".SH SYNOPSIS");
        page.ok().says(".SH OPTIONS");
        page.ok().says(".SH EXAMPLES\n.nf\n");
        page.ok().says("\n.fi\n");
        page.stdout.omits(".SH EXTRA");
    }
    let scan = env.run("completions man scan");
    for option in ["min\\-jaccard", "no\\-config", "memory\\-limit"] {
        scan.ok().says(format!("\\-\\-{option}"));
    }
}

/// Where there is a `man`, it has nothing to say against a page.
#[cfg(target_os = "linux")]
#[test]
fn man_shows_the_pages() {
    let env = Env::new();
    env.write("dupfind-scan.1", env.run("completions man scan").ok());
    let man = std::process::Command::new("man")
        .args(["--warnings", "-E", "UTF-8", "-l", "dupfind-scan.1"])
        .env("MANWIDTH", "100")
        .current_dir(env.root())
        .output();
    let Ok(man) = man else { return };
    assert_eq!(String::from_utf8_lossy(&man.stderr), "");
    let page = String::from_utf8_lossy(&man.stdout);
    assert!(
        page.contains("--min-jaccard") || page.contains("minimized"),
        "{page}"
    );
}

#[test]
fn what_there_is_not_is_refused() {
    let env = Env::new();
    env.run("completions csh").fails("possible values: bash");
    env.run("completions").fails("<SHELL>");
    env.run("completions man scna")
        .fails("there is no command 'scna': expected one of scan,");
    env.run("completions zsh scan").fails("leave out 'scan'");
}
