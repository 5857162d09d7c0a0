//! The meaning of the attributes of a tag for its element: hidden, of the site, or the main part of the page.

use crate::extract::html::elements::Properties;
use crate::extract::html::tokens::Tag;

/// Roles of elements that belong to the site. An `alert` is not among them: manuals call their notes so.
const AROUND_ROLES: &str = "alertdialog banner complementary contentinfo dialog menu menubar navigation search \
                            tablist toolbar";

/// Classes and ids of such elements, in pages older than the elements of HTML 5. Only whole words count: `menu`,
/// not `menu-of-the-day`.
const AROUND_WORDS: &str = "breadcrumb breadcrumbs footer masthead menu nav navbar navigation page-footer \
                            page-header pagination sidebar site-footer site-header site-nav skip-link toc topbar \
                            topnav";

/// Elements that no class and no id makes a part of the site: there the words name other parts of the page.
const NEVER_AROUND: [&[u8]; 4] = [b"article", b"body", b"html", b"main"];

/// Ids of the main part of pages that have no element for it.
const MAIN_IDS: &str = "content main main-content main_content maincontent page-content";

/// Returns whether no reader ever sees the content of an element, by its start tag and its properties. A template with a shadow
/// root is shown.
pub(super) fn is_unseen(tag: &Tag, properties: Properties) -> bool {
    (properties.has(Properties::UNSEEN) && tag.get("shadowrootmode").is_none())
        || (tag.name == b"dialog" && tag.get("open").is_none())
}

/// Returns whether an element is hidden by its attributes, as long as no script shows it.
pub(super) fn is_hidden(tag: &Tag) -> bool {
    // A search in the page finds and shows `until-found`.
    let is_hidden = |value: &[u8]| value != b"until-found";
    tag.get("hidden").is_some_and(is_hidden) || tag.get("style").is_some_and(hides)
}

/// Returns whether no reader sees the content of an element of SVG or MathML: names and descriptions, which are shown on
/// demand at most; definitions for use elsewhere; and a formula in a second language.
pub(super) fn is_unseen_of_foreign(tag: &Tag) -> bool {
    match tag.name.as_slice() {
        b"annotation" | b"clippath" | b"defs" | b"desc" | b"metadata" | b"symbol" | b"title" => {
            true
        }
        b"annotation-xml" => !has_value(tag, "encoding", "text/html application/xhtml+xml"),
        _ => false,
    }
}

/// Returns whether the text of an element of SVG is at a place of its own, as a label is.
pub(super) fn is_label(tag: &Tag) -> bool {
    let name = tag.name.as_slice();
    name == b"text" || (name == b"tspan" && tag.get("x").is_some())
}

/// Whether declarations of style hide an element.
fn hides(style: &[u8]) -> bool {
    let style: Vec<u8> = style
        .iter()
        .filter(|byte| !byte.is_ascii_whitespace())
        .map(u8::to_ascii_lowercase)
        .collect();
    style.split(|&byte| byte == b';').any(|declaration| {
        [&b"display:none"[..], b"visibility:hidden"]
            .iter()
            .any(|hidden| declaration.starts_with(hidden))
    })
}

/// Returns whether an element belongs to the site and not to the article, by its start tag, its properties, whether
/// it is within an article or any section, and whether it is within an article. An `aside` of an article is a note in
/// it, and any other is a sidebar.
pub(super) fn is_around(
    tag: &Tag,
    properties: Properties,
    in_section: bool,
    in_article: bool,
) -> bool {
    let name = tag.name.as_slice();
    let is_around = match name {
        b"header" => !in_section,
        b"aside" => !in_article,
        _ => properties.has(Properties::AROUND),
    };
    let says = |attribute: &str, words: &str| {
        tag.get(attribute).is_some_and(|value| {
            let mut own = value.split(u8::is_ascii_whitespace);
            own.any(|word| is_one_of(words, word))
        })
    };
    is_around
        || says("role", AROUND_ROLES)
        || tag.get("aria-hidden") == Some(b"true")
        || tag.get("aria-modal") == Some(b"true")
        || (!NEVER_AROUND.contains(&name)
            && (says("class", AROUND_WORDS)
                || says("id", AROUND_WORDS)
                || asks_for_consent(tag, "class")
                || asks_for_consent(tag, "id")))
}

/// Returns whether an attribute has a word by which notices that ask for consent to cookies are known: common words, and those of
/// the programs that sites use.
fn asks_for_consent(tag: &Tag, attribute: &str) -> bool {
    let value = tag.get(attribute).unwrap_or_default();
    let mut words = value.split(u8::is_ascii_whitespace);
    words.any(is_of_consent)
}

fn is_of_consent(word: &[u8]) -> bool {
    matches!(
        word,
        b"-container"
            | b"cc-banner"
            | b"cc-window"
            | b"cmplz-cookiebanner"
            | b"consent-banner"
            | b"consent-notice"
            | b"cookie-alert"
            | b"cookie-banner"
            | b"cookie-bar"
            | b"cookie-consent"
            | b"cookie-disclaimer"
            | b"cookie-law-info-bar"
            | b"cookie-message"
            | b"cookie-modal"
            | b"cookie-notice"
            | b"cookie-notification"
            | b"cookie-overlay"
            | b"cookie-policy-banner"
            | b"cookie-popup"
            | b"cookie-warning"
            | b"cookie_banner"
            | b"cookie_consent"
            | b"cookie_notice"
            | b"cookiebanner"
            | b"cookiebar"
            | b"cookieconsent"
            | b"cookienotice"
            | b"CybotCookiebotDialog"
            | b"didomi-host"
            | b"didomi-notice"
            | b"eu-cookie-law"
            | b"eucookielaw"
            | b"gdpr-banner"
            | b"gdpr-consent"
            | b"gdpr-cookie-notice"
            | b"gdpr-notice"
            | b"iubenda-cs-banner"
            | b"klaro"
            | b"moove_gdpr_cookie_info_bar"
            | b"onetrust-banner-sdk"
            | b"onetrust-consent-sdk"
            | b"osano-cm-window"
            | b"privacy-banner"
            | b"qc-cmp"
            | b"truste_overlay"
            | b"usercentrics-root"
    )
}

/// Returns whether the element of a start tag is the main part of its page.
pub(super) fn is_main(tag: &Tag) -> bool {
    tag.name == b"main" || has_value(tag, "role", "main") || has_value(tag, "id", MAIN_IDS)
}

/// Returns whether the value of an attribute is one of these words.
fn has_value(tag: &Tag, attribute: &str, words: &str) -> bool {
    is_one_of(words, tag.get(attribute).unwrap_or_default())
}

fn is_one_of(words: &str, value: &[u8]) -> bool {
    let mut words = words.split_ascii_whitespace();
    words.any(|word| word.as_bytes().eq_ignore_ascii_case(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_that_hide() {
        for (style, is_hidden) in [
            ("display:none", true),
            ("color: red; Display : None !important", true),
            ("visibility: hidden", true),
            ("display: block", false),
            ("--display: none", false),
            ("", false),
        ] {
            assert_eq!(hides(style.as_bytes()), is_hidden, "{style}");
        }
    }
}
