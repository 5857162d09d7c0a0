//! Where a program is.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// The endings of the names of programs on Windows.
const ENDINGS: [&str; 5] = ["", ".exe", ".com", ".bat", ".cmd"];

/// Returns the program of a name on the PATH, or of a path.
///
/// # Errors
///
/// A sentence with the expected value.
pub(super) fn program(typed: &str) -> Result<PathBuf, String> {
    let is_path = has_folder(Path::new(typed));
    let folders: Vec<PathBuf> = match env::var_os("PATH") {
        _ if is_path => vec![PathBuf::new()],
        // An empty entry would be the current folder, which may come from anywhere.
        path => env::split_paths(&path.unwrap_or_default())
            .filter(|folder| !folder.as_os_str().is_empty())
            .collect(),
    };
    let endings = if cfg!(windows) {
        &ENDINGS[..]
    } else {
        &ENDINGS[..1]
    };
    let places = folders.iter().flat_map(|folder| {
        endings
            .iter()
            .map(|end| folder.join(format!("{typed}{end}")))
    });
    let files: Vec<PathBuf> = places.filter(|place| place.is_file()).collect();
    if let Some(found) = files.iter().find(|file| is_executable(file)) {
        return Ok(found.clone());
    }
    Err(match files.first() {
        Some(file) => format!("{} may not be run; chmod +x allows it", file.display()),
        None if is_path => format!("there is no program {typed}"),
        None => {
            format!("there is no program '{typed}' on the PATH; for one elsewhere give its path")
        }
    })
}

/// Returns whether a program is given by its path, and not by a name to look for on the PATH.
pub(super) fn has_folder(path: &Path) -> bool {
    path.parent()
        .is_some_and(|parent| !parent.as_os_str().is_empty())
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(file).is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(file: &Path) -> bool {
    fs::metadata(file).is_ok()
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_or_refused_with_a_reason() {
        assert!(program("sh").unwrap().is_absolute());
        assert_eq!(program("/bin/sh"), Ok("/bin/sh".into()));
        for (typed, part) in [
            ("dupfind-has-no-such-program", "on the PATH"),
            ("./none", "there is no program ./none"),
            ("./Cargo.toml", "chmod +x"),
            ("/", "there is no program"),
        ] {
            let error = program(typed).unwrap_err();
            assert!(error.contains(part), "{typed}: {error}");
        }
    }
}
