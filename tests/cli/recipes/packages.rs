//! The files of a release, and the names that all of them must share.

use crate::env::Says;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use super::repository::{Repository, of_project, run};

/// The target that the action uses on this machine.
pub(crate) fn target() -> String {
    let machine = std::env::consts::ARCH;
    match std::env::consts::OS {
        "macos" => format!("{machine}-apple-darwin"),
        _ => format!("{machine}-unknown-linux-musl"),
    }
}

/// The name of the folder in an archive, and of the archive without its ending.
pub(crate) fn package_name() -> String {
    format!("dupfind-v{}-{}", env!("CARGO_PKG_VERSION"), target())
}

/// The archive of the program, packed as a release does: once, as that takes seconds. Its checksum is beside it.
pub(crate) static ARCHIVE: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("release");
    let ran = run(Repository::new()
        .command("bash")
        .arg(of_project(".github/release/package.sh"))
        .arg(crate::env::program())
        .arg(target())
        .arg(&folder));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    folder.join(format!("{}.tar.gz", package_name()))
});

#[test]
fn a_package_has_all_that_is_installed() {
    let repository = Repository::new();
    let name = package_name();
    let ran = run(repository.command("tar").arg("-tzf").arg(&*ARCHIVE));
    let files = "dupfind man/dupfind.1 man/dupfind-scan.1 man/dupfind-compare.1 README.md README.zh-CN.md docs/ci.md CHANGELOG.md \
                 LICENSE completions/dupfind.bash completions/_dupfind completions/dupfind.fish completions/_dupfind.ps1 \
                 completions/dupfind.elv";
    for file in files.split(' ') {
        let path = format!("{name}/{file}");
        assert!(
            ran.stdout.lines().any(|line| line == path),
            "{path}: {ran:?}"
        );
    }
    let sum = fs::read_to_string(ARCHIVE.with_extension("gz.sha256")).unwrap();
    sum.ends(format!(" {name}.tar.gz\n"));
}

#[test]
fn binstall_looks_for_these_names() {
    let manifest = fs::read_to_string(of_project("Cargo.toml")).unwrap();
    let value = |key: &str| -> String {
        let mut all = manifest.lines();
        let line = all.find_map(|line| line.strip_prefix(&format!("{key} = \"")));
        let template = line.unwrap().strip_suffix('"').unwrap();
        [
            ("repo", "REPO"),
            ("bin", "dupfind"),
            ("version", env!("CARGO_PKG_VERSION")),
            ("target", &target()),
            ("archive-suffix", ".tar.gz"),
            ("binary-ext", ""),
        ]
        .iter()
        .fold(template.to_owned(), |text, (name, value)| {
            text.replace(&format!("{{ {name} }}"), value)
        })
    };
    let (name, version) = (package_name(), env!("CARGO_PKG_VERSION"));
    let url = format!("REPO/releases/download/v{version}/{name}.tar.gz");
    assert_eq!(value("pkg-url"), url);
    assert_eq!(value("bin-dir"), format!("{name}/dupfind"));
}

/// The package `dupfind` of the registry is a program of somebody else, which deletes files.
#[test]
fn nobody_is_told_to_install_the_other_program() {
    let files = ignore::WalkBuilder::new(of_project(""))
        .hidden(false)
        .build();
    let files = files.map(|entry| entry.unwrap().into_path());
    let texts = files.filter_map(|path| Some((fs::read_to_string(&path).ok()?, path)));
    let mut count = 0;
    for (text, path) in texts {
        for command in [
            concat!("cargo install ", "dupfind"),
            concat!("cargo binstall ", "dupfind"),
        ] {
            for (at, _) in text.match_indices(command) {
                let rest = &text[at + command.len()..];
                assert!(rest.starts_with("-cli"), "{}", path.display());
                count += 1;
            }
        }
    }
    assert!(count > 2, "{count}");
}

#[test]
fn notes_are_the_section_of_the_version() {
    let repository = Repository::new();
    let project = repository.beside("project");
    fs::create_dir_all(project.join(".github/release")).unwrap();
    let script = project.join(".github/release/notes.sh");
    fs::copy(of_project(".github/release/notes.sh"), &script).unwrap();
    let changelog =
        "# Changelog\n\n## [1.10.0] - 2026-01-02\n\nTen\n\n## 1.1.0\n\n- One\n\n## 1.0.0\n";
    fs::write(project.join("CHANGELOG.md"), changelog).unwrap();
    let notes = |version: &str| run(repository.command("bash").arg(&script).arg(version));
    assert_eq!(notes("1.10.0").stdout, "\nTen\n");
    assert_eq!(notes("1.1.0").stdout, "\n- One\n");
    for version in ["1.0.0", "1.1", "1x1.0", "2.0.0"] {
        let ran = notes(version);
        assert_eq!(ran.code, Some(1), "{version}: {ran:?}");
        ran.says(format!("'## {version}'"));
    }
}

#[test]
fn obstacles_of_a_release_are_reported() {
    let repository = Repository::new();
    let manifest = "repository = \"https://example.org\"\nversion = \"1.2.3\"\ndupfind-engine = { path = \"crates/engine\", version = \"1.2.3\" }\n";
    let hook = "version = \"1.2.3\"\ndependencies = [\"dupfind==1.2.3\"]\n";
    let inherited = "version.workspace = true\n";
    let good = [
        ("Cargo.toml", manifest),
        ("pyproject.toml", hook),
        ("crates/engine/Cargo.toml", inherited),
        ("python/Cargo.toml", inherited),
        ("CHANGELOG.md", "## 1.2.3\n\n- One\n"),
    ];
    for script in ["prepare.sh", "notes.sh"] {
        let name = format!(".github/release/{script}");
        repository.page(&name, &fs::read_to_string(of_project(&name)).unwrap());
    }
    repository.program("cargo", "echo a crate is broken; exit 101");
    for (name, text, message) in [
        (
            "Cargo.toml",
            manifest.replace("repository", "homepage").as_str(),
            "Cargo.toml has no repository",
        ),
        (
            "Cargo.toml",
            &manifest.replace("3\" }", "4\" }"),
            "Cargo.toml:3:",
        ),
        (
            "pyproject.toml",
            &hook.replace("==1.2.3", "==1.2.4"),
            "pyproject.toml:2:",
        ),
        (
            "python/Cargo.toml",
            "version = \"1.2.3\"\n",
            "python/Cargo.toml\n",
        ),
        (
            "CHANGELOG.md",
            "## Unreleased\n\n- One\n",
            "no section '## 1.2.3'",
        ),
        // Everything is as it should be, up to the crates themselves.
        ("CHANGELOG.md", "## 1.2.3\n\nOne\n", "a crate is broken"),
    ] {
        for (name, text) in good {
            repository.page(name, text);
        }
        repository.page(name, text);
        repository.git(["add", "--all"]);
        let script = ".github/release/prepare.sh";
        let ran = run(repository.command("bash").args([script, "--check"]));
        assert_eq!(ran.code, Some(1), "{message}: {ran:?}");
        let told = format!("{}{}", ran.stdout, ran.stderr);
        told.says(message);
        let expected = told.contains("a crate");
        assert_eq!(told.contains("== the crates"), expected, "{ran:?}");
    }
}
