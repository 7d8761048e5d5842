# Every task of the project. `make help` lists them.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PATH := $(CURDIR)/$(BIN):$(PATH)
export PYTHONWARNINGS := ignore
# Containers often set it, and then each process of each store that the tests start compiles all modules again.
unexport PYTHONDONTWRITEBYTECODE
# Where the tests with a browser are: collecting all others takes each worker ten seconds.
TEST_WORKERS := 3 # on two cores: one of three usually waits for a database or a browser
BROWSER_TESTS := tests/e2e tests/framework

.DEFAULT_GOAL := help
.PHONY: help run dev test test-all test-server test-postgresql test-fast test-browser test-staff test-stores test-sizes test-scaled test-pgbouncer test-rolling cluster cluster-stop faults load attack mistakes mutants fuzz bench bench-admin bench-growth bench-peers check format lint types contracts drift seed migrate migration assets triage triage-report recommend-report audit search-report screens pictures tidy lock clean

help: ## list the tasks
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/ -/' | sort

$(BIN)/.run-ready: requirements.txt locked/run.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

$(BIN)/.dev-ready: requirements.txt requirements-dev.txt requirements-s3.txt requirements-traces.txt locked/dev.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $@ $(BIN)/.run-ready

run: $(BIN)/.run-ready ## install, migrate, seed, build and serve the store on http://localhost:8000
	@$(BIN)/python -m marketplace_app.jobs.serve

dev: $(BIN)/.run-ready ## the same with hot reload
	@$(BIN)/python -m marketplace_app.jobs.serve --reload

test: test-server test-browser ## on SQLite, with races on PostgreSQL too, and what shoppers see in a browser

test-all: test test-postgresql test-staff test-stores test-sizes ## all tests

test-server: $(BIN)/.dev-ready ## all tests without a browser, on SQLite; races, and what only PostgreSQL has, on PostgreSQL too
	$(BIN)/pytest -q -n $(TEST_WORKERS) --ignore=tests/e2e -m "not browser and (not postgresql or race)"

test-postgresql: $(BIN)/.dev-ready ## what test-server has tested on SQLite, on PostgreSQL
	$(BIN)/pytest -q -n $(TEST_WORKERS) --ignore=tests/e2e -m "not browser and postgresql and not race"

test-fast: $(BIN)/.dev-ready ## most of them, on SQLite alone: for while you work
	$(BIN)/pytest -q -n $(TEST_WORKERS) --ignore=tests/e2e -m "not browser and not slow and not race and not postgresql"

test-browser: $(BIN)/.dev-ready ## the browser tests of what shoppers see, in three stores at once, each screen on a phone
	@$(BIN)/python -m tests.install_browser
	$(BIN)/pytest -q -n $(TEST_WORKERS) --dist loadgroup --no-loadscope-reorder -m "browser and not sizes and not stores and not staff" $(BROWSER_TESTS)

test-staff: $(BIN)/.dev-ready ## the browser tests of the admin pages and the driver's page
	@$(BIN)/python -m tests.install_browser
	$(BIN)/pytest -q -n $(TEST_WORKERS) --dist loadgroup --no-loadscope-reorder -m "browser and not sizes and not stores and staff" $(BROWSER_TESTS)

test-stores: $(BIN)/.dev-ready ## the browser tests that start, kill or flood stores of their own: Redis, a cluster, hot reload, traces
	@$(BIN)/python -m tests.install_browser
	$(BIN)/pytest -q -n 2 --dist loadgroup --no-loadscope-reorder -m "browser and not sizes and stores" $(BROWSER_TESTS)

test-sizes: $(BIN)/.dev-ready ## the screens that test-browser has seen on a phone, on a desktop and at other widths
	@$(BIN)/python -m tests.install_browser
	$(BIN)/pytest -q -n $(TEST_WORKERS) --dist loadgroup --no-loadscope-reorder -m "browser and sizes" $(BROWSER_TESTS)

test-scaled: $(BIN)/.dev-ready ## the browser tests on several processes: Caddy, two with two workers each, PostgreSQL, Redis
	@$(BIN)/python -m tests.install_browser
	STORE_SCALED=1 $(BIN)/pytest -q -n 2 --dist loadgroup --no-loadscope-reorder -m "browser and not sizes and not stores" $(BROWSER_TESTS)

