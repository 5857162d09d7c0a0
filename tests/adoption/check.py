"""Checks what other projects take over, with the tools that will read it there.

    python tests/adoption/check.py DUPFIND         all but the logs
    python tests/adoption/check.py DUPFIND SARIF   the logs alone

DUPFIND is the program. SARIF is the folder of the logs that tests/cli/sarif.rs keeps. The tools are those of
requirements.txt, in the environment of this Python: schemas of GitHub, GitLab and pre-commit, shellcheck, zizmor
and pre-commit itself. The action is run as GitHub would run it, as far as that is in action.yml: inputs with their defaults
become variables, steps run one after the other, and outputs are read from where they say.
"""

import bz2
import json
import re
import shutil
import sys
from pathlib import Path
from xml.sax.saxutils import escape

import agents
import packages
import yaml
from trial_site import KILN, LIGHTHOUSE, ROOT, TOOLS, Site, expect, recipe

ACTION = ROOT / ".github/actions/dupfind"


def schemas(site):
    """Everything that is read by a schema of somebody else."""
    for name in ("github", "gitlab", "pre-commit"):
        (site.top / f"{name}.yml").write_text(recipe(name))
    workflows = sorted((ROOT / ".github/workflows").glob("*.yml"))
    issues = ROOT / ".github/ISSUE_TEMPLATE"
    forms = sorted(set(issues.glob("*.yml")) - {issues / "config.yml"})
    for schema, files in (
        ("citation-file-format", [ROOT / "CITATION.cff"]),
        ("dependabot", [ROOT / ".github/dependabot.yml"]),
        ("github-issue-config", [issues / "config.yml"]),
        ("github-issue-forms", forms),
        ("github-actions", [ACTION / "action.yml"]),
        ("github-workflows", [*workflows, site.top / "github.yml"]),
        ("gitlab-ci", [site.top / "gitlab.yml"]),
    ):
        command = ["check-jsonschema", "--builtin-schema", f"vendor.{schema}", *files]
        status, printed = site.run(*map(str, command))
        expect(printed, status, 0)
    for command in (
        ["validate-manifest", ROOT / ".pre-commit-hooks.yaml"],
        ["validate-config", site.top / "pre-commit.yml"],
    ):
        status, printed = site.run("pre-commit", *map(str, command))
        expect(printed, status, 0)


def sarif(site, logs):
    """The logs of the black-box tests, and those of the documents of the fixtures, against the schema of SARIF."""
    files = sorted(logs.glob("*.json"))
    for folder in ("corpus", "corpus/en", "corpus/mixed", "corpus/other", "corpus/zh", "algorithm", "pages.jsonl"):
        log = site.top / f"{folder.replace('/', '-')}.sarif"
        status, printed = site.run("dupfind", "scan", folder, "-q", "-o", str(log), folder=ROOT / "fixtures")
        expect(printed, status, 0)
        files.append(log)
    expect("20 logs or more", len(files) >= 20, True)
    schema = (ROOT / "fixtures/schemas/sarif-2.1.0.json").read_text()
    # One of its patterns, for the language of a run, is no regular expression: a bracket is too many.
    mended = site.top / "sarif.json"
    mended.write_text(schema.replace("-[a-zA-Z]{2}]?$", "-[a-zA-Z]{2}$"))
    status, printed = site.run("check-jsonschema", "--schemafile", str(mended), *map(str, files))
    expect(printed, status, 0)


def scripts(site):
    """Shell scripts, and what may go wrong with expressions in workflows."""
    files = sorted(ROOT.glob(".github/**/*.sh")) + [ROOT / ".ci/run"]
    expect("shell scripts", len(files), 11)
    status, printed = site.run("shellcheck", *map(str, files))
    expect(printed, status, 0)
    config = str(ROOT / ".github/zizmor.yml")
    site.page(".github/workflows/duplicates.yml", recipe("github"))
    command = ["zizmor", "--offline", "--quiet", "--config", config, ROOT / ".github", site.folder / ".github"]
    status, printed = site.run(*map(str, command))
    expect(printed, status, 0)


