"""``python -m dupfind`` runs the command."""

import sys

from dupfind._program import main

if __name__ == "__main__":
    sys.argv[0] = "dupfind"
    sys.exit(main())
