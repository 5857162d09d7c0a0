from adapter import run, shingle_sets
from SetSimilaritySearch import all_pairs
run(lambda sets: all_pairs(sets, similarity_threshold=0.2), shingle_sets)
