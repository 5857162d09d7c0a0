//! Web pages made of texts: an article within what a site puts around it, in four templates that real sites
//! have. Used by the bench `pages` and by the tests of the program.

use std::fmt::Write;

/// A site: how it lays out its pages, and in which language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Site {
    /// A blog of today: elements that say what they are, a sidebar, related posts, comments.
    Blog,
    /// Documentation: a tree of all pages on the left, a table of contents on the right, all in `div`.
    Docs,
    /// A news portal: channels, rankings and friends in `div` and tables, no line ends.
    News,
    /// The article and a footer.
    Minimal,
}

/// All sites.
pub(crate) const SITES: [Site; 4] = [Site::Blog, Site::Docs, Site::News, Site::Minimal];

impl Site {
    /// Its name, for folders and tables.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Blog => "blog",
            Self::Docs => "docs",
            Self::News => "news",
            Self::Minimal => "minimal",
        }
    }
}

/// The subject of a page.
#[derive(Debug, Clone)]
pub(crate) struct Article {
    pub(crate) title: String,
    pub(crate) paragraphs: Vec<String>,
    pub(crate) is_chinese: bool,
}

impl Article {
    /// Takes a text whose first line is the title and whose paragraphs are separated by blank lines.
    pub(crate) fn of(text: &str) -> Self {
        let text = text.replace('\r', "");
        let mut parts = text.split("\n\n").map(str::trim).filter(|p| !p.is_empty());
        let title = parts.next().unwrap_or_default();
        let han = |c: &char| ('\u{4e00}'..'\u{a000}').contains(c);
        Self {
            title: title.trim_start_matches('#').trim().replace('\n', " "),
            paragraphs: parts.map(str::to_owned).collect(),
            is_chinese: text.chars().filter(han).count() * 4 > text.chars().count(),
        }
    }

    /// The same article, with no more than its first paragraphs of so many characters in all.
    pub(crate) fn shortened(mut self, most: usize) -> Self {
        let mut length = 0;
        self.paragraphs.retain(|paragraph| {
            let is_first = length == 0;
            length += paragraph.chars().count();
            is_first || length <= most
        });
        self
    }
}

/// Takes an article, and the titles of others that the site links to, and returns the page.
pub(crate) fn page(site: Site, article: &Article, others: &[&str]) -> String {
    let words = if article.is_chinese { &ZH } else { &EN };
    match site {
        Site::Blog => blog(words, article, others),
        Site::Docs => docs(words, article, others),
        Site::News => news(words, article, others),
        Site::Minimal => minimal(words, article),
    }
}

/// The texts of sites around their articles.
struct Words {
    lang: &'static str,
    blog: &'static str,
    docs: &'static str,
    news: &'static str,
    /// Pages and categories to link to.
    links: &'static [&'static str],
    /// Longer texts in sidebars and footers.
    blurbs: &'static [&'static str],
    /// Short words: read more, share, ...
    labels: &'static [&'static str],
}

static EN: Words = Words {
    lang: "en",
    blog: "Notes from the Harbour",
    docs: "Handbook",
    news: "The Estuary Post",
    links: &[
        "Home",
        "About us",
        "Archive",
        "Newsletter",
        "Getting started",
        "Installation guide",
        "First steps",
        "Configuration reference",
        "Working with teams",
        "Release notes",
        "Upgrade path",
        "Known limitations",
        "Local news",
        "Business",
        "Culture and arts",
        "Weather tomorrow",
        "Letters to the editor",
        "Gardening",
        "Travel by train",
        "Reading list",
        "Photography",
        "Recipes for winter",
        "Opening hours",
        "Members area",
        "Search the archive",
        "Frequently asked questions",
        "Community forum",
        "Report a problem",
        "Style guide",
        "Glossary of terms",
        "Contributors",
        "Roadmap for next year",
    ],
    blurbs: &[
        "Subscribe to our weekly letter and get the best stories of the week in your inbox every Sunday morning. No advertising, and you can leave whenever you like.",
        "This site is written by three neighbours who like slow mornings, long walks and working tools. Write to us if you want to tell a story of your own.",
        "All texts are published under a licence that allows sharing them with the name of the author. Photographs belong to those who took them.",
        "We use cookies to remember what you chose on your last visit. By going on reading you agree to that, or you can change it in the settings.",
    ],
    labels: &[
        "Read more",
        "Share this page",
        "Related posts",
        "Leave a comment",
        "On this page",
        "Previous",
        "Next",
        "Most read",
        "Menu",
        "Search",
    ],
};

