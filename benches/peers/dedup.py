"""dedup.py RECORDS.jsonl DUPFIND: deduplicates records with peers and with dupfind, each in a process of its own.

DUPFIND is the program. Prints a Markdown table: records removed, those of them whose title no record that stays has, CPU and
memory, and how many lines a user writes. The peers take 5 words in a row, 128 hashes (gaoya 117) and the similarity 0.8."""

import inspect, json, re, resource, subprocess, sys


def records():
    return [json.loads(line)["text"] for line in open(sys.argv[1], encoding="utf8")]


def shingles(text):
    words = re.findall(r"\w+|[^\W\d_]", text.lower())
    return {" ".join(words[i : i + 5]) for i in range(max(1, len(words) - 4))}


def datasketch(texts):
    from datasketch import MinHash, MinHashLSH
    lsh, kept = MinHashLSH(threshold=0.8, num_perm=128), []
    for i, text in enumerate(texts):
        hashes = MinHash(num_perm=128)
        hashes.update_batch([s.encode() for s in shingles(text)])
        if not lsh.query(hashes):
            lsh.insert(i, hashes)
            kept.append(i)
    return kept


def rensa(texts):
    from rensa import RMinHash, RMinHashLSH
    lsh, kept = RMinHashLSH(threshold=0.8, num_perm=128, num_bands=16), []
    for i, text in enumerate(texts):
        hashes = RMinHash(num_perm=128, seed=42)
        hashes.update(list(shingles(text)))
        if not lsh.query(hashes):
            lsh.insert(i, hashes)
            kept.append(i)
    return kept


def gaoya(texts):
    from gaoya.minhash import MinHashStringIndex
    index, kept = MinHashStringIndex(32, 0.8, 9, 13, 117, "word", True, (5, 5)), []
    for i, text in enumerate(texts):
        if not index.query(text):
            index.insert_document(i, text)
            kept.append(i)
    return kept


def dupfind(texts, *options):
    command = [sys.argv[2], "dedup", sys.argv[1], "--no-config", *options, "-o", "-"]
    out = subprocess.run(command, capture_output=True, check=True).stdout
    at = {}
    for i, text in enumerate(texts):
        at.setdefault(text, []).append(i)
    return [at[json.loads(line)["text"]].pop(0) for line in out.splitlines()]


def dupfind_similar(texts):
    return dupfind(texts, "--drop", "similar", "--min-similarity", "0.8")


def lines(name):
    if name.startswith("dupfind"):
        return 1
    source = inspect.getsource(globals()[name])
    helpers = [inspect.getsource(shingles)] if "shingles(" in source else []
    # Without the line of each def.
    return sum(len(part.strip().splitlines()) - 1 for part in [source, *helpers])


def title(text):
    heading = re.search(r"^#+\s*(.+)$", text, re.M)
    return heading.group(1).strip() if heading else text.strip()[:40]


if len(sys.argv) > 3:
    texts = records()
    kept = set(globals()[sys.argv[3]](texts))
    titles = {title(texts[i]) for i in kept}
    gone = [i for i in range(len(texts)) if i not in kept]
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    is_program = sys.argv[3].startswith("dupfind")
    cpu = sum(u.ru_utime + u.ru_stime for u in (used[1:] if is_program else used))
    memory = used[1 if is_program else 0].ru_maxrss // 1024
    lost = sum(title(texts[i]) not in titles for i in gone)
    print(f"{len(gone):,} | {lost:,} | {cpu:.1f} | {memory:,} | {lines(sys.argv[3])}")
else:
    print("| tool | removed | of a title that no record has that stays | CPU s | peak MiB | lines of the user |\n|---|---:|---:|---:|---:|---:|")
    for name in ("dupfind", "dupfind_similar", "datasketch", "rensa", "gaoya"):
        made = subprocess.run([sys.executable, __file__, sys.argv[1], sys.argv[2], name], capture_output=True, text=True)
        print(f"| {name} | {made.stdout.strip() or made.stderr.strip().splitlines()[-1]} |", flush=True)
