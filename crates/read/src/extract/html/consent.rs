//! Notices that ask for consent to cookies, which are around a page and no part of it.

use std::iter;

use crate::extract::has_any_case;
use crate::extract::html::tokens::Tag;

/// Returns whether an element is a notice that asks for consent to cookies, by common words and by those of the programs that
/// sites use. Ids of sections, headings and the like are made of titles, so there only the programs count.
pub(super) fn asks_for_consent(tag: &Tag) -> bool {
    let of = |attribute: &str| str::from_utf8(tag.get(attribute).unwrap_or_default());
    let [class, id, label] = ["class", "id", "aria-label"].map(|name| of(name).unwrap_or_default());
    let classes = || class.split_ascii_whitespace();
    let is_titled = !matches!(tag.name.as_slice(), b"div" | b"aside" | b"form")
        || classes().any(|class| class == "section");
    classes().chain([id]).any(is_of_program)
        || classes().any(names_notice)
        || names_notice(label)
        || (!is_titled && names_notice(id))
}

/// What a notice is about, what may be between, and what it is called. A word has one of the first and then one of the first or
/// the last, as whole parts and in any spelling: `CookieBanner`, `cookiebanner`, `js-cookie-consent__content`.
const CONSENT: [&str; 4] = ["cookie", "gdpr", "lgpd", "consent"];
const BETWEEN: [&str; 3] = ["compliance", "info", "law"];
const NOTICE: [&str; 17] = [
    "alert",
    "banner",
    "bar",
    "box",
    "confirm",
    "dialog",
    "disclaimer",
    "hint",
    "hinweis",
    "message",
    "modal",
    "notice",
    "notification",
    "overlay",
    "popup",
    "prompt",
    "warning",
];

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

/// Returns where a text speaks of cookies for the last time, in bytes. An element with such a text and such a button is a notice
/// about them, whatever it is called.
pub(super) fn last_cookie(text: &[u8]) -> Option<usize> {
    let mut words = text.windows(b"cookie".len());
    words.rposition(|word| word.eq_ignore_ascii_case(b"cookie"))
}

/// How the ids and classes of programs for consent begin.
const PROGRAMS: [&str; 32] = [
    "_evidon",
    "axeptio",
    "cc-banner",
    "cc-window",
    "ccc-module",
    "cky-",
    "cmplz-",
    "cmpbox",
    "coioverlay",
    "cookiefirst",
    "cookie-law-info-",
    "cookiescript",
    "cybot",
    "didomi-",
    "evidon-",
    "fc-consent",
    "hs-eu-cookie",
    "iubenda-cs",
    "klaro",
    "md-consent",
    "moove_gdpr",
    "onetrust",
    "osano-cm",
    "pea_cook",
    "ppms_cm_",
    "privacy-banner",
    "qc-cmp",
    "sp_message",
    "tarteaucitron",
    "truste-",
    "truste_",
    "usercentrics",
];

/// Returns whether an id or a class begins as that of a program for consent.
fn is_of_program(word: &str) -> bool {
    let head = |known: &&str| word.get(..known.len());
    let mut programs = PROGRAMS.iter();
    programs.any(|known| head(known).is_some_and(|head| head.eq_ignore_ascii_case(known)))
}

/// Returns whether a word is the name of a notice: `CookieBanner`, and not `has-cookie-banner`, which is that of a page with one.
fn names_notice(word: &str) -> bool {
    if !CONSENT.iter().any(|topic| has_any_case(word, topic)) {
        return false;
    }
    let mut parts = String::new();
    let mut is_small = false;
    for c in word.chars() {
        if is_small && c.is_ascii_uppercase() {
            parts.push('-');
        }
        is_small = c.is_ascii_lowercase();
        parts.push(if c.is_alphanumeric() {
            c.to_ascii_lowercase()
        } else {
            '-'
        });
    }
    // Of a page that has a notice, or had one.
    let is_state = ["has-", "no-", "with-", "is-"]
        .iter()
        .any(|state| parts.starts_with(state));
    let mut starts = iter::once(0).chain(parts.match_indices('-').map(|(at, _)| at + 1));
    !is_state
        && starts.any(|at| {
            let topic = behind(&parts[at..], &CONSENT).map(|rest| rest.trim_start_matches('-'));
            let both = topic.and_then(|rest| {
                let named =
                    behind(rest, &BETWEEN).map_or(rest, |rest| rest.trim_start_matches('-'));
                behind(rest, &CONSENT).or_else(|| behind(named, &NOTICE))
            });
            both.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        })
}

/// Returns what is behind one of these words or its plural at the beginning of a text.
fn behind<'t>(text: &'t str, words: &[&str]) -> Option<&'t str> {
    let rest = words.iter().find_map(|word| text.strip_prefix(word))?;
    Some(rest.strip_prefix('s').unwrap_or(rest))
}

#[cfg(test)]
mod tests {
    use crate::extract::html::article;
    use crate::extract::html::tokens::Syntax;

    fn main(source: &str) -> String {
        article(source, Syntax::Html).text
    }

    #[test]
    fn notices_about_cookies_are_around_the_page() {
        let notice =
            "We use cookies to measure our audience and to show advertising that suits you. ";
        let banners = "div id=cookie-banner|div class='fixed cookie-consent'|section id=CybotCookiebotDialog|\
            div id=onetrust-consent-sdk|aside class=gdpr-notice|div class=gdpr-notice|div id=cookiebanner|\
            div id=cookies_notice_2|div class='CookieBanner'|div class='js-cookie-consent__content'|\
            div aria-label='Cookie banner'|div aria-modal=true|div class=eu-cookie-compliance-banner|\
            div class=cookie_law_notice|div class=lgpd-banner|div id=cookiefirst-root|div id=ccc-module|\
            div id=_evidon_banner|div class='pea_cook_wrapper'|div class=md-consent hidden|\
            div id=ppms_cm_popup_overlay|div id=coiOverlay";
        for banner in banners.split('|') {
            let page = format!(
                "<{banner}><p>{notice}</div></section></aside><h1>The ferry stops</h1><p>It has failed."
            );
            let read = main(&page);
            assert!(read.contains("failed"), "{banner} {read}");
            assert!(!read.contains("audience"), "{banner} {read}");
        }
        for (notice, button) in [
            ("We use cookies to measure our audience.", "Accept all"),
            ("本网站使用 Cookie，以便统计 audience", "同意"),
        ] {
            let answer = format!("<div><button>No</button><button>{button}</button></div>");
            let banner =
                format!("<div class=fixed><p>{notice}</p>{answer}<p>More audience</p></div>");
            let page = main(&format!(
                "{banner}<h1>The ferry stops</h1><p>It has failed."
            ));
            assert!(
                page.contains("failed") && !page.contains("audience"),
                "{page}"
            );
            let page = main(&format!(
                "<div><h1>The audience</h1><p>{notice}</p>{answer}</div>"
            ));
            assert!(page.contains("audience"), "{page}");
        }
        let parts = "p class=cookies|p class=has-cookie-banner|p class=informed-consent|p class=cookie-barrel|\
            div class=gdpr-compliance-tips|div class=ccc-events|div id=session-cookies-not-sent|div id=cookie-notes|\
            div id=cookie-law|div id=cookie-banner class='section level2'|section id=gdpr-compliance|\
            section id=cookies-and-consent|section id=cookie-banner|section id=trusted-hosts|\
            section aria-label='Cookie recipes: chocolate bar'";
        for part in parts.split('|') {
            let page = format!("<h1>How to bake</h1><{part}>Cookies need butter.");
            assert!(main(&page).contains("butter"), "{part}");
        }
    }
}
