"""Makes every package of a release for this machine, installs each where nothing else is, and runs it.

    python tests/adoption/packages.py DUPFIND [WHEEL]

DUPFIND is the program, WHEEL the package for Python that python/check.sh makes of it. The manifests for other systems are checked by
the schemas that they name: DUPFIND_SCHEMAS is a folder with copies, for a machine without a network.
"""

import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

from trial_site import ROOT, TOOLS, Site, expect

RELEASE = ROOT / ".github/release"
MACHINE = {"x86_64": "x86_64", "aarch64": "aarch64", "arm64": "aarch64"}[platform.machine()]
# What was not checked, for the last line.
unchecked = []


def leave(what):
    print(f"not checked: {what}")
    unchecked.append(what)


# The folders of what every system has.
SYSTEM = "/usr/local/bin:/usr/bin:/bin"


def version():
    return re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)[1]


def archives(site, dupfind, *targets):
    """The folder of a release with archives for these targets, all of the program at hand."""
    folder = site.top / "releases" / f"v{version()}"
    for target in targets:
        status, printed = site.run("bash", str(RELEASE / "package.sh"), str(dupfind), target, str(folder))
        expect(printed, status, 0)
    # Nobody may find another dupfind than the one that is installed.
    (site.top / "bin/dupfind").unlink()
    return folder


def wheel(site, dupfind):
    """The folder of a wheel that brings the command alone. python/check.sh tests the wheel with the module."""
    folder = site.top / "wheels"
    folder.mkdir()
    stem = f"dupfind-{version()}"
    about = {
        "METADATA": f"Metadata-Version: 2.1\nName: dupfind\nVersion: {version()}\n",
        "WHEEL": "Wheel-Version: 1.0\nGenerator: check\nRoot-Is-Purelib: false\nTag: py3-none-any\n",
        "RECORD": "",
    }
    with zipfile.ZipFile(folder / f"{stem}-py3-none-any.whl", "w") as archive:
        archive.write(dupfind, f"{stem}.data/scripts/dupfind")
        for name, text in about.items():
            archive.writestr(f"{stem}.dist-info/{name}", text)
    return folder


def installer(site, dupfind):
    """The script that installs a release for a user."""
    folder = archives(site, dupfind, f"{MACHINE}-unknown-linux-gnu", f"{MACHINE}-unknown-linux-musl")
    script = RELEASE / "manifests/install.sh"
    given = {
        "PATH": SYSTEM,
        "DUPFIND_RELEASES": f"file://{folder.parent}",
        "DUPFIND_VERSION": version(),
        "DUPFIND_BIN": str(site.top / "home/bin"),
    }
    for _ in range(2):
        status, printed = site.run("sh", str(script), **given)
        expect(printed, (status, printed.splitlines()[0]), (0, f"dupfind {version()}"))
    expect("installed", os.listdir(site.top / "home/bin"), ["dupfind"])
    for archive in folder.glob("*.tar.gz"):
        archive.write_bytes(archive.read_bytes() + b"x")
    status, printed = site.run("sh", str(script), **given)
    expect(printed, (status, "not what its checksum says" in printed), (1, True))


# The manifests with a schema, and where winget and Scoop keep it.
SCHEMAS = {
    "example.dupfind.yaml": "https://aka.ms/winget-manifest.version.1.10.0.schema.json",
    "example.dupfind.installer.yaml": "https://aka.ms/winget-manifest.installer.1.10.0.schema.json",
    "example.dupfind.locale.en-US.yaml": "https://aka.ms/winget-manifest.defaultLocale.1.10.0.schema.json",
    "dupfind.json": "https://raw.githubusercontent.com/ScoopInstaller/Scoop/master/schema.json",
}


