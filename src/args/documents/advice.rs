//! Which options help where a file is not read.

use dupfind_read::skipped::Wording;

/// The programs that print the texts of documents, by the endings of their names.
const PROGRAMS: [(&str, &str); 5] = [
    ("doc", "catdoc -d utf-8"),
    ("dot", "catdoc -d utf-8"),
    ("xls", "xls2csv -d utf-8"),
    ("ppt", "catppt -d utf-8"),
    ("rtf", "pandoc -t plain"),
];

/// Returns the words for a document of another program.
fn foreign(ending: &str) -> String {
    match PROGRAMS.iter().find(|(known, _)| *known == ending) {
        Some((_, program)) => {
            format!("--pre '*.{ending}={program}' reads .{ending} files, see docs/recipes.md")
        }
        None => "a script of a few lines reads e-mail and saved pages, see docs/recipes.md".into(),
    }
}

/// Returns the words for files that are not read, each with the option that helps.
pub(crate) fn wording() -> Wording {
    Wording {
        pdf: "a PDF: it is read if its name ends in .pdf, or by a program: --pre '*=pdftotext {} -'",
        old_office: "a document of Office 97 to 2003, or an encrypted one: a program reads it: --pre '*.doc=catdoc -d utf-8'",
        foreign,
        expanded: "its expanded text is larger than --max-filesize allows",
        no_column: |words| format!("{words}; --text-field names another one"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_program_names_options() {
        let texts = |wording: Wording| {
            let Wording {
                pdf,
                old_office,
                foreign,
                expanded,
                no_column,
            } = wording;
            let made = [no_column("no column".into()), foreign("doc")];
            let fixed = [pdf, old_office, expanded].map(str::to_owned);
            fixed.into_iter().chain(made)
        };
        assert!(texts(wording()).all(|text| text.contains("--")));
        assert!(texts(Wording::default()).all(|text| !text.contains("--")));
    }
}
