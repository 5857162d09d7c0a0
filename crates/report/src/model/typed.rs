//! The parts of the command line in reports for people.

/// The parts of the command line in reports for people. Each part is none in a report that does not show it.
#[derive(Debug, Default)]
pub struct Typed {
    /// The command line that decides which of these documents stay.
    pub plan: Option<Plan>,
    /// The options that `dupfind compare` needs for these documents, each behind a space; `None` also if they cannot be
    /// written for a shell.
    pub compare: Option<String>,
    /// The words that `dupfind accept` needs behind two of these documents, each behind a space.
    pub accept: Option<String>,
    /// The head of a page.
    pub head: Option<Head>,
}

impl Typed {
    /// Nothing of the command line.
    pub(crate) const NOTHING: Self = Self {
        plan: None,
        compare: None,
        accept: None,
        head: None,
    };
}

/// A command line that decides which documents stay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The command line.
    pub command: String,
    /// How many pages go by it; `None` for records.
    pub pages: Option<usize>,
}

/// The facts about a run that only the page shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Head {
    /// The scanned paths, as they were typed; empty for the current folder.
    pub scanned: String,
    /// The command line, without options that change nothing in the report and without paths of the machine; `None` if
    /// it cannot be copied into a shell.
    pub command: Option<String>,
    /// The options that `dupfind compare` needs for the same documents, each behind a space.
    pub compare: String,
    /// Links to the documents.
    pub link: Option<Link>,
}

/// A URL with places for a document: `https://example.org/{path}#L{line}`.
///
/// `{path}` is the path of the file as the report has it, and `{line}` a line in it, from 1. The page escapes both
/// for URLs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link(String);

/// The known sites, each with what is around the branch and the path of a file.
const FORGES: [(&str, &str, &str); 5] = [
    ("github.com", "blob", "L"),
    ("gitlab.com", "-/blob", "L"),
    ("codeberg.org", "src/branch", "L"),
    ("bitbucket.org", "src", "lines-"),
    ("gitee.com", "blob", "L"),
];

/// The name that stands for the usual branch.
const USUAL: &str = "HEAD";

impl Link {
    /// Returns the link for the remote of a repository, as git has it; `None` if it is on no known site. Of the remote only
    /// the site and the path are taken: a user or a token in it is in no report. `folder` is that of the report, below the
    /// top of the repository; empty for the top.
    pub fn of_remote(remote: &str, branch: &str, folder: &str) -> Option<Self> {
        let rest = remote.split_once("://").map_or(remote, |(_, rest)| rest);
        let end = rest.find(['/', ':']).unwrap_or(rest.len());
        // A user, and perhaps a password with a colon, is before the site.
        let rest = match rest.find('@') {
            Some(at) if at < rest.find('/').unwrap_or(rest.len()) => &rest[at + 1..],
            _ if end > 0 => rest,
            _ => return None,
        };
        let (site, path) = rest.split_once(['/', ':'])?;
        let (site, place, line) = FORGES.iter().find(|(name, ..)| *name == site)?;
        // The number of a port.
        let port = path
            .split('/')
            .next()
            .filter(|port| port.bytes().all(|byte| byte.is_ascii_digit()));
        let path = port.map_or(path, |port| path[port.len()..].trim_start_matches('/'));
        let path = path.trim_matches('/').trim_end_matches(".git");
        if !path.contains('/') || !is_plain(path) {
            return None;
        }
        let branch = Some(branch)
            .filter(|branch| is_plain(branch))
            .unwrap_or(USUAL);
        let folder = folder.trim_matches('/');
        let folder = match folder {
            "" => String::new(),
            folder if is_plain(folder) => format!("{folder}/"),
            _ => return None,
        };
        Some(Self(format!(
            "https://{site}/{path}/{place}/{branch}/{folder}{{path}}#{line}{{line}}"
        )))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns whether a path needs no escapes and stays where it is.
fn is_plain(path: &str) -> bool {
    let is_part = |part: &str| {
        let mut bytes = part.bytes();
        let is_named = bytes.all(|byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte));
        is_named && !["", ".", ".."].contains(&part)
    };
    path.split('/').all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_site_and_the_path_of_a_remote_are_taken() {
        let github = "https://github.com/owner/site/blob/main/{path}#L{line}";
        for (remote, branch, folder, expected) in [
            ("https://github.com/owner/site.git", "main", "", github),
            ("git@github.com:owner/site.git", "main", "", github),
            ("ssh://git@github.com:22/owner/site/", "main", "", github),
            (
                "https://me:ghp_secret@github.com/owner/site",
                "main",
                "",
                github,
            ),
            ("https://github.com:443/owner/site", "main", "", github),
            (
                "https://oauth2:glpat-1@gitlab.com/group/sub/site.git",
                "v2/next",
                "docs/en/",
                "https://gitlab.com/group/sub/site/-/blob/v2/next/docs/en/{path}#L{line}",
            ),
            (
                "git@bitbucket.org:owner/site.git",
                "a b",
                "",
                "https://bitbucket.org/owner/site/src/HEAD/{path}#lines-{line}",
            ),
            (
                "https://codeberg.org/owner/site",
                "main",
                "",
                "https://codeberg.org/owner/site/src/branch/main/{path}#L{line}",
            ),
            (
                "https://gitee.com/owner/site.git",
                "master",
                "",
                "https://gitee.com/owner/site/blob/master/{path}#L{line}",
            ),
        ] {
            let link = Link::of_remote(remote, branch, folder);
            assert_eq!(link.as_ref().map(Link::as_str), Some(expected), "{remote}");
        }
        for remote in [
            "",
            "/srv/git/site.git",
            "../site",
            "https://git.example.org/owner/site",
            "https://github.com.example.org/owner/site",
            "https://example.org/x@github.com/owner/site",
            "https://github.com/owner",
            "https://github.com/../owner/site",
            "https://github.com/owner/si\"te",
            "https://github.com/{path}/site",
            "javascript:alert(1)",
        ] {
            assert_eq!(Link::of_remote(remote, "main", ""), None, "{remote}");
        }
        let found = Link::of_remote("git@github.com:a/b", "main", "docs/ü");
        assert_eq!(found, None);
    }
}
