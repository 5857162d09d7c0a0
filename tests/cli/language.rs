//! Texts for people are in their language; machine formats are not.

use std::collections::BTreeSet;

use crate::env::{Args, BREAD, Env, PARK, PARK_EDITED, PARK_ZH, Run, Says, formats, table};

/// A folder with pairs of most relations, and with skipped files. Names are without a word of English.
fn site() -> Env {
    let long = [
        PARK_ZH,
        BREAD,
        "河对岸的新图书馆明年春天开放，读者可以在屋顶花园里看书。\n",
    ]
    .concat();
    Env::of(
        "PARK_ZH: d/a1.md d/a2.md; PARK_ZH_EDITED: d/a3.md; PARK: d/b1.md; PARK_EDITED: d/b2.md",
    )
    .file("d/c1.md", long)
    .file("d/e1.md", "---\n---\n")
    .file("d/f1.md", b"\0\x01\x02")
}

impl Env {
    /// Runs the program as somebody with a Chinese locale does.
    fn in_chinese(&self, args: impl Args) -> Run {
        Run::of(self.command(args).env("LC_ALL", "zh_CN.UTF-8"))
    }
}

/// Words of a text that are neither names of files, nor options, nor the same in both languages, nor of documents that are
/// shown.
fn english_words(text: &str) -> BTreeSet<String> {
    let names = "dupfind accept scan plan compare apply dedup query jsonl json csv less DIR FOLDER FILE front matter";
    let measures = "Jaccard SimHash markdown utf UTF KB kB MB text auto dictionary git";
    let documents = [PARK, PARK_EDITED, BREAD].into_iter();
    let documents = documents.flat_map(|text| text.split(|c: char| !c.is_ascii_alphabetic()));
    let same = names.split(' ').chain(measures.split(' ')).chain(documents);
    let same: BTreeSet<&str> = same.collect();
    let text = text.replace("--drop exact,near,contains", "");
    let lines = text.lines().filter(|line| !line.contains("选项  "));
    let words = lines.flat_map(|line| {
        line.split([
            ' ', '：', '，', '。', '；', '（', '）', '、', '\'', '"', '(', ')', ':', ',', ';',
        ])
    });
    let words = words.filter(|word| !word.starts_with("--") && !word.contains(['/', '.', '=']));
    // Not a fingerprint.
    let words =
        words.filter(|word| word.len() < 16 || !word.chars().all(|c| c.is_ascii_hexdigit()));
    words
        .flat_map(|word| word.split(|c: char| !c.is_ascii_alphabetic()))
        .filter(|word| word.len() > 2 && !same.contains(word))
        .map(str::to_owned)
        .collect()
}

/// Asserts that a run was in Chinese, with these words, and printed nothing in English.
#[track_caller]
fn is_chinese(run: &Run, words: &str) {
    let said = format!("{}{}", run.stdout, run.stderr);
    for word in words.split(" & ") {
        said.says(word);
    }
    let left = english_words(&said);
    assert!(left.is_empty(), "{left:?} in {said}");
}

