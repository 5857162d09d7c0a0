#!/usr/bin/env bash
# Prints the section of CHANGELOG.md about a version:
#
#     .github/release/notes.sh VERSION
#
# A version without a section is an error: a release lists its changes.
set -euo pipefail

if [ $# -ne 1 ]; then
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
changelog=$(dirname "$0")/../../CHANGELOG.md
# The heading is '## 1.2.3', with or without brackets and a date. A version is no pattern: its dots are dots.
notes=$(awk -v version="$1" '
  /^## / { heading = $2; gsub(/[][]/, "", heading); inside = heading == version; next }
  inside' "$changelog")
if [ -z "$notes" ]; then
  echo "CHANGELOG.md has no section '## $1', or nothing in it" >&2
  exit 1
fi
printf '%s\n' "$notes"