static ZH: Words = Words {
    lang: "zh-CN",
    blog: "港口札记",
    docs: "使用手册",
    news: "河口晚报",
    links: &[
        "首页",
        "关于我们",
        "文章归档",
        "邮件订阅",
        "快速入门",
        "安装指南",
        "第一个例子",
        "配置参考",
        "团队协作",
        "版本说明",
        "升级步骤",
        "已知限制",
        "本地要闻",
        "财经频道",
        "文化副刊",
        "明日天气",
        "读者来信",
        "园艺生活",
        "铁路旅行",
        "阅读书单",
        "摄影之窗",
        "冬日食谱",
        "开放时间",
        "会员中心",
        "全站搜索",
        "常见问题解答",
        "社区论坛",
        "意见反馈",
        "写作规范",
        "术语表",
        "贡献者名单",
        "明年规划",
    ],
    blurbs: &[
        "订阅每周来信，星期天早晨把一周最好的故事送到您的邮箱。没有广告，随时可以退订。",
        "本站由三位邻居共同撰写，我们喜欢慢慢的早晨、长长的散步和顺手的工具。欢迎来信讲述您自己的故事。",
        "本站文字采用署名共享许可，转载请注明作者与出处，图片版权归拍摄者所有。",
        "我们使用小型文本文件记住您上次访问时的选择，继续阅读即表示同意，也可以在设置中更改。",
    ],
    labels: &[
        "阅读全文",
        "分享到朋友圈",
        "相关文章",
        "发表评论",
        "本页目录",
        "上一篇",
        "下一篇",
        "热门排行",
        "菜单",
        "搜索",
    ],
};

/// Text as it may be in HTML.
fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('\u{201c}', "&ldquo;")
        .replace('\u{201d}', "&rdquo;")
}

/// Items of a list of links.
fn items(titles: impl Iterator<Item = impl AsRef<str>>) -> String {
    titles.fold(String::new(), |mut list, title| {
        let title = escaped(title.as_ref());
        let _ = writeln!(list, "<li><a href=\"/{}\">{title}</a></li>", list.len());
        list
    })
}

/// Paragraphs, each in the element that a template has for them, and headings of the second rank.
fn body(article: &Article, open: &str, close: &str) -> String {
    article
        .paragraphs
        .iter()
        .fold(String::new(), |mut html, text| {
            if let Some(heading) = text.strip_prefix("## ") {
                let _ = writeln!(html, "<h2>{}</h2>", escaped(heading));
                return html;
            }
            // One word of some paragraphs is emphasised, in the middle of its letters in others.
            let text = escaped(text);
            let middle = text.char_indices().nth(20).map_or(0, |(at, _)| at);
            let end = text[middle..]
                .char_indices()
                .nth(3)
                .map_or(middle, |(at, _)| middle + at);
            let is_entity = text[..end.min(text.len())].contains('&');
            if is_entity || end == middle {
                let _ = writeln!(html, "{open}{text}{close}");
            } else {
                let (before, rest) = text.split_at(middle);
                let (within, after) = rest.split_at(end - middle);
                let _ = writeln!(
                    html,
                    "{open}{before}<em class=\"k\">{within}</em>{after}{close}"
                );
            }
            html
        })
}

fn blog(words: &Words, article: &Article, others: &[&str]) -> String {
    let title = escaped(&article.title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"{lang}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <title>{title} | {site}</title>\n<style>body {{ margin: 0 }}\nnav > ul {{ display: flex }}</style>\n\
         <script>window.posts = [\"{title}\"];</script>\n</head>\n<body class=\"post-template\">\n\
         <header class=\"site-header\">\n<a class=\"logo\" href=\"/\">{site}</a>\n<nav>\n<ul>\n{nav}</ul>\n</nav>\n\
         </header>\n<main id=\"content\">\n<article class=\"post\">\n<header>\n<h1>{title}</h1>\n\
         <p class=\"meta\"><time datetime=\"2024-05-12\">2024-05-12</time></p>\n</header>\n{body}\
         <footer class=\"share\"><a href=\"#\">{share}</a></footer>\n</article>\n</main>\n\
         <aside class=\"sidebar\">\n<p>{about}</p>\n<ul>\n{archive}</ul>\n</aside>\n\
         <section class=\"related\">\n<h2>{related}</h2>\n<ul>\n{others}</ul>\n</section>\n\
         <section id=\"comments\" class=\"comments\"><h2>{comment}</h2><form><textarea name=\"c\"></textarea>\
         <button>{comment}</button></form></section>\n\
         <footer class=\"site-footer\">\n<p>{licence}</p>\n<p>{letter}</p>\n</footer>\n</body>\n</html>\n",
        lang = words.lang,
        site = words.blog,
        nav = items(words.links[..8].iter()),
        body = body(article, "<p>", "</p>"),
        share = words.labels[1],
        about = words.blurbs[1],
        archive = items(words.links[12..28].iter()),
        related = words.labels[2],
        others = items(others.iter().take(6)),
        comment = words.labels[3],
        licence = words.blurbs[2],
        letter = words.blurbs[0],
    )
}

