#!/usr/bin/env bash
# Prepares a release: fills in the owner and the version, checks the packages to be published, and lists the steps that are left.
# It publishes nothing.
#
#     .github/release/prepare.sh OWNER VERSION      OWNER is the user or the organisation of the repository
#     .github/release/prepare.sh --check VERSION    only checks, without the steps
#     .github/release/prepare.sh --dry-run          everything in a copy of the files in git's index, without a download
set -euo pipefail

fail() {
  echo "prepare.sh: $1" >&2
  exit 1
}

# Makes $1 what a command prints, and keeps the mode of the file.
rewrite() {
  "${@:2}" <"$1" >"$work/rewritten"
  cat "$work/rewritten" >"$1"
}

cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=${2:-}
package=(cargo package --workspace --exclude dupfind-python --no-verify --locked --allow-dirty)
case "$#:${1:-}" in
  1:--dry-run)
    owner=someone
    version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml)
    package+=(--offline)
    git checkout-index --all --prefix="$work/copy/"
    cd "$work/copy"
    git init --quiet
    git add --all --force
    ;;
  2:--check) owner= ;;
  2:[!-]*) owner=$1 ;;
  *)
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac

# Written so that this file is not among those that wait for the owner.
waiting=OWNER
waiting+=/dupfind
if [ -n "$owner" ]; then
  [[ $owner =~ ^[A-Za-z0-9][A-Za-z0-9-]*$ ]] || fail "not the name of a user or an organisation: $owner"
  { git grep -lz "$waiting" || true; } | while IFS= read -r -d '' file; do
    rewrite "$file" sed "s|$waiting|$owner/dupfind|g"
  done
  if ! grep -q "^## \[*$version" CHANGELOG.md; then
    rewrite CHANGELOG.md sed "s/^## Unreleased$/## $version - $(date +%F)/"
  fi
fi

echo "== the owner, the version and the changelog"
if git grep -n "$waiting"; then
  fail "these lines wait for the owner: .github/release/prepare.sh NAME $version"
fi
if grep -nHE '^version = |^dupfind-[a-z]+ = \{ path|^dependencies = .*dupfind==' Cargo.toml pyproject.toml | grep -v "[\"=]$version\""; then
  fail "these lines have another version than $version"
fi
if grep -L '^version.workspace = true$' crates/*/Cargo.toml python/Cargo.toml | grep .; then
  fail "these packages do not have the version of the workspace"
fi
bash .github/release/notes.sh "$version" >/dev/null

echo "== the crates"
if ! "${package[@]}" --target-dir "$work/target" >"$work/log" 2>&1; then
  cat "$work/log" >&2
  fail "cargo cannot package them"
fi
if grep "manifest has no" "$work/log"; then
  fail "crates.io wants a description, a license and a repository"
fi
for crate in "$work"/target/package/*.crate; do
  tar -tzf "$crate" | grep '/README.md$' >/dev/null || fail "$crate has no README.md"
  size=$(wc -c <"$crate")
  echo "$(basename "$crate"): $((size >> 10)) KB"
  ((size < 10 << 20)) || fail "crates.io accepts no crate of more than 10 MB"
done

echo "== the npm packages"
if command -v npm >/dev/null; then
  # The program of each platform is empty here: the workflow of the release builds it.
  mkdir "$work/archives"
  sed -n 's/^  "\([^"]*\)": .*/\1/p' .github/release/npm/platforms.json | while read -r target; do
    stem=dupfind-v$version-$target
    mkdir "$work/$stem"
    touch "$work/$stem/dupfind" "$work/$stem/dupfind.exe"
    tar -czf "$work/archives/$stem.tar.gz" -C "$work" "$stem"
  done
  node .github/release/npm/make.mjs "$work/archives" "$work/npm"
  npm pack --dry-run --silent "$work"/npm/*
else
  echo "npm is missing: they are not checked"
fi

[ -n "$owner" ] || exit 0
early='first release|第一个发布版'
cat <<END

What is left for $version:
1. If it is the first release, reword these lines and the text around them. They describe the time before it:
$(git grep -nE "$early" -- '*.md' '*.ipynb')
2. If it is the first release, tell PyPI and npm that the workflow publish.yml may publish (trusted publishers).
3. Commit, tag and push:
   git commit --all --message "Release $version" && git tag v$version && git push origin HEAD v$version
   The workflow release.yml builds the draft of a release. Read it and publish it. Then publish.yml publishes on PyPI,
   npm and ghcr.io.
4. Publish the crates, each after those that it needs:
   cargo publish --workspace --exclude dupfind-python --locked
END
