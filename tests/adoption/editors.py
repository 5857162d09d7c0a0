"""Checks the recipes for editors in docs/agents.md with the editors that are installed, and packages the extension for VS Code.

    python tests/adoption/editors.py DUPFIND

Each editor opens a page that is a copy of another one, without a screen, and must show a diagnostic that names the other
one. What is not installed is left out, and named.
"""

import re
import shutil
import sys
import zipfile
from pathlib import Path

from trial_site import KILN, ROOT, Site, expect, recipe

PAGE = "docs/agents.md"

# Waits for a diagnostic, and prints all.
NEOVIM = """
local is_there = vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 50)
for _, found in ipairs(vim.diagnostic.get(0)) do print(found.code, found.message) end
vim.cmd(is_there and "qall!" or "cquit!")
"""

EMACS = """
(package-initialize)
(require 'markdown-mode)
(require 'eglot)
(setq eglot-sync-connect 60)
(load (expand-file-name "recipe.el"))
(find-file "docs/copy.md")
(markdown-mode)
(call-interactively 'eglot)
(let ((turns 0))
  (while (and (< turns 600) (null (flymake-diagnostics)))
    (when (= 0 (mod turns 10)) (flymake-start))
    (accept-process-output nil 0.1)
    (setq turns (1+ turns))))
(dolist (found (flymake-diagnostics)) (message "%s" (flymake-diagnostic-text found)))
"""


def shows_the_copy(site, *command):
    status, printed = site.run("timeout", "120", *command)
    shown = "exact" in printed and "100 % of this page is in docs/kiln.md" in printed
    expect(f"{command}: {printed}", (status, shown), (0, True))


def neovim(site):
    _, printed = site.run("nvim", "--version")
    version = tuple(map(int, re.search(r"v(\d+)\.(\d+)", printed).groups()))
    name = "neovim" if version >= (0, 11) else "neovim before 0.11"
    site.page("init.lua", recipe(name, PAGE))
    site.page("check.lua", NEOVIM)
    shows_the_copy(site, "nvim", "--headless", "-u", "init.lua", "docs/copy.md", "-c", "luafile check.lua")


def emacs(site):
    status, _ = site.run("emacs", "--batch", "-f", "package-initialize", "--eval", "(progn (require 'eglot) (require 'markdown-mode))")
    if status:
        return print("emacs: left out, it has no eglot or no markdown-mode")
    site.page("recipe.el", recipe("emacs", PAGE))
    site.page("check.el", EMACS)
    shows_the_copy(site, "emacs", "--batch", "-l", "check.el")


def npm(site):
    """The extension for VS Code, tested with the real client and packaged."""
    extension = site.top / "dupfind.vsix"
    script = ROOT / ".github/release/vscode/package.sh"
    status, printed = site.run("bash", str(script), str(extension), DUPFIND=str(site.top / "bin/dupfind"))
    expect(printed, status, 0)
    names = zipfile.ZipFile(extension).namelist()
    for name in ("extension.js", "package.json", "readme.md", "LICENSE.txt", "node_modules/vscode-languageclient/node.js"):
        expect(f"extension/{name}", f"extension/{name}" in names, True)
    expect("files of its own", sorted(name for name in names if name.count("/") == 1 and "test" in name), [])


def main(dupfind):
    for check, program in ((neovim, "nvim"), (emacs, "emacs"), (npm, "npm")):
        if not shutil.which(program):
            print(f"{program}: left out, it is not installed")
            continue
        with Site(dupfind) as site:
            site.page("docs/copy.md", KILN)
            check(site)
            print(f"{program}: checked")


main(Path(sys.argv[1]).resolve())
