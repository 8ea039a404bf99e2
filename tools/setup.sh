#!/bin/sh
# Finds a Python that is new enough and lets it set up the project (tools/setup.py).
set -eu
cd "$(dirname "$0")/.."

for name in python3.14 python3.13 python3.12 python3.11 python3 python; do
    if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        exec "$name" tools/setup.py "$@"
    fi
done

echo "Hnefi needs Python 3.11 or newer: install it from your system's packages or from https://www.python.org." >&2
exit 1
