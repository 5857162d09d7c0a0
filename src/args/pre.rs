//! A program that makes texts of files: `GLOB=COMMAND`.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use dupfind_read::source::pre::{PLACE, Reader};

use crate::args::values;

/// What only a shell understands.
const OF_SHELLS: [&str; 7] = ["|", ">", "<", ">>", "&&", "||", ";"];

/// A glob, and the command that reads the files that match it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PreCommand {
    glob: String,
    /// The name of the program, or its path.
    program: String,
    arguments: Vec<String>,
}

impl PreCommand {
    /// Returns the program with its files. The path of a program is relative to `base`.
    ///
    /// # Errors
    ///
    /// There is no such program.
    pub(crate) fn reader(&self, base: &Path) -> Result<Reader> {
        let program = program(&self.program, base);
        Ok(Reader {
            glob: self.glob.clone(),
            program: program.map_err(|reason| anyhow!("--pre '{}=...': {reason}", self.glob))?,
            arguments: self.arguments.clone(),
        })
    }

    /// Reads a glob and a command.
    ///
    /// # Errors
    ///
    /// A sentence with the expected value.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let parts = text.split_once('=');
        let (glob, command) = parts.filter(|(glob, _)| !glob.is_empty()).ok_or_else(|| {
            format!("expected a glob and a command, such as '*.tex=pandoc -t plain', not '{text}'")
        })?;
        if glob.starts_with('!') {
            return Err(format!(
                "'{glob}' chooses no files: a glob with '!' leaves files out"
            ));
        }
        let mut words = words(command)?.into_iter();
        let Some(program) = words.next().filter(|program| !program.is_empty()) else {
            return Err(format!(
                "'{glob}=' has no command, such as '{glob}=pandoc -t plain'"
            ));
        };
        let mut arguments: Vec<String> = words.collect();
        let mut of_shell = arguments
            .iter()
            .filter(|word| OF_SHELLS.contains(&word.as_str()));
        if let Some(word) = of_shell.next() {
            return Err(format!(
                "'{word}' is for a shell, and none is in between: name one, as in \"{glob}=sh -c 'cat $0 | tr a b'\""
            ));
        }
        if !arguments.iter().any(|argument| argument.contains(PLACE)) {
            arguments.push(PLACE.into());
        }
        Ok(Self {
            glob: values::glob(glob)?,
            program,
            arguments,
        })
    }
}

/// Returns the words of a command: white space separates them, and quotation marks keep what is between them together. All
/// other characters are as they are, so that paths of Windows are no trap.
fn words(command: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let (mut word, mut quote) = (None::<String>, None);
    for c in command.chars() {
        match quote {
            Some(open) if open == c => quote = None,
            None if matches!(c, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    if let Some(quote) = quote {
        return Err(format!(
            "a quotation mark {quote} is not closed in '{command}'"
        ));
    }
    words.extend(word);
    Ok(words)
}

/// The endings of the names of programs on Windows.
const ENDINGS: [&str; 5] = ["", ".exe", ".com", ".bat", ".cmd"];

/// Returns the program of a name on the PATH, or of a path, which is relative to `base`.
///
/// # Errors
///
/// A sentence with the expected value.
fn program(typed: &str, base: &Path) -> Result<PathBuf, String> {
    let folder = Path::new(typed).parent();
    let is_path = folder.is_some_and(|folder| !folder.as_os_str().is_empty());
    let folders: Vec<PathBuf> = match env::var_os("PATH") {
        _ if is_path => vec![base.to_owned()],
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
    let names = endings.iter().map(|end| format!("{typed}{end}"));
    let places = names.flat_map(|name| folders.iter().map(move |folder| folder.join(&name)));
    let files: Vec<PathBuf> = places.filter(|place| place.is_file()).collect();
    match (files.iter().find(|file| is_executable(file)), files.first()) {
        (Some(found), _) => Ok(found.clone()),
        (None, Some(file)) => Err(format!(
            "{} may not be run; chmod +x allows it",
            file.display()
        )),
        _ if is_path => Err(format!("there is no program {typed}")),
        _ => Err(format!(
            "there is no program '{typed}' on the PATH; for one elsewhere give its path"
        )),
    }
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
mod tests {
    use super::*;

    #[test]
    fn a_command_is_a_program_and_its_arguments() {
        for (text, glob, expected) in [
            (
                "*.tex=pandoc -t plain",
                "*.tex",
                &["pandoc", "-t", "plain", "{}"][..],
            ),
            ("*.pdf=pdftotext {} -", "*.pdf", &["pdftotext", "{}", "-"]),
            ("a/*=x  --in={} --to=y ", "a/*", &["x", "--in={}", "--to=y"]),
            ("*=catdoc", "*", &["catdoc", "{}"]),
            (
                "*='C:\\My Tools\\x.exe' \"it's\" ''",
                "*",
                &["C:\\My Tools\\x.exe", "it's", "", "{}"],
            ),
            (
                "*=sh -c 'cat \"$0\" | tr a b'",
                "*",
                &["sh", "-c", "cat \"$0\" | tr a b", "{}"],
            ),
        ] {
            let command = PreCommand::parse(text).unwrap();
            let words = [std::slice::from_ref(&command.program), &command.arguments].concat();
            assert_eq!(&*command.glob, glob);
            assert_eq!(
                words,
                expected.iter().map(ToString::to_string).collect::<Vec<_>>()
            );
        }
    }

    #[test]
    fn a_fault_is_told_with_what_to_type() {
        for (text, part) in [
            ("pandoc", "such as '*.tex=pandoc -t plain'"),
            ("=pandoc", "such as '*.tex=pandoc -t plain'"),
            ("*.tex=", "'*.tex=' has no command"),
            ("*.tex='' x", "has no command"),
            ("!*.md=cat", "leaves files out"),
            ("a{b=cat", "cannot read the glob"),
            ("*.x=cat 'a", "' is not closed"),
            ("*.x=cat {} | tr a b", "is for a shell"),
        ] {
            let error = PreCommand::parse(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn programs_are_found_or_refused_with_a_reason() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(program("sh", here).unwrap().is_absolute());
        assert_eq!(program("/bin/sh", here), Ok("/bin/sh".into()));
        for (typed, part) in [
            ("dupfind-has-no-such-program", "on the PATH"),
            ("./none", "there is no program ./none"),
            ("./Cargo.toml", "chmod +x"),
            ("/", "there is no program"),
        ] {
            let error = program(typed, here).unwrap_err();
            assert!(error.contains(part), "{typed}: {error}");
        }
    }
}
