#!/usr/bin/env python3
"""Scan each of the last commits of a repository with an index and without one, and compare what is printed.

    replay.py DUPFIND REPOSITORY [--folder FOLDER] [--commits N] [--format FORMAT]

The repository is copied first. One index is made at the first commit and goes through all others. Prints how many commits
gave the same bytes, and the CPU seconds of both; exits with 1 at the first difference.
"""

import argparse
import os
import subprocess
import sys
import tempfile


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dupfind")
    parser.add_argument("repository")
    parser.add_argument("--folder", default=".", help="the folder that is scanned")
    parser.add_argument("--commits", type=int, default=200)
    parser.add_argument("--format", default="json")
    return parser.parse_args()


def scan(command, folder):
    """What a scan printed, its exit status, and its CPU seconds."""
    before = os.times()
    run = subprocess.run(command, cwd=folder, capture_output=True)
    after = os.times()
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    return (run.stdout, run.stderr, run.returncode), seconds


def main():
    options = arguments()
    dupfind = os.path.abspath(options.dupfind)
    with tempfile.TemporaryDirectory() as top:
        copy, index = os.path.join(top, "copy"), os.path.join(top, "site.dupidx")

        def git(*command):
            run = subprocess.run(["git", "-C", copy, *command], check=True, capture_output=True, text=True)
            return run.stdout

        subprocess.run(["git", "clone", "--quiet", options.repository, copy], check=True)
        commits = git("rev-list", "--first-parent", f"--max-count={options.commits}", "HEAD").split()
        cold, warm = 0, 0
        for number, commit in enumerate(reversed(commits)):
            git("checkout", "--quiet", "--force", commit)
            command = [dupfind, "scan", options.folder, "--format", options.format]
            without, seconds = scan(command, copy)
            with_index, seconds_with = scan([*command, "--index", index], copy)
            if without != with_index:
                sys.exit(f"{commit}, the {number + 1}th: the scan with an index prints something else")
            # The first scan makes the index.
            if number > 0:
                cold, warm = cold + seconds, warm + seconds_with
        print(f"{len(commits)} commits, the same bytes after each")
        if cold:
            print(f"CPU of the scans with an index / without: {warm:.2f} s / {cold:.2f} s = {warm / cold:.2f}")


main()
