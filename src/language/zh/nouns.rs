//! Nouns behind their numbers, as tables, pages and messages use them.

use super::Texts;

/// The nouns, in the singular.
pub(in crate::language) const NOUNS: &Texts = &[
    ("{} change", "{} 处改动"),
    ("{} character", "{} 个字"),
    ("{} cluster", "{} 个簇"),
    ("{} copy", "{} 处"),
    ("{} decision", "{} 项决定"),
    ("{} different shingle set", "{} 个不同的片段集合"),
    ("{} document", "{} 篇文档"),
    ("{} duplicate", "{} 条"),
    ("{} entry", "{} 个条目"),
    ("{} equal paragraph", "{} 个相同的段落"),
    ("{} file", "{} 个文件"),
    ("{} line", "{} 行"),
    ("{} more entry", "{} 个条目"),
    ("{} more page", "其余 {} 个页面"),
    ("{} more record", "另外 {} 条记录"),
    ("{} more such line", "{} 行类似的内容"),
    ("{} more wording", "另外 {} 种写法"),
    ("{} page", "{} 个页面"),
    ("{} pair", "{} 个文档对"),
    ("{} passage", "{} 个文段"),
    ("{} record", "{} 条记录"),
    ("{} shorter passage", "{} 个较短的文段"),
    ("{} shorter stretch", "{} 处较短的文字"),
    ("{} smaller cluster", "{} 个较小的簇"),
    ("{} stretch", "{} 处"),
    ("{} shingle", "{} 个片段"),
    ("{} task", "{} 个任务"),
    ("{} tile", "{} 个分块"),
    ("{} term", "{} 个词"),
    ("{} unit", "{} 个单元"),
    ("{} word", "{} 个词"),
    ("{} wording", "{} 种写法"),
];
