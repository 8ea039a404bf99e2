#!/bin/sh
# Pins the development tools anew, with the hashes of every file of every platform, in requirements/dev.txt.
set -eu
cd "$(dirname "$0")/.."
.venv/bin/python -m pip install --quiet 'uv>=0.11,<1'
.venv/bin/uv pip compile pyproject.toml --quiet --extra server --extra postgres --group dev --universal --python-version 3.11 \
    --generate-hashes --no-header --no-emit-index-url --no-emit-find-links --upgrade --output-file requirements/dev.txt
