# make run    the app, set up first if needed      make test   the tests, browser included; make test-all: whole matrices
# make setup  the environment only                 make check  format, lint, types
# make test-pythons  the tests without a browser under every Python from 3.11 to 3.13 of this machine
# make bench  figures of a running app         make live   the strategies on a real small model (200 MB more)
PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?=
VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
READY := $(VENV)/.ready
READY_DEV := $(VENV)/.ready-dev
LIVE := $(VENV)/live
# One for each core, but at most four: each has a Chromium and an app of its own.
WORKERS ?= auto
PYTEST := $(PY) -m pytest --numprocesses $(WORKERS) --maxprocesses $(if $(filter auto,$(WORKERS)),4,$(WORKERS)) --dist loadfile --no-loadscope-reorder

.DEFAULT_GOAL := run
.PHONY: setup setup-dev run test test-all test-pythons test-no-browser check bench pictures live lock clean

setup: $(READY)

setup-dev: $(READY_DEV)

$(PY):
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' || { \
		echo "RAG Graphs needs Python 3.11, 3.12 or 3.13, and '$(PYTHON)' is not one. Name one: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { \
		echo "'$(PYTHON)' cannot make environments. On Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

# The stamps make the second time instant; a changed requirements file installs again.
$(READY): requirements.txt constraints.txt | $(PY)
	@echo "Installing into $(VENV); the first time takes a minute or two and 1.4 GB."
	$(PIP) -r requirements.txt
	@touch $@

$(READY_DEV): requirements-dev.txt requirements.txt constraints.txt | $(PY)
	$(PIP) -r requirements-dev.txt
	@touch $@ $(READY)

run: $(READY)
	@exec $(PY) -m rag_graphs serve --host $(HOST) $(if $(PORT),--port $(PORT))

test: $(READY_DEV)
	@$(PYTEST)

test-all: $(READY_DEV)
	@$(PYTEST) --all

# Each Python has an environment of its own. pyenv's are found too, where its shims choose only one of them.
VERSIONS := 3.11 3.12 3.13
test-pythons:
	@tried=0; for version in $(VERSIONS); do \
		for python in python$$version $$HOME/.pyenv/versions/$$version.*/bin/python; do \
			$$python -c 'import ensurepip' 2>/dev/null || continue; \
			echo "Python $$version: $$python"; tried=$$((tried + 1)); \
			$(MAKE) --no-print-directory PYTHON=$$python VENV=.venv-$$version test-no-browser || exit 1; \
			break; \
		done; \
	done; echo "$$tried of $(words $(VERSIONS)) Pythons were found, and the tests passed under each."; test $$tried -gt 0

test-no-browser: $(READY_DEV)
	@$(PYTEST) -m "not browser"

check: $(READY_DEV)
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy

bench: $(READY_DEV)
	@$(PY) -m benchmarks.ask
	@$(PY) benchmarks/critical_path.py
	@$(PY) -m benchmarks.traces

# In a folder of their own, which only the model server sees.
$(LIVE)/.ready: requirements-live.txt | $(READY_DEV)
	$(PY) -m pip install --quiet --disable-pip-version-check --no-deps --upgrade --target $(LIVE) -r requirements-live.txt
	@touch $@

live: $(LIVE)/.ready
	@$(PY) -m benchmarks.live

# What the direct dependencies bring, as it is installed now.
lock: $(READY_DEV)
	@sed 's/;.*//' requirements.txt requirements-dev.txt > $(VENV)/direct.txt
	@$(PY) -m pip freeze | grep -vixF -f $(VENV)/direct.txt | grep -vE '^(pip|setuptools|wheel)==' > constraints.txt

pictures: $(READY_DEV)
	@$(PY) -m benchmarks.pictures

clean:
	rm -rf $(VENV) .venv-* .pytest_cache .mypy_cache .ruff_cache .hypothesis build
