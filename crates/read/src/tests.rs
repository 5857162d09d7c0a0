use super::*;

#[test]
fn a_pointer_of_git_lfs_is_known_whatever_its_name_is() {
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:6b86\nsize 10137\n";
    let folder = tempfile::tempdir().unwrap();
    let settings = ReadOptions::default();
    let refusal = |name: &str, content: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        let kind = Kind::of(&path);
        let refused = match Batches::open(&path, kind, &settings) {
            Ok(Some(_)) => None,
            Ok(None) => file(&path, kind, &settings, &mut Vec::new()).err(),
            Err(refused) => Some(refused),
        };
        refused.map(|(reason, _)| reason)
    };
    for name in "a.md a.doc a.docx a.epub a.pdf a.parquet a.md.gz a.txt.xz a.jsonl a.jsonl.gz a.csv"
        .split(' ')
    {
        assert_eq!(refusal(name, pointer), Some(SkipReason::Data), "{name}");
        let long = pointer.repeat(20);
        assert_ne!(refusal(name, &long), Some(SkipReason::Data), "{name}");
    }
}

#[test]
fn carriage_returns_alone_end_lines() {
    let settings = ReadOptions::default();
    for (name, content) in [
        (
            "a.md",
            "# A\n\nb\n<!-- dupfind: off -->\nc\n<!-- dupfind: on -->\nd",
        ),
        ("a.mdx", "import A from 'a'\n\n# B\n\nc"),
        ("a.adoc", "= A\n:toc:\n\n////\nb\n////\nc"),
        ("a.rst", "A\n=\n\n.. toctree::\n\n   b\n\nc"),
    ] {
        let kind = Kind::of(Path::new(name));
        let text = |content: String| unsaved(content.into(), kind, &settings).unwrap().text;
        let expected = text(content.to_owned());
        assert_eq!(text(content.replace('\n', "\r")), expected, "{name}");
    }
    let bytes = &b"a\rb"[..];
    assert_eq!(decoded(bytes, &settings).unwrap().text, "a\nb");
    assert_eq!(with_line_feeds("a\rb\r\n".into()), "a\rb\r\n");
}
