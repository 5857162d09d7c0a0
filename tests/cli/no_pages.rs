//! What is in the folder of a site and no page of it.

use crate::env::{Env, PARK, Report, Says};

const SKIPPED: &str = "no page";

fn web_page(head: &str) -> String {
    format!("<html><head>{head}</head><body><p>{PARK}</p></body></html>")
}

#[test]
fn what_a_program_put_beside_pages_is_no_page() {
    let cache = "Signature: 8a477f597d28d172789f06886806bc55\n";
    let refresh = "<meta http-equiv=\"refresh\" content=\"0; url=/a/\">";
    let b_html = web_page("<link rel=canonical href=../b.html>");
    let dots = web_page("<link rel=canonical href=./dots.html>");
    let index = web_page("<link rel=canonical href=./>");
    let up_html = web_page("<link rel=canonical href=./f/../../b.html>");
    let draft = web_page("<meta name=robots content=noindex>");
    let env = Env::new()
        .file("docs/a.md", PARK)
        .file("docs/package.json", "{}")
        .file("docs/node_modules/x/README.md", PARK)
        .file("docs/vendor/modules.txt", "# a.org/x v1.0.0\n")
        .file("docs/vendor/a.org/x/README.md", PARK)
        .file("docs/php/vendor/autoload.php", "<?php\n")
        .file("docs/php/vendor/x/README.md", PARK)
        .file("docs/cache/CACHEDIR.TAG", cache)
        .file("docs/cache/a.md", PARK)
        .file("docs/env/pyvenv.cfg", "home = /usr\n")
        .file("docs/env/a.md", PARK)
        .file("docs/mkdocs.yml", "site_name: x\n")
        .file("docs/site/index.html", web_page(""))
        .file("docs/conf.py", "project = 'x'\n")
        .file("docs/_build/html/b.html", web_page(""))
        .file("docs/html/b.html", web_page(""))
        .file("docs/html/_sources/b.rst.txt", PARK)
        .file("docs/html/old.html", web_page(refresh))
        .file(
            "docs/html/copy.html",
            web_page("<link rel=canonical href=\"https://x.y/html/b.html\">"),
        )
        .file("docs/html/amp/b.html", b_html)
        .file(
            "docs/html/own.html",
            web_page("<link rel=canonical href=\"https://x.y/html/own\">"),
        )
        .file(
            "docs/html/dots.html",
            web_page("<link rel=canonical href=../html/./dots.html>"),
        )
        .file("docs/html/e/dots.html", dots)
        .file("docs/html/e/index.html", index)
        .file("docs/html/e/up.html", up_html)
        .file("docs/html/draft.html", draft)
        .file("docs/moved.md", "---\nredirect_to: /a/\n---\n")
        .file("docs/~$a.docx", "x");
    let args = "docs -T code";
    let report = env.json(args);
    let skipped = report.skips().into_iter();
    let skipped = skipped.map(|(name, reason)| {
        assert_eq!(reason, SKIPPED, "{name}");
        name.strip_prefix("docs/").unwrap()
    });
    let expected = "_build/ cache/ env/ html/_sources/b.rst.txt html/amp/b.html html/copy.html html/draft.html \
                    html/e/up.html html/old.html moved.md node_modules/ php/vendor/ site/ vendor/ ~$a.docx";
    assert_eq!(skipped.collect::<Vec<_>>().join(" "), expected);
    let run = env.run("scan docs -T code -f list");
    run.ok().says("15 no page");
    // The option reads them, the lock too, which is no document of Word. So does a path.
    let all = Report::of(&env.scan((args, "--no-ignore")).stdout);
    assert!(all.skips().iter().all(|(_, reason)| *reason != SKIPPED));
    let run = env.scan("docs/node_modules docs/html/old.html");
    assert_eq!(Report::of(run.ok()).skips(), []);
}

#[test]
fn a_name_alone_tells_nothing() {
    let unlisted = web_page("<meta name=robots content=noindex>");
    let env = Env::new()
        .file("docs/conf.py", "project = 'x'\n")
        .file("docs/build/a.md", PARK)
        .file("docs/site/index.html", PARK)
        .file("docs/node_modules/a.md", PARK)
        .file("docs/public/index.html", PARK)
        .file("docs/vendor/a.md", PARK)
        .file("docs/_sources/z.rst.txt", PARK)
        .file("docs/cache/CACHEDIR.TAG", "a cache\n")
        .file("docs/refresh.md", "---\nredirect: no\n---\nThe page.\n")
        // A site that is not published yet.
        .file("docs/a.html", &unlisted)
        .file("docs/b.html", &unlisted)
        .file("docs/c.html", &unlisted);
    assert_eq!(env.json("docs").skips(), []);
}

#[test]
fn a_page_stays_that_may_be_the_original_of_its_copy() {
    // The site may begin at `amp`, so that the page would name itself.
    let copy = web_page("<title>Park</title><link rel=canonical href=\"https://x.y/b.html\">");
    let env = Env::new()
        .file("docs/b.html", web_page("<title>Park</title>"))
        .file("docs/amp/b.html", copy);
    let plan = env.run("plan docs -q");
    plan.ok().says("leads its readers to another page");
    plan.stdout.omits("\"type\":\"drop\"");
}

#[test]
fn pages_that_say_that_they_will_be_written_or_have_moved_are_no_entry() {
    let coming = |title: &str| {
        format!(
            "---\ntitle: {title}\n---\n\nComing soon. We are writing this page; please come back in a few weeks.\n"
        )
    };
    let moved = |name: &str| {
        format!(
            "# {name}\n\nThis page has moved to [a new place](/docs/{name}/). Please update your bookmarks.\n"
        )
    };
    let env = Env::new()
        .file("docs/a/install.md", coming("Install"))
        .file("docs/b/remove.md", coming("Remove"))
        .file("docs/alpha.md", moved("Alpha"))
        .file("docs/beta.md", moved("Beta"))
        .file("docs/gamma.md", moved("Gamma"));
    let run = env.run("scan docs");
    run.ok().begins("short: ");
    run.stdout.omits("\n1.  ");
    run.stdout.omits("Next:");
    env.check("docs").ok();
}
