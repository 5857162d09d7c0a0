"""Makes the pictures of the front page from a real run: a terminal that moves, and the page of a report.

    python3 .github/pictures/make.py DUPFIND

The second one needs Chromium. Both together have at most 150 KB.
"""

import html
import os
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
COLUMNS, LINE, SECONDS = 100, 18, 7
RUNS = (
    ["fixtures/corpus/en", "--top", "3"],
    ["compare", "fixtures/pages.jsonl#kiln", "fixtures/pages.jsonl#firing", "fixtures/pages.jsonl", "--id-field", "id"],
    ["check", "fixtures/corpus/en/kiln.txt", "fixtures/corpus/en/kiln-words-05.txt"],
)


def run(program, args):
    environment = {**os.environ, "COLUMNS": str(COLUMNS), "LC_ALL": "C", "NO_COLOR": "1"}
    ran = subprocess.run([program, *args], cwd=ROOT, env=environment, capture_output=True, text=True)
    return ran.stdout.rstrip().split("\n")


def cut(line):
    return line if len(line) <= 115 else line[:114] + "…"


def terminal(program):
    """One screen for each run, one after the other."""
    screens = [[f"$ dupfind {' '.join(args)}", *run(program, args)] for args in RUNS]
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
    (FOLDER / "terminal.svg").write_text("\n".join([*parts, "</svg>"]) + "\n", encoding="utf-8")


def page(program):
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.html"
        run(program, ["fixtures/corpus/en", "-q", "--lang", "en", "-o", str(report)])
        subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--hide-scrollbars", "--window-size=1280,500", "--virtual-time-budget=5000",
             f"--user-data-dir={folder}/profile", f"--screenshot={FOLDER / 'report.png'}", report.as_uri()],
            check=True, capture_output=True,
        )


terminal(sys.argv[1])
page(sys.argv[1])
size = sum(file.stat().st_size for file in (FOLDER / "terminal.svg", FOLDER / "report.png"))
if size > 150_000:
    sys.exit(f"the pictures have {size} bytes")
