#!/usr/bin/env python3
"""Draws the charts of the front page from the tables of docs/measurements.md.

    python3 benches/charts.py           writes .github/pictures/peers.svg and growth.svg
    python3 benches/charts.py --check   fails if they are not what the tables say
"""

import math
import re
import sys
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / ".github/pictures"
STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#1f2933}.t{font-weight:600;font-size:14px}.f{fill:#5b6773}.l{stroke:#c7ced6}"
    ".o{fill:#9aa8b5}.d{fill:#1f6feb}.ln{fill:none;stroke-width:2;stroke:#1f6feb}"
    "@media(prefers-color-scheme:dark){text{fill:#d6deeb}.f{fill:#9aa8b5}.l{stroke:#3b4754}.o{fill:#67737f}.d{fill:#539bf5}.ln{stroke:#539bf5}}"
)


def tables(kind):
    """The title and the rows of each table of the page that is after a comment of this kind."""
    text = (ROOT / "docs/measurements.md").read_text(encoding="utf-8")
    for title, block in re.findall(rf"<!-- chart: {kind}: (.*?) -->\n(.*?)\n\n", text, re.DOTALL):
        yield title, [[cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines()[2:]]


def number(cell):
    return float(re.sub(r"[^0-9.]", "", cell))


def svg(name, height, about, parts):
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 {height}" role="img" aria-label="{escape(about)}">'
    return PICTURES / name, "\n".join([head, f"<style>{STYLE}</style>", *parts, "</svg>"]) + "\n"


def words(x, y, text, kind="", anchor="start"):
    return f'<text x="{x:.0f}" y="{y:.0f}" class="{kind}" text-anchor="{anchor}">{escape(text)}</text>'


def bars(top, title, rows):
    """A panel: for each tool the share of the true pairs that it finds, and its seconds on a logarithmic scale."""
    parts = [words(0, top, title, "t"), words(262, top + 22, "of the true pairs found", "f"), words(590, top + 22, "seconds (logarithmic)", "f")]
    least = min(seconds for _, _, seconds in rows)
    span = math.log(max(seconds for _, _, seconds in rows) / least) or 1
    for at, (tool, share, seconds) in enumerate(rows):
        y, kind = top + 34 + 24 * at, "d" if tool.startswith("dupfind") else "o"
        parts.append(words(0, y + 13, tool))
        parts.append(f'<rect x="262" y="{y}" width="{share * 2.2:.0f}" height="16" rx="2" class="{kind}"/>')
        parts.append(words(268 + share * 2.2, y + 13, f"{share:g} %", "f"))
        width = 12 + 200 * math.log(seconds / least) / span
        parts.append(f'<rect x="590" y="{y}" width="{width:.0f}" height="16" rx="2" class="{kind}"/>')
        parts.append(words(596 + width, y + 13, f"{seconds:g}", "f"))
    return parts


def peers():
    parts, top = [], 16
    for title, rows in tables("peers"):
        parts += bars(top, title, [(row[0].replace("`", ""), number(row[2]), number(row[4])) for row in rows])
        top += 34 + 24 * len(rows) + 36
    return svg("peers.svg", top - 24, "dupfind and other tools: pairs found, and time", parts)


def line(points, left, names):
    """A line over two logarithmic axes, 340 by 200, with the numbers of its points."""
    xs, ys = ([math.log(point[axis]) for point in points] for axis in (0, 1))
    place = lambda value, values, size: size * (value - min(values)) / (max(values) - min(values) or 1)
    at = [(left + place(x, xs, 300), 240 - place(y, ys, 170)) for x, y in zip(xs, ys)]
    parts = [f'<path class="l" fill="none" d="M{left - 10} 60V250H{left + 320}"/>']
    parts.append(f'<polyline class="ln" points="{" ".join(f"{x:.0f},{y:.0f}" for x, y in at)}"/>')
    for (x, y), (_, seconds), name in zip(at, points, names):
        parts.append(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="3.5" class="d"/>')
        parts.append(words(x, y - 14, f"{seconds:g} s", "f", "middle"))
        parts.append(words(x, 268, name, "f", "middle"))
    return parts


def growth():
    short = lambda count: f"{count / 1e6:g} M" if count >= 1e6 else f"{count / 1e3:g} k" if count >= 1e3 else f"{count:g}"
    parts = []
    for at, (title, rows) in enumerate(tables("growth")):
        points = [(number(row[0]), number(row[1])) for row in rows]
        parts.append(words(20 + 470 * at, 16, title, "t"))
        parts += line(points, 40 + 480 * at, [short(count) for count, _ in points])
    return svg("growth.svg", 280, "seconds by documents and by threads", parts)


def main():
    for path, text in (peers(), growth()):
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            sys.exit(f"{path.relative_to(ROOT)} is not what docs/measurements.md says: python3 benches/charts.py")


main()
