//! Makes PDF files for tests, here and elsewhere.

use std::fmt::Write;

/// Returns a PDF of objects. The first one is the catalogue.
pub(crate) fn file(objects: &[String]) -> Vec<u8> {
    let mut file = String::from("%PDF-1.7\n");
    let mut places = Vec::new();
    for (number, object) in (1..).zip(objects) {
        places.push(file.len());
        write!(file, "{number} 0 obj\n{object}\nendobj\n").unwrap();
    }
    let (xref, count) = (file.len(), objects.len() + 1);
    write!(file, "xref\n0 {count}\n0000000000 65535 f \n").unwrap();
    for place in places {
        writeln!(file, "{place:010} 00000 n ").unwrap();
    }
    write!(
        file,
        "trailer <</Size {count} /Root 1 0 R>>\nstartxref\n{xref}\n%%EOF\n"
    )
    .unwrap();
    file.into_bytes()
}
