#!/usr/bin/env python3
"""Run a command, and write down what it took.

    measure.py RESULT SECONDS STDIN STDOUT COMMAND...

RESULT gets a JSON object: `status` (`ok`, `failed` or `stopped`), `wall` and `cpu` in seconds and
`memory`, the peak of the largest process, in MiB. A command that takes longer than SECONDS is
stopped with all its children. What it says on standard error goes to RESULT.log.

This is a program of its own because a child's peak memory starts at that of its parent: it has to
be a small one.
"""

import json
import os
import signal
import sys
import time


def main(result, seconds, stdin, stdout, *command):
    to_write = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    files = [
        (os.POSIX_SPAWN_OPEN, 0, stdin, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, stdout, to_write, 0o644),
        (os.POSIX_SPAWN_OPEN, 2, result + ".log", to_write, 0o644),
    ]
    stopped = False
    start = time.monotonic()
    child = os.posix_spawnp(
        command[0], command, os.environ, file_actions=files, setpgroup=0
    )

    def stop(*_):
        nonlocal stopped
        stopped = True
        os.killpg(child, signal.SIGKILL)

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, float(seconds))
    _, status, usage = os.wait4(child, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    failed = "stopped" if stopped else "failed"
    measured = {
        "status": "ok" if os.waitstatus_to_exitcode(status) == 0 else failed,
        "wall": time.monotonic() - start,
        "cpu": usage.ru_utime + usage.ru_stime,
        "memory": usage.ru_maxrss / 1024,
    }
    with open(result, "w", encoding="utf-8") as file:
        json.dump(measured, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
