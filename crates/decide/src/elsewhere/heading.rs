//! The heading above a passage, as an address names it.

use dupfind_engine::text::blocks::Block;

/// A heading of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// Its words.
    pub words: String,
    /// Its name in an address, as most renderers of Markdown make it.
    pub slug: String,
}

/// Returns the last heading on or before a line. `headings` are those of the document.
pub(super) fn heading(headings: &[Block<'_>], line: usize) -> Option<Heading> {
    let before = headings.partition_point(|block| block.start_line as usize <= line);
    let words = |block: &Block<'_>| block.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (last, rest) = headings[..before].split_last()?;
    let words_of_last = words(last);
    let slug = slug(&words_of_last);
    // Those of one name are numbered.
    let same = rest
        .iter()
        .filter(|block| self::slug(&words(block)) == slug);
    let slug = match same.count() {
        0 => slug,
        number => format!("{slug}-{number}"),
    };
    Some(Heading {
        words: words_of_last,
        slug,
    })
}

/// Returns the name of a heading in an address.
fn slug(heading: &str) -> String {
    let kept = heading.chars().filter_map(|c| match c {
        ' ' | '-' => Some('-'),
        '_' => Some(c),
        _ if c.is_alphanumeric() => Some(c),
        _ => None,
    });
    kept.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dupfind_engine::text::blocks::BlockKind;

    #[test]
    fn headings_become_addresses() {
        for (heading, expected) in [
            ("Opening hours", "opening-hours"),
            ("What's new? (2024)", "whats-new-2024"),
            ("开放时间", "开放时间"),
            ("a_b  c", "a_b--c"),
        ] {
            assert_eq!(slug(heading), expected);
        }
    }

    #[test]
    fn the_heading_above_a_line_is_numbered_among_those_of_its_name() {
        let block = |text, line| Block {
            kind: BlockKind::Heading,
            text,
            start_line: line,
            end_line: line,
        };
        let headings = [block("Use", 1), block("Example", 3), block("Use", 9)];
        let slug = |line| heading(&headings, line).map(|heading| heading.slug);
        assert_eq!(slug(0), None);
        assert_eq!(slug(8).as_deref(), Some("example"));
        assert_eq!(slug(9).as_deref(), Some("use-1"));
    }
}
