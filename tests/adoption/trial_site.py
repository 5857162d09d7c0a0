"""A repository to try things in, and what its checks share."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOLS = Path(sys.executable).parent
KILN = (ROOT / "fixtures/corpus/en/kiln.txt").read_text()
LIGHTHOUSE = (ROOT / "fixtures/corpus/en/lighthouse.txt").read_text()


def expect(what, found, wanted):
    """Ends the run unless both are the same."""
    if found != wanted:
        sys.exit(f"{what}: {found!r} instead of {wanted!r}")


def recipe(name, page="docs/ci.md"):
    """The code block of a page of the guide after the line that names a recipe."""
    text = (ROOT / page).read_text()
    match = re.search(rf"<!-- recipe: {name} -->\n```\w+\n(.*?)```\n", text, re.DOTALL)
    if not match:
        sys.exit(f"{page} has no recipe '{name}'")
    return match[1]


class Site:
    """A git repository of two pages, and the folders that a CI service has beside it."""

    def __init__(self, dupfind):
        self.top = Path(tempfile.mkdtemp(prefix="dupfind-"))
        self.folder = self.top / "site"
        for name in ("site", "home", "bin", "temp"):
            (self.top / name).mkdir()
        shutil.copy(dupfind, self.top / "bin/dupfind")
        # Nothing of what git tells its hooks: this may run in one.
        self.variables = {
            "PATH": f"{self.top / 'bin'}:{TOOLS}:{os.environ['PATH']}",
            "HOME": str(self.top / "home"),
            "RUNNER_TEMP": str(self.top / "temp"),
            "PRE_COMMIT_HOME": str(self.top / "pre-commit"),
            "GIT_CONFIG_NOSYSTEM": "1",
            # The project may belong to somebody else than who runs this.
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "safe.directory",
            "GIT_CONFIG_VALUE_0": "*",
            "LANG": "C.UTF-8",
        }
        for role in ("AUTHOR", "COMMITTER"):
            self.variables[f"GIT_{role}_NAME"] = "Writer"
            self.variables[f"GIT_{role}_EMAIL"] = "writer@example.org"
        self.git("init", "--quiet", "--initial-branch=main")
        self.page("docs/kiln.md", KILN)
        self.page("docs/lighthouse.md", LIGHTHOUSE)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message=Two pages")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.top)

    def page(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run(self, *command, folder=None, **variables):
        """Runs a command and returns its status and everything that it printed."""
        ran = subprocess.run(
            command,
            cwd=folder or self.folder,
            env=self.variables | variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        return ran.returncode, ran.stdout

    def git(self, *args, folder=None):
        status, printed = self.run("git", *args, folder=folder)
        expect(f"git {args}: {printed}", status, 0)
        return printed.strip()
