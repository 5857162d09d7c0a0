//! The Chinese texts.
//!
//! The words of the Chinese pages in `docs/zh` are used here too:
//!
//! | English | Chinese |
//! |---|---|
//! | document, page, record | 文档、页面、记录 |
//! | pair, relation, cluster, entry | 文档对、关系、簇、条目 |
//! | exact, near, contains | 副本、近似重复、包含 |
//! | related, template, short | 相关、同模板、过短 |
//! | unit, shingle, fingerprint | 单元、片段、指纹 |
//! | weighted, Jaccard, containment, Hamming distance | 加权、Jaccard、包含度、汉明距离 |
//! | block, passage, wording | 块、文段、写法 |
//! | keeper, plan, baseline, index | 保留的文档、方案、基线、索引 |
//!
//! A text has the holes of the English one: `{}` in turn, or `{0}`, `{1}` in another order.

mod cleaning;
mod commands;
mod messages;
mod nouns;
mod page;
mod reports;

/// English texts, each with the Chinese one.
pub(super) type Texts = [(&'static str, &'static str)];

pub(super) use cleaning::CLEANING;
pub(super) use commands::COMMANDS;
pub(super) use messages::MESSAGES;
pub(super) use nouns::NOUNS;
pub(super) use page::PAGE;
pub(super) use reports::REPORTS;

/// All texts.
pub(super) const TEXTS: [&Texts; 6] = [NOUNS, REPORTS, PAGE, MESSAGES, COMMANDS, CLEANING];
