#!/usr/bin/env bash
# Writes what installs a release: scripts, and the manifests of Homebrew, Scoop and winget.
#
#     .github/release/manifests.sh SHA256SUMS URL FOLDER
#
# SHA256SUMS has a line for each archive, as a release has it. URL is the address of the repository. The files are those of
# the folder 'manifests', with their words between @ filled in.
set -euo pipefail

if [ $# -ne 3 ]; then
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
key() {
  sed -n "/^$1 = /{s/^$1 = \"\(.*\)\".*/\1/p;q;}" "$here/../../Cargo.toml"
}
version=$(key version)
owner=${2%/*}
owner=${owner##*/}
words="s|@version@|$version|g;s|@description@|$(key description)|g;s|@repository@|$2|g;s|@owner@|$owner|g;"
while read -r sum name; do
  target=${name#dupfind-v"$version"-}
  target=${target%.tar.gz}
  words+="s|@${target%.zip}@|$sum|g;"
done <"$1"
mkdir -p "$3"
for template in "$here"/manifests/*; do
  # winget wants the package in the names.
  made=$(basename "$template")
  made=$3/${made/#winget/$owner.dupfind}
  sed "$words" "$template" >"$made"
  if grep -n '@[a-z0-9_-]*@' "$made" >&2; then
    echo "$made: $1 has no line for this" >&2
    exit 1
  fi
done
