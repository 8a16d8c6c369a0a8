#!/bin/sh
# Installs packages into the environment of a Python: install_packages.sh PYTHON what and how...
# uv does it in seconds. It knows nothing of an index that only pip is told of, so pip has the last try.
set -eu

python=$1
shift
if ! "$python" -m uv --version >/dev/null 2>&1; then
  "$python" -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/uv.txt || true
fi
"$python" -m uv pip install --quiet --python "$python" "$@" ||
  "$python" -m pip install --quiet --disable-pip-version-check "$@"
