# Klea. Two commands do all the set-up:  make run  and  make test.  (GNU Make 3.81 or newer.)

PORT ?= 8000
HOST ?= 127.0.0.1
OPEN ?= 1
# The first Python 3.11+ on the path; name another with PYTHON=...
ifndef PYTHON
PYTHON := $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
endif
PY = .venv/bin/python

# VAR=DIR: the folder for the database, the files and the indexes (default: var).
ifdef VAR
export KLEA_VAR := $(VAR)
endif

# Packages are installed without compiled modules, so Python is to keep those that it compiles.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run test test-all lint lock backup restore doctor bench clean screenshots handbook set-up-run set-up-test set-up-full

help:
	@echo "make run [PORT=8000] [HOST=127.0.0.1] [VAR=var] [OPEN=0]   set up, start everything, print the address; Ctrl-C stops"
	@echo "make test [ARGS=...]     set up and run the tests        make test-all   the slow ones and the full models too"
	@echo "make backup TO=FILE      write all data to one file      make restore FROM=FILE VAR=NEW   into an empty folder"
	@echo "make doctor              look for what is wrong          make lint       style, types and import rules"
	@echo "make screenshots         pictures for the README         make handbook   print the handbook as PDF"
	@echo "make bench BEIR=DIR...   measure retrieval on test collections"
	@echo "make lock [ARGS=...]     new lock files from pyproject   make clean      remove .venv and caches, never data"

run: set-up-run
	@$(PY) manage.py up --host $(HOST) --port $(PORT) --open $(OPEN)

test: set-up-test
	@$(PY) -m pytest $(ARGS)

test-all: set-up-full
	@$(PY) -m pytest -m "slow or not slow" $(ARGS)

lint: set-up-test
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@.venv/bin/lint-imports
	@$(PY) -m mypy

backup: set-up-run
	@$(PY) manage.py backup "$(TO)"

restore: set-up-run
	@$(PY) manage.py restore "$(FROM)"

doctor: set-up-run
	@$(PY) manage.py doctor

screenshots: set-up-test
	@$(PY) -m tests.browser.screenshots

handbook: set-up-test
	@$(PY) -m klea_site.handbook_print

bench: set-up-run
	@$(PY) manage.py migrate --verbosity 0
	@$(PY) manage.py evaluate --beir $(BEIR) $(ARGS)

lock:
	@PYTHON=$(PYTHON) lock/compile.sh $(ARGS)

clean:
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache var/test
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

set-up-run set-up-test set-up-full:
	@test -n "$(PYTHON)" || { echo "klea: no Python 3.11 or newer is on the path. Install one (Debian: apt install python3 python3-venv; macOS: python.org), or name it: make PYTHON=/path/to/python3 ..." >&2; exit 1; }
	@$(PYTHON) lock/install.py $(@:set-up-%=%)
