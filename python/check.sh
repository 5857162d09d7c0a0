#!/usr/bin/env bash
# Builds the wheel, installs it in an empty environment where there is no Rust, runs the module and the command, and
# tests both with the real libraries. Arguments go to maturin, in place of --release.
set -euo pipefail
cd "$(dirname "$0")"
target=$(cd .. && cd "${CARGO_TARGET_DIR:-$PWD/target}" 2>/dev/null && pwd || echo "$PWD/../target")
work=$target/python
mkdir -p "$work"
started=$SECONDS
step() { printf '\n== %s (%s s)\n' "$*" "$((SECONDS - started))"; }

step "tools"
[ -x "$work/tools/bin/python" ] || python3 -m venv "$work/tools"
"$work/tools/bin/pip" install -q --disable-pip-version-check -r requirements.txt

step "wheel"
rm -rf "$work/wheels"
[ "$#" != 0 ] || set -- --release
"$work/tools/bin/maturin" build --locked --out "$work/wheels" --interpreter "$work/tools/bin/python" "$@"
wheel=$(echo "$work/wheels"/*.whl)
size=$(stat -c %s "$wheel" 2>/dev/null || stat -f %z "$wheel")
echo "$(basename "$wheel"): $((size >> 10)) KB"
case " $* " in *" --release "*)
  # It is to become 10 MB. The program alone, compressed, has 11 MB: dictionaries and models take half of them.
  if [ "$size" -gt $((16 << 20)) ]; then
    echo "the wheel is larger than 16 MB" >&2
    exit 1
  fi
  ;;
esac

step "an empty environment without Rust"
rm -rf "$work/empty"
python3 -m venv "$work/empty"
"$work/empty/bin/pip" install -q --disable-pip-version-check --no-index "$wheel"
(
  cd ..
  PATH=$work/empty/bin:/usr/bin:/bin
  ! command -v cargo
  dupfind --version
  dupfind scan fixtures/corpus/mixed --quiet >/dev/null
  python -c 'import dupfind; assert len(dupfind.scan(["one two three four"] * 2)) == 1'
)

step "tests"
"$work/tools/bin/pip" install -q --disable-pip-version-check --no-index --no-deps --force-reinstall "$wheel"
"$work/tools/bin/pytest" -q

step "types"
"$work/tools/bin/mypy"
PYRIGHT_PYTHON_IGNORE_WARNINGS=1 "$work/tools/bin/pyright" --pythonpath "$work/tools/bin/python"

step "done"
