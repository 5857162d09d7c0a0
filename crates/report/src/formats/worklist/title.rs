//! The title of a page.

use encoding_rs::Encoding;

use dupfind_read::extract::front_matter;
use dupfind_read::format::Format;

/// How much of a file is looked at, in bytes.
pub(super) const HEAD: usize = 16 << 10;

/// The longest title, in characters.
const LONGEST: usize = 120;

/// Returns the title of a document by the beginning of its file: that of its front matter, else its first heading, or
/// the title of a web page. `encoding` is the name of the encoding that the file was decoded from.
pub(super) fn title(head: &[u8], format: Format, encoding: &str) -> Option<String> {
    let encoding = Encoding::for_label(encoding.as_bytes())?;
    let (text, ..) = encoding.decode(head);
    let title = match format {
        Format::Markdown | Format::Mdx => {
            let marked = || marked_line(&text[front_matter::end(&text)..], "# ");
            of_front_matter(&text).or_else(marked)
        }
        Format::Asciidoc => marked_line(&text, "= "),
        Format::Rst => underlined(&text),
        Format::Html | Format::Xhtml => of_front_matter(&text).or_else(|| of_page(&text)),
        _ => None,
    }?;
    let words: Vec<&str> = title.split_whitespace().collect();
    let title: String = words.join(" ").chars().take(LONGEST).collect();
    (!title.is_empty()).then_some(title)
}

/// Returns the title of front matter. A title of several lines has a sign in its place, and is passed over.
fn of_front_matter(text: &str) -> Option<String> {
    let title = front_matter::value(text, "title")?;
    let is_sign = title.starts_with(['>', '|']) && title.len() <= 3;
    (!is_sign).then_some(title)
}

/// Returns the first line that begins with a mark, without it. A heading that closes with the mark loses that too.
fn marked_line(text: &str, mark: &str) -> Option<String> {
    let mut lines = text.lines();
    let line = lines.find_map(|line| line.strip_prefix(mark))?;
    let sign = mark.trim_end();
    Some(line.trim().trim_end_matches(sign).trim_end().to_owned())
}

/// Returns the first line with a line of equal signs or the like below it.
fn underlined(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let is_rule = |line: &str| {
        let line = line.trim_end();
        let first = line.chars().next().filter(char::is_ascii_punctuation);
        first.is_some_and(|first| line.len() > 2 && line.chars().all(|c| c == first))
    };
    let mut pairs = lines.windows(2);
    let found =
        pairs.find(|pair| is_rule(pair[1]) && !is_rule(pair[0]) && !pair[0].trim().is_empty());
    found.map(|pair| pair[0].trim().to_owned())
}

/// Returns the text of the element `title` of a page.
fn of_page(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let start = lower.find("<title")?;
    let start = start + lower[start..].find('>')? + 1;
    let end = start + lower[start..].find("</title")?;
    let text = &text[start..end];
    let entities = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&amp;", "&"),
    ];
    let text = entities
        .iter()
        .fold(text.to_owned(), |text, (entity, sign)| {
            text.replace(entity, sign)
        });
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_of_each_format() {
        for (format, head, expected) in [
            (
                Format::Markdown,
                "---\ntitle: \"Cats\"\n---\n\n# Dogs\n",
                Some("Cats"),
            ),
            (
                Format::Markdown,
                "---\nweight: 1\n---\n\n# The  dogs #\n",
                Some("The dogs"),
            ),
            (Format::Markdown, "no heading\n", None),
            (
                Format::Markdown,
                "---\ntitle: >-\n  Cats\n---\n# Dogs\n",
                Some("Dogs"),
            ),
            (Format::Mdx, "+++\ntitle = \"猫\"\n+++\n", Some("猫")),
            (Format::Asciidoc, "= Cats\n:toc:\n", Some("Cats")),
            (Format::Rst, ".. _cats:\n\nCats\n====\n", Some("Cats")),
            (Format::Rst, "====\nCats\n====\n", Some("Cats")),
            (
                Format::Html,
                "<html><TITLE lang=en>Cats &amp;\n dogs</title>",
                Some("Cats & dogs"),
            ),
            (Format::Html, "<html><title>cut off", None),
            (Format::Text, "# Cats\n", None),
        ] {
            let found = title(head.as_bytes(), format, "UTF-8");
            assert_eq!(found.as_deref(), expected, "{head}");
        }
        let (bytes, ..) = encoding_rs::GBK.encode("# 城市\n");
        assert_eq!(
            title(&bytes, Format::Markdown, "GBK").as_deref(),
            Some("城市")
        );
    }
}
