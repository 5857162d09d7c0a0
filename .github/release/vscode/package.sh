#!/usr/bin/env bash
# Makes the extension for VS Code, with the version of this repository, and tests it if DUPFIND names the program:
#
#     .github/release/vscode/package.sh FILE.vsix
set -euo pipefail

file=$(realpath -m "${1:?usage: .github/release/vscode/package.sh FILE.vsix}")
cd "$(dirname "$0")/../../.."
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml)
# A release has it.
repository=$(sed -n 's/^repository = "\(.*\)"$/\1/p' Cargo.toml)
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
cp -r .github/release/vscode/. LICENSE "$work"
cd "$work"
# Nothing that is installed runs a script of its own.
npm ci --ignore-scripts --no-audit --no-fund --silent
node --check extension.js
if [ -n "${DUPFIND:-}" ]; then
  node --test test.js
fi
if [ -n "$repository" ]; then
  npm pkg set repository.type=git "repository.url=$repository.git"
fi
npx vsce package "$version" --allow-missing-repository --no-git-tag-version --out "$file"
