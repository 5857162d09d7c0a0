//! PDF files, read by the program that starts itself.

use crate::env::{Env, PARK};
#[cfg(feature = "pdf")]
use crate::env::{PARK_EDITED, Report};

/// The smallest PDF with a text, a line of it on each line of the page.
pub(crate) fn pdf(text: &str) -> Vec<u8> {
    let lines: String = text
        .lines()
        .map(|line| format!("({line}) Tj T*\n"))
        .collect();
    let content = format!("BT /F1 10 Tf 12 TL 40 800 Td\n{lines}ET");
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R \
         /Resources << /Font << /F1 5 0 R >> >> >>"
            .to_owned(),
        format!(
            "<< /Length {} >>\nstream\n{content}\nendstream",
            content.len()
        ),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
    ];
    let mut pdf = String::from("%PDF-1.4\n");
    let mut places = Vec::new();
    for (number, object) in (1..).zip(&objects) {
        places.push(pdf.len());
        pdf.push_str(&format!("{number} 0 obj\n{object}\nendobj\n"));
    }
    let table = pdf.len();
    pdf.push_str("xref\n0 6\n0000000000 65535 f \n");
    for place in places {
        pdf.push_str(&format!("{place:010} 00000 n \n"));
    }
    pdf.push_str(&format!(
        "trailer << /Size 6 /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n"
    ));
    pdf.into_bytes()
}

#[cfg(feature = "pdf")]
#[test]
fn a_pdf_is_a_document() {
    let env = Env::new()
        .file("park.md", PARK)
        .file("park.pdf", pdf(PARK))
        .file("edited.pdf", pdf(PARK_EDITED))
        .file("cut.pdf", &pdf(PARK)[..60])
        .file("scan.pdf", pdf(""));
    let run = env.scan(&["."]);
    let report = Report::of(run.warns("cut.pdf: malformed: damaged, or no PDF"));
    let pairs: Vec<_> = report
        .pairs
        .iter()
        .map(|pair| (&*pair.a, &*pair.b, &*pair.relation))
        .collect();
    let expected = [
        ("park.md", "park.pdf", "exact"),
        ("edited.pdf", "park.md", "near"),
        ("edited.pdf", "park.pdf", "near"),
    ];
    assert_eq!(pairs, expected);
    let skipped: Vec<_> = report
        .skipped
        .iter()
        .map(|s| (&*s.path, &*s.reason))
        .collect();
    assert_eq!(skipped, [("cut.pdf", "malformed"), ("scan.pdf", "empty")]);
    assert!(
        run.stderr.contains("scan.pdf: empty: no text: scanned?"),
        "{}",
        run.stderr
    );
}

#[cfg(feature = "pdf")]
#[test]
fn its_text_is_printed_and_compared() {
    let env = Env::new()
        .file("a.pdf", pdf("A pier."))
        .file("b.pdf", pdf(PARK))
        .file("b.md", PARK);
    assert_eq!(env.run(&["text", "a.pdf"]).ok().trim(), "a pier.");
    assert!(
        env.run(&["compare", "b.pdf", "b.md"])
            .ok()
            .contains("exact")
    );
    // The text, and not the file, has to be small.
    let run = env.run(&["text", "b.pdf", "--max-filesize", "100"]);
    assert!(run.stderr.contains("b.pdf: too large"), "{}", run.stderr);
}

#[cfg(not(feature = "pdf"))]
#[test]
fn a_build_that_does_not_read_it_says_so() {
    let env = Env::new()
        .file("a.pdf", pdf(PARK))
        .file("b.pdf", pdf(PARK))
        .file("park.md", PARK);
    let run = env.scan(&["."]);
    run.warns("2 files are not read: this build does not read PDF; one with the feature does");
}
