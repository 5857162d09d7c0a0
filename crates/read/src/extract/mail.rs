//! E-mail: the text that its author wrote. Attachments, quoted text and the signature are left out.
//!
//! Only heads are read by `mail-parser`: for a whole message it needs memory for each line, and messages within
//! messages overflow its stack.

use std::borrow::Cow;

use encoding_rs::Encoding;
use mail_parser::decoders::base64::base64_decode;
use mail_parser::decoders::quoted_printable::quoted_printable_decode;
use mail_parser::{MessageParser, MimeHeaders};
use memchr::memmem;

use crate::contained::contained;
use crate::decode::decode;
use crate::extract::html::{self, Syntax};

/// How many bytes of the head of a message or of a part are read.
const HEAD: usize = 64 << 10;

/// How deep parts may be in parts. Deeper ones are left out.
const DEPTH: usize = 8;

/// Why bytes are no message.
pub const NO_MESSAGE: &str = "it does not begin as a message does";

/// The words between an answer and the whole message that it quotes, in programs that mark no lines.
const QUOTES_ALL: [&str; 3] = ["Original Message", "原始邮件", "邮件原件"];

/// How a line ends that introduces a quotation. Other lines have to end with a colon and name an address or a time.
const INTRODUCE: [&str; 7] = [
    "wrote:",
    "writes:",
    "schrieb:",
    "a écrit :",
    "escribió:",
    "写道：",
    "写道:",
];

/// Beginnings of quoted messages in HTML.
const QUOTES_IN_HTML: [&str; 3] = [
    "class=\"gmail_quote",
    "type=\"cite\"",
    "id=\"divRplyFwdMsg\"",
];

/// A message.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Mail {
    /// The subject, without `Re:` and the like.
    pub subject: Option<String>,
    /// The `Message-ID`, without brackets.
    pub id: Option<String>,
    /// The text that counts.
    pub text: String,
}

/// Returns the message in some bytes; `None` if they are no message.
#[must_use]
pub fn message(bytes: &[u8]) -> Option<Mail> {
    contained(|| {
        // The line that separates messages in a mailbox.
        let message = match bytes.starts_with(b"From ") {
            true => &bytes[memchr::memchr(b'\n', bytes)? + 1..],
            false => bytes,
        };
        let (head, _) = head_and_body(message);
        let head = MessageParser::default().parse_headers(&head)?;
        let is_message = head.subject().is_some()
            || head.from().is_some()
            || head.date().is_some()
            || head.content_type().is_some();
        let owned = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        is_message.then(|| Mail {
            subject: head.thread_name().and_then(owned),
            id: head.message_id().and_then(owned),
            text: part(message, DEPTH).map_or_else(String::new, |part| own_words(&part)),
        })
    })?
}

/// Returns the head of a message or a part, with an empty line at its end, and the body.
fn head_and_body(part: &[u8]) -> (Vec<u8>, &[u8]) {
    let ends = memchr::memchr_iter(b'\n', part).map(|at| at + 1);
    let is_empty = |&end: &usize| matches!(part[end..], [b'\n', ..] | [b'\r', b'\n', ..]);
    // A part may have no head.
    let end = [0].into_iter().chain(ends).find(is_empty);
    let (head, body) = part.split_at(end.map_or(part.len(), |end| end + 1));
    let head = &head[..head.len().min(HEAD)];
    ([head, b"\n\n"].concat(), body)
}

/// Returns the text of a message or a part; `None` if it is an attachment or no text.
fn part(bytes: &[u8], depth: usize) -> Option<String> {
    let (head, body) = head_and_body(bytes);
    let head = MessageParser::default().parse_headers(&head);
    let head = head.as_ref();
    let disposition = head.and_then(|head| head.content_disposition());
    if disposition.is_some_and(|disposition| disposition.is_attachment()) {
        return None;
    }
    let kind = head.and_then(|head| head.content_type());
    let subtype = kind.map_or(Some("plain"), |kind| kind.subtype());
    let attribute = |name| kind.and_then(|kind| kind.attribute(name));
    match (kind.map_or("text", |kind| kind.ctype()), subtype?) {
        ("multipart", subtype) => {
            let parts = parts(body, attribute("boundary")?);
            let depth = depth.checked_sub(1)?;
            let texts = parts.into_iter().filter_map(|bytes| part(bytes, depth));
            let mut texts = texts.filter(|text| !text.trim().is_empty());
            match subtype {
                // The plainest one is the first.
                "alternative" => texts.next(),
                _ => Some(texts.collect::<Vec<_>>().join("\n\n")),
            }
        }
        ("text", subtype @ ("plain" | "html")) => {
            let encoding = head.and_then(|head| head.content_transfer_encoding());
            let content = match encoding.unwrap_or_default().to_ascii_lowercase().as_str() {
                "base64" => base64_decode(body).map(Cow::Owned),
                "quoted-printable" => quoted_printable_decode(body).map(Cow::Owned),
                _ => None,
            };
            let content = content.unwrap_or(Cow::Borrowed(body));
            let charset =
                attribute("charset").and_then(|name| Encoding::for_label(name.as_bytes()));
            let text = decode(
                &content,
                charset.filter(|charset| !charset.is_single_byte()),
            )?
            .text;
            Some(match subtype {
                "html" => {
                    let quotes = QUOTES_IN_HTML
                        .iter()
                        .filter_map(|mark| text.find(mark))
                        .min();
                    let end = quotes.and_then(|at| text[..at].rfind('<'));
                    html::all(&text[..end.unwrap_or(text.len())], Syntax::Html).text
                }
                _ => text.into_owned(),
            })
        }
        _ => None,
    }
}

