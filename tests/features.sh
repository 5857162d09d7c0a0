#!/usr/bin/env bash
# Checks how many crates the engine alone needs, and that the crate builds without warnings with sets of features.
#
#     tests/features.sh          the engine, and the engine with files
#     tests/features.sh --all    every useful set
set -euo pipefail
cd "$(dirname "$0")/.."

# The most crates that the engine alone may need, with itself.
most=70
crates=$(cargo tree --locked --no-default-features -e normal,build --prefix none | sed 's/ (.*//' | sort -u | wc -l)
echo "the engine alone: $crates crates"
if ((crates > most)); then
  echo "no more than $most are wanted" >&2
  exit 1
fi

sets=('' files)
if [ "${1:-}" = --all ]; then
  sets+=(unspaced-scripts html office compressed parquet cli cli,html,office,compressed,parquet)
fi
for features in "${sets[@]}"; do
  echo "features: ${features:-none}"
  cargo clippy --locked --quiet --lib --bins --no-default-features --features "$features" -- -D warnings
done
