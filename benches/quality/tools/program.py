"""A program of benches/peers: program.py FOLDER WORKDIR dupey|jscpd|"sim_text -a"|"sim_text -e".

WORKDIR is where benches/peers/run.sh has installed it. If there are several ways to read its report, the first counts.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from adapter import texts, write
from peers import distinct, peers

folder, work, *name = sys.argv[1:]
with tempfile.TemporaryDirectory() as results:
    names = Path(results, "names")
    names.write_text("".join(f"{file}\n" for file in texts(folder)), "utf-8")
    known = peers("dupfind", Path(work).resolve(), Path(results), names)
    [peer] = [peer for peer in known if peer.name == " ".join(name)]
    with open(peer.standard_input, "rb") as given, open(Path(results, f"{peer.name}.out"), "wb") as out:
        subprocess.run(peer.command, cwd=folder, stdin=given, stdout=out, check=True)
    readings = peer.pairs(peer.report)
    write(sorted(map(sorted, distinct(next(iter(readings.values()))))))
