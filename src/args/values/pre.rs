//! The parser of a glob with the command that reads its files.

use std::ffi::OsString;
use std::path::Path;

use anyhow::{Result, anyhow};
use dupfind_read::source::pre::{PLACE, Reader};

use crate::args::values::Value;
use crate::args::values::globs::Glob;
use crate::args::values::program::{has_folder, program};
use crate::process::paths::rebased;

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
    /// Returns the program with its files.
    ///
    /// # Errors
    ///
    /// There is no such program.
    pub(crate) fn reader(&self) -> Result<Reader> {
        let program = program(&self.program);
        Ok(Reader {
            glob: self.glob.clone(),
            program: program.map_err(|reason| anyhow!("--pre '{}=...': {reason}", self.glob))?,
            arguments: self.arguments.clone(),
        })
    }
}

impl Value for PreCommand {
    fn parse(text: &str) -> Result<Self, String> {
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
            glob: Glob::parse(glob)?.0,
            program,
            arguments,
        })
    }

    fn word(&self) -> OsString {
        let mut words: Vec<String> = self.arguments.iter().map(|word| quoted(word)).collect();
        let places = words.iter().filter(|word| word.contains(PLACE)).count();
        words.pop_if(|last| last == PLACE && places == 1);
        words.insert(0, quoted(&self.program));
        format!("{}={}", self.glob, words.join(" ")).into()
    }

    fn moved(self, from: &Path, to: &Path) -> Self {
        let path = Path::new(&self.program);
        match has_folder(path) {
            true => Self {
                program: rebased(path, from, to).to_string_lossy().into_owned(),
                ..self
            },
            false => self,
        }
    }
}

/// Returns a word as it is written in a command.
fn quoted(word: &str) -> String {
    match word.is_empty() || word.contains(|c: char| c.is_whitespace() || "'\"".contains(c)) {
        true => format!("'{}'", word.replace('\'', "'\"'\"'")),
        false => word.to_owned(),
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
            assert_eq!(
                (&*command.glob, words),
                (glob, expected.iter().map(ToString::to_string).collect())
            );
            let typed = command.word().into_string().unwrap();
            assert_eq!(PreCommand::parse(&typed), Ok(command), "{typed}");
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
}
