#!/bin/sh
# Gives an environment the pip of requirements/pip.txt, and takes away the setuptools that an older
# Python puts beside it: renew_pip.sh PYTHON. Nothing here is built with setuptools.
set -eu

"$1" -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/pip.txt
"$1" -m pip uninstall --quiet --yes setuptools wheel
