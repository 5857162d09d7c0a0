//! The encoding that a document declares: an XML declaration, or `meta` in HTML.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// How many bytes of a document are searched: the rule of the HTML standard (section 13.2.3.2).
const PRESCAN: usize = 1024;

/// Returns the encoding that a document declares. It need not be true.
///
/// Two declarations count: `<?xml ... encoding="..."?>` at the beginning, and `charset=...` in a tag `<meta ...>`. A
/// declaration of UTF-16 means UTF-8, since it could not be read otherwise.
#[must_use]
pub(super) fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(PRESCAN)];
    let label = xml_label(head).or_else(|| meta(head))?;
    let encoding = Encoding::for_label(label)?;
    let is_utf16 = encoding == UTF_16LE || encoding == UTF_16BE;
    Some(if is_utf16 { UTF_8 } else { encoding })
}

/// Returns the encoding in the XML declaration with which a document begins.
pub(crate) fn xml_label(head: &[u8]) -> Option<&[u8]> {
    let rest = head.strip_prefix(b"<?xml")?;
    let declaration = &rest[..find(rest, b"?>")?];
    value(declaration, b"encoding")
}

fn meta(head: &[u8]) -> Option<&[u8]> {
    let mut rest = head;
    loop {
        rest = &rest[find(rest, b"<meta")? + b"<meta".len()..];
        let tag = &rest[..find(rest, b">").unwrap_or(rest.len())];
        if let Some(label) = value(tag, b"charset") {
            return Some(label);
        }
    }
}

/// Returns the value behind `name=`, quoted or not.
fn value<'b>(tag: &'b [u8], name: &[u8]) -> Option<&'b [u8]> {
    let after = &tag[find(tag, name)? + name.len()..];
    let after = after
        .trim_ascii_start()
        .strip_prefix(b"=")?
        .trim_ascii_start();
    let after = after
        .strip_prefix(b"\"")
        .or_else(|| after.strip_prefix(b"'"))
        .unwrap_or(after);
    let is_label = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_:.+".contains(byte);
    let end = after.iter().position(|byte| !is_label(byte));
    Some(&after[..end.unwrap_or(after.len())])
}

/// Returns where a name begins, in any case.
fn find(bytes: &[u8], name: &[u8]) -> Option<usize> {
    let mut windows = bytes.windows(name.len());
    windows.position(|window| window.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{BIG5, EUC_JP, GBK, SHIFT_JIS};

    #[test]
    fn declarations() {
        for (head, expected) in [
            (
                "<?xml version=\"1.0\" encoding=\"Shift_JIS\"?>",
                Some(SHIFT_JIS),
            ),
            ("<?xml version='1.0' encoding='big5' ?>", Some(BIG5)),
            ("<?xml version='1.0'?><p encoding='big5'>", None),
            ("<html><head><meta charset=gb2312>", Some(GBK)),
            ("<META CHARSET = 'EUC-JP' />", Some(EUC_JP)),
            (
                "<meta name=a content=b><meta http-equiv=\"Content-Type\" content=\"text/html; charset=gbk\">",
                Some(GBK),
            ),
            ("<meta charset=\"utf-16\">", Some(UTF_8)),
            ("<meta charset=\"nonsense\">", None),
            ("<meta charset", None),
            ("text about charset=gbk and <metal>", None),
            ("", None),
        ] {
            assert_eq!(declared(head.as_bytes()), expected, "{head}");
        }
        let late = format!("{}<meta charset=gbk>", " ".repeat(PRESCAN));
        assert_eq!(declared(late.as_bytes()), None);
    }
}
