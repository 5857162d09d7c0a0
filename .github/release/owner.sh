#!/usr/bin/env bash
# Puts the owner of the repository into every file that names it:
#
#     .github/release/owner.sh NAME
#
# Without NAME it lists the lines that still wait for one, and fails if there are any: a release must have none.
set -euo pipefail
cd "$(dirname "$0")/../.."

# Written so that this file is not one of them.
waiting=OWNER
waiting+=/dupfind
if [ $# -eq 0 ]; then
  if git grep -n "$waiting"; then
    echo "put the owner in: .github/release/owner.sh NAME" >&2
    exit 1
  fi
  exit 0
fi
if [[ ! $1 =~ ^[A-Za-z0-9][A-Za-z0-9-]*$ ]]; then
  echo "not the name of a user or an organisation: $1" >&2
  exit 2
fi
git grep -lz "$waiting" | while IFS= read -r -d '' file; do
  sed "s|$waiting|$1/dupfind|g" "$file" >"$file.new"
  cat "$file.new" >"$file"
  rm "$file.new"
done
