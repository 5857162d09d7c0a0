#!/usr/bin/env bash
# Builds the program for Linux with its C library in it, and runs it where there is nothing else:
#
#     .github/release/static.sh OUT
#
# OUT is the file it becomes. The image holds it alone.
set -euo pipefail

if [ $# -ne 1 ]; then
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
out=$1
cd "$(dirname "$0")/../.."
# With a target named, the flags are not those of build scripts and macros, which cannot be static.
target=$(rustc --print host-tuple)
RUSTFLAGS="-C target-feature=+crt-static" cargo build --profile dist --locked --bin dupfind --features pdf --target "$target"
mkdir -p "$(dirname "$out")"
cp "${CARGO_TARGET_DIR:-target}/$target/dist/dupfind" "$out"

if ldd "$out" >/dev/null 2>&1 && ! ldd "$out" | grep -q "statically linked"; then
  echo "it needs shared libraries:" >&2
  ldd "$out" >&2
  exit 1
fi
size=$(stat -c %s "$out")
echo "$out: $((size >> 10)) KB"
if [ "$size" -gt $((30 << 20)) ]; then
  echo "it is larger than 30 MB" >&2
  exit 1
fi
# Where no user may have a namespace of his own, such as while an image is built, the files are not tried.
if ! unshare --map-root-user true 2>/dev/null; then
  echo "not run in an empty root: this user may not make one"
  exit 0
fi
root=$(mktemp -d)
trap 'rm -r "$root"' EXIT
mkdir "$root/tmp"
cp "$out" "$root/dupfind"
cp -R fixtures/corpus/mixed "$root/docs"
unshare --map-root-user chroot "$root" /dupfind scan /docs --quiet >/dev/null
echo "it runs in an empty root"
