#!/usr/bin/env bash
# Prints the formula of a release for Homebrew:
#
#     .github/release/formula.sh SHA256SUMS URL >dupfind.rb
#
# SHA256SUMS has a line for each archive, as a release has it. URL is the address of the repository.
set -euo pipefail

if [ $# -ne 2 ]; then
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
sums=$1
repository=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
key() {
  sed -n "/^$1 = /{s/^$1 = \"\(.*\)\".*/\1/p;q;}" "$root/Cargo.toml"
}
version=$(key version)

# The lines for one target.
archive() {
  local name=dupfind-v$version-$1.tar.gz sum
  sum=$(awk -v name="$name" '$2 == name || $2 == "*" name {print $1}' "$sums")
  if [ -z "$sum" ]; then
    echo "$sums has no line for $name" >&2
    exit 1
  fi
  printf '      url "%s/releases/download/v%s/%s"\n      sha256 "%s"\n' "$repository" "$version" "$name" "$sum"
}

mac_arm=$(archive aarch64-apple-darwin)
mac_intel=$(archive x86_64-apple-darwin)
linux_arm=$(archive aarch64-unknown-linux-gnu)
linux_intel=$(archive x86_64-unknown-linux-gnu)

cat <<EOF
class Dupfind < Formula
  desc "$(key description)"
  homepage "$repository"
  version "$version"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
$mac_arm
    end
    on_intel do
$mac_intel
    end
  end

  on_linux do
    on_arm do
$linux_arm
    end
    on_intel do
$linux_intel
    end
  end

  def install
    bin.install "dupfind"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/dupfind.bash" => "dupfind"
    zsh_completion.install "completions/_dupfind"
    fish_completion.install "completions/dupfind.fish"
  end

  test do
    text = "The ferry crosses the river every twenty minutes and carries bicycles free of charge."
    (testpath/"a.md").write text
    (testpath/"b.md").write text
    assert_match "2 copies of one text", shell_output("#{bin}/dupfind scan --no-config #{testpath}")
  end
end
EOF