#[test]
fn every_command_speaks_chinese() {
    let env = site();
    for [args, words] in table(
        "scan d                          | 正文相同的 2 篇文档 & 比较了 6 篇文档 & 没有文字 1 & 下一步：dupfind plan d
         scan d -f table                 | 关系 & 近似重复 & 组 1 & 最长的一篇
         scan d --show exact             | 被 --show 排除
         accept --all d --baseline b0    | 基线 b0： & 新增
         check d                         | 包含在 d/c1.md 中（ & 查看相同之处：dupfind compare & 对重复
         check d --baseline b0           | 没有新的重复：比较了 6 个页面（跳过 2 项：二进制文件 1、没有文字 1）、7 对已接受
         scan d -q --format html=r.html  |
         scan d --format html=r.html     | r.html 的内容： & 个文档对和
         scan d --index d.dupidx         | 比较了 6 篇文档
         compare d/a1.md d/a3.md -v      | 加权相似度 & 处改动 & 没有其他只在 A 中的文字
         plan d -o p.jsonl               | 移除 1 篇文档 & 请先查看
         apply p.jsonl                   | 没有改动任何文件
         apply p.jsonl --delete          | 将删除；保留
         reuse d                         | 可省 & 个字词
         query d d/a1.md                 | 占比 & 100%  & 查询了 1 篇文档",
    ) {
        is_chinese(&env.in_chinese(args), words);
    }
    let records = format!("{{\"text\":\"{}\"}}\n", PARK_ZH.replace('\n', " ")).repeat(2);
    env.write("r.jsonl", &records);
    is_chinese(
        &env.in_chinese(["dedup", "r.jsonl", "-o", "k.jsonl"]),
        "保留 1 条，移除 1 条",
    );
    let mut stream = env.command("dedup --stream --memory-limit 16M");
    let run = Run::of(stream.env("LC_ALL", "zh_CN.UTF-8").write_stdin(records));
    run.says("2 条记录：输出 1 条，1 条以前出现过");
}

#[test]
fn the_option_outweighs_the_locale_and_the_configuration() {
    let env = site();
    let says = |run: &Run, chinese: bool| {
        let word = if chinese {
            "比较了"
        } else {
            "documents compared"
        };
        run.stdout.says(word);
    };
    says(&env.run("scan d --lang zh"), true);
    says(&env.in_chinese(["scan", "d", "--lang", "en"]), false);
    says(&env.in_chinese(["scan", "d", "--lang", "auto"]), true);
    env.write("dupfind.toml", "lang = \"zh\"\n");
    says(&env.run("scan d"), true);
    says(&env.run("scan d --lang en"), false);
    env.run("compare d/b1.md d/b2.md").stdout.says("加权相似度");
    env.write("dupfind.toml", "");
    // LC_ALL outweighs LC_MESSAGES, and that outweighs LANG. An empty one does not count.
    for (all, messages, lang, is_zh) in [
        ("", "zh_CN", "en_US.UTF-8", true),
        ("", "C", "zh_CN", false),
        ("POSIX", "zh_CN", "zh_CN", false),
    ] {
        let mut command = env.command("scan d");
        let command = command.env("LC_ALL", all).env("LC_MESSAGES", messages);
        says(&Run::of(command.env("LANG", lang)), is_zh);
    }
}

