//! What all commands say, and the sentences that the library makes.
//!
//! What is in none of this file, `commands.rs` and `cleaning.rs` stays English: what clap and the system say, what is wrong
//! within damaged files, and the values of options that cannot be read.

use super::Texts;

pub(in crate::language) const MESSAGES: &Texts = &[
    ("dupfind: error: {}", "dupfind: 错误：{}"),
    ("dupfind: failed: {}", "dupfind: 未通过：{}"),
    ("dupfind: warning: {}", "dupfind: 警告：{}"),
    ("cannot read {}", "无法读取 {}"),
    ("cannot read {}: {}", "无法读取 {}：{}"),
    ("cannot write {}", "无法写入 {}"),
    (
        "cannot write the job summary {}: {}",
        "无法写入作业摘要 {}：{}",
    ),
    ("cannot remove {}", "无法删除 {}"),
    ("cannot make {}", "无法创建 {}"),
    ("cannot lock {}", "无法锁定 {}"),
    ("cannot write standard output: {}", "无法写入标准输出：{}"),
    ("cannot read standard input", "无法读取标准输入"),
    ("standard output", "标准输出"),
    ("cannot tell where {} is", "无法确定 {} 的位置"),
    ("cannot tell the current folder", "无法确定当前文件夹"),
    ("cannot watch for interrupts", "无法监听中断信号"),
    ("there is no file {}", "没有文件 {}"),
    ("{}: there is no folder {}", "{}：没有文件夹 {}"),
    ("{}: it is a folder", "{}：它是一个文件夹"),
    ("{}: it is no regular file", "{}：它不是普通文件"),
    ("it is no file", "它不是文件"),
    ("not valid UTF-8", "不是有效的 UTF-8"),
    // Why two documents have their relation.
    (
        "the same text but for case, width and white space",
        "除大小写、全角半角和空白外，正文相同",
    ),
    (
        "the same text up to the script (Traditional or Simplified), case, width and white space",
        "除繁简、大小写、全角半角和空白外，正文相同",
    ),
    ("weighted similarity {} >= {}", "加权相似度 {} >= {}"),
    (
        "weighted similarity {} >= {}, of scanned text",
        "加权相似度 {} >= {}（文字识别的正文）",
    ),
    ("Jaccard similarity {} >= {}", "Jaccard 相似度 {} >= {}"),
    (
        "{} of the smaller one is in the other, {} times as large",
        "较小的一篇有 {} 包含在另一篇中，后者是它的 {} 倍长",
    ),
    ("no shingle in common; ", "没有相同的片段；"),
    (
        "what they share is rare here, but little: weighted similarity {} < {}",
        "相同的内容在这里少见，但不多：加权相似度 {} < {}",
    ),
    (
        "what they share is common here: weighted similarity {}, Jaccard {}",
        "相同的内容在这里常见：加权相似度 {}，Jaccard {}",
    ),
    (
        "too short to judge: {}, fewer than {}",
        "过短，无法判断：{}，少于 {} 个",
    ),
    ("the fingerprints differ in 1 bit", "两个指纹有 1 位不同"),
    ("the fingerprints differ in {} bits", "两个指纹有 {} 位不同"),
    ("1 I-Match signature is equal", "1 个 I-Match 签名相等"),
    ("{} I-Match signatures are equal", "{} 个 I-Match 签名相等"),
    ("1 super-shingle is equal", "1 个超片段相等"),
    ("{} super-shingles are equal", "{} 个超片段相等"),
    // Reasons for skipping.
    ("binary", "二进制文件"),
    ("data", "数据文件"),
    ("empty", "没有文字"),
    ("opted out", "自行声明不参与比较"),
    ("too large", "太大"),
    ("not a regular file", "不是普通文件"),
    ("link loop", "链接循环"),
    ("not found", "找不到"),
    ("malformed", "格式有误"),
    ("pre failed", "预处理程序失败"),
    ("unreadable", "无法读取"),
    // What was skipped, and notes on documents.
    ("{}: skipped: {}", "{}：跳过：{}"),
    ("{}: {}: {}", "{}：{}：{}"),
    (
        "a path is no glob; -g '{}' takes the files that match one",
        "路径不是通配模式；用 -g '{}' 选取匹配的文件",
    ),
    (
        "{} more that cannot be read are in the report",
        "还有 {} 项无法读取，见报告",
    ),
    (
        "not valid {}: damaged characters were replaced",
        "不是有效的 {}：损坏的字符已被替换",
    ),
    (
        "{}: not valid {}: damaged characters were replaced",
        "{}：不是有效的 {}：损坏的字符已被替换",
    ),
    (
        "{} means nothing, so the document is compared; 'dupfind: ignore - reason' leaves it out",
        "{} 没有含义，所以仍比较这篇文档；写 'dupfind: ignore - reason' 可以排除它",
    ),
    ("{} bytes, the limit is {}", "{} 字节，上限是 {}"),
    ("leads back to {}", "指回 {}"),
    (
        "links lead to it on more than {} paths",
        "有超过 {} 条路径经链接通向它",
    ),
    ("a file that dupfind wrote", "dupfind 写出的文件"),
    ("it is no longer a regular file", "它不再是普通文件"),
    ("it prints more than {} bytes", "它的输出超过 {} 字节"),
    (
        "it took more than {} s; --pre-timeout allows more",
        "它用时超过 {} 秒；--pre-timeout 可以放宽",
    ),
    (
        "in normal form it has more than {} bytes",
        "规范化之后超过 {} 字节",
    ),
    (
        "it takes about {} MB of memory, the limit is {} MB",
        "它大约需要 {} MB 内存，上限是 {} MB",
    ),
    (
        "a PDF: --pre reads it, with a program such as pdftotext",
        "是 PDF：用 --pre 指定 pdftotext 之类的程序来读取",
    ),
    (
        "a zip archive: office files are read if their names end as usual, such as .docx",
        "是 zip 压缩包：Office 文件只有带上常用的扩展名（如 .docx）才会读取",
    ),
    (
        "a Parquet file: it is read if its name ends in .parquet",
        "是 Parquet 文件：文件名以 .parquet 结尾才会读取",
    ),
    (
        "a document of Office 97 to 2003, or an encrypted one: --pre reads it, with a program such as catdoc",
        "是 Office 97 至 2003 的文档，或加密的文档：用 --pre 指定 catdoc 之类的程序来读取",
    ),
    (
        "this build does not read {}; one with the feature does: 'cargo install --path . --locked --features {}'",
        "本程序编译时没有包含 {} 的读取功能；可以这样编译：'cargo install --path . --locked --features {}'",
    ),
    (
        "it is not compressed with {}, though its name says so",
        "从名字看是 {} 压缩，实际不是",
    ),
    (
        "this build does not read compressed data",
        "本程序编译时没有包含解压功能",
    ),
    ("the {} data is cut off", "{} 数据不完整"),
    (
        "the {} data asks for too much memory to expand",
        "解压 {} 数据需要的内存太多",
    ),
    ("the {} data cannot be expanded: {}", "无法解压 {} 数据：{}"),
    (
        "{}: not followed: it leads to a place that the configuration may not read",
        "{}：未跟随：它指向配置无权读取的位置",
    ),
    (
        "{}: an ignore file has at most {} bytes: its rules are not used",
        "{}：忽略文件不能超过 {} 字节，其中的规则未使用",
    ),
    ("{}: line {}: it is not valid", "{}：第 {} 行：无效"),
    (
        "the record of {} is skipped: too large: the limit is {} bytes",
        "{} 的记录已跳过：太大，上限是 {} 字节",
    ),
    (
        "{} records are skipped, the first in {}: too large: the limit is {} bytes",
        "跳过了 {} 条记录，第一条在 {}：太大，上限是 {} 字节",
    ),
    (
        "the record of {} has no text, number or boolean in the id field '{}': it is called by its number",
        "{} 的记录在 id 字段 '{}' 里没有文字、数字或布尔值：改用序号称呼",
    ),
    (
        "{} records have no text, number or boolean in the id field '{}', the first in {}: they are called by their numbers",
        "有 {} 条记录在 id 字段 '{}' 里没有文字、数字或布尔值，第一条在 {}：改用序号称呼",
    ),
    (
        "no record has a text, a number or a boolean in the id field '{}': all are called by their numbers",
        "没有一条记录在 id 字段 '{}' 里有文字、数字或布尔值：全部改用序号称呼",
    ),
    ("the same of 1 more file", "另有 1 个文件也是如此"),
    ("the same of {} more files", "另有 {} 个文件也是如此"),
    ("row {}", "第 {} 行"),
    // Errors of the library.
    ("cannot read the glob '{}': {}", "无法解析通配模式 '{}'：{}"),
    (
        "cannot start the worker threads: {}",
        "无法启动工作线程：{}",
    ),
    (
        "more than {} documents do not fit in the memory: compare them in parts",
        "超过 {} 篇文档，内存放不下：请分批比较",
    ),
    (
        "the shingles of all passages take more than {} MB of memory: look at fewer documents, or at longer passages",
        "所有文段的片段需要超过 {} MB 内存：请减少文档，或只看更长的文段",
    ),
    (
        "too many documents: at most {} can be compared in one run",
        "文档太多：一次最多比较 {} 篇",
    ),
    (
        "too many shingles: at most {} occurrences can be joined in one run",
        "片段太多：一次最多处理 {} 处",
    ),
    (
        "cannot keep shingles in a temporary file in {} ({} MB so far)",
        "无法把片段存入 {} 里的临时文件（已写 {} MB）",
    ),
    (
        "there is a document named '{}' already",
        "已经有名为 '{}' 的文档",
    ),
    (
        "the features were made with {} {}, not {}",
        "特征是用 {} {} 生成的，不是 {}",
    ),
    ("cannot read the features: {}", "无法读取特征：{}"),
    ("cannot read or write the features: {}", "无法读写特征：{}"),
    (
        "{}: the index was made with {} {}, not {}",
        "{}：索引是用 {} {} 建立的，不是 {}",
    ),
    ("{}: {} is writing to the index", "{}：{}正在写入索引"),
    ("process {}", "进程 {} "),
    ("another program", "另一个程序"),
    ("there is no such index", "没有这个索引"),
    ("it is no index", "它不是索引"),
    (
        "it has version {} of such files, and this program knows version {}: make it anew",
        "它的文件版本是 {}，本程序支持版本 {}：请重新建立",
    ),
    (
        "{} {} finds pairs that the scan with {} did not look for: scan again",
        "{} {} 会找出用 {} 扫描时没有找的文档对：请重新扫描",
    ),
    (
        "the rule '{}' is about files, and these are texts",
        "规则 '{}' 是关于文件的，而这些是文本",
    ),
    ("the run was stopped", "运行被中断"),
    (
        "more than {} pairs were found, and there is no memory for more",
        "找到的文档对超过 {} 个，内存放不下更多",
    ),
    (
        "--temp-dir names another folder, --memory-limit allows more memory",
        "--temp-dir 指定另一个文件夹，--memory-limit 允许使用更多内存",
    ),
    (
        "'{}' is no command; to compare its documents: dupfind scan {}",
        "'{}' 不是命令；要比较其中的文档：dupfind scan {}",
    ),
    // Git.
    (
        "cannot run git, which must be installed and found on the PATH ({})",
        "无法运行 git：需要安装 git 并在 PATH 中能找到（{}）",
    ),
    ("git did not end within {} s", "git 在 {} 秒内没有结束"),
    ("git {} failed: {}", "git {} 失败：{}"),
    (
        "git gives no working tree for {}; it said '{}'",
        "git 没有给出 {} 的工作区；它说 '{}'",
    ),
    (
        "{} is not in the git working tree {}: name paths of one repository",
        "{} 不在 git 工作区 {} 中：请指定同一个仓库的路径",
    ),
    ("git knows no revision '{}': {}", "git 没有版本 '{}'：{}"),
    (
        "expected a branch, a tag or a commit, such as origin/main, v1.2 or HEAD~1",
        "应为分支、标签或提交，例如 origin/main、v1.2 或 HEAD~1",
    ),
    ("did you mean {}?", "是不是想写 {}？"),
    (
        "this clone is shallow; git fetch --unshallow gets the history, and actions/checkout fetches it with fetch-depth: 0",
        "这是浅克隆；git fetch --unshallow 可以取得历史，actions/checkout 用 fetch-depth: 0 取得",
    ),
    (
        "git fetch gets the branches of the remote, git branch --all lists what is there",
        "git fetch 取得远程的分支，git branch --all 列出现有的分支",
    ),
    (
        "this clone is shallow and does not reach back to where the branch left {}, so {} itself is taken; git fetch --unshallow gets the history",
        "这是浅克隆，没有追溯到分支从 {} 分出的地方，所以直接使用 {}；git fetch --unshallow 可以取得历史",
    ),
    (
        "this clone is shallow, so git cannot tell which of two documents is the copy: it is taken to be the one that the baseline does not name, and if it names neither, both are listed; git fetch --unshallow gets the history, and actions/checkout fetches it with fetch-depth: 0",
        "这是浅克隆，git 无法判断两篇文档中哪一篇是副本：基线没有列出的一篇视为副本，如果两篇都没有列出，就都报告；git fetch --unshallow 可以取得历史，actions/checkout 用 fetch-depth: 0 取得",
    ),
    (
        "this clone is shallow, and files that were changed before its first commit have the date of that one; git fetch --unshallow gets the history",
        "这是浅克隆，在它的第一个提交之前改动的文件一律使用该提交的日期；git fetch --unshallow 可以取得历史",
    ),
    (
        "the times of the files decide, as git cannot tell those of commits: {}",
        "以文件的时间为准，因为 git 无法给出提交的时间：{}",
    ),
    // Input.
    (
        "the report would replace {}, which is to be read",
        "报告会覆盖 {}，而它是要读取的文件",
    ),
    (
        "the report would replace {}, which is one of the documents: write to another file, or leave this one out with --exclude",
        "报告会覆盖 {}，而它是参与比较的文档：请写到别的文件，或用 --exclude 排除它",
    ),
    (
        "standard input cannot be both the list of --files-from and records to compare ('-'): put one of them in a file",
        "标准输入不能既是 --files-from 的列表，又是要比较的记录（'-'）：请把其中一个放进文件",
    ),
    (
        "cannot read the list of files from standard input",
        "无法从标准输入读取文件列表",
    ),
    ("cannot read the list of files {}", "无法读取文件列表 {}"),
    (
        "'-' reads JSON Lines from standard input, and that is the terminal; pipe them in, as in 'zcat pages.jsonl.gz | dupfind scan -', or name a file ('./-' if it is called so)",
        "'-' 从标准输入读取 JSON Lines，而现在标准输入是终端；请用管道传入，例如 'zcat pages.jsonl.gz | dupfind scan -'，或者指定一个文件（文件名就是 - 时写 './-'）",
    ),
    (
        "cannot keep standard input in a file in {}; TMPDIR names another folder",
        "无法把标准输入存入 {} 里的文件；TMPDIR 可以指定另一个文件夹",
    ),
    (
        "standard input is not read, and the current folder is compared: 'dupfind scan -' compares the records on standard input, '--files-from -' the files that it lists",
        "没有读取标准输入，比较的是当前文件夹：'dupfind scan -' 比较标准输入里的记录，'--files-from -' 比较其中列出的文件",
    ),
    ("{}: no document in it{}", "{}：里面没有文档{}"),
    (
        ": its only record is malformed: {}",
        "：唯一的一条记录格式有误：{}",
    ),
    (
        ": all of its {} records are malformed; the first one: {}",
        "：全部 {} 条记录都格式有误；第一条：{}",
    ),
    (
        "its first record has no field {}; it has {}",
        "第一条记录没有字段 {}；它有 {}",
    ),
    ("it has no column {}; it has {}", "没有列 {}；它有 {}"),
    (
        "--text-field names the field with the text",
        "用 --text-field 指定正文所在的字段",
    ),
    (
        "{} is a link out of its repository, to {}: in CI it is not followed; where it is meant, name {} itself",
        "{} 是指向仓库之外的 {} 的链接：在 CI 中不跟随；如果确实需要，请直接指定 {}",
    ),
    (
        "{} is a link out of its repository, to {}",
        "{} 是指向仓库之外的 {} 的链接",
    ),
    (
        "--extension '{}': expected the end of a name, such as md; --glob takes globs",
        "--extension '{}'：应为文件名的结尾，例如 md；通配模式用 --glob",
    ),
    (
        "--type: {}; 'rg --type-list' lists the types, --extension takes any ending",
        "--type：{}；'rg --type-list' 列出所有类型，--extension 可以用任意结尾",
    ),
    (
        "{}: files-from: a configuration that was found may read within its own repository only, and the list names '{}'; --config {} allows it",
        "{}：files-from：自动找到的配置只能读取自己所在的仓库，而列表里有 '{}'；--config {} 允许这样做",
    ),
    ("--temp-dir: no folder {}", "--temp-dir：没有文件夹 {}"),
    ("--{} has no effect: {}", "--{} 不起作用：{}"),
    ("--files compares nothing", "--files 不做比较"),
    (
        "the detector simhash does not run",
        "检测器 simhash 没有运行",
    ),
    (
        "the detector shingle does not run",
        "检测器 shingle 没有运行",
    ),
    (
        "the detector super-shingle does not run",
        "检测器 super-shingle 没有运行",
    ),
    (
        "the detector i-match does not run",
        "检测器 i-match 没有运行",
    ),
    (
        "no detector that runs weighs terms",
        "运行的检测器都不使用词的权重",
    ),
    ("only one detector runs", "只运行了一个检测器"),
    (
        "--require all takes no more pairs",
        "--require all 不会接受更多文档对",
    ),
    (
        "only the page of --format html has links",
        "只有 --format html 的网页有链接",
    ),
    // What a report holds.
    ("{} has {}", "{} 的内容：{}"),
    (
        "{} pairs were found, of which the {} most similar are shown here; --top shows another number of them, --output or a pipe takes them all",
        "找到 {} 个文档对，这里显示最相似的 {} 个；--top 可以改变个数，--output 或管道输出全部",
    ),
    (
        "of which the table lists the {} most similar",
        "表格只列出最相似的 {} 个",
    ),
    (
        "and the table is made of the {} most similar",
        "表格由最相似的 {} 个得出",
    ),
    (
        "{} pairs were found, {}; --format csv and jsonl list all",
        "找到 {} 个文档对，{}；--format csv 和 jsonl 列出全部",
    ),
    (
        "{}: more than {} pairs were found, and there is no memory to keep more of them; {}",
        "{}：找到的文档对超过 {} 个，内存放不下更多；{}",
    ),
    (
        "--format csv and jsonl keep none, --no-pairs with a table or json counts them, --exclude leaves out documents, and --memory-limit allows more",
        "--format csv 和 jsonl 不需要保留它们，--no-pairs 配合表格或 json 只计数，--exclude 排除文档，--memory-limit 允许使用更多内存",
    ),
    (
        "--exclude leaves out documents, and --memory-limit allows more",
        "--exclude 排除文档，--memory-limit 允许使用更多内存",
    ),
];
