# Two commands do everything on a fresh machine with Python 3.11 and make: `make run`, `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.stamp
PYTEST := $(BIN)/python -m pytest
QUIETLY := sh tests/tools/quietly.sh
# Without bytecode every process compiles all that it imports; tests start hundreds of them.
unexport PYTHONDONTWRITEBYTECODE
# uv installs in seconds; pip does it where uv cannot, as with an index that only pip is told of.
INSTALL = sh tests/tools/install_packages.sh $(BIN)/python

.PHONY: help install run test ready kernels lint types shake soak bench docs site rng lock clean postgresql browser screens node

help:  ## what can be made
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

install: $(STAMP)-run  ## make .venv; the program is then .venv/bin/houseway

run: $(STAMP)-run screens  ## a card room in the browser, with play money
	@# Once for each machine; whoever opens the studio first does not wait for it.
	@$(BIN)/python -m houseway.exact.kernels & :
	$(BIN)/houseway serve --demo --database sqlite:///build/demo.sqlite

test: ready  ## lint, types and all tests but the long ones
	@# More workers than cores: tests of screens and servers wait as much as they work.
	$(PYTEST) -n 4 --dist loadgroup

# What the tests need, and all that can be checked without them, both cores at once.
ready: $(STAMP)-dev
	@$(MAKE) --no-print-directory -j2 --output-sync=target postgresql browser screens kernels lint

kernels: $(STAMP)-run  ## compile the kernels, once for each machine
	@$(QUIETLY) "Compiling kernels" $(BIN)/python -m houseway.exact.kernels

postgresql:  ## the programs of a PostgreSQL server, for tests; with apt-get where that is allowed
	@$(QUIETLY) "Looking for PostgreSQL" sh tests/tools/install_postgresql.sh

browser: postgresql  ## a browser for tests; with apt-get where that is allowed
	@$(QUIETLY) "Looking for a browser" sh tests/tools/install_browser.sh

screens: $(STAMP)-run node  ## build the screens, where their sources are newer
	@$(QUIETLY) "Building the screens" $(BIN)/python web/build.py

# Node of the machine when it is new enough, else one that comes as a wheel.
node: $(STAMP)-run
	@$(BIN)/python web/build.py --has-node || $(QUIETLY) "Installing Node" \
	  $(BIN)/python -m pip install --require-hashes -r requirements/node.txt

lint: types screens $(STAMP)-dev  ## ruff, mypy --strict, the levels of the architecture, the screens
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache --no-logo
	$(BIN)/python web/build.py --check
	$(BIN)/python web/build.py --test

types: $(STAMP)-dev  ## mypy --strict
	$(BIN)/mypy

shake: ready  ## whole runs in other orders, on a busy machine, until ten in a row have no failure
	$(BIN)/python -m tests.tools.shake

soak: $(STAMP)-dev postgresql  ## the long tests
	$(PYTEST) -n 2 -m soak --timeout 1800

bench: $(STAMP)-bench  ## speed, as ratios against what one would pick instead
	$(BIN)/python -m bench
	$(BIN)/python -m bench.training
	$(BIN)/python -m bench.journal
	$(BIN)/python -m bench.audit
	$(BIN)/python -m bench.floor
	$(BIN)/python -m bench.practice
	$(BIN)/python -m bench.books
	$(BIN)/python -m bench.studio

docs: $(STAMP)-dev  ## write the generated pages of docs/ anew, and do their examples again
	$(BIN)/python -m tests.tools.write_docs

site: $(STAMP)-dev  ## the documentation as a site, with the notebooks executed: build/site
	$(BIN)/python -m tests.tools.build_site

rng: $(STAMP)-dev  ## test the generators, also by ent and dieharder, and write docs/rng.md
	@if ! command -v dieharder >/dev/null || ! command -v ent >/dev/null; then \
	  if ! command -v apt-get >/dev/null; then as=no; elif [ "$$(id -u)" = 0 ]; then as=; \
	  elif sudo -n true 2>/dev/null; then as="sudo -n"; else as=no; fi; \
	  if [ "$$as" = no ]; then \
	    echo "dieharder and ent are needed and cannot be installed here: install both packages by hand" >&2; \
	    exit 1; fi; \
	  $$as apt-get update -qq && $$as apt-get install -y -qq dieharder ent; fi
	$(BIN)/python -m tests.tools.rng_report

lock: $(STAMP)-dev  ## pin every dependency anew, with hashes and without addresses
	cd requirements && for name in run dev bench node uv pip; do \
	  ../$(BIN)/python -m uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	    --no-emit-index-url --no-annotate --no-header $$name.in -o $$name.txt; done

clean:  ## remove what was made
	rm -rf $(VENV) build dist .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis
	rm -rf web/node_modules web/.made houseway/server/screens

# Bytecode is compiled here, so that the first command a person types is as quick as the second.
$(STAMP)-run: requirements/run.txt requirements/pip.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed") if sys.version_info < (3, 11) else 0'
	@test -x $(BIN)/python || $(QUIETLY) "Making $(VENV)" $(PYTHON) -m venv $(VENV)
	@$(QUIETLY) "Renewing pip" sh tests/tools/renew_pip.sh $(BIN)/python
	@$(QUIETLY) "Installing what the program needs" $(INSTALL) --require-hashes -r requirements/run.txt
	@$(QUIETLY) "Installing the program" $(INSTALL) --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m compileall -q houseway
	@touch $@

$(STAMP)-dev: $(STAMP)-run requirements/dev.txt
	@$(QUIETLY) "Installing what its tests need" $(INSTALL) --require-hashes -r requirements/dev.txt
	@touch $@

$(STAMP)-bench: $(STAMP)-dev requirements/bench.txt
	@$(QUIETLY) "Installing what it is compared with" $(INSTALL) --require-hashes -r requirements/bench.txt
	@touch $@
