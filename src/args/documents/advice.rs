//! Which options help where a file is not read.

use dupfind_read::skipped::wording::Wording;

/// Returns the words for files that are not read, each with the option that helps.
pub(crate) fn wording() -> Wording {
    Wording {
        pdf: "a PDF: it is read if its name ends in .pdf, or by --pre with a program such as pdftotext",
        old_office: "a document of Office 97 to 2003, or an encrypted one: --pre reads it, with a program such as catdoc",
        expanded: "its expanded text is larger than --max-filesize allows",
        late: |seconds| format!("it took more than {seconds} s; --pre-timeout allows more"),
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
                expanded,
                late,
                no_column,
            } = wording;
            let made = [late(2), no_column("no column".into())];
            let fixed = [pdf, old_office, expanded].map(str::to_owned);
            fixed.into_iter().chain(made)
        };
        assert!(texts(wording()).all(|text| text.contains("--")));
        assert!(texts(Wording::default()).all(|text| !text.contains("--")));
    }
}