#[test]
fn rare_errors_are_english() {
    let env = site();
    env.write("wrong.toml", "min-jacard = 0.3\n");
    let args = "scan d --config wrong.toml";
    let [english, chinese] = [env.run(args), env.in_chinese(args)];
    chinese.says("did you mean 'min-jaccard'?");
    assert_eq!(english.stderr, chinese.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn names_in_gbk_and_columns_for_spreadsheets_are_read_by_people() {
    use std::os::unix::ffi::OsStrExt;

    let name = std::ffi::OsStr::from_bytes(b"\xb9\xab\xd4\xb0.md");
    let accent = std::ffi::OsStr::from_bytes(b"caf\xe9s.md");
    let env = Env::new().file(name, PARK_ZH).file("a.md", PARK_ZH);
    let env = env.file(accent, PARK_ZH);
    let chinese = env.in_chinese(["scan", "."]).stdout;
    chinese.says("公园.md");
    let english = env.run("scan .").stdout;
    english.says("公园.md").says("caf\\xe9s.md");
    let csv = env.run("scan . -f csv").stdout;
    csv.says("\\xb9\\xab");
    let table = env.in_chinese(["scan", ".", "-f", "csv-excel"]).stdout;
    table.begins("\u{feff}\"文档 A\",\"文档 B\",\"Jaccard 相似度\"");
    table.says("公园.md");
}

#[test]
fn machine_formats_are_the_same_in_every_language() {
    let env = site();
    env.run("scan d -q --format json=report.json");
    // People read these in their language.
    let formats =
        formats().filter(|format| !["list", "table", "html", "csv-excel"].contains(format));
    let scans = formats.map(|format| format!("scan d -q -f {format}"));
    let scans: Vec<String> = scans.collect();
    let others = [
        "show d -q --as fingerprint",
        "compare d/b1.md d/b2.md -f json",
        "plan d -q",
        "reuse d -q -f json",
        "query d d/a1.md -q -f json",
        "show d/a1.md --as shingles",
        "apply --redirects {from}={to} p.jsonl",
        "scan d -q --stats -f json",
    ];
    for args in scans.iter().map(String::as_str).chain(others) {
        let [english, chinese] = [env.run(args), env.in_chinese(args)];
        assert_eq!(english.stdout, chinese.stdout, "{args:?}");
    }
    let names = |run: &Run| run.stdout.contains("\"because\":\"weighted similarity");
    assert!(names(&env.in_chinese(["scan", "d", "-q", "-f", "json"])));
}

#[test]
fn a_chinese_report_may_be_replaced() {
    let env = site();
    for args in [
        "scan d -q -f list -o d/out.md",
        "scan d -f table -q -o d/out.md",
        "scan d -q -f html -o d/out.md",
    ] {
        let run = env.in_chinese(args);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn pages_are_in_chinese_without_a_script() {
    let env = site();
    let page = env.in_chinese("scan d -q -f html").stdout;
    page.begins("<!DOCTYPE html>\n<html lang=\"zh-CN\">");
    page.says("<title>dupfind：近似重复的文档</title>");
    let (_, body) = page.split_once("<body>").unwrap();
    let mut text = String::new();
    let mut rest = body;
    // Text between tags, without scripts.
    while let Some((before, behind)) = rest.split_once('<') {
        text += before;
        text.push('\n');
        let is_script = behind.starts_with("script");
        let behind = match is_script {
            true => behind.split_once("</script").unwrap().1,
            false => behind,
        };
        rest = behind.split_once('>').unwrap().1;
    }
    let mut left = english_words(&text);
    left.retain(|word| !["JavaScript", "middot", "gt", "amp"].contains(&word.as_str()));
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_missing_file_is_an_error_in_chinese() {
    let env = site();
    for (args, error) in [
        ("scan d n0", "n0：找不到"),
        ("compare d/b1.md n0", "n0：找不到"),
        ("query n0 d/a1.md", "n0：找不到"),
        ("query d n0", "n0：无法查询：没有这个文件"),
        ("show n0", "n0：找不到"),
        ("reuse n0", "n0：找不到"),
        ("apply n0", "读取方案 n0 失败：没有这个文件"),
        ("scan d --config n0", "n0：读取配置失败：没有这个文件"),
        (
            "scan d -t n0",
            "--type：没有文件类型 n0；'rg --type-list' 列出所有类型，-g '*.END' 按结尾选取文件",
        ),
    ] {
        let run = env.in_chinese(args);
        let error = format!("dupfind: 错误：{error}\n");
        assert_eq!((run.code, run.stderr), (Some(2), error), "{args}");
    }
}

#[test]
fn help_and_frequent_errors_are_in_the_language_of_the_locale() {
    let env = site();
    for [args, parts] in table(
        r"scan -h             | 用法：dupfind & 参数： & 选项： & [默认值: 0.2] & [可选值: & --help 列出所有选项
          check --help        | 只读取匹配 glob 的文件 & 副本和近似副本 & 退出状态：\n  0  没有新的重复
          scan --min-jaccard x | 应为大于 0、不超过 1 的数，如 0.2
          scan --min-jaccard 7 | 相似度不超过 1：是否要写 0.07？
          scan --shingle-size 0 | 应为整数，不小于 1
          scan -E foo         | 没有这种编码
          scan --min-jacard 1 | 没有参数 '--min-jacard' & '--min-jaccard'
                              | 用法：dupfind [PATH]...",
    ) {
        let ran = env.in_chinese(args);
        let all = format!("{}{}", ran.stdout, ran.stderr);
        for part in parts.split(" & ") {
            all.says(part);
        }
    }
}