fn docs(words: &Words, article: &Article, others: &[&str]) -> String {
    let title = escaped(&article.title);
    let mut tree = String::new();
    for (number, chapter) in words.links.chunks(6).enumerate() {
        let _ = writeln!(
            tree,
            "<li class=\"level-{number}\"><a href=\"#\">{}</a><ul>{}</ul></li>",
            chapter[0],
            items(chapter[1..].iter())
        );
    }
    format!(
        "<!doctype html><html lang=\"{lang}\"><head><title>{title} — {site}</title></head><body>\n\
         <div class=\"topbar\"><div class=\"container\"><a href=\"/\">{site}</a> <span>v2.4</span></div></div>\n\
         <div class=\"layout\">\n<div class=\"sidebar-left\" role=\"navigation\"><ul>\n{tree}{others}</ul></div>\n\
         <div class=\"doc-main\">\n<div class=\"crumbs\"><a href=\"/\">{site}</a> / <a href=\"#\">{chapter}</a></div>\n\
         <div class=\"doc-content markdown\">\n<h1>{title}</h1>\n{body}\
         <div class=\"admonition\"><p>{note}</p></div>\n</div>\n\
         <div class=\"pager\"><a href=\"#\">{previous}: {first}</a> <a href=\"#\">{next}: {second}</a></div>\n</div>\n\
         <div class=\"toc-right\"><b>{contents}</b><ul>{toc}</ul></div>\n</div>\n\
         <div class=\"page-bottom\"><p>{licence}</p></div>\n</body></html>\n",
        lang = words.lang,
        site = words.docs,
        others = items(others.iter().take(8)),
        chapter = words.links[6],
        body = body(article, "<p>", "</p>"),
        note = words.blurbs[3],
        previous = words.labels[5],
        first = words.links[7],
        next = words.labels[6],
        second = words.links[8],
        contents = words.labels[4],
        toc = items(words.links[26..].iter()),
        licence = words.blurbs[2],
    )
}

fn news(words: &Words, article: &Article, others: &[&str]) -> String {
    let title = escaped(&article.title);
    let channels: String = words
        .links
        .iter()
        .map(|link| format!("<a href=\"#\">{link}</a>&nbsp;|&nbsp;"))
        .collect();
    let ranking: String = others
        .iter()
        .take(8)
        .map(|other| {
            format!(
                "<div class=\"item\"><a href=\"#\">{}</a><span>{}</span></div>",
                escaped(other),
                words.labels[0]
            )
        })
        .collect();
    let page = format!(
        "<html lang=\"{lang}\"><head><title>{title}_{site}</title></head><body>\
         <div id=\"top\"><table width=\"100%\"><tr><td>{channels}</td><td>{letter}</td></tr></table></div>\
         <div id=\"wrap\"><div class=\"left\"><h1>{title}</h1><div class=\"info\">2024-05-12 08:30 {site}</div>\
         <div class=\"art_content\">{body}</div><div class=\"tool\"><a href=\"#\">{share}</a></div></div>\
         <div class=\"right\"><h3>{most}</h3>{ranking}<div class=\"box\">{about}</div></div></div>\
         <div id=\"bottom\">{channels}<br>{licence}<br>{cookies}</div></body></html>",
        lang = words.lang,
        site = words.news,
        letter = words.blurbs[0],
        body = body(article, "<p>\u{3000}\u{3000}", "</p>"),
        share = words.labels[1],
        most = words.labels[7],
        about = words.blurbs[1],
        licence = words.blurbs[2],
        cookies = words.blurbs[3],
    );
    page.replace('\n', " ")
}

fn minimal(words: &Words, article: &Article) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang={lang}>\n<title>{title}</title>\n<h1>{title}</h1>\n{body}\n<hr>\n<p><a href=/>{home}</a>\n",
        lang = words.lang,
        title = escaped(&article.title),
        body = body(article, "<p>", ""),
        home = words.links[0],
    )
}
