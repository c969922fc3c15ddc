# `make run` and `make test` do everything on a fresh machine; the rest is for developers.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run test check fuzz format schema chaos bench bench-jobs bench-service bench-scale bench-preview bench-lists soak gallery pictures starters screenshots lock prove vendor setup clean

run: $(VENV)/.run
	@$(BIN)/python manage.py run_demo

# The whole suite on the embedded default, then whatever reaches a database, a cache or a file on PostgreSQL,
# Redis and a bucket (tests/parts): always both.
test: $(VENV)/.dev
	@failed=; for stack in embedded real; do \
		TEST_STACK=$$stack $(BIN)/python -m pytest || failed="$$failed $$stack"; \
	done; \
	if [ -n "$$failed" ]; then echo "FAILED on:$$failed"; exit 1; fi; echo "Passed on both stacks"

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy .
	$(BIN)/lint-imports
	$(BIN)/hadolint Dockerfile
	$(BIN)/oxlint --deny-warnings .
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python manage.py check --fail-level WARNING
	$(BIN)/python manage.py spectacular --format openapi-json --validate --fail-on-warn | diff -u docs/openapi.json - \
		|| { echo "docs/openapi.json is not up to date: run make schema"; exit 1; }

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

schema: $(VENV)/.dev
	$(BIN)/python manage.py spectacular --format openapi-json --validate --fail-on-warn > docs/openapi.json

# 500 asynchronous renders and a batch of 1,000 on two machines over the real parts, while processes are killed
# and connections are cut.
chaos: $(VENV)/.dev
	TEST_STACK=real $(BIN)/python -m tests.live.chaos

# The queue with 100,000 jobs in it beside an empty one, on SQLite and PostgreSQL.
bench-jobs: $(VENV)/.dev
	$(BIN)/python -m bench.jobs

bench: $(VENV)/.dev
	$(BIN)/python -m bench

# What the editor's preview costs beside the bare render of the same document.
bench-preview: $(VENV)/.dev
	$(BIN)/python -m bench.preview

# Pages of the dashboard with lists of 1,000 rows beside the same with 10, on SQLite and PostgreSQL.
bench-lists: $(VENV)/.dev
	$(BIN)/python -m bench.lists

# The service around a render: documents per second over HTTP on the real parts, beside drawing alone.
bench-service: $(VENV)/.dev
	$(BIN)/python -m bench.service

# 10 million documents in PostgreSQL beside 10,000; needs 10 GB of disk for a while (--documents N for less).
bench-scale: $(VENV)/.dev
	$(BIN)/python -m bench.scale --plans

soak: $(VENV)/.dev
	$(BIN)/python -m bench.soak

# The pictures of docs/gallery, and those of the demo that the tests compare.
gallery: $(VENV)/.dev
	$(BIN)/python -m tests.gallery

pictures: $(VENV)/.dev
	$(BIN)/python -m tests.renew_pictures

# The pictures of the gallery of "New template".
starters: $(VENV)/.dev
	$(BIN)/python -m dashboard.starters.pictures

# Every page of the dashboard in light, dark and at phone width, in var/screenshots.
screenshots: $(VENV)/.dev
	$(BIN)/python -m pytest -n 0 tests/dashboard/screenshots.py

# Schemathesis against the running service with either key: all checks, stateful links, over 5,000 requests each.
fuzz: $(VENV)/.dev
	$(BIN)/python -m tests.live.fuzz -n 100 --max-time 400

# The locks hold hashes and no index address.
lock: $(VENV)/.dev
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header --upgrade \
		--python-version 3.11 pyproject.toml -o requirements.txt
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header --upgrade \
		--python-version 3.11 --extra dev -c requirements.txt pyproject.toml -o requirements-dev.txt

# The steps of the Dockerfile without containers, in a fresh environment from the lock.
prove:
	$(PYTHON) deploy/prove.py

# The libraries of the pages, from npm (docs/developing.md); needs node.
vendor:
	$(PYTHON) dashboard/vendor.py

setup: $(VENV)/.dev

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: requirements.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements.txt
	@touch $@

$(VENV)/.dev: requirements-dev.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements-dev.txt
	@touch $@ $(VENV)/.run

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache
