#!/usr/bin/env bash
# Compare dupfind with its peers on a folder, and print a Markdown table. See README.md.
#
#     benches/peers/run.sh FOLDER [WORKDIR [--repeats N] [--timeout SECONDS]]
#
# The peers are installed by name into WORKDIR (default: target/peers), sim_text on the system.
# What cannot be installed is reported as such. DUPFIND names a program to use instead of building.
set -euo pipefail

if [ $# -eq 0 ]; then
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
    exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
folder=$1
work=${2:-$root/target/peers}
shift $(($# < 2 ? $# : 2))

mkdir -p "$work"
work=$(cd "$work" && pwd)
python=$work/venv/bin/python
export PYTHONDONTWRITEBYTECODE=1
log=$work/install.log
: >"$log"

# Run a command that may fail, and say so in one line.
try() {
    "$@" >>"$log" 2>&1 || echo "failed, see $log: $*" >&2
}

platform_package() {
    "$work/npm/node_modules/.bin/jscpd" --version ||
        npm install --prefix "$work/npm" --no-audit --no-fund \
            "jscpd-$(node -p 'process.platform + "-" + process.arch')-gnu"
}

sim_text() {
    command -v sim_text || {
        [ "$(id -u)" = 0 ] && apt-get update &&
            apt-get install --yes --no-install-recommends similarity-tester
    }
}

echo "installing into $work" >&2
[ -x "$python" ] || python3 -m venv "$work/venv" >>"$log"
"$python" -m pip install numpy scipy >>"$log"
for package in datasketch rensa gaoya SetSimilaritySearch; do
    try "$python" -m pip install "$package"
done
try cargo install dupey --locked --root "$work/cargo"
try npm install --prefix "$work/npm" --no-audit --no-fund jscpd
try platform_package # npm leaves it out as long as it has not been published yet
try sim_text

if [ -z "${DUPFIND:-}" ]; then
    (cd "$root" && cargo build --release --locked >>"$log" 2>&1)
    DUPFIND=${CARGO_TARGET_DIR:-$root/target}/release/dupfind
fi

# The others read every file as plain text, and by its name so does dupfind then.
texts=$work/texts
rm -rf "$texts"
cp -R "$folder" "$texts"
find "$texts" -type f ! -name '*.txt' -exec sh -c 'mv "$1" "$1.txt"' _ {} \;
"$python" "$here/run.py" "$texts" "$work" "$DUPFIND" "$@"
