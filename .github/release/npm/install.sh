#!/usr/bin/env bash
# Builds the npm package in a clone and installs it, on Linux and macOS:
#
#     .github/release/npm/install.sh
#
# The variable npm_config_prefix names the folder that gets it, if it is not npm's own.
set -euo pipefail

cd "$(dirname "$0")/../../.."
cargo build --release --locked --bin dupfind --features pdf
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
bash .github/release/package.sh "${CARGO_TARGET_DIR:-target}/release/dupfind" "$(rustc --print host-tuple)" "$work/archives"
node .github/release/npm/make.mjs --bundled "$work/archives" "$work/npm"
npm pack --silent --pack-destination "$work" "$work/npm/dupfind"
# Nothing is fetched: the package holds the program.
npm install --global --offline --no-audit --no-fund "$work"/dupfind-*.tgz
