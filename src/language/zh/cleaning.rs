//! What the commands that clean say: plans, and records without duplicates.

use super::Texts;

pub(in crate::language) const CLEANING: &Texts = &[
    // Plans.
    ("no plan was named", "没有指定方案"),
    ("cannot read the plan {}", "无法读取方案 {}"),
    ("cannot read the journal: {}", "无法读取日志：{}"),
    ("another run is carrying out {}", "另一个运行正在执行 {}"),
    (
        "{} contradicts itself: nothing was done",
        "{} 自相矛盾：没有执行任何操作",
    ),
    ("{}: left alone: {}", "{}：保持不变：{}"),
    ("{} would go for {}", "{} 会因 {} 而移除"),
    (
        "{} of the plan are records, which dupfind dedup removes",
        "方案中有 {}是记录，由 dupfind dedup 移除",
    ),
    ("{} was carried out before", "{}以前已经执行过"),
    (
        "nothing was touched; --yes does it",
        "没有改动任何文件；加上 --yes 才会执行",
    ),
    (
        "nothing was touched; --move DIR, --delete, --link or --canonical say what is to be done, and --yes does it",
        "没有改动任何文件；用 --move DIR、--delete、--link 或 --canonical 指明怎么处理，加上 --yes 才会执行",
    ),
    ("there is nothing to do", "没有要做的事"),
    ("nothing had been touched", "没有改动过任何文件"),
    (
        "cannot write the journal {} ({}: {}): nothing was touched",
        "无法写入日志 {}（{}：{}）：没有改动任何文件",
    ),
    ("{}: it was left alone", "{}：保持不变"),
    (
        "; its folder keeps what was deleted until you remove it",
        "；删除的内容保留在这个文件夹里，直到你移除它",
    ),
    (
        "{} changed; dupfind apply --undo {} takes it back",
        "改动了 {}；dupfind apply --undo {} 可以撤销",
    ),
    ("{} was deleted; {} stays for it", "{} 已删除；保留 {}"),
    ("{} would be deleted; {} stays for it", "{} 将删除；保留 {}"),
    (
        "{} was moved to {}; {} stays for it",
        "{} 已移到 {}；保留 {}",
    ),
    (
        "{} would be moved to {}; {} stays for it",
        "{} 将移到 {}；保留 {}",
    ),
    (
        "{} was replaced by a {} link to {}",
        "{} 已替换为指向 {2} 的{1}链接",
    ),
    (
        "{} would be replaced by a {} link to {}",
        "{} 将替换为指向 {2} 的{1}链接",
    ),
    ("hard", "硬"),
    ("copy-on-write", "写时复制"),
    ("symbolic", "符号"),
    ("{} was given the line '{}'", "{} 已加入一行 '{}'"),
    ("{} would be given the line '{}'", "{} 将加入一行 '{}'"),
    ("{}: no redirect: {}", "{}：没有重定向：{}"),
    (
        "{}: no aliases were added: {}; to add: {}",
        "{}：没有加入别名：{}；要加入的是：{}",
    ),
    ("{} restored", "恢复了 {}"),
    (
        "{} keeps what could not be restored; once the way is free, run this again",
        "{} 保留着无法恢复的内容；排除障碍之后请再运行一次",
    ),
    ("it is no page of the site", "它不是站点的页面"),
    (
        "its text is the same, and its bytes are not, so that no link can take its place",
        "正文相同而字节不同，不能用链接代替",
    ),
    (
        "it is {}, and only files that are the same become links",
        "它的关系是 {}，只有相同的文件才能变成链接",
    ),
    (
        "it has no front matter: it is no Markdown",
        "没有 front matter：它不是 Markdown",
    ),
    ("it is not UTF-8", "它不是 UTF-8"),
    (
        "its front matter has '{}' already",
        "front matter 里已经有 '{}'",
    ),
    ("its front matter does not end", "front matter 没有结束"),
    ("{} is not there", "{} 不存在"),
    (
        "{} was changed since the plan was made",
        "{} 在制定方案之后改动过",
    ),
    ("{} cannot stay and go", "{} 不能既保留又移除"),
    ("{} and {} are the same file", "{} 和 {} 是同一个文件"),
    (
        "{}: a document goes only if it is exact, near or contained",
        "{}：只有副本、近似重复或被包含的文档才能移除",
    ),
    ("{} goes on line {} already", "{} 在第 {} 行已经要移除"),
    (
        "{} stays here and goes on line {}",
        "{} 在这里保留，在第 {} 行却要移除",
    ),
    ("{} is a symbolic link", "{} 是符号链接"),
    ("{} is no file", "{} 不是文件"),
    (
        "{} has more text than {}, and cannot go for it",
        "{} 的文字比 {} 多，不能因它而移除",
    ),
    ("the line is cut off", "这一行不完整"),
    ("no line of a plan: {}", "不是方案的行：{}"),
    ("nothing goes", "没有要移除的文档"),
    (
        "{} goes ({}) for {} that stays",
        "移除 {}（{}），保留 {} 篇",
    ),
    ("{} go ({}) for {} that stays", "移除 {}（{}），保留 {} 篇"),
    ("{} go ({}) for {} that stay", "移除 {}（{}），保留 {} 篇"),
    ("; 1 is unresolved, and stays", "；1 篇无法决定，予以保留"),
    ("; {} are unresolved, and stay", "；{} 篇无法决定，予以保留"),
    (
        "{} has a plan that drops nothing",
        "{} 里的方案不移除任何文档",
    ),
    (
        "{} has the plan to drop {}; look at it, then: dupfind apply {0}",
        "{} 里的方案要移除 {}；请先查看，再运行：dupfind apply {0}",
    ),
    ("{} bytes of text", "{} 字节文字"),
    ("{}.{} kB of text", "{}.{} kB 文字"),
    ("{}.{} MB of text", "{}.{} MB 文字"),
    ("{}: {} can be carried out", "{}：{}可以执行"),
    (", {} was carried out before", "，{}以前已经执行过"),
    (", {} is for dupfind dedup", "，{}要用 dupfind dedup 处理"),
    (
        "1 other pair is left alone ({}); {}",
        "另有 1 个文档对不处理（{}）；{}",
    ),
    (
        "{} other pairs are left alone ({}); {}",
        "另有 {} 个文档对不处理（{}）；{}",
    ),
    (
        "--drop exact,near,contains lets their documents go",
        "用 --drop exact,near,contains 可以移除其中的文档",
    ),
    ("near below --min-drop", "低于 --min-drop 的近似重复"),
    (
        "a lower --min-drop lets their documents go",
        "降低 --min-drop 可以移除其中的文档",
    ),
    (
        "the documents of more than {} pairs may go, and there is no memory to keep more of them; a higher --min-jaccard or --min-drop finds fewer",
        "可以移除的文档涉及超过 {} 个文档对，内存放不下更多；提高 --min-jaccard 或 --min-drop 会找到得少一些",
    ),
    (
        "'-': a plan names files, and standard input is not a file; dupfind dedup removes records",
        "'-'：方案针对文件，而标准输入不是文件；记录由 dupfind dedup 移除",
    ),
    (
        "{} is a report: give one report, or paths",
        "{} 是报告：请给出一份报告，或者给出路径",
    ),
    (
        "{}: {}; dupfind dedup removes records, and dupfind plan FILE names them",
        "{}：{}；记录由 dupfind dedup 移除，dupfind plan FILE 列出它们",
    ),
    (
        "{}: none of its documents is here ({}); run this in the folder where the scan was run",
        "{}：其中的文档都不在这里（{}）；请在当初扫描的文件夹里运行",
    ),
    (
        "{}: its pairs are left out; a new scan knows what there is",
        "{}：其中的文档对已排除；重新扫描可以得到现状",
    ),
    (
        "--keep {}: no document matches the glob",
        "--keep {}：没有匹配的文档",
    ),
    (
        "--keep {}: no document of the report's pairs matches the glob",
        "--keep {}：报告的文档对里没有匹配的文档",
    ),
    (
        "--keep {}: no file matches the glob",
        "--keep {}：没有匹配的文件",
    ),
    // Records without duplicates.
    (
        "{}: {} kept, {} would go ({}) for {} that stay",
        "{}：保留 {} 条，将移除 {} 条（{}），与保留的 {} 条重复",
    ),
    (
        "{}: {} kept, {} removed ({}) for {} that stay",
        "{}：保留 {} 条，移除 {} 条（{}），与保留的 {} 条重复",
    ),
    (
        ", {} kept although they are like one that goes",
        "，另有 {} 条与要移除的相似，仍予以保留",
    ),
    (
        "{} could not be compared, and stay as they are",
        "{}无法比较，原样保留",
    ),
    ("the record that goes", "移除的记录"),
    ("the {} records that go", "移除的 {} 条记录"),
    ("the record that stays", "保留的记录"),
    ("the {} records that stay", "保留的 {} 条记录"),
    ("{}, each with its verdict", "{}，每条都有结论"),
    ("the reasons for {}", "{}的理由"),
    (
        "this build does not compress with {}",
        "本程序编译时没有包含 {} 压缩功能",
    ),
    ("two outputs are to be written to {}", "有两个输出要写到 {}"),
    (
        "{} is a folder: name its files, as in {}/*.jsonl",
        "{} 是文件夹：请指定其中的文件，例如 {}/*.jsonl",
    ),
    (
        "{} is no JSON Lines; if it is an array, this makes lines of it: jq -c '.[]' {}",
        "{} 不是 JSON Lines；如果是数组，可以这样转成行：jq -c '.[]' {}",
    ),
    (
        "{} is no file of records (.jsonl, .csv, .tsv, .parquet); for files and folders there is dupfind plan",
        "{} 不是记录文件（.jsonl、.csv、.tsv、.parquet）；文件和文件夹请用 dupfind plan",
    ),
    (
        "{} and {} are files of two kinds: give each kind to a run of its own",
        "{} 和 {} 是两种文件：请分别运行",
    ),
    ("no file was named", "没有指定文件"),
    (
        "{} was changed while it was read: nothing is written",
        "{} 在读取时被改动：没有写入任何内容",
    ),
    (
        "{} was not read to its end ({}): nothing is written",
        "{} 没有读完（{}）：没有写入任何内容",
    ),
    (
        "{} is one document, and holds no records: --text-field names the field with the text",
        "{} 是一篇文档，没有记录：用 --text-field 指定正文所在的字段",
    ),
    (
        "{}: no record has a text in the field '{}'{}",
        "{}：没有一条记录在字段 '{}' 里有正文{}",
    ),
    ("; the first one has {}", "；第一条有 {}"),
    (
        "; the first line is no JSON object",
        "；第一行不是 JSON 对象",
    ),
    (
        "records of Parquet are read and not written: --verdicts FILE lists the positions of the rows that go, for the program that writes your Parquet",
        "Parquet 的记录只读不写：--verdicts FILE 列出要移除的行的位置，供写出 Parquet 的程序使用",
    ),
    ("cannot copy the records of {}", "无法复制 {} 的记录"),
];
