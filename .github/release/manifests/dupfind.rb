class Dupfind < Formula
  desc "@description@"
  homepage "@repository@"
  version "@version@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "@repository@/releases/download/v@version@/dupfind-v@version@-aarch64-apple-darwin.tar.gz"
      sha256 "@aarch64-apple-darwin@"
    end
    on_intel do
      url "@repository@/releases/download/v@version@/dupfind-v@version@-x86_64-apple-darwin.tar.gz"
      sha256 "@x86_64-apple-darwin@"
    end
  end

  on_linux do
    on_arm do
      url "@repository@/releases/download/v@version@/dupfind-v@version@-aarch64-unknown-linux-gnu.tar.gz"
      sha256 "@aarch64-unknown-linux-gnu@"
    end
    on_intel do
      url "@repository@/releases/download/v@version@/dupfind-v@version@-x86_64-unknown-linux-gnu.tar.gz"
      sha256 "@x86_64-unknown-linux-gnu@"
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
