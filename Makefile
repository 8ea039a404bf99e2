# The tasks of the project. Each sets up what it needs (tools/setup.sh), which takes no time where that is done.

.DEFAULT_GOAL := help
.PHONY: help play test test-changed check check-deep docs bench bench-server bench-library fmt lock audit setup setup-release clean

PYTHON := .venv/bin/python

help: ## Print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' Makefile

play: ## Set up what a game needs and play in the browser
	@tools/setup.sh play
	@.venv/bin/hnefi serve --open $(patsubst %/index.html,--docs %,$(wildcard target/docs/site/index.html))

test: setup ## Set everything up and run every check and test
	@$(PYTHON) tools/check.py test

test-changed: setup ## Run the checks and the tests that what differs from main can break
	@$(PYTHON) tools/check.py changed

check: setup ## Run the quick checks only: formatting, types, lints, layers
	@$(PYTHON) tools/check.py quick

check-deep: setup ## Run what takes long: mutations, deep counts, long fuzzing
	@$(PYTHON) tools/check.py deep

docs: setup ## Build the documentation as a site, into target/docs/site
	@$(PYTHON) tools/build_docs.py

bench: setup-release ## Measure the speed of the core and of the library
	@PYTHONPATH=tools $(PYTHON) -m benchmarks

bench-server: setup-release ## Measure the server under load: thousands of games at once
	@$(PYTHON) -m benchmarks.server

bench-library: setup-release ## Measure a library of a million games: adding, finding a position
	@$(PYTHON) -m benchmarks.collection --games 1000000

fmt: setup ## Format the sources and apply automatic fixes of the linters
	@.venv/bin/ruff format .
	@.venv/bin/ruff check --fix .
	@cargo fmt --all

lock: setup ## Pin the Python packages anew (requirements)
	@tools/lock.sh

audit: setup ## Look for known vulnerabilities in the locked packages (needs the network)
	@$(PYTHON) tools/audit.py

setup: ## Only set everything up: .venv, the tools, the compiled core
	@tools/setup.sh

setup-release: ## The same, with the core compiled as in a release
	@tools/setup.sh release

clean: ## Remove everything that was made: .venv, compiled files, caches
	rm -rf .venv target dist web/node_modules src/hnefi/server/static .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	rm -f src/hnefi/_core.*.so src/hnefi/locale/*/LC_MESSAGES/*.mo
	find src tests tools build_backend -name __pycache__ -type d -prune -exec rm -rf {} +
