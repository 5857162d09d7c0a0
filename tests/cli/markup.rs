//! Markdown and its kin: what of a file is compared, and that lines are those of the file.

use std::path::Path;

use dupfind_read::{Format, Kind};

use crate::env::{Env, PARK, PARK_EDITED, Report, Run, Says, table, value};

/// Front matter, imports, shortcodes and definitions, with a word in every value, and no text of a reader.
fn frame(word: &str) -> (String, String) {
    let keys = (0..30).map(|n| format!("key{n}: a value about {word} number {n} of many\n"));
    let keys: String = keys.collect();
    let definitions: String = (0..30)
        .map(|n| format!("[ref {n}]: https://example.org/{word}/path/{n}/of/many\n"))
        .collect();
    let head = format!(
        "---\n{keys}---\nimport {word} from '@theme/{word}';\n\n<!-- a comment about {word} that goes on\nand on -->\n\n\
         {{{{< include file=\"{word}/of/some/kind.md\" >}}}}\n\n"
    );
    (
        head,
        format!("\n{{% include {word}.html with many words %}}\n\n{definitions}"),
    )
}

/// Returns a text as a cell of a notebook, beside one without code.
fn notebook(text: &str) -> String {
    let source = text.replace('\n', "\\n");
    format!(
        "{{\"cells\": [{{\"cell_type\": \"markdown\", \"source\": \"{source}\"}}, {{\"cell_type\": \"code\", \
         \"source\": [], \"outputs\": [{{\"text\": \"hidden\"}}]}}], \"nbformat\": 4}}"
    )
}

#[test]
fn every_format_is_read_by_its_name() {
    // What stands before the text and behind it.
    let framed = table(
        r"a.txt  |                                                                  |
          b.md   | <!-- hidden -->\n\n                                              | \n[x]: http://a.b/c\n
          c.mdx  | import A from 'a'\n\n<A b={c}>\n\n                               | \n</A>\n
          d.rst  | .. toctree::\n   :maxdepth: 2\n\n   hidden words in it\n\n       | \n.. _t: http://a.b\n
          e.adoc | :name: hidden value of it\n\n////\nhidden\n////\n\n              | \ninclude::hidden/words.adoc[]\n
          f.xml  | <?xml version='1.0'?>\n<article a='hidden'><!-- hidden --><para> | </para></article>\n",
    );
    let framed = framed.into_iter();
    let framed = framed.map(|[name, before, behind]| (name, format!("{before}{PARK}{behind}")));
    let files: Vec<_> = framed.chain([("g.ipynb", notebook(PARK))]).collect();
    let format = |name: &str| Kind::of(Path::new(name)).format;
    let missing: Vec<Format> = Format::all()
        .filter(|one| !one.may_hold_records() && !one.is_archive())
        .filter(|one| !files.iter().any(|(name, _)| format(name) == *one))
        .collect();
    // Other tests read these.
    let others = [
        Format::Html,
        Format::Xhtml,
        Format::Pdf,
        Format::Foreign,
        Format::Pre,
    ];
    assert_eq!(missing, others, "add a file above");
    let count = files.len();
    let env = Env::new();
    for (name, text) in files {
        env.write(name, text);
    }
    let report = env.json("-g *");
    assert_eq!(report.summary.pairs, count * (count - 1) / 2);
    for pair in &report.pairs {
        assert_eq!(pair.relation, "exact", "{pair:?}");
    }
}

#[test]
fn reports_name_the_lines_of_the_file() {
    let (head, tail) = frame("tabs");
    let first = head.matches('\n').count() + 1;
    let last = first + PARK.trim_end().matches('\n').count();
    let env = Env::new()
        .file("a.md", format!("{PARK_EDITED}\nAnd a sentence more.\n"))
        .file("b.md", format!("{head}{PARK}{tail}"));
    let github = env.report("--format github");
    let github = github.ok();
    github.says(format!("file=b.md,line={first},endLine={last},"));
    let sarif = value(env.report("--format sarif").ok());
    sarif.to_string().says(format!("\"startLine\":{first}"));
    // A comparison numbers its lines so too.
    env.run("compare a.md b.md").ok().says(format!(" {first}"));
}

#[test]
fn documents_of_other_programs_are_skipped_with_what_reads_them() {
    let env = Env::of("PARK: docs/a.md docs/a.org")
        .file("docs/a.doc", "no text")
        .file("docs/b.doc", "no text")
        .file("docs/c.eml", PARK);
    let run = env.run("scan docs -f json");
    let report = Report::of(&run.stdout);
    let expected = ["docs/a.doc", "docs/b.doc", "docs/c.eml"].map(|name| (name, "unsupported"));
    assert_eq!(report.skips(), expected);
    assert_eq!(report.pairs[0].relation, "exact");
    for part in [
        "2 files are not read: --pre '*.doc=catdoc -d utf-8' reads .doc files, see docs/input.md",
        "1 file is not read: a script of a few lines reads e-mail and saved pages, see docs/input.md",
    ] {
        run.says(part);
    }
    env.run("scan docs")
        .stdout
        .says("3 unsupported (.doc, .eml)");
    let run = Run::of(env.command("scan docs").env("LC_ALL", "zh_CN.UTF-8"));
    run.stdout.says("不支持的格式 3（.doc、.eml）");
    run.says("警告：2 个文件没有读取：--pre '*.doc=catdoc -d utf-8' 可以读取 .doc 文件，见 docs/input.md");
    let run = env.run("compare docs/a.md docs/c.eml");
    run.says("docs/c.eml: unsupported: a script");
}
