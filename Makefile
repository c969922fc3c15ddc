# `make run` and `make test` do everything on a fresh machine; the rest is for developers.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := config accounts templates_app rendering usage assets dashboard

.PHONY: run test check fuzz format schema bench soak gallery pictures lock setup clean

run: $(VENV)/.run
	@$(BIN)/python manage.py run_demo

test: $(VENV)/.dev
	$(BIN)/python -m pytest

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy $(SOURCES)
	$(BIN)/lint-imports
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python manage.py check --fail-level WARNING
	$(BIN)/python manage.py spectacular --format openapi-json --validate --fail-on-warn | diff -u docs/openapi.json - \
		|| { echo "docs/openapi.json is not up to date: run make schema"; exit 1; }

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

schema: $(VENV)/.dev
	$(BIN)/python manage.py spectacular --format openapi-json --validate --fail-on-warn > docs/openapi.json

bench: $(VENV)/.dev
	$(BIN)/python -m bench

soak: $(VENV)/.dev
	$(BIN)/python -m bench.soak

# The pictures of docs/gallery, and those of the demo that the tests compare.
gallery: $(VENV)/.dev
	$(BIN)/python -m tests.gallery

pictures: $(VENV)/.dev
	$(BIN)/python -m tests.renew_pictures

# Schemathesis against the running service: all checks, stateful links, over 5,000 requests.
fuzz: $(VENV)/.dev
	$(BIN)/python -m tests.live.fuzz -n 100 --max-time 400

# The locks hold hashes and no index address.
lock: $(VENV)/.dev
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header --upgrade \
		--python-version 3.11 pyproject.toml -o requirements.txt
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header --upgrade \
		--python-version 3.11 --extra dev -c requirements.txt pyproject.toml -o requirements-dev.txt

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
