#!/usr/bin/env bash
# Checks how many crates the engine needs, and that it builds alone and the program without PDF without warnings.
#
#     tests/features.sh          the engine, and the program as most people build it
#     tests/features.sh --all    the program and its tests with Parquet and with PDF, too
set -euo pipefail
cd "$(dirname "$0")/.."

# The most crates that the engine may need, with itself.
most=40
crates=$(cargo tree --locked -p dupfind-engine -e normal,build --prefix none | sed 's/ (.*//' | sort -u)
count=$(wc -l <<<"$crates")
echo "dupfind-engine: $count crates"
if ((count > most)); then
  echo "no more than $most are wanted" >&2
  exit 1
fi
# Nobody who compares texts gets a reader of files or a command line.
if grep -E '^(clap|dupfind-(files|read)|ignore) ' <<<"$crates"; then
  echo "dupfind-engine must not need these" >&2
  exit 1
fi

# What `cargo clippy` runs, as in the other steps of the gate. All crates are checked together, as `cargo doc` has them
# checked: what it has compiled is not compiled again.
export RUSTC_WORKSPACE_WRAPPER=clippy-driver RUSTFLAGS="-D warnings"
check() {
  echo "$*"
  cargo check --locked --quiet "$@"
}
check --workspace --exclude dupfind-python --lib --bins
check -p dupfind-engine --lib
if [ "${1:-}" = --all ]; then
  for feature in parquet pdf; do
    check -p dupfind-cli --lib --bins --tests --features "$feature"
  done
fi