/// Returns the parts between lines that are a boundary.
fn parts<'b>(body: &'b [u8], boundary: &str) -> Vec<&'b [u8]> {
    let mark = [b"--", boundary.as_bytes()].concat();
    let mut parts = Vec::new();
    let mut begin = None;
    for at in memmem::find_iter(body, &mark) {
        let rest = &body[at + mark.len()..];
        let line = &rest[..memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1)];
        let is_last = line.starts_with(b"--");
        if at > 0 && body[at - 1] != b'\n' || !is_last && !line.trim_ascii().is_empty() {
            continue;
        }
        parts.extend(begin.map(|begin| &body[begin..at]));
        begin = (!is_last).then_some(at + mark.len() + line.len());
    }
    parts.extend(begin.map(|begin| &body[begin..]));
    parts
}

/// Returns a text without quoted lines, their introductions, and the signature.
fn own_words(text: &str) -> String {
    let mut own: Vec<&str> = Vec::new();
    for line in text.lines() {
        let is_mark = line.starts_with("--") && QUOTES_ALL.contains(&line.trim_matches(['-', ' ']));
        if line == "-- " || is_mark {
            break;
        }
        match line.strip_prefix('>') {
            // A mailbox writes lines like those that separate its messages so.
            Some(rest) if rest.starts_with("From ") => own.push(rest),
            Some(_) => leave_introduction(&mut own),
            None => own.push(line),
        }
    }
    own.join("\n")
}

/// Removes the last line if it introduces a quotation: `On Monday, Ann <ann@example.org> wrote:`, on one line or two.
fn leave_introduction(own: &mut Vec<&str>) {
    let last = own.iter().rposition(|line| !line.trim().is_empty());
    let Some(last) = last.filter(|&last| own[last].trim_end().ends_with([':', '：'])) else {
        return;
    };
    let introduces = |line: &str| {
        INTRODUCE.iter().any(|end| line.trim_end().ends_with(end))
            || line.contains(|c: char| c == '@' || c.is_numeric())
    };
    let first = match last.checked_sub(1) {
        Some(before) if own[before].starts_with("On ") => before,
        _ => last,
    };
    if introduces(own[last]) {
        own.truncate(first);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(message: &str) -> String {
        super::message(message.as_bytes()).unwrap().text
    }

    #[test]
    fn quoted_text_and_the_signature_do_not_count() {
        for (body, expected) in [
            ("Yes.\n\n> Is it?\n>> No\nSo be it.\n", "Yes.\n\nSo be it."),
            ("On Monday, 3 May, Ann wrote:\n> Is it?\n\nYes.\n", "\nYes."),
            (
                "Hello,\n\nOn Monday, Ann\n<ann@example.org> wrote:\n> Is it?\nYes.\n",
                "Hello,\n\nYes.",
            ),
            ("Like this:\n> code\n", "Like this:"),
            ("在 2024年1月2日，安写道：\n> 是吗？\n是。\n", "是。"),
            ("Yes.\n-- \nAnn\n", "Yes."),
            (
                "Yes.\n\n-----Original Message-----\nFrom: Ann\nIs it?\n",
                "Yes.\n",
            ),
            (
                ">From the pier\nships leave.\n",
                "From the pier\nships leave.",
            ),
        ] {
            assert_eq!(text(&format!("Subject: a\n\n{body}")), expected);
        }
    }

    #[test]
    fn the_text_is_in_the_plainest_part() {
        let mail = "From ann@example.org Mon May  3 09:00:00 2021\r\n\
            From: Ann <ann@example.org>\r\n\
            Subject: =?utf-8?B?UmU6IOWFrOWbrQ==?=\r\n\
            Message-ID: <1@example.org>\r\n\
            Content-Type: multipart/mixed; boundary=\"a b\"\r\n\
            \r\n\
            A program that knows no parts shows this.\r\n\
            --a b\r\n\
            Content-Type: multipart/alternative; boundary=c\r\n\
            \r\n\
            --c\r\n\
            Content-Type: text/plain; charset=gb2312\r\n\
            Content-Transfer-Encoding: quoted-printable\r\n\
            \r\n\
            =B9=AB=D4=B0 opens=\r\n at seven.\r\n\
            --c\r\n\
            Content-Type: text/html\r\n\
            \r\n\
            <p>Other words.</p>\r\n\
            --c--\r\n\
            --a b\r\n\
            Content-Disposition: attachment; filename=a.txt\r\n\
            \r\n\
            Attached words.\r\n\
            --a b--\r\n";
        let expected = Mail {
            subject: Some("公园".into()),
            id: Some("1@example.org".into()),
            text: "公园 opens at seven.".into(),
        };
        let mut found = message(mail.as_bytes()).unwrap();
        found.text = found.text.trim().to_owned();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_message_of_html_alone_has_its_text() {
        let html = "Subject: a\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64\n\n\
            PHA+VGhlIHBpZXIgb3BlbnMuPC9wPjxkaXYgY2xhc3M9ImdtYWlsX3F1b3RlIj5JcyBpdD88L2Rpdj4=\n";
        assert_eq!(text(html).trim(), "The pier opens.");
    }

    #[test]
    fn messages_in_messages_are_bounded() {
        assert_eq!(message(b"Some words that are no message.\n"), None);
        let nested = "Content-Type: message/rfc822\n\n".repeat(100_000);
        assert_eq!(text(&format!("Subject: a\n{nested}")), "");
        let parts: String = (0..20_000)
            .map(|at| format!("Content-Type: multipart/mixed; boundary={at}\n\n--{at}\n"))
            .collect();
        assert_eq!(text(&format!("Subject: a\n{parts}")), "");
        assert_eq!(
            text(&format!("Subject: {}\n\nYes.\n", "a\n ".repeat(100_000))),
            "Yes."
        );
    }
}
