"""The command, and that results equal it to the byte."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import dupfind


def program() -> list[str]:
    """The command of this package, or the program that is to be compared with."""
    if given := os.environ.get("DUPFIND_TEST_PROGRAM"):
        return [given]
    return [str(Path(sys.executable).with_name("dupfind"))]


def run(*words, **options):
    return subprocess.run([*program(), *words], capture_output=True, text=True, **options)


@pytest.mark.parametrize(
    ("paths", "options", "words"),
    [
        (["fixtures/corpus"], {}, []),
        (["fixtures/corpus/zh", "fixtures/corpus/en"], {"min_jaccard": 0.5, "max_hamming": 0}, ["--min-jaccard", "0.5", "--max-hamming", "0"]),
        (["fixtures/corpus"], {"glob": "*.md", "min_containment": 0.5}, ["--glob", "*.md", "--min-containment", "0.5"]),
        (["fixtures/corpus"], {"exclude": ["en"]}, ["--exclude", "en"]),
        (["fixtures/pages.jsonl"], {"text": "text", "id": "id"}, ["--text-field", "text", "--id-field", "id"]),
    ],
)
def test_reports_are_those_of_the_program(repository, paths, options, words):
    if not all(Path(path).exists() for path in paths):
        pytest.skip("there is no such fixture")
    report = run("scan", *paths, "--format", "json", "--quiet", *words)
    assert report.returncode == 0, report.stderr
    assert dupfind.scan([Path(path) for path in paths], **options).to_json() == report.stdout


def test_more_folders(monkeypatch):
    """Further folders to compare reports of, one a line of the environment."""
    for folder in filter(None, os.environ.get("DUPFIND_TEST_FOLDERS", "").split(":")):
        monkeypatch.chdir(Path(folder).parent)
        report = run("scan", Path(folder).name, "--format", "json", "--quiet")
        assert dupfind.scan(Path(Path(folder).name)).to_json() == report.stdout


def test_plans_are_those_of_the_program(repository, tmp_path):
    plan = tmp_path / "plan.jsonl"
    run("plan", "fixtures/corpus", "--drop", "exact,near,contains", "-o", str(plan), check=True)
    lines = plan.read_text().splitlines()
    result = dupfind.scan(Path("fixtures/corpus"), drop="exact,near,contains", min_similarity=0.5)
    assert len(result.filtered) == sum('"type":"drop"' in line for line in lines)
    for gone in result.filtered:
        assert any(f'"keep":"{gone["duplicate_of"]}","drop":"{gone["id"]}"' in line for line in lines)
    assert len(result.unresolved) == sum('"type":"unresolved"' in line for line in lines)


def test_the_command(tmp_path):
    assert run("--version").stdout.split() == ["dupfind", dupfind.__version__]
    assert run("scan", "/no/such/folder").returncode == 2
    failed = run("scan", "--no-such-option")
    assert (failed.returncode, "--no-such-option" in failed.stderr) == (2, True)
    module = subprocess.run([sys.executable, "-m", "dupfind", "--version"], capture_output=True, text=True, cwd=tmp_path)
    assert module.stdout.split() == ["dupfind", dupfind.__version__]


def test_a_closed_pipe_is_no_error(repository):
    script = f"{program()[0]} scan fixtures/corpus --format json | head -n 1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
    assert done.stdout == "{\n0\n"


@pytest.mark.skipif(os.name == "nt" or shutil.which("bash") is None, reason="there are no signals")
def test_an_interrupt_ends_the_command(tmp_path):
    lines = (f'{{"text":"{number} words that differ {number * 7919} from all others {number * 104729}"}}\n' for number in range(300_000))
    records = tmp_path / "many.jsonl"
    records.write_text("".join(lines))
    running = subprocess.Popen([*program(), "scan", str(records), "--quiet"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(0.5)
    running.send_signal(signal.SIGINT)
    assert running.wait(10) in (130, -signal.SIGINT)
