# Two commands do everything on a fresh machine with Python 3.11 and make: `make run`, `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.stamp
PYTEST := $(BIN)/python -m pytest

.PHONY: help install run test lint types check soak bench docs site rng lock clean postgresql browser screens node

help:  ## what can be made
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

install: $(STAMP)-run  ## make .venv; the program is then .venv/bin/houseway

run: $(STAMP)-run screens  ## a card room in the browser, with play money
	@mkdir -p build
	@# Once for each machine; whoever opens the studio first does not wait for it.
	@$(BIN)/python -m houseway.kernels & :
	$(BIN)/houseway serve --demo --database sqlite:///build/demo.sqlite

# Three workers on two cores: many tests wait for servers, browsers and time limits.
test: $(STAMP)-dev postgresql browser screens lint  ## lint, types and all tests but the long ones
	$(BIN)/python web/build.py --test
	$(PYTEST) -n 3 --dist loadgroup

postgresql:  ## the programs of a PostgreSQL server, for tests; with apt-get where that is allowed
	@sh tests/tools/install_postgresql.sh

browser:  ## a browser for tests; with apt-get where that is allowed
	@sh tests/tools/install_browser.sh

screens: $(STAMP)-run node  ## build the screens, where their sources are newer
	$(BIN)/python web/build.py

# Node of the machine when it is new enough, else one that comes as a wheel.
node: $(STAMP)-run
	@$(BIN)/python web/build.py --has-node || $(BIN)/python -m pip install --quiet \
	  --disable-pip-version-check --require-hashes -r requirements/node.txt

lint: $(STAMP)-dev node  ## ruff, mypy --strict, the levels of the architecture, the screens
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python web/build.py --check

soak: $(STAMP)-dev postgresql  ## the long tests
	$(PYTEST) -n 2 -m soak --timeout 1800

bench: $(STAMP)-bench  ## speed, as ratios against what one would pick instead
	$(BIN)/python -m bench
	$(BIN)/python -m bench.training
	$(BIN)/python -m bench.journal
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
	$(BIN)/python -m pip install --quiet "uv==0.13.7"
	cd requirements && for name in run dev bench node; do \
	  ../$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	    --no-emit-index-url --no-annotate --no-header $$name.in -o $$name.txt; done

clean:  ## remove what was made
	rm -rf $(VENV) build dist .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis
	rm -rf web/node_modules web/.made houseway/server/screens

# Bytecode is compiled here, so that the first command a person types is as quick as the second.
$(STAMP)-run: requirements/run.txt pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed") if sys.version_info < (3, 11) else 0'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/run.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q houseway
	touch $@

$(STAMP)-dev: $(STAMP)-run requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	touch $@

$(STAMP)-bench: $(STAMP)-dev requirements/bench.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/bench.txt
	touch $@
