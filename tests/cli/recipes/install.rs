//! How the action gets dupfind: installed, from a release, or built.

use crate::env::{Run, Says};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::packages::{ARCHIVE, target};
use super::repository::{Repository, of_project, run};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The action as GitHub lays it out, with the file of the project that it reads.
fn action(repository: &Repository) -> PathBuf {
    let source = repository.beside("_actions/owner/repo/v9");
    let folder = source.join(".github/actions/dupfind");
    fs::create_dir_all(&folder).unwrap();
    fs::copy(of_project("Cargo.toml"), source.join("Cargo.toml")).unwrap();
    let script = folder.join("install.sh");
    fs::copy(of_project(".github/actions/dupfind/install.sh"), &script).unwrap();
    script
}

/// Runs the script and returns the folders that it added to PATH.
fn install(repository: &Repository, command: &mut Command) -> (Run, String) {
    let added = repository.beside("path");
    fs::write(&added, "").unwrap();
    let command = command.arg(action(repository)).env("GITHUB_PATH", &added);
    let ran = run(command);
    (ran, fs::read_to_string(added).unwrap())
}

/// Asserts that nothing was installed, and the message.
#[track_caller]
fn refused(ran: &(Run, String), message: &str) {
    let (ran, added) = ran;
    assert_eq!(ran.code, Some(2), "{ran:?}");
    ran.stdout.says("::error title=dupfind::");
    ran.stdout.says(message);
    assert_eq!(added, "");
}

#[test]
fn the_installed_program_is_used() {
    let repository = Repository::new();
    repository.program("curl", "echo unexpected >&2; exit 1");
    for version in ["", VERSION, concat!("v", env!("CARGO_PKG_VERSION"))] {
        let mut command = repository.command("bash");
        let (ran, added) = install(&repository, command.env("INPUT_VERSION", version));
        assert_eq!((ran.code, added.as_str()), (Some(0), ""), "{ran:?}");
        assert_eq!(ran.stdout, format!("dupfind {VERSION} is installed\n"));
    }
}

#[test]
fn a_release_is_checked_and_unpacked() {
    let repository = Repository::new();
    let folder = repository.beside(format!("releases/v{VERSION}"));
    fs::create_dir_all(&folder).unwrap();
    let archive = folder.join(ARCHIVE.file_name().unwrap());
    for end in ["gz", "gz.sha256"] {
        fs::copy(ARCHIVE.with_extension(end), archive.with_extension(end)).unwrap();
    }
    let releases = format!("file://{}", repository.beside("releases").display());
    let mut command = repository.bare_command("bash");
    let (ran, added) = install(&repository, command.env("DUPFIND_RELEASES", &releases));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.stdout, format!("dupfind {VERSION}\n"));
    let program = Path::new(added.trim_end()).join("dupfind");
    let [installed, packed] = [program, crate::env::program().into()];
    assert_eq!(fs::read(installed).unwrap(), fs::read(packed).unwrap());

    let install = || {
        let mut command = repository.bare_command("bash");
        install(&repository, command.env("DUPFIND_RELEASES", &releases))
    };
    let mut bytes = fs::read(&archive).unwrap();
    bytes[100] ^= 1;
    fs::write(&archive, bytes).unwrap();
    refused(&install(), "is not what its checksum says");
    fs::remove_file(archive.with_extension("gz.sha256")).unwrap();
    refused(&install(), "has no checksum");
}

#[test]
fn releases_are_those_of_the_repository_of_the_action() {
    let repository = Repository::new();
    repository.program("curl", r#"for last; do :; done; echo "$last"; exit 22"#);
    repository.program("cargo", "exit 1");
    let mut command = repository.bare_command("bash");
    let (ran, _) = install(&repository, &mut command);
    let url = format!(
        "https://github.com/owner/repo/releases/download/v{VERSION}/dupfind-v{VERSION}-{}.tar.gz\n",
        target()
    );
    ran.stdout.begins(&url);

    let mut command = repository.bare_command("bash");
    command.env("GITHUB_SERVER_URL", "https://git.example.org");
    let (ran, _) = install(&repository, &mut command);
    ran.stdout.begins("https://git.example.org/owner/repo/");
}

#[test]
fn without_a_release_it_is_built() {
    let repository = Repository::new();
    repository.program("curl", "exit 22");
    repository.program(
        "cargo",
        r#"echo "cargo $*"
for last; do :; done
mkdir -p "$last/bin"
printf '#!/bin/sh\necho built\n' >"$last/bin/dupfind"
chmod +x "$last/bin/dupfind""#,
    );
    let mut command = repository.bare_command("bash");
    let (ran, added) = install(&repository, &mut command);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let source = repository.beside("_actions/owner/repo/v9");
    let called = format!("cargo install --locked --path {} --root ", source.display());
    ran.stdout.says(&called);
    ran.stdout.ends("built\n");
    added.ends("/bin\n");
}

#[test]
fn what_cannot_be_had_is_an_error() {
    let repository = Repository::new();
    repository.program("curl", "exit 22");
    repository.program("cargo", "echo unexpected; exit 1");
    for (version, message) in [
        ("9.9.9", "there is no release 9.9.9 for this machine"),
        ("latest", "it must be like 1.2.3"),
        ("1.2.3/../../x", "it must be like 1.2.3"),
        ("1.2.3\n::warning::x", "it must be like 1.2.3"),
    ] {
        let mut command = repository.command("bash");
        refused(
            &install(&repository, command.env("INPUT_VERSION", version)),
            message,
        );
    }
}
