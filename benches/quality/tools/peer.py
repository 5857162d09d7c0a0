"""A library of benches/peers: peer.py FOLDER datasketch|rensa|gaoya|SetSimilaritySearch. Its last answer counts."""
import sys
from adapter import run, shingle_sets
from libraries import LIBRARIES
run(lambda sets: list(LIBRARIES[sys.argv[2]](sets).values())[-1], shingle_sets)
