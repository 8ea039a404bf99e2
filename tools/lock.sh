#!/bin/sh
# Pins the packages of requirements/ anew, with the hashes of every file of every platform: dev.txt holds everything,
# play.txt the part of it that `make play` needs, server.txt what a server in production needs, build.txt what builds a
# wheel, uv.txt the program that installs them and runs here too, ray.txt what the test of a Ray cluster installs beside the rest (tests/deep/test_ray.py). `tools/lock.sh --keep` only adds what is missing.
set -eu
cd "$(dirname "$0")/.."
upgrade=--upgrade
[ "${1:-}" != --keep ] || upgrade=
export SSL_CERT_FILE="${SSL_CERT_FILE:-${PIP_CERT:-}}"
[ -n "$SSL_CERT_FILE" ] || unset SSL_CERT_FILE

pin() { # FILE OPTION...
    file=$1
    shift
    .venv/bin/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes --no-header \
        --no-emit-index-url --no-emit-find-links "$@" --output-file "requirements/$file"
}

pin dev.txt --extra server --extra postgres --extra print --extra notebook --group dev $upgrade
pin play.txt --extra server --extra print --group build --constraint requirements/dev.txt $upgrade
pin server.txt --extra server --extra postgres --extra print --constraint requirements/dev.txt $upgrade
pin uv.txt --group setup $upgrade
pin build.txt --group build --constraint requirements/dev.txt $upgrade
pin ray.txt --extra ray --constraint requirements/dev.txt $upgrade