def filled_in(text, contexts):
    """The text with its expressions replaced by what they name."""

    def value(match):
        context, *path = match[1].split(".")
        found = contexts[context]
        for name in path:
            found = found.get(name, "") if isinstance(found, dict) else ""
        return str(found)

    return re.sub(r"\$\{\{ ([\w.-]+) \}\}", value, text)


def act(site, given):
    """Runs the action with these inputs; returns the status, what was printed and the outputs."""
    action = yaml.safe_load((ACTION / "action.yml").read_text())
    unknown = set(given) - set(action["inputs"])
    expect("inputs that the action does not have", unknown, set())
    inputs = {name: about["default"] for name, about in action["inputs"].items()} | given
    steps, printed, status = {}, "", 0
    for step in action["runs"]["steps"]:
        expect("shell", step["shell"], "bash")
        files = {}
        for name in ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY"):
            files[name] = str(site.top / name)
            Path(files[name]).write_text("")
        env = {name: filled_in(value, {"inputs": inputs, "github": {}}) for name, value in step["env"].items()}
        # As GitHub calls bash where it is named as the shell.
        command = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"])
        status, text = site.run(*command, GITHUB_ACTION_PATH=str(ACTION), GITHUB_ACTIONS="true", **files, **env)
        printed += text
        lines = Path(files["GITHUB_OUTPUT"]).read_text().splitlines()
        if "id" in step:
            steps[step["id"]] = {"outputs": dict(line.split("=", 1) for line in lines)}
        if status:
            break
    outputs = {
        name: filled_in(about["value"], {"steps": steps}) for name, about in action["outputs"].items()
    }
    return status, printed, outputs


def action(site):
    """The step of the guide, on a branch that copies a page."""
    job = yaml.safe_load(recipe("github"))["jobs"]["duplicates"]
    [step] = [step for step in job["steps"] if step.get("id") == "dupfind"]
    site.git("clone", "--quiet", "--bare", ".", "../origin")
    site.git("remote", "add", "origin", "../origin")
    site.git("fetch", "--quiet", "origin")
    given = {
        name: filled_in(str(value).lower() if value is True else value, {"github": {"base_ref": "main"}})
        for name, value in step["with"].items()
    }
    status, printed, outputs = act(site, given)
    expect(printed, (status, outputs["pairs"]), (0, "0"))

    site.page("docs/copy.md", KILN)
    status, printed, outputs = act(site, given)
    expect(printed, (status, outputs["exit-code"]), (1, "1"))

    status, printed, outputs = act(site, {"paths": "nowhere"})
    expect(printed, (status, outputs["exit-code"]), (2, "2"))


def cached_index(site):
    """The steps that keep an index in the cache: without it, with it, and after a change."""
    steps = yaml.safe_load(recipe("index"))
    [cache] = [step["with"] for step in steps if "cache" in step.get("uses", "")]
    version, scan = [step["run"] for step in steps if "run" in step]
    output = site.top / "output"
    status, printed = site.run("bash", "-ec", version, GITHUB_OUTPUT=str(output))
    expect(printed, status, 0)
    _, said = site.run("dupfind", "--version")
    expect("the version in the key", output.read_text(), f"version={said.split()[1]}\n")
    index = site.folder / cache["path"]
    cold = scan.replace(f" --index {cache['path']}", "")
    def run(script):
        """The status and the output, without the seconds that it took."""
        status, printed = site.run("bash", "-ec", script)
        return status, re.sub(r", [\d.]+ s$", "", printed, flags=re.MULTILINE)

    for page, wanted in ((None, 0), ("docs/copy.md", 1), ("docs/other.md", 1)):
        if page:
            site.page(page, KILN)
        without = run(cold)
        expect(without[1], without[0], wanted)
        for is_cached in (index.exists(), True):
            expect(f"a check with an index, in the cache: {is_cached}", run(scan), without)
    index.unlink()
    expect("a check without an index in the cache", run(scan), without)


