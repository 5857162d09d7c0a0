"""Makes the pictures of the front page from a real run: a terminal that moves, and the page of a report.

    python3 .github/pictures/make.py [--check] DUPFIND

The second one needs Chromium. Both together have at most 150 KB. With --check the terminal is compared with what is here.
"""

import html
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
COLUMNS, LINE, SECONDS = 100, 18, 7
# In a folder with the English pages as docs.
RUNS = (
    ["docs", "--top", "3"],
    ["compare", "pages.jsonl#kiln", "pages.jsonl#firing", "pages.jsonl", "--id-field", "id"],
    ["check", "docs", "--fail-on", "exact"],
)


def run(program, args, folder=ROOT):
    environment = {**os.environ, "COLUMNS": str(COLUMNS), "LC_ALL": "C", "NO_COLOR": "1"}
    ran = subprocess.run([program, *args], cwd=folder, env=environment, capture_output=True, text=True)
    # The time of a check is another one in each run.
    said = re.sub(r", [\d.]+ s$", "", ran.stderr.rstrip())
    return (ran.stdout + said).rstrip().split("\n")


def cut(line):
    return line if len(line) <= 115 else line[:114] + "…"


def terminal(program):
    """One screen for each run, one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "fixtures/corpus/en", Path(folder, "docs"))
        shutil.copy(ROOT / "fixtures/pages.jsonl", folder)
        screens = [[f"$ dupfind {' '.join(args)}", *run(program, args, folder)] for args in RUNS]
    height = LINE * max(map(len, screens)) + 3 * LINE
    total, share = SECONDS * len(screens), 100 / len(screens)
    style = (
        "text{font:13px ui-monospace,Menlo,Consolas,monospace;fill:#d6deeb;white-space:pre}.c{fill:#7fdbca;font-weight:bold}"
        f"g{{opacity:0;animation:s {total}s infinite step-end}}"
        f"@keyframes s{{0%{{opacity:1}}{share:.2f}%{{opacity:0}}}}"
        "@media(prefers-reduced-motion:reduce){g{animation:none}g:first-of-type{opacity:1}}"
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 {height}" role="img" aria-label="dupfind in a terminal">',
        f"<style>{style}</style>",
        f'<rect width="960" height="{height}" rx="10" fill="#16202c"/>',
    ]
    for number, lines in enumerate(screens):
        parts.append(f'<g style="animation-delay:{number * SECONDS - (total if number else 0)}s">')
        for at, line in enumerate(lines):
            kind = ' class="c"' if at == 0 else ""
            parts.append(f'<text x="20" y="{(at + 2) * LINE}"{kind}>{html.escape(cut(line))}</text>')
        parts.append("</g>")
    return "\n".join([*parts, "</svg>"]) + "\n"


def page(program):
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.html"
        run(program, ["fixtures/corpus/en", "-q", "--lang", "en", "-o", str(report)])
        subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--hide-scrollbars", "--window-size=1280,500", "--virtual-time-budget=5000",
             f"--user-data-dir={folder}/profile", f"--screenshot={FOLDER / 'report.png'}", report.as_uri()],
            check=True, capture_output=True,
        )


program = Path(sys.argv[-1]).resolve()
drawn, kept = terminal(program), FOLDER / "terminal.svg"
if "--check" in sys.argv:
    sys.exit(0 if kept.read_text(encoding="utf-8") == drawn else f"{kept} is not what the program prints: make it anew")
kept.write_text(drawn, encoding="utf-8")
page(program)
size = sum(file.stat().st_size for file in (FOLDER / "terminal.svg", FOLDER / "report.png"))
if size > 150_000:
    sys.exit(f"the pictures have {size} bytes")
