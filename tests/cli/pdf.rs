//! PDF files, read by the program that starts itself.

use crate::env::{Env, PARK};
#[cfg(feature = "pdf")]
use crate::env::{PARK_EDITED, Report, Says, value};

#[path = "../../crates/pdf/src/tests/sample.rs"]
mod sample;

/// The smallest PDF with a text, a line of it on each line of the page. A form feed begins the next page.
pub(crate) fn pdf(text: &str) -> Vec<u8> {
    let pages: Vec<&str> = text.split('\x0c').collect();
    let kids = (0..pages.len()).map(|page| format!("{} 0 R ", 4 + 2 * page));
    let kids: String = kids.collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!("<< /Type /Pages /Kids [{kids}] /Count {} >>", pages.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
    ];
    for page in pages {
        let lines = page.lines().map(|line| format!("({line}) Tj T*\n"));
        let lines: String = lines.collect();
        let content = format!("BT /F1 10 Tf 12 TL 40 800 Td\n{lines}ET");
        let number = objects.len() + 2;
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {number} 0 R \
             /Resources << /Font << /F1 3 0 R >> >> >>"
        ));
        objects.push(format!(
            "<< /Length {} >>\nstream\n{content}\nendstream",
            content.len()
        ));
    }
    sample::file(&objects)
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
    let run = env.scan(".");
    let report = Report::of(run.warns("cut.pdf: malformed: damaged, or no PDF"));
    let pairs = report.pairs.iter();
    let pairs = pairs.map(|pair| (&*pair.a, &*pair.b, &*pair.relation));
    let pairs: Vec<_> = pairs.collect();
    let expected = [
        ("park.md", "park.pdf", "exact"),
        ("edited.pdf", "park.md", "near"),
        ("edited.pdf", "park.pdf", "near"),
    ];
    assert_eq!(pairs, expected);
    let expected = [("cut.pdf", "malformed"), ("scan.pdf", "empty")];
    assert_eq!(report.skips(), expected);
    run.says("scan.pdf: empty: no text: scanned?");
}

/// A file of some kilobytes whose content has so many bytes.
#[cfg(all(feature = "pdf", target_os = "linux"))]
fn bomb(megabytes: usize) -> Vec<u8> {
    use flate2::{Compression, write::ZlibEncoder};
    use std::io::Write;
    let mut once = ZlibEncoder::new(Vec::new(), Compression::fast());
    for _ in 0..megabytes {
        once.write_all(&[b' '; 1 << 20]).unwrap();
    }
    let mut twice = ZlibEncoder::new(Vec::new(), Compression::best());
    twice.write_all(&once.finish().unwrap()).unwrap();
    let content = twice.finish().unwrap();
    let mut pdf = pdf(PARK);
    let text = String::from_utf8_lossy(&pdf).into_owned();
    let (start, end) = (
        text.find("<< /Length").unwrap(),
        text.find("endstream").unwrap(),
    );
    let head = format!(
        "<< /Filter [/FlateDecode /FlateDecode] /Length {} >>\nstream\n",
        content.len()
    );
    pdf.splice(start..end, [head.as_bytes(), &content, b"\n"].concat());
    pdf
}

#[cfg(all(feature = "pdf", target_os = "linux"))]
#[test]
fn a_small_pdf_may_cost_little() {
    let bomb = bomb(150);
    assert!(bomb.len() < 10_000, "{}", bomb.len());
    let env = Env::new().file("a.pdf", bomb).file("b.pdf", pdf(PARK));
    let run = env.scan(".");
    let report = Report::of(run.warns("a.pdf: malformed: the program that reads it ended"));
    assert_eq!(report.summary.documents, 1);
}

#[cfg(feature = "pdf")]
#[test]
fn its_text_is_printed_and_compared() {
    let env = Env::new()
        .file("a.pdf", pdf("A pier."))
        .file("b.pdf", pdf(PARK))
        .file("b.md", PARK);
    assert_eq!(env.run("show --as normalized a.pdf").ok().trim(), "a pier.");
    env.run("compare b.pdf b.md").ok().says("exact");
    // The text, and not the file, has to be small.
    let run = env.run("show --as normalized b.pdf --max-filesize 100");
    run.says("b.pdf: too large");
}

/// A report of three pages, with [`PARK`] on the last two. The middle of the page is left free, so that no line is
/// taken for a running head.
#[cfg(feature = "pdf")]
fn report() -> Vec<u8> {
    let (first, second) = PARK.split_once("\n\n").unwrap();
    let harbour = "The harbour office moved its archive to the upper floor of the customs house,\n\
                   and every box of letters was numbered again before the winter began.\n\
                   Clerks who had served under two masters read the faded labels aloud,\n\
                   while apprentices carried ledgers, charts and rusty seals up narrow stairs.\n\
                   Nobody remembered why some crates were painted red or who kept their keys.\n\
                   A surveyor found tide tables from a century ago beneath loose boards,\n\
                   and sailors still ask for copies because the sandbanks have hardly moved.\n\
                   The museum wants to show them next spring, with lamps lent by fishermen.";
    pdf(&format!("{harbour}\x0c{first}\x0c{second}"))
}

#[cfg(feature = "pdf")]
#[test]
fn places_in_it_are_pages() {
    let env = Env::new()
        .file("report.pdf", report())
        .file("park.md", PARK)
        .file("park/report.pdf", pdf(PARK));
    let printed = |args: &str| env.run(args).ok().to_owned();
    printed("compare report.pdf park.md").says("A p. 2-3 = B 1-5: ");
    printed("compare report.pdf park.md --lang zh").says("第 2-3 页");
    let json = printed("compare report.pdf park.md --format json");
    let passage = &value(&json)["passages"][0];
    assert_eq!(passage["a_pages"], serde_json::json!([2, 3]));
    assert!(passage.get("b_pages").is_none(), "{passage}");

    printed("scan report.pdf park.md").says("of park.md is in report.pdf");
    printed("scan report.pdf park/report.pdf").says("(p. 2-3)");
    printed("scan report.pdf park/report.pdf --format sarif").says("p. 2-3");
    let reused = printed("reuse .");
    reused.says("\n   park/report.pdf p. 1\n");
    reused.says("\n   park.md:1-5\n");
    reused.says("\n   report.pdf p. 2-3\n");

    let found = env.check(". --format github");
    let found = found.stdout;
    found.says("file=park/report.pdf,line=1,");
    found.says("; p. 2-3 there)");
}

#[cfg(not(feature = "pdf"))]
#[test]
fn a_build_that_does_not_read_it_says_so() {
    let env = Env::new()
        .file("a.pdf", pdf(PARK))
        .file("b.pdf", pdf(PARK))
        .file("park.md", PARK);
    let run = env.scan(".");
    run.warns("2 files are not read: this build does not read PDF; one with the feature does");
}