def manifests(site):
    """What installs a release on every system: Ruby reads the formula where Ruby is, a shell its script."""
    targets = list(json.loads((RELEASE / "npm/platforms.json").read_text()))
    names = [f"dupfind-v{version()}-{target}.{'zip' if 'windows' in target else 'tar.gz'}" for target in targets]
    lines = [f"{number:064x}  {name}\n" for number, name in enumerate(names)]
    sums, made = site.top / "SHA256SUMS", site.top / "made"
    sums.write_text("".join(lines))
    command = ["bash", str(RELEASE / "manifests.sh"), str(sums), "https://github.com/example/dupfind", str(made)]
    status, printed = site.run(*command)
    expect(printed, status, 0)
    for name in names:
        if "musl" not in name:
            files = [path.name for path in made.iterdir() if name in path.read_text()]
            expect(name, len(files), 2 if "windows" in name else 1)
    for name, reader in {
        "dupfind.rb": ["ruby", "-c", str(made / "dupfind.rb")],
        "install.sh": ["sh", "-n", str(made / "install.sh")],
        "install.ps1": ["pwsh", "-NoProfile", "-Command", f"$null = [scriptblock]::Create((Get-Content -Raw '{made / 'install.ps1'}'))"],
    }.items():
        if shutil.which(reader[0]):
            status, printed = site.run(*reader)
            expect(printed, status, 0)
        else:
            leave(f"{name} ({reader[0]} is missing)")
    copies = os.environ.get("DUPFIND_SCHEMAS")
    for name, schema in SCHEMAS.items():
        where = str(Path(copies, schema.rsplit("/", 1)[1])) if copies else schema
        status, printed = site.run(str(TOOLS / "check-jsonschema"), "--schemafile", where, str(made / name))
        if not copies and ("Failed to" in printed or "SchemaParseError" in printed):
            leave(f"{name} (its schema is out of reach)")
        else:
            expect(printed, status, 0)
            print(f"{name}: as its schema")
    sums.write_text(lines[0])
    status, printed = site.run(*command)
    expect(printed, status, 1)


def npm(site, dupfind):
    """The packages of npm, packed and installed in an empty folder, where npm is."""
    if not shutil.which("npm"):
        leave("npm packages (npm is missing)")
        return
    made = site.top / "npm"
    folder = archives(site, dupfind, f"{MACHINE}-unknown-linux-gnu")
    make = ["node", str(RELEASE / "npm/make.mjs"), str(folder), str(made)]
    status, printed = site.run(*make)
    expect(printed, status, 0)
    packed = []
    for package in sorted(made.iterdir()):
        status, printed = site.run("npm", "pack", "--silent", "--pack-destination", str(site.top), folder=package)
        expect(printed, status, 0)
        packed.append(site.top / printed.split()[-1])
    expect("packages", len(packed), 2)

    # Nothing is fetched: npm takes the package of the platform from where 'overrides' says.
    empty = site.top / "empty"
    empty.mkdir()
    [wrapper, program] = [path for path in packed if path.name == f"dupfind-{version()}.tgz"] + [
        path for path in packed if path.name != f"dupfind-{version()}.tgz"
    ]
    name = json.loads((made / "dupfind/package.json").read_text())["optionalDependencies"]
    [name] = name
    (empty / "package.json").write_text(json.dumps({"private": True, "overrides": {name: f"file:{program}"}}))
    offline = ["--offline", "--no-audit", "--no-fund", "--silent"]
    status, printed = site.run("npm", "install", *offline, str(wrapper), folder=empty)
    expect(printed, status, 0)
    run = str(empty / "node_modules/.bin/dupfind")
    path = {"PATH": f"{os.path.dirname(shutil.which('node'))}:{SYSTEM}"}
    status, printed = site.run(run, "--version", **path)
    expect(printed, (status, printed), (0, f"dupfind {version()}\n"))
    site.page("docs/copy.md", (site.folder / "docs/kiln.md").read_text())
    status, printed = site.run(run, "check", "docs", "--fail-on", "exact", **path)
    expect(printed, (status, "docs/copy.md: copy of" in printed or "docs/kiln.md: copy of" in printed), (1, True))
    status, printed = site.run(run, "scan", "nowhere", **path)
    expect(printed, status, 2)
    interrupted(site, run, path)

    # Without the program, somebody is told what to do.
    shutil.rmtree(empty / "node_modules" / name)
    status, printed = site.run(run, "--version", **path)
    expect(printed, (status, name in printed), (2, True))