test-pgbouncer: $(BIN)/.dev-ready ## the tests that use PostgreSQL, with PgBouncer in transaction mode before it (Debian: apt-get install pgbouncer)
	@PATH="$$PATH:/usr/sbin" command -v pgbouncer >/dev/null || { echo "PgBouncer is not installed: apt-get install pgbouncer"; exit 1; }
	TEST_PGBOUNCER=1 $(BIN)/pytest -q -n 2 -m "not browser" -k "postgresql or start_together"

test-rolling: $(BIN)/.dev-ready ## the last release's tests of REST and of services, and some in a browser, on the schema of this version
	@$(BIN)/python -m tests.install_browser
	@$(BIN)/python -m tools.rolling

cluster: $(BIN)/.dev-ready ## run the store as a growing shop does: Caddy with TLS, two processes with two workers each, PostgreSQL, Redis
	@$(BIN)/python -m tools.cluster start

cluster-stop: $(BIN)/.dev-ready ## stop it; its data stays in data/cluster
	@$(BIN)/python -m tools.cluster stop

faults: $(BIN)/.dev-ready ## let one thing after the other fail while customers order, and write docs/reliability.md: twenty minutes; only=Redis
	@$(BIN)/python -m tools.faults $(only)

load: $(BIN)/.dev-ready ## let 140 customers, 200 open tabs and staff work on the cluster beside two attackers, and write docs/reliability.md: minutes=20 (also share=0.25, which only prints)
	@$(BIN)/python -m tools.load $(or $(minutes),20) $(share)

attack: $(BIN)/.dev-ready .venv-fuzz/bin/schemathesis ## try every attack that has a test, and generated calls, on SQLite and on PostgreSQL with Redis, and write docs/reliability.md: an hour
	@$(BIN)/python -m tests.install_browser
	@$(BIN)/python -m tools.attack .venv-fuzz/bin/schemathesis

mistakes: $(BIN)/.dev-ready ## make the known mistakes one after the other, in a copy, and show that the tests notice each: five minutes
	@$(BIN)/python -m tools.mistakes

mutants: $(BIN)/.dev-ready ## change the services that handle money one expression at a time, and fail if the tests miss more than 5 % (mutmut); only=credits
	@$(BIN)/python -m tools.mutants $(only)

.venv-fuzz/bin/schemathesis: requirements-fuzz.txt locked/fuzz.txt
	test -x .venv-fuzz/bin/python || $(PYTHON) -m venv .venv-fuzz
	.venv-fuzz/bin/pip install --quiet --disable-pip-version-check -r requirements-fuzz.txt
	touch $@

fuzz: $(BIN)/.dev-ready .venv-fuzz/bin/schemathesis ## only the generated calls, as a visitor and each role, on both databases (schemathesis, in its own venv)
	@$(BIN)/python -m tools.attack.calls .venv-fuzz/bin/schemathesis

bench: $(BIN)/.dev-ready ## measure speed, page weight and memory, and write docs/performance.md: about an hour, nothing asserted
	@$(BIN)/python -m tests.install_browser
	@$(BIN)/python -m tools.bench

bench-admin: $(BIN)/.dev-ready ## measure the admin pages with 100,000 orders on SQLite and PostgreSQL, and write docs/performance.md: about ten minutes
	@$(BIN)/python -m tools.bench.admin

bench-growth: $(BIN)/.dev-ready ## measure with 1,000,000 orders and with 1,000 open tabs, and write docs/performance.md: about an hour; orders=20000 tabs=50 (only prints)
	@$(BIN)/python -m tests.install_browser
	@$(BIN)/python -m tools.bench.growth $(if $(orders),--orders $(orders)) $(if $(tabs),--tabs $(tabs))

bench-peers: $(BIN)/.dev-ready ## measure the store beside Vendure and django-oscar, and write docs/performance.md: about twenty minutes (needs npm's and PyPI's registries, and redis-server)
	@$(BIN)/python -m tools.bench.peers

recommend-report: $(BIN)/.dev-ready ## measure recommendations for fictitious people: nDCG@10 against popularity
	@$(BIN)/python -m tools.bench.recommendations

