#!/usr/bin/env bash
# Builds the wheel, installs it in empty environments where there is no Rust, runs the module and the command, and tests
# both with the real libraries:
#
#     python/check.sh [--source] [OPTION OF MATURIN]...
#
# --source also builds the source distribution and installs it with pip, which compiles this crate a second time. The
# options of maturin take the place of --profile dist. PYTHONS names further interpreters, by a space: each gets the wheel.
set -euo pipefail
cd "$(dirname "$0")"
target=$(cd .. && mkdir -p "${CARGO_TARGET_DIR:-target}" && cd "${CARGO_TARGET_DIR:-target}" && pwd)
export CARGO_TARGET_DIR=$target
work=$target/python
mkdir -p "$work"
started=$SECONDS
step() { printf '\n== %s (%s s)\n' "$*" "$((SECONDS - started))"; }
with_source=0
if [ "${1:-}" = --source ]; then
  with_source=1
  shift
fi

step "tools"
# An environment that was moved here from another folder does not work.
"$work/tools/bin/pip" --version >/dev/null 2>&1 || python3 -m venv --clear "$work/tools"
"$work/tools/bin/pip" install -q --disable-pip-version-check -r requirements.txt

step "wheel"
rm -rf "$work/wheels"
[ "$#" != 0 ] || set -- --profile dist
"$work/tools/bin/maturin" build --locked --compression-level 9 --out "$work/wheels" \
  --interpreter "$work/tools/bin/python" "$@"
wheel=$(echo "$work/wheels"/*.whl)
size=$(stat -c %s "$wheel" 2>/dev/null || stat -f %z "$wheel")
echo "$(basename "$wheel"): $((size >> 10)) KB"
case " $* " in *" --profile dist "*)
  if [ "$size" -gt 15000000 ]; then
    echo "the wheel is larger than 15 MB" >&2
    exit 1
  fi
  ;;
esac
# It promises to run with every Python from 3.10 on.
"$work/tools/bin/abi3audit" --strict "$wheel"

for python in python3 ${PYTHONS:-}; do
  step "an empty environment without Rust: $("$python" --version)"
  rm -rf "$work/empty"
  "$python" -m venv "$work/empty"
  "$work/empty/bin/pip" install -q --disable-pip-version-check --no-index "$wheel"
  (
    cd ..
    PATH=$work/empty/bin:/usr/bin:/bin
    if command -v cargo; then exit 1; fi
    dupfind --version
    dupfind scan fixtures/corpus/mixed --quiet >/dev/null
    python -c 'import dupfind; assert len(dupfind.scan(["one two three four"] * 2)) == 1'
  )
done

if [ "$with_source" = 1 ]; then
  step "source distribution"
  rm -rf "$work/source" "$work/empty"
  "$work/tools/bin/maturin" sdist --out "$work/source"
  python3 -m venv "$work/empty"
  # The other crates are those of the wheel.
  "$work/empty/bin/pip" install -q --disable-pip-version-check "$work/source"/*.tar.gz
  (cd / && "$work/empty/bin/python" -c 'import dupfind; assert len(dupfind.scan(["one two three four"] * 2)) == 1')
  "$work/empty/bin/dupfind" --version
fi

step "tests"
"$work/tools/bin/pip" install -q --disable-pip-version-check --no-index --no-deps --force-reinstall "$wheel"
"$work/tools/bin/pytest" -q

step "types"
"$work/tools/bin/mypy"
PYRIGHT_PYTHON_IGNORE_WARNINGS=1 "$work/tools/bin/pyright" --pythonpath "$work/tools/bin/python"

if command -v java >/dev/null; then
  step "spark"
  "$work/spark/bin/pip" --version >/dev/null 2>&1 || python3 -m venv --clear "$work/spark"
  "$work/spark/bin/pip" install -q --disable-pip-version-check -r requirements-spark.txt
  "$work/spark/bin/pip" install -q --disable-pip-version-check --no-index --no-deps --force-reinstall "$wheel"
  "$work/spark/bin/python" tests/spark.py
fi

step "done"
