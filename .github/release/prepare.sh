#!/usr/bin/env bash
# Prepares a release of the version in Cargo.toml: adds the repository to the manifests and the recipes, checks the packages to be
# published, and lists the steps that are left. It publishes nothing.
#
#     .github/release/prepare.sh OWNER/NAME    the repository on GitHub, or its address
#     .github/release/prepare.sh --check       only checks, without the steps
#     .github/release/prepare.sh --dry-run [PROGRAM [WHEEL]]
#
# The dry run is done in a copy of the files in git's index. With a program that was built here it makes the packages for this
# machine, installs each where nothing else is, and runs it, and checks the manifests for other systems by their schemas, which it
# downloads. Its last line names what was not checked. It needs the Python tools of tests/adoption/requirements.txt.
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
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml)
tried=()
package=(cargo package --workspace --exclude dupfind-python --no-verify --locked --allow-dirty)
case "$#:${1:-}" in
  [123]:--dry-run)
    repository=https://github.com/example/dupfind
    for file in "${@:2}"; do
      tried+=("$(realpath "$file")")
    done
    package+=(--offline)
    git checkout-index --all --prefix="$work/copy/"
    cd "$work/copy"
    git init --quiet
    git add --all --force
    ;;
  1:--check) repository= ;;
  1:https://*) repository=$1 ;;
  1:*/*) repository=https://github.com/$1 ;;
  *)
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac

[ -z "$repository" ] || [[ $repository =~ ^https://[A-Za-z0-9./_-]+$ ]] || fail "not the address of a repository: $repository"
has_repository() { grep -q '^repository = ' Cargo.toml; }
if [ -n "$repository" ] && ! has_repository; then
  rewrite Cargo.toml sed "s|^license = .*|&\nrepository = \"$repository\"|"
  for manifest in Cargo.toml crates/*/Cargo.toml; do
    rewrite "$manifest" sed 's/^license.workspace = true$/&\nrepository.workspace = true/'
  done
  rewrite docs/ci.md sed "s|uses: \./\.github/actions/dupfind$|uses: ${repository#https://*/}/.github/actions/dupfind@v$version|
    s|repo: \.$|repo: $repository|; s|\$DUPFIND_RELEASES/|$repository/releases/download/|"
  # shellcheck disable=SC2016 # it is a pattern
  if git grep -nE 'uses: \./\.github/actions/dupfind$|repo: \.$|\$DUPFIND_RELEASES/' -- docs; then
    fail "these lines wait for the address of the repository"
  fi
fi

echo "== the repository, the version and the changelog"
has_repository || fail "Cargo.toml has no repository: .github/release/prepare.sh OWNER/NAME"
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

echo "== the packages of all platforms"
# The program of each platform is empty here: the workflow of the release builds it.
mkdir "$work/archives"
sed -n 's/^  "\([^"]*\)": .*/\1/p' .github/release/npm/platforms.json | while read -r target; do
  stem=dupfind-v$version-$target
  mkdir "$work/$stem"
  touch "$work/$stem/dupfind" "$work/$stem/dupfind.exe"
  tar -czf "$work/archives/$stem.tar.gz" -C "$work" "$stem"
  printf '%064d  %s.tar.gz\n' 0 "$stem" >>"$work/SHA256SUMS"
done
.github/release/manifests.sh "$work/SHA256SUMS" "${repository:-https://github.com/example/dupfind}" "$work/manifests"
ls "$work/manifests"
if command -v npm >/dev/null; then
  node .github/release/npm/make.mjs "$work/archives" "$work/npm"
  npm pack --dry-run --silent "$work"/npm/*
else
  echo "npm is missing: its packages are not checked"
fi
if [ "${#tried[@]}" != 0 ]; then
  python3 tests/adoption/packages.py "${tried[@]}"
fi

[ "${1#--}" = "$1" ] || exit 0
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
5. Hand in the manifests of the release: dupfind.rb to a tap of Homebrew, dupfind.json to a bucket of Scoop, and *.dupfind*.yaml to
   the repository of winget.
END
