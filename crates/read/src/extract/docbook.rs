//! DocBook and DITA: their elements are read as those of HTML that look the same.

use std::collections::HashMap;
use std::fmt::Write;
use std::ops::Range;
use std::sync::LazyLock;

use crate::extract::MarkedText;
use crate::extract::html::{Syntax, all};
use crate::extract::{line_ends, push_line_ends};

/// The elements of HTML, each with the elements of DocBook and DITA that are shown like it. Others separate no words.
const ELEMENTS: [(&str, &str); 12] = [
    (
        "h2",
        "title subtitle titleabbrev bridgehead refname refpurpose navtitle",
    ),
    (
        "p",
        "para simpara formalpara shortdesc cmd info stepresult stepxmp context prereq result postreq abstract lq",
    ),
    (
        "li",
        "listitem member step substep choice stepalternatives callout sli qandaentry",
    ),
    (
        "ul",
        "itemizedlist simplelist orderedlist procedure steps steps-unordered substeps choices calloutlist sl variablelist",
    ),
    ("dt", "term dlterm question pt"),
    ("dd", "dd answer pd"),
    (
        "pre",
        "programlisting screen literallayout synopsis codeblock msgblock cmdsynopsis funcsynopsis",
    ),
    ("tr", "row strow sthead"),
    ("td", "entry stentry"),
    ("table", "informaltable simpletable properties choicetable"),
    (
        "div",
        "book article chapter appendix preface part section sect1 sect2 sect3 sect4 sect5 simplesect refentry refsect1 \
         refsect2 refsection refnamediv refsynopsisdiv note tip warning caution important example informalexample figure \
         informalfigure mediaobject varlistentry topic concept task reference conbody taskbody refbody body glossentry dlentry \
         fig attention danger sidebar epigraph",
    ),
    (
        "script",
        "bookinfo articleinfo chapterinfo sectioninfo refentryinfo indexterm remark prolog metadata refmeta keywordset \
         related-links draft-comment required-cleanup",
    ),
];

static NAMES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let rows = ELEMENTS.iter().flat_map(|&(shown, names)| {
        let names = names.split_ascii_whitespace();
        names.map(move |name| (name, shown))
    });
    rows.collect()
});

/// Returns the text of a document.
pub(super) fn extract(content: &str) -> MarkedText {
    let mut page = String::with_capacity(content.len());
    let mut rest = content;
    let mut is_before_type = true;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at + 1);
        page.push_str(before);
        let is_end = tag.starts_with('/');
        let name = &tag[usize::from(is_end)..];
        // The content of these is no markup.
        let verbatim = [("![CDATA[", "]]>"), ("!--", "-->")];
        if let Some((_, end)) = verbatim.iter().find(|(start, _)| tag.starts_with(start)) {
            let end = tag.find(end).map_or(tag.len(), |at| at + end.len());
            page.push_str(&tag[..end]);
            rest = &tag[end..];
            continue;
        }
        if is_before_type && tag.starts_with("!DOCTYPE") {
            is_before_type = false;
            if let Some(subset) = subset(tag) {
                page.push_str(&tag[..subset.start]);
                push_line_ends(line_ends(&tag.as_bytes()[subset.clone()]), &mut page);
                rest = &tag[subset.end..];
                continue;
            }
        }
        is_before_type &= !name.starts_with(char::is_alphabetic);
        let length = name.find(|c: char| !(c.is_alphanumeric() || "-_.:".contains(c)));
        let name = &name[..length.unwrap_or(name.len())];
        rest = &tag[usize::from(is_end) + name.len()..];
        let local = name.rsplit(':').next().unwrap_or(name);
        let shown = NAMES.get(local).copied().unwrap_or(local);
        let _ = write!(page, "{}{shown}", if is_end { "/" } else { "" });
    }
    page.push_str(rest);
    all(&page, Syntax::Xml)
}

/// Returns where the declarations in a document type are, with their brackets, if it has some.
fn subset(document_type: &str) -> Option<Range<usize>> {
    let start = document_type.find(['[', '>'])?;
    let is_end = |at: &usize| document_type[at + 1..].trim_start().starts_with('>');
    let rest = document_type[start..].strip_prefix('[')?;
    let mut ends = rest.match_indices(']').map(|(at, _)| start + 1 + at);
    Some(start..ends.find(is_end)? + 1)
}

#[cfg(test)]
mod tests {
    use crate::extract::{ExtractOptions, extract, sniff};
    use crate::format::Format;

    #[test]
    fn elements_are_blocks_as_they_look() {
        for (source, text) in [
            (
                "<book><title>Ferries</title><para>They <emphasis>leave</emphasis>.</para></book>",
                "Ferries They leave.",
            ),
            (
                "<d:article xmlns:d='x'><d:title>a</d:title>\n<d:para>b</d:para></d:article>",
                "a b",
            ),
            (
                "<itemizedlist><listitem><para>a</para></listitem><listitem><para>b</para></listitem></itemizedlist>",
                "a b",
            ),
            (
                "<para>a<indexterm><primary>hidden</primary></indexterm>b</para>",
                "ab",
            ),
            (
                "<programlisting><![CDATA[if <para> & x]]></programlisting>",
                "if <para> & x",
            ),
            (
                "<task><title>a</title><taskbody><steps><step><cmd>b</cmd></step></steps></taskbody></task>",
                "a b",
            ),
            ("<row><entry>a</entry><entry>b</entry></row>", "a b"),
            (
                "<!DOCTYPE book PUBLIC 'x' [\n<!ENTITY a '<b>hidden[1]</b>'>\n] >\n<book><para>b</para></book>",
                "b",
            ),
            (
                "<!DOCTYPE book><para><![CDATA[<!DOCTYPE book [<!ENTITY a 'b'>]>]]></para>",
                "<!DOCTYPE book [<!ENTITY a 'b'>]>",
            ),
        ] {
            let read = extract(source, Format::Docbook, &ExtractOptions::default()).text;
            let words: Vec<&str> = read.split_whitespace().collect();
            assert_eq!(words.join(" "), text, "{source}");
            assert_eq!(read.matches('\n').count(), source.matches('\n').count());
        }
    }

    #[test]
    fn documents_are_recognised_by_their_beginning() {
        for document in [
            "<?xml version='1.0'?>\n<!DOCTYPE book PUBLIC \"-//OASIS//DTD DocBook XML V4.5//EN\" \"x\">",
            "<article xmlns=\"http://docbook.org/ns/docbook\">",
            "<!DOCTYPE concept PUBLIC \"-//OASIS//DTD DITA Concept//EN\" \"concept.dtd\">",
        ] {
            assert_eq!(sniff(document, Format::Text), Format::Docbook);
        }
        assert_eq!(sniff("DocBook is <b>", Format::Text), Format::Text);
        assert_eq!(
            sniff("<?xml version='1.0'?><feed>", Format::Text),
            Format::Text
        );
    }
}
