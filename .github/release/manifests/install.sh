#!/bin/sh
# Installs a release of dupfind for the user who runs it:
#
#     sh install.sh
#
# DUPFIND_BIN is the folder it goes to (~/.local/bin), DUPFIND_VERSION the release (the newest one),
# DUPFIND_RELEASES the address of a mirror, which holds folders vVERSION. A release has this script with its own address
# and version filled in.
set -eu

releases=${DUPFIND_RELEASES:-@repository@/releases/download}
bin=${DUPFIND_BIN:-$HOME/.local/bin}
version=${DUPFIND_VERSION:-@version@}

fail() {
  echo "dupfind: $1" >&2
  exit 1
}

case $(uname -m) in
  x86_64 | amd64) machine=x86_64 ;;
  arm64 | aarch64) machine=aarch64 ;;
  *) fail "there is no release for $(uname -m); with Rust: cargo install dupfind-cli" ;;
esac
case $(uname -s) in
  Linux)
    target=$machine-unknown-linux-musl
    # glibc allocates faster with several threads. 2.35 is that of the machine which builds the release.
    glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null | sed -n 's/^glibc 2\.\([0-9]*\).*/\1/p')
    if [ "${glibc:-0}" -ge 35 ]; then
      target=$machine-unknown-linux-gnu
    fi
    ;;
  Darwin) target=$machine-apple-darwin ;;
  *) fail "this script installs on Linux and macOS; for Windows: install.ps1" ;;
esac

fetch() {
  curl --fail --silent --show-error --location --retry 3 --proto '=https,file' --output "$2" "$1"
}
sum() {
  if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -c 1-64
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
name=dupfind-v$version-$target
archive=$work/$name.tar.gz
fetch "$releases/v$version/$name.tar.gz" "$archive" || fail "cannot get $releases/v$version/$name.tar.gz"
fetch "$releases/v$version/$name.tar.gz.sha256" "$archive.sha256" || fail "the release has no checksum"
[ "$(cut -c 1-64 "$archive.sha256")" = "$(sum "$archive")" ] || fail "the archive is not what its checksum says"
tar -xzf "$archive" -C "$work"
mkdir -p "$bin"
# A program that runs cannot be written over, and half a program must not be run.
cp "$work/$name/dupfind" "$bin/.dupfind.new"
mv "$bin/.dupfind.new" "$bin/dupfind"
"$bin/dupfind" --version
case :$PATH: in
  *:"$bin":*) ;;
  *) echo "$bin is not in PATH: add it, or run $bin/dupfind" >&2 ;;
esac
