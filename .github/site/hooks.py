"""Makes the front pages of the site from the READMEs, and leads links out of the guide to the repository."""

import posixpath
import re
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[2]
FRONT = {"index.md": "README.md", "zh/index.md": "README.zh-CN.md"}
PICTURES = ".github/pictures/"
LINK = re.compile(r"(!?)\[((?:[^\[\]]|!\[[^\]]*\]\([^)]*\))*)\]\((?!https?:|mailto:|#)([^)\s]+)\)")


def on_files(files, config):
    for page, readme in FRONT.items():
        files.append(File.generated(config, page, content=(ROOT / readme).read_text(encoding="utf-8")))
    for picture in (ROOT / PICTURES).iterdir():
        if picture.suffix in (".svg", ".png"):
            files.append(File.generated(config, f"pictures/{picture.name}", abs_src_path=str(picture)))
    return files


def on_page_markdown(markdown, page, config, files):
    here = page.file.src_uri
    source = FRONT.get(here, f"docs/{here}")
    # The place of each file of the repository that is on the site.
    front = {readme: made for made, readme in FRONT.items()}

    def led(match):
        image, text, target = match.groups()
        path, hash, anchor = target.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), path)) if path else source
        if path in front:
            place = front[path]
        elif path.startswith(PICTURES):
            place = "pictures/" + path.removeprefix(PICTURES)
        else:
            place = path.removeprefix("docs/") if path.startswith("docs/") else None
        if place is not None:
            return f"{image}[{text}]({posixpath.relpath(place, posixpath.dirname(here) or '.')}{hash}{anchor})"
        if not (ROOT / path).exists():
            raise ValueError(f"{source}: {path} does not exist")
        return f"[{text}]({config.repo_url}/blob/main/{path}{hash}{anchor})" if config.repo_url else text

    # Code is left as it is.
    parts = re.split(r"(^```.*?^```$)", markdown, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if part.startswith("```") else LINK.sub(led, part) for part in parts)
