#!/usr/bin/env bash
# Puts dupfind into PATH: the one that is there, else a release, else one built from the source that
# came with this action.
#
# INPUT_VERSION is the release wanted; DUPFIND_RELEASES the address of a mirror of the releases, which
# holds folders vVERSION. Runs in the bash 3.2 of macOS too.
set -euo pipefail

source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
wanted=${INPUT_VERSION:-}
wanted=${wanted#v}

fail() {
  printf '::error title=dupfind::%s\n' "$1"
  exit 2
}

if [[ -n $wanted && ! $wanted =~ ^[0-9]+\.[0-9]+\.[0-9]+[0-9A-Za-z.+-]*$ ]]; then
  fail "version: it must be like 1.2.3"
fi
if command -v dupfind >/dev/null; then
  found=$(dupfind --version)
  if [[ -z $wanted || $found == "dupfind $wanted" ]]; then
    echo "$found is installed"
    exit 0
  fi
fi
own=$(sed -n '/^version = /{s/^version = "\(.*\)".*/\1/p;q;}' "$source/Cargo.toml")
version=${wanted:-$own}

# Where the releases are. GitHub keeps an action in _actions/USER/REPOSITORY/REF, and its variables
# about it are empty in a composite action. Nowhere for an action of the repository at work.
releases() {
  if [ -n "${DUPFIND_RELEASES:-}" ]; then
    echo "$DUPFIND_RELEASES"
  elif [[ $source =~ /_actions/([^/]+)/([^/]+)/ ]]; then
    echo "${GITHUB_SERVER_URL:-https://github.com}/${BASH_REMATCH[1]}/${BASH_REMATCH[2]}/releases/download"
  fi
}

# The archive for this machine. On Linux it is the one that needs no C library.
archive() {
  local machine name
  case $(uname -m) in
    x86_64 | amd64) machine=x86_64 ;;
    arm64 | aarch64) machine=aarch64 ;;
    *) return ;;
  esac
  name=dupfind-v$version-$machine
  case $(uname -s) in
    Linux) echo "$name-unknown-linux-musl.tar.gz" ;;
    Darwin) echo "$name-apple-darwin.tar.gz" ;;
    MINGW* | MSYS* | CYGWIN*) echo "$name-pc-windows-msvc.zip" ;;
  esac
}

fetch() {
  curl --fail --silent --show-error --location --retry 3 --proto '=https,file' --output "$2" "$1"
}

# Read from standard input: sha256sum marks names with a backslash, as Windows has them.
sha256() {
  if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi <"$1" | cut -c 1-64
}

folder=$(mktemp -d "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/dupfind.XXXXXX")
archive=$(archive)
releases=$(releases)
release=$releases/v$version/$archive
if [[ -n $releases && -n $archive ]] && fetch "$release" "$folder/$archive"; then
  # A release without its checksum is not one of ours.
  fetch "$release.sha256" "$folder/$archive.sha256" || fail "$release has no checksum"
  if [ "$(cut -c 1-64 "$folder/$archive.sha256")" != "$(sha256 "$folder/$archive")" ]; then
    fail "$release is not what its checksum says"
  fi
  case $archive in
    *.zip) unzip -q "$folder/$archive" -d "$folder" ;;
    *) tar -xzf "$folder/$archive" -C "$folder" ;;
  esac
  archive=${archive%.zip}
  bin=$folder/${archive%.tar.gz}
elif [ "$version" != "$own" ]; then
  fail "there is no release $version for this machine (tried: ${release:-nothing})"
elif command -v cargo >/dev/null; then
  echo "no release $version for this machine: building it"
  cargo install --locked --path "$source" --root "$folder"
  bin=$folder/bin
else
  fail "there is no release $version for this machine, and no cargo to build it with"
fi

printf '%s\n' "$bin" >>"$GITHUB_PATH"
"$bin/dupfind" --version