def npm_from_clone(site, dupfind):
    """The npm package that a clone builds and installs, where npm is; the program at hand is what cargo would build."""
    if not shutil.which("npm"):
        return
    target = site.top / "target"
    (target / "release").mkdir(parents=True)
    shutil.copy(dupfind, target / "release/dupfind")
    (site.top / "bin/dupfind").unlink()
    cargo = site.top / "bin/cargo"
    cargo.write_text("#!/bin/sh\n")
    cargo.chmod(0o755)
    prefix = site.top / "prefix"
    given = {"CARGO_TARGET_DIR": str(target), "npm_config_prefix": str(prefix)}
    # What rustup finds in the home of the user.
    given |= {name: value for name, value in os.environ.items() if name in ("RUSTUP_HOME", "HOME")}
    status, printed = site.run("bash", str(RELEASE / "npm/install.sh"), **given)
    expect(printed, status, 0)
    status, printed = site.run(str(prefix / "bin/dupfind"), "--version")
    expect(printed, (status, printed), (0, f"dupfind {version()}\n"))


def interrupted(site, run, path):
    """A signal to the launcher ends the program, which says so by its status."""
    for number in (signal.SIGINT, signal.SIGTERM):
        # The program waits for standard input.
        process = subprocess.Popen(
            [run, "scan", "-"],
            cwd=site.folder,
            env=site.variables | path,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        children = f"/proc/{process.pid}/task/{process.pid}/children"
        while not open(children).read().strip():
            time.sleep(0.05)
        time.sleep(0.5)
        # A terminal sends Ctrl-C to the whole group.
        (os.killpg if number == signal.SIGINT else os.kill)(process.pid, number)
        expect(number.name, process.wait(timeout=60), 130)


def image(site, dupfind):
    """The image: its files alone as the root of a process, if the program is linked with its C library."""
    status, printed = site.run("ldd", str(dupfind))
    if "statically linked" not in printed and "not a dynamic executable" not in printed:
        leave("the image (the program is not linked with its C library)")
        return
    root = site.top / "root"
    for folder in ("usr/local/bin", "tmp", "data"):
        (root / folder).mkdir(parents=True)
    shutil.copy(dupfind, root / "usr/local/bin/dupfind")
    shutil.copytree(site.folder / "docs", root / "data/docs")
    shutil.copy(site.folder / "docs/kiln.md", root / "data/docs/copy.md")
    expect("MB", os.path.getsize(dupfind) < 30e6, True)
    status, printed = site.run("unshare", "--map-root-user", "chroot", str(root), "/usr/local/bin/dupfind", "scan", "/data/docs")
    expect(printed, (status, "docs/copy.md: copy of" in printed or "docs/kiln.md: copy of" in printed), (0, True))


def from_wheel(site, file):
    """The wheel in an empty environment: the command, and the module."""
    empty = site.top / "empty"
    subprocess.run([sys.executable, "-m", "venv", str(empty)], check=True)
    status, printed = site.run(str(empty / "bin/pip"), "install", "-q", "--disable-pip-version-check", "--no-index", file)
    expect(printed, status, 0)
    (site.top / "bin/dupfind").unlink()
    status, printed = site.run(str(empty / "bin/dupfind"), "--version", PATH=SYSTEM)
    expect(printed, (status, printed), (0, f"dupfind {version()}\n"))
    status, printed = site.run(str(empty / "bin/python"), "-c", "import dupfind; print(len(dupfind.scan(['one two three four'] * 2)))")
    expect(printed, (status, printed), (0, "1\n"))


def main():
    dupfind, *wheels = (Path(word).resolve() for word in sys.argv[1:])
    checks = [
        lambda site: installer(site, dupfind),
        manifests,
        lambda site: npm(site, dupfind),
        lambda site: npm_from_clone(site, dupfind),
        lambda site: image(site, dupfind),
        *(lambda site, file=file: from_wheel(site, str(file)) for file in wheels),
    ]
    for check in checks:
        with Site(dupfind) as site:
            check(site)
    if not wheels:
        leave("the wheel (none is given)")
    made = ["archives", "install.sh", *["npm packages"] * bool(shutil.which("npm")), *["wheel"] * len(wheels)]
    print(f"{', '.join(made)}: made, installed and run" + (f"; not checked: {', '.join(unchecked)}" if unchecked else ""))


if __name__ == "__main__":
    main()
