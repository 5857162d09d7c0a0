//! The head of the page of `--format html`.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use dupfind_read::source::git::Repository;
use dupfind_read::source::name::display_name;
use dupfind_report::formats::{HTML, LIST};
use dupfind_report::model::typed::Head;
use dupfind_report::model::typed::Link;
use dupfind_report::style::shell;
use dupfind_scan::ScanOptions;

use crate::args::report::ReportArgs;
use crate::commands::scan::args::TypedFor;

/// Returns the head of the page of a run of a command with typed options. `judge` are the words of `dupfind compare`.
pub(crate) fn head(
    command: &str,
    typed: &TypedFor,
    judge: Option<&[OsString]>,
    report: &ReportArgs,
    options: &ScanOptions,
) -> Head {
    let base = &options.walk.base;
    let paths = options.walk.paths.iter();
    let scanned: Vec<String> = paths.map(|path| plain(path.as_os_str(), base)).collect();
    let is_here = scanned.iter().all(|name| name == ".");
    let again = words(typed.paths.iter().chain(&typed.again), base);
    Head {
        scanned: if is_here {
            String::new()
        } else {
            scanned.join(", ")
        },
        command: again.map(|words| format!("dupfind {command}{words}")),
        compare: words(judge.into_iter().flatten(), base).unwrap_or_default(),
        link: link(report, options),
    }
}

/// Returns the link to the documents, if the page is written and their repository is on a known site.
fn link(report: &ReportArgs, options: &ScanOptions) -> Option<Link> {
    let walk = &options.walk;
    report.have(&LIST, |format| format == &HTML).then_some(())?;
    let repository = Repository::of(&walk.paths, &walk.base).ok()?;
    let (remote, branch) = repository.remote()?;
    let base = fs::canonicalize(&walk.base).ok()?;
    let folder = base.strip_prefix(repository.top()).ok()?;
    Link::of_remote(&remote, &branch, &folder.to_str()?.replace('\\', "/"))
}

/// Returns words for a shell, each behind a space; `None` if one cannot be copied into a shell.
fn words<'w>(typed: impl Iterator<Item = &'w OsString>, base: &Path) -> Option<String> {
    shell::words(typed.map(|word| plain(word, base)))
}

/// Returns a word of the command line. An absolute path becomes relative, or loses the folders of the machine.
fn plain(word: &OsStr, base: &Path) -> String {
    let path = Path::new(word);
    if !path.is_absolute() {
        return word.to_string_lossy().into_owned();
    }
    let name = PathBuf::from(display_name(path, base));
    match (name.is_absolute(), path.file_name()) {
        (true, Some(last)) => format!("…/{}", last.to_string_lossy()),
        (true, None) => "…".into(),
        (false, _) => name.to_string_lossy().into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_the_machine_is_shown() {
        let base = Path::new("/home/me/site");
        for (word, expected) in [
            ("docs", "docs"),
            ("/home/me/site/docs", "docs"),
            ("/home/me/site", "."),
            ("/srv/private/pages", "…/pages"),
            ("--min-jaccard", "--min-jaccard"),
        ] {
            assert_eq!(plain(OsStr::new(word), base), expected);
        }
    }
}
