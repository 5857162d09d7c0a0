#!/usr/bin/env bash
# Packs what a release holds for one target, with its SHA-256:
#
#     .github/release/package.sh BINARY TARGET FOLDER
#
# writes FOLDER/dupfind-vVERSION-TARGET.tar.gz, or .zip for Windows, and FOLDER/….sha256. The names are
# those that the action and [package.metadata.binstall] in Cargo.toml look for.
set -euo pipefail

if [ $# -ne 3 ]; then
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
binary=$1
target=$2
mkdir -p "$3"
folder=$(cd "$3" && pwd)
root=$(cd "$(dirname "$0")/../.." && pwd)

version=$("$binary" --version)
name=dupfind-v${version#dupfind }-$target
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
mkdir -p "$work/$name/completions" "$work/$name/man"
cp -R "$binary" "$root"/README*.md "$root/docs" "$root/CHANGELOG.md" "$root/LICENSE" "$work/$name"
# What README.md shows.
mkdir -p "$work/$name/.github/pictures"
cp "$root"/.github/pictures/*.{svg,png} "$work/$name/.github/pictures"
"$binary" completions man >"$work/$name/man/dupfind.1"
# The pages that this one refers to.
sed -n 's/^dupfind\\-\([a-z]*\)(1)$/\1/p' "$work/$name/man/dupfind.1" | while read -r command; do
  "$binary" completions man "$command" >"$work/$name/man/dupfind-$command.1"
done
# Under the names that the shells look for.
"$binary" completions bash >"$work/$name/completions/dupfind.bash"
"$binary" completions zsh >"$work/$name/completions/_dupfind"
"$binary" completions fish >"$work/$name/completions/dupfind.fish"
"$binary" completions powershell >"$work/$name/completions/_dupfind.ps1"
"$binary" completions elvish >"$work/$name/completions/dupfind.elv"

case $target in
  *windows*)
    archive=$name.zip
    (cd "$work" && 7z a -bso0 "$archive" "$name")
    ;;
  *)
    archive=$name.tar.gz
    tar -czf "$work/$archive" -C "$work" "$name"
    ;;
esac
mv "$work/$archive" "$folder"
cd "$folder"
if command -v sha256sum >/dev/null; then
  sha256sum "$archive" >"$archive.sha256"
else
  shasum -a 256 "$archive" >"$archive.sha256"
fi
echo "$folder/$archive"
