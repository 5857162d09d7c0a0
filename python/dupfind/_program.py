"""The command ``dupfind``."""

import signal
import sys

from dupfind._dupfind import run_program


def main() -> int:
    """Runs the command and returns its exit status."""
    # An interrupt ends the command at once, as it ends the program.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_program(sys.argv)
