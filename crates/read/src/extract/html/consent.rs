//! Notices that ask for consent to cookies, which are around a page and no part of it. An element that speaks of cookies and has
//! a button that accepts them is one, whatever it is called.

use crate::extract::html::has_any_case;

/// What buttons say that accept cookies.
const ACCEPTS: [&str; 14] = [
    "accept",
    "agree",
    "allow all",
    "allow cookie",
    "got it",
    "akzept",
    "zustimm",
    "verstanden",
    "acept",
    "accett",
    "aceit",
    "同意",
    "接受",
    "知道了",
];

/// Returns whether a button with this label may accept cookies.
pub(super) fn accepts(label: &str) -> bool {
    label.len() < 60 && ACCEPTS.iter().any(|word| has_any_case(label, word))
}

/// Returns where a text speaks of cookies for the last time, in bytes.
pub(super) fn last_cookie(text: &[u8]) -> Option<usize> {
    let mut words = text.windows(b"cookie".len());
    words.rposition(|word| word.eq_ignore_ascii_case(b"cookie"))
}
