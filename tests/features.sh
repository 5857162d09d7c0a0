#!/usr/bin/env bash
# Checks that the crate builds without warnings with each useful set of features, and how many crates the engine needs.
set -euo pipefail
cd "$(dirname "$0")/.."

# The most crates that the engine alone may need, with itself.
most=70
crates=$(cargo tree --locked --no-default-features -e normal,build --prefix none | sed 's/ (.*//' | sort -u | wc -l)
if ((crates > most)); then
  echo "the engine needs $crates crates, and no more than $most are wanted" >&2
  exit 1
fi

# The engine comes first: what it lacks, all others lack.
for features in '' unspaced-scripts files html office compressed parquet cli cli,html,office,compressed,parquet; do
  echo "features: ${features:-none}"
  cargo clippy --locked --quiet --lib --bins --no-default-features --features "$features" -- -D warnings
done