search-report: $(BIN)/.dev-ready ## measure search: recall at 5 and first place on 2,351 products with real strain names
	@$(BIN)/python -m tools.bench.search

check: format lint types contracts drift test-all ## everything CI runs

format: $(BIN)/.dev-ready ## check that the code is formatted
	$(BIN)/ruff format --check .

lint: $(BIN)/.dev-ready ## check the code with ruff, and find code that is not used, or by tests alone, with vulture
	$(BIN)/ruff check .
	$(BIN)/vulture
	$(BIN)/vulture $(wildcard *.py) marketplace_app tools alembic tests

types: $(BIN)/.dev-ready ## check types with mypy, strict
	$(BIN)/mypy

contracts: $(BIN)/.dev-ready ## check that imports go one way through the layers
	$(BIN)/lint-imports

drift: $(BIN)/.dev-ready ## check that migrations agree with the models
	@DATABASE_URL=sqlite:///$$(mktemp -d)/drift.db $(SHELL) -c '$(BIN)/alembic upgrade head && $(BIN)/alembic check'

tidy: $(BIN)/.dev-ready ## format the code and fix what ruff can
	$(BIN)/ruff format --quiet .
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

migrate: $(BIN)/.run-ready ## upgrade the database to the newest migration
	$(BIN)/alembic upgrade head

migration: $(BIN)/.dev-ready ## a new migration from the models: make migration m="what it does"
	$(BIN)/alembic revision --autogenerate -m "$(m)"

seed: $(BIN)/.run-ready migrate ## write the demo store into an empty database
	@$(BIN)/python -m marketplace_app seed

triage: $(BIN)/.dev-ready ## retrain the ticket triage on the labelled messages in tools/bench/triage/
	@$(BIN)/python -m tools.bench.triage learn

triage-report: $(BIN)/.dev-ready ## measure the ticket triage: confusion matrices over held-back messages
	@$(BIN)/python -m tools.bench.triage

assets: $(BIN)/.dev-ready ## redraw pictures, logo and film
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-assets.txt
	$(BIN)/python -m tools.artwork all

screens: $(BIN)/.dev-ready ## take screenshots of every page and the gallery into screenshots/ (some: only=checkout)
	@$(BIN)/python -m tests.install_browser
	@$(BIN)/python -m tools.screens $(only)

pictures: $(BIN)/.dev-ready ## retake the README's screenshots
	@$(BIN)/python -m tests.install_browser
	@$(BIN)/python -m tools.screens.readme

LOCK := .venv-lock/bin/uv pip compile - --quiet --universal --python-version 3.11 --generate-hashes --no-strip-extras \
	--no-annotate --custom-compile-command "make lock" $(if $(upgrade),--upgrade) --output-file

lock: ## renew the hashes in locked/ after changing a requirements file (upgrade=1: newest versions of everything)
	test -x .venv-lock/bin/uv || ($(PYTHON) -m venv .venv-lock && .venv-lock/bin/pip install --quiet uv==0.13.9)
	sed '/^-/d' requirements.txt | $(LOCK) locked/run.txt
	sed '/^-/d' requirements-s3.txt | $(LOCK) locked/s3.txt -c locked/run.txt
	sed '/^-/d' requirements-traces.txt | $(LOCK) locked/traces.txt -c locked/run.txt
	sed '/^-/d' requirements.txt requirements-s3.txt requirements-traces.txt requirements-dev.txt | $(LOCK) locked/dev.txt -c locked/run.txt
	sed '/^-/d' requirements-assets.txt | $(LOCK) locked/assets.txt -c locked/dev.txt
	sed '/^-/d' requirements-fuzz.txt | $(LOCK) locked/fuzz.txt

audit: $(BIN)/.dev-ready ## known vulnerabilities of what is locked, as PyPI and npm know them (needs the network)
	test -x .venv-audit/bin/pip-audit || ($(PYTHON) -m venv .venv-audit && .venv-audit/bin/pip install --quiet pip-audit==2.10.1)
	.venv-audit/bin/pip-audit --strict --disable-pip $(addprefix -r ,$(wildcard locked/*.txt))
	cd reflex.lock && ../$(BIN)/npm audit --package-lock-only

clean: ## delete everything that can be regenerated, and the database
	rm -rf .web .web-next .web-earlier .states data $(VENV)
