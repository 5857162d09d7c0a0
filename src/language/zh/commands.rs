//! What single commands say.

use super::Texts;

pub(in crate::language) const COMMANDS: &Texts = &[
    // The gate and the baseline.
    ("{} that the baseline does not accept", "基线未接受的 {}"),
    (", more than the {} allowed", "，超过允许的 {} 个"),
    (
        "; --format table lists them, dupfind compare A B shows what two documents share",
        "；--format table 列出它们，dupfind compare A B 显示两篇文档的相同之处",
    ),
    (
        "nothing to compare: no document was found; --format json lists what was skipped, --allow-empty takes it for right",
        "没有可以比较的内容：没有找到文档；--format json 列出跳过了什么，--allow-empty 认可这种情况",
    ),
    ("{} left out by {}", "{}被排除：{}"),
    (
        "waiting for another run that updates {}",
        "等待另一个正在更新 {} 的运行",
    ),
    (
        "1 pair of {} is not found any more; --update-baseline drops it",
        "{} 中有 1 个文档对已经找不到；--update-baseline 会删除它",
    ),
    (
        "{} pairs of {} are not found any more; --update-baseline drops them",
        "{1} 中有 {0} 个文档对已经找不到；--update-baseline 会删除它们",
    ),
    ("not found: {} and {}", "找不到：{} 和 {}"),
    ("not found: {} more", "找不到：还有 {} 个"),
    (
        "no pair changed, the file is written anew",
        "文档对没有变化，文件已重新写入",
    ),
    ("unchanged", "没有变化"),
    ("{} new, {} updated, {} gone", "新增 {}，更新 {}，删除 {}"),
    (
        " ({} expired: accepted anew, without a date)",
        "（{} 个已过期：重新接受，不设期限）",
    ),
    ("baseline {}: {}, {}", "基线 {}：{}，{}"),
    (
        "the baseline {} is left as it is: the pairs of what could not be read are not known",
        "基线 {} 保持不变：无法读取的内容有哪些文档对，无从得知",
    ),
    (
        "{} was made with --shingle-unit {} --shingle-size {} --html {} --markdown-code {} --record-format {}{}: whether accepted pairs have become more similar cannot be told; --update-baseline accepts them as they are now",
        "{} 是用 --shingle-unit {} --shingle-size {} --html {} --markdown-code {} --record-format {}{} 生成的：无法判断已接受的文档对是否变得更相似；--update-baseline 按现状接受它们",
    ),
    (
        "--baseline: there is no file {}; make it by adding --update-baseline, which accepts all pairs there are, and commit it",
        "--baseline：没有文件 {}；加上 --update-baseline 可以生成它，并接受现有的全部文档对，然后把它提交到仓库",
    ),
    (
        "{} holds {} pairs only, and {} ones are asked for: add --update-baseline once to accept those there are",
        "{} 只包含关系为 {} 的文档对，而现在要求 {}：请加一次 --update-baseline 接受现有的",
    ),
    (
        "--baseline -: a baseline is kept in a file",
        "--baseline -：基线必须存放在文件里",
    ),
    (
        "a report is to be written to {}, which is the baseline: name another file",
        "报告要写到 {}，而它是基线：请指定别的文件",
    ),
    ("cannot read the baseline {}", "无法读取基线 {}"),
    ("{}: it is larger than {} MB", "{}：超过 {} MB"),
    (
        "; nothing was written: repair it, or delete it to begin anew",
        "；没有写入任何内容：请修复它，或删除它重新开始",
    ),
    (
        "--update-baseline: the baseline would have more than {} MB, which cannot be read again; --exclude leaves out documents",
        "--update-baseline：基线会超过 {} MB，无法再次读取；--exclude 可以排除文档",
    ),
    (
        "cannot make a temporary folder in {}; --temp-dir names another",
        "无法在 {} 创建临时文件夹；--temp-dir 可以指定另一个",
    ),
    (
        "--against: it has no document that the other paths do not have",
        "--against：里面的文档其他路径都有",
    ),
    ("--ignore-pairs: {}", "--ignore-pairs：{}"),
    (
        "--skip-within '{}' matches no document",
        "--skip-within '{}' 没有匹配的文档",
    ),
    (
        "{}: leaves out no pair any more",
        "{}：已经排除不了任何文档对",
    ),
    ("{} matches no document", "{} 没有匹配的文档"),
    (
        "{}: 1 document does not match; it is compared {}",
        "{}：有 1 篇文档不匹配；它{}比较",
    ),
    (
        "{}: {} documents do not match; they are compared {}",
        "{}：有 {} 篇文档不匹配；它们{}比较",
    ),
    ("with those that match only", "只与匹配的文档"),
    ("with each other only", "只在彼此之间"),
    ("{} does not accept {} and {}", "{} 没有接受 {} 和 {}"),
    (
        "{} and {} are no finding: the pair is '{}', and a baseline of {} pairs never has it for new",
        "{} 和 {} 不算问题：它们的关系是 '{}'，而只含 {} 的基线不会把它当作新增",
    ),
    (
        "{} was made with other options about texts: --update-baseline makes it anew",
        "{} 是用不同的正文选项生成的：用 --update-baseline 重新生成",
    ),
    ("{} and {}: removed from {}", "{} 和 {}：已从 {} 中删除"),
    ("{} and {}: accepted in {}", "{} 和 {}：已写入 {}，视为接受"),
    (
        "{} and {}: rule removed from {}",
        "{} 和 {}：规则已从 {} 中删除",
    ),
    ("{} and {}: rule added to {}", "{} 和 {}：规则已加入 {}"),
    (
        "{} has no rule of {} and {} alone",
        "{} 没有只针对 {} 和 {} 的规则",
    ),
    (
        "{} has a rule of {} and {} already",
        "{} 已经有针对 {} 和 {} 的规则",
    ),
    (
        "{}: a rule cannot be added to it: {}",
        "{}：无法加入规则：{}",
    ),
    (
        "no dupfind.toml is in force that could hold the rule; --ignore-pairs FILE names a file of rules",
        "没有可以写入规则的 dupfind.toml；用 --ignore-pairs FILE 指定规则文件",
    ),
    (
        "{} is none of the documents that were compared",
        "{} 不在比较的文档之中",
    ),
    (
        "{} and {} are no pair that counts: they are not alike, or a rule leaves them out; 'dupfind scan' lists the rules that do",
        "{} 和 {} 不是需要处理的文档对：它们不相似，或者被规则排除；'dupfind scan' 会列出起作用的规则",
    ),
    (
        "{} and {} are no pair: a scan does not report them; 'dupfind compare' shows what they share",
        "{} 和 {} 不是文档对：扫描不会报告它们；'dupfind compare' 显示它们的相同之处",
    ),
    // The configuration.
    (
        "--config: {} is a folder; it takes the path of a file",
        "--config：{} 是文件夹，应为文件的路径",
    ),
    ("--config: cannot read {}: {}", "--config：无法读取 {}：{}"),
    (
        "{}: there are both {} and {}: leave one of them, or say which with --config",
        "{}：同时有 {} 和 {}：请只保留一个，或用 --config 指明",
    ),
    (
        "{}: it is not a file, so it cannot be a configuration; --no-config runs without one",
        "{}：它不是文件，不能作为配置；--no-config 不使用配置",
    ),
    (
        "{}: cannot read the configuration: {}",
        "{}：无法读取配置：{}",
    ),
    (
        "{}: a configuration has at most {} bytes",
        "{}：配置不能超过 {} 字节",
    ),
    ("there is no key '{}'", "没有键 '{}'"),
    ("{}: did you mean '{}'?", "{}：是不是想写 '{}'？"),
    (
        "{}: did you mean '{}', which says the opposite?",
        "{}：是不是想写意思相反的 '{}'？",
    ),
    (
        "{}; dupfind scan --dump-config lists all keys",
        "{}；dupfind scan --dump-config 列出所有键",
    ),
    (
        "{} is not a key of a configuration: {}",
        "{} 不能作为配置的键：{}",
    ),
    (
        "a file does not name another one",
        "配置文件不能指定另一个配置文件",
    ),
    (
        "a file that is not to be used is not read",
        "不使用的文件根本不会读取",
    ),
    ("it belongs on the command line", "它只能写在命令行上"),
    (
        "it belongs on the command line: a run that always accepts every pair finds none",
        "它只能写在命令行上：总是接受所有文档对的运行什么也找不到",
    ),
    (
        "there is no table '{}': keys stand at the top of the file, without one",
        "没有表 '{}'：键直接写在文件开头，不放在表里",
    ),
    (
        "{}: the list is empty; expected at least one",
        "{}：列表是空的，至少要有一项",
    ),
    (
        "{}: there is a control character, {}",
        "{}：含有控制字符 {}",
    ),
    ("{}: expected {}, not {}", "{}：应为{}，而不是{}"),
    ("a decimal number", "十进制数"),
    ("true or false", "true 或 false"),
    ("a list of strings, or {}", "字符串列表，或{}"),
    ("a number that is not decimal", "非十进制的数"),
    ("a string", "字符串"),
    ("a number", "数"),
    ("a date", "日期"),
    ("a list", "列表"),
    ("a table", "表"),
    ("there is no value", "没有值"),
    ("'{}' is none of {}{}", "'{}' 不是以下之一：{}{}"),
    (
        "{} and the command line do not go together: {}",
        "{} 与命令行不能同时使用：{}",
    ),
    (
        "{}:{}: {}: a configuration that was found may run no program; --config {} allows it",
        "{}:{}：{}：自动找到的配置不得运行程序；--config {} 允许这样做",
    ),
    (
        "{}:{}: {}: a configuration that was found may not make a run ask git; --config {} allows it, and so does --{} on the command line",
        "{}:{}：{}：自动找到的配置不得调用 git；--config {} 允许这样做，在命令行上写 --{} 也可以",
    ),
    (
        "{}:{}: {}: a configuration that was found may {}, and not '{}'; --config {} allows it",
        "{}:{}：{}：自动找到的配置只能{}，不能是 '{}'；--config {} 允许这样做",
    ),
    ("write below its own folder only", "写入自己所在的文件夹"),
    ("read within its own repository only", "读取自己所在的仓库"),
    ("read below its own folder only", "读取自己所在的文件夹"),
    (
        "this file has tables [[ignore]] only",
        "这个文件只能有 [[ignore]] 表",
    ),
    (
        "expected tables [[ignore]], with two brackets",
        "应为 [[ignore]] 表，用两层方括号",
    ),
    ("expected tables [[ignore]]", "应为 [[ignore]] 表"),
    (
        "a rule has 'documents' and a 'reason'",
        "规则由 'documents' 和 'reason' 组成",
    ),
    (
        "no 'documents': which may be alike?",
        "没有 'documents'：哪些文档可以相似？",
    ),
    ("'documents' is empty", "'documents' 是空的"),
    (
        "no 'reason': why may these documents be alike?",
        "没有 'reason'：这些文档为什么可以相似？",
    ),
    (
        "the 'reason' is empty: why may these documents be alike?",
        "'reason' 是空的：这些文档为什么可以相似？",
    ),
    (
        "the 'reason' is a text in quotes",
        "'reason' 应为引号里的文字",
    ),
    ("did you mean '{}'?", "是不是想写 '{}'？"),
    ("unknown key '{}': {}", "未知的键 '{}'：{}"),
    // Two documents.
    (
        "{} is a folder; to compare all its documents: dupfind scan {}",
        "{} 是文件夹；要比较其中所有的文档：dupfind scan {}",
    ),
    (
        "{} is a file of records: name one of them, {}#ID (dupfind fingerprint {} lists them)",
        "{} 是记录文件：请指定其中一条，{}#ID（dupfind fingerprint {} 列出所有记录）",
    ),
    (
        "{}: there is no such record in {} (dupfind fingerprint {} lists them; --id-field names the field with their ids)",
        "{}：{} 里没有这条记录（dupfind fingerprint {} 列出所有记录；--id-field 指定 id 所在的字段）",
    ),
    ("--among: there is no {}", "--among：没有 {}"),
    (
        "--among takes an index alone: {}",
        "--among 用索引时只能有索引一项：{}",
    ),
    // Indexes and queries.
    (
        "which index is missing: dupfind index PATH... -o site.dupidx",
        "没有指定索引：dupfind index PATH... -o site.dupidx",
    ),
    (
        "{}: {} documents, {} written and {} removed in this run",
        "{}：{} 篇文档，这次写入 {} 篇，移除 {} 篇",
    ),
    (
        "{}: whole: {} documents, every checksum is right",
        "{}：完好：{} 篇文档，所有校验和都正确",
    ),
    ("--remove {}", "--remove {}"),
    ("no document of {} matches {}", "{} 里没有匹配 {} 的文档"),
    (
        "what to ask about is missing: dupfind query INDEX FILE..., or '-' for standard input",
        "没有指定要查询的内容：dupfind query INDEX FILE...，用 '-' 表示标准输入",
    ),
    (
        "it is empty: it has no letter, ideograph or digit",
        "它是空的：没有字母、汉字或数字",
    ),
    ("cannot ask about it: {}", "无法查询：{}"),
    ("cannot ask about it: {}: {}", "无法查询：{}：{}"),
    ("{} with documents of the index", "与索引中的文档组成 {}"),
    // Passages.
    ("{}: {} accepted", "{}：接受了 {}"),
    (
        "{} of all units are copies, more than {}%",
        "{} 的单元是副本，超过 {}%",
    ),
    (
        "--within and --against do not go together",
        "--within 和 --against 不能同时使用",
    ),
    // Streams.
    ("{}: {}, {} new", "{}：重复 {}，新 {} 条"),
    (
        "; {} more without text to judge by",
        "；另有 {} 条没有可供判断的正文",
    ),
    (
        "; {} more without a text field, passed on",
        "；另有 {} 条没有正文字段，原样输出",
    ),
    ("; {} more that cannot be read", "；另有 {} 条无法读取"),
    ("the last {} of ", "最近 {} 篇，共 "),
    (
        "remembers {}{} documents of {} {}s each; filter {}% full, rate of false positives {} (asked for: {})",
        "记住了{} {} 篇文档，每篇 {} 个{}；过滤器已用 {}%，误判率 {}（要求：{}）",
    ),
    ("shingle", "片段"),
    (
        "after {} documents of {} {}s each the rate of false positives is {}, above {}: new records look more and more seen; --memory, or --expected-documents with --parts-per-document {}, makes a larger filter",
        "处理 {} 篇文档（每篇 {} 个{}）之后，误判率是 {}，高于 {}：新记录会越来越像见过的；用 --memory，或 --expected-documents 加 --parts-per-document {} 可以增大过滤器",
    ),
    (
        "documents have {} {}s each, so that only the last {} are remembered and not {}; --memory, or --parts-per-document {}, makes room",
        "每篇文档有 {} 个{}，所以只能记住最近 {} 篇，而不是 {} 篇；用 --memory 或 --parts-per-document {} 可以腾出空间",
    ),
    (
        "cannot read on from standard input: {}",
        "无法继续读取标准输入：{}",
    ),
    (
        "no record has a text in the field {}: nothing was judged; the first one has {}, and --text-field names the field",
        "没有一条记录在字段 {} 里有正文：没有判断任何记录；第一条有 {}，用 --text-field 指定字段",
    ),
    (
        "--state -: a state is kept in a file",
        "--state -：状态必须存放在文件里",
    ),
    ("another stream is saving to {}", "另一个数据流正在写入 {}"),
    ("{}: saved after line {}", "{}：已在第 {} 行之后保存"),
    (
        "{}; the stream goes on, what it sees is not saved",
        "{}；数据流继续处理，但见过的内容不再保存",
    ),
    (
        "the last stream was read to its end",
        "上一个数据流已经读完",
    ),
    (
        "the last stream was left after line {}: tail -n +{} has what follows",
        "上一个数据流停在第 {} 行之后：其余内容用 tail -n +{} 取得",
    ),
    (
        "goes on after {} record{}; {}",
        "从第 {0} 条记录之后继续；{2}",
    ),
    (
        "{} is not a file, so it cannot be a state",
        "{} 不是文件，不能作为状态",
    ),
    ("{} was made with {}{}", "{} 是用以下选项生成的：{}{}"),
    ("cannot go on from {}{}", "无法继续：{}{}"),
    ("; the file is left as it is", "；文件保持不变"),
    (
        "it reads JSON Lines from standard input, and that is the terminal; pipe them in, as in 'zcat pages.jsonl.gz | dupfind stream'",
        "它从标准输入读取 JSON Lines，而现在标准输入是终端；请用管道传入，例如 'zcat pages.jsonl.gz | dupfind stream'",
    ),
    (
        "{}: fewer documents, a higher --false-positive-rate or --by paragraph take less",
        "{}：减少文档、提高 --false-positive-rate 或使用 --by paragraph 占用较少",
    ),
    // Jobs of tiles.
    (
        "--idf corpus: the weights of terms would depend on the documents of the other files, which are not known here; --idf takes 'dictionary' or a file",
        "--idf corpus：词的权重取决于其他文件中的文档，而这里不知道它们；--idf 可用 'dictionary' 或一个文件",
    ),
    ("{} has {} of {}", "{} 中有 {}，来自 {}"),
    (
        "which task, and where to write its pairs: --tile I,J -o FILE; --dry-run lists the tasks",
        "请指定任务和写入文档对的文件：--tile I,J -o FILE；--dry-run 列出任务",
    ),
    (
        "about {} joined rows, and about {} s of one core in DuckDB; 'dupfind join' takes about {} s",
        "约连接 {} 行，DuckDB 约需单核 {} 秒；'dupfind join' 约需 {} 秒",
    ),
    (
        "'dupfind features', 'freeze', 'join' and 'merge' find the same pairs in less time; a higher --min-jaccard joins fewer rows",
        "'dupfind features'、'freeze'、'join' 和 'merge' 能更快找到同样的文档对；提高 --min-jaccard 可减少连接的行数",
    ),
    (
        "--documents needs the files of features of the sample, for their size",
        "--documents 需要样本的特征文件，用来得知其大小",
    ),
    (
        "{} GB of features, {}, {} of at most {} GB of memory, about {} core hours; the tasks read {} GB",
        "特征共 {} GB，{}，{}，每个任务最多占用 {} GB 内存，约需 {} 核时；各任务共读取 {} GB",
    ),
    ("{} has {} of sets", "{} 中有集合的 {}"),
    (
        "{}, about {} s of one core together and at most {} MB at a time; the columns are the task, its sets, their shingles, MB and seconds",
        "{}，合计约需单核 {} 秒，每次最多占用 {} MB；各列为任务、集合数、片段数、MB 和秒数",
    ),
];