def gitlab(site, dupfind):
    """The script of the GitLab job, which installs a release and runs it."""
    job = yaml.safe_load(recipe("gitlab"))["duplicates"]
    base = site.git("rev-parse", "HEAD")
    version = re.search(r"dupfind-(v[\d.]+)-(.*)", job["variables"]["DUPFIND"])
    release = site.top / "release"
    package = ROOT / ".github/release/package.sh"
    status, printed = site.run("bash", str(package), str(dupfind), version[2], str(release))
    expect(printed, status, 0)
    (site.top / "bin/dupfind").unlink()
    variables = job["variables"] | {
        "DUPFIND_RELEASE": f"file://{release}",
        "CI_PROJECT_DIR": str(site.folder),
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": base,
    }
    variables = {name: str(value) for name, value in variables.items()}
    script = "\n".join(job["before_script"] + job["script"])
    for page, wanted in ((None, 0), ("docs/copy.md", 1)):
        if page:
            site.page(page, KILN)
        status, printed = site.run("bash", "-eo", "pipefail", "-c", script, **variables)
        expect(printed, status, wanted)
        for report in job["artifacts"]["reports"].values():
            expect(f"{report} is written", (site.folder / report).exists(), True)


def hooks(site, dupfind):
    """The hooks of this project through pre-commit, installed as the guide says. pip finds a wheel of the program."""
    clone = site.top / "dupfind"
    site.git("clone", "--quiet", str(ROOT), str(clone))
    # The hooks as they are here, committed or not.
    for name in (".pre-commit-hooks.yaml", "pyproject.toml"):
        shutil.copy(ROOT / name, clone)
    site.git("add", "--all", folder=clone)
    site.git("commit", "--quiet", "--allow-empty", "--message=Hooks", folder=clone)
    config = yaml.safe_load(recipe("pre-commit"))
    [repo] = config["repos"]
    repo["repo"], repo["rev"] = str(clone), site.git("rev-parse", "HEAD", folder=clone)
    [hook] = repo["hooks"]
    expect("the hook of the recipe", hook["id"], "dupfind")

    hook["id"] = "dupfind-system"
    site.page(".pre-commit-config.yaml", yaml.safe_dump(config))
    site.git("add", "--all")
    site.git("commit", "--quiet", "--message=Check for duplicates")
    status, printed = site.run("pre-commit", "install")
    expect(printed, status, 0)
    site.page("docs/bread.md", "Bread is baked in the morning.")
    site.git("add", "--all")
    status, printed = site.run("git", "commit", "--message=A page of its own")
    expect(f"a commit of a new page: {printed}", status, 0)
    # Only the copy is part of the commit: the hook compares the whole folder.
    site.page("docs/copy.md", KILN)
    site.git("add", "--all")
    for more in ([], ["--all"], ["docs/copy.md"]):
        status, printed = site.run("git", "commit", "--message=A copy", *more)
        expect(f"a commit of a copy: {printed}", status, 1)
        for text in ("docs/copy.md", "dupfind: failed: 1 new duplicate pair"):
            expect(f"{text} in {printed}", text in printed, True)

    # What git tells its hooks of the index at work does not lead the options of git astray.
    hook["args"] = ["docs", "--since=HEAD"]
    site.page(".pre-commit-config.yaml", yaml.safe_dump(config))
    site.git("add", "--all")
    site.git("commit", "--quiet", "--no-verify", "--message=The copy all the same")
    for number, more in enumerate(([], ["--all"], ["docs/bread.md"])):
        site.page("docs/bread.md", f"Bread is baked {number} times.")
        site.git("add", "--all")
        status, printed = site.run("git", "commit", "--message=Another page", *more)
        expect(f"a commit of another page: {printed}", status, 0)

    # With an index that stays in the clone, as without one.
    hook["args"][-1] = "--index=.git/site.dupidx"
    site.page(".pre-commit-config.yaml", yaml.safe_dump(config))
    for _ in range(2):
        status, printed = site.run("pre-commit", "run", "--all-files")
        expect(f"the hook with an index: {printed}", status, 1)
        expect(f"the copy in {printed}", "dupfind: failed: 1 duplicate pair" in printed, True)
        expect("the index is there", (site.folder / ".git/site.dupidx").is_file(), True)
    expect("what git sees", "site.dupidx" in site.git("status", "--porcelain"), False)

    hook["id"] = "dupfind"
    hook["args"].pop()
    site.page(".pre-commit-config.yaml", yaml.safe_dump(config))
    (site.top / "bin/dupfind").unlink()
    given = {"PIP_FIND_LINKS": str(packages.wheel(site, dupfind)), "PATH": f"{TOOLS}:/usr/bin:/bin"}
    status, printed = site.run("pre-commit", "run", "--all-files", **given)
    expect(f"the hook that installs the wheel: {printed}", status, 1)
    expect(f"the copy in {printed}", "dupfind: failed: 1 duplicate pair" in printed, True)


def mediawiki(site):
    """The recipe for a dump of a wiki, with older revisions, a redirect and a page of discussion."""
    marked = KILN.replace(".", ".<!-- checked -->", 1)
    [title, rest] = marked.split("\n", 1)
    pages = [
        ("Kiln", 0, "", [KILN]),
        ("Old kiln", 0, "", [LIGHTHOUSE, f"'''{title}'''\n[[File:Kiln.jpg|thumb]]{rest}"]),
        ("Lighthouse", 0, "", [KILN, LIGHTHOUSE]),
        ("The kiln", 0, '<redirect title="Kiln" />', ["#REDIRECT [[Kiln]]"]),
        ("Talk:Kiln", 1, "", [KILN]),
    ]
    parts = []
    for number, (title, namespace, redirect, texts) in enumerate(pages, 1):
        revisions = "".join(
            f"<revision><id>{number}{at}</id><timestamp>2024-01-0{at}T00:00:00Z</timestamp><contributor><username>Ann</username>"
            f"<id>1</id></contributor><model>wikitext</model><format>text/x-wiki</format><text>{escape(text)}</text></revision>"
            for at, text in enumerate(texts, 1)
        )
        parts.append(f"<page><title>{title}</title><ns>{namespace}</ns><id>{number}</id>{redirect}{revisions}</page>")
    dump = (
        '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en"><siteinfo>'
        "<sitename>Kilns</sitename><dbname>kilns</dbname></siteinfo>" + "".join(parts) + "</mediawiki>"
    )
    (site.folder / "dump.xml.bz2").write_bytes(bz2.compress(dump.encode()))
    status, printed = site.run("bash", "-e", "-c", recipe("mediawiki", "docs/input.md"))
    expect(f"a dump: {printed}", status, 0)
    titles = [json.loads(line)["title"] for line in (site.folder / "pages.jsonl").read_text().splitlines()]
    expect("pages", titles, ["Kiln", "Old kiln", "Lighthouse"])
    for name in ("pages.jsonl#Kiln", "pages.jsonl#Old kiln"):
        expect(f"{name} in {printed}", name in printed, True)
    expect(f"a page of its own in {printed}", "Lighthouse" in printed, False)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    dupfind, *logs = (Path(word).resolve() for word in sys.argv[1:])
    if logs:
        with Site(dupfind) as site:
            sarif(site, logs[0])
        print("SARIF logs: as they should be")
        return
    checks = [
        schemas,
        scripts,
        action,
        cached_index,
        lambda site: gitlab(site, dupfind),
        lambda site: hooks(site, dupfind),
        mediawiki,
        lambda site: agents.mcp(site, dupfind),
    ]
    for check in checks:
        with Site(dupfind) as site:
            check(site)
    print("schemas, scripts, action, cached index, GitLab job, hooks, a wiki and agents: as they should be")


main()
