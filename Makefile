# What a person types. Works with the make that macOS brings (3.81) and with any sh.
#
#   make run                  score one sample photo here in the terminal, then serve the page
#   make run PHOTO=my.jpg     the same with your own photo; PORT=8080 is honored, HOST=127.0.0.1 keeps other
#                             devices in the network out, HTTPS=1 serves it with https too (docs/running.md), and
#                             CARDS='--public "Deep Shades" --private red' names the cards in play
#   make test                 the tests, on all cores; those that need a browser run when a Chromium is found
#   make thorough             what takes long: the rules held against a great many windows, a whole evening in a browser
#   make coverage             whether the tests run every line and branch of the rules
#   make lint                 style, types, direction of imports, security
#   make audit                whether vulnerabilities of the locked packages are known
#   make lock                 write the lock files in requirements/ anew; UPGRADE=1 takes the newest versions
#   make translations         take new texts out of the program into all catalogs (NEW=it starts Italian)
#   make docs                 make the library's reference, as pages in build/reference
#   make train                draw synthetic photos and train all networks anew (hours; SHARE=0.02 for a try, which
#                             writes over the networks, too; needs LLVM 19 or newer)
#   make clean                take away what the above made
#
# What is installed are the versions that were tested (requirements/), each file held against its hash. LOCKED=
# takes the newest that pyproject.toml allows instead, as does a Python newer than those the files are for.

HOST   ?= *
PORT   ?= 8000
PHOTO  ?= sample_images/easy_daylight.jpg
CARDS  ?= --public "Column Color Variety" --public "Light Shades" --public "Color Variety" \
          --private purple --favor 2
FOLDER ?= sample_images
LOCKED ?= 1
SHARE  ?= 1

# What is compiled once is not compiled again in each of the hundreds of processes that tests start.
unexport PYTHONDONTWRITEBYTECODE

VENV := .venv
BIN  := $(VENV)/bin
# The first of these that is new enough makes the virtual environment; PYTHON=... names another.
PYTHONS := $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11 python

# Written whenever a translation is compiled; an install does that too.
CATALOGS := scoring/translations/languages.tsv
COMPILE  := $(BIN)/python -c "from setup import compile_catalogs; compile_catalogs()"
PYBABEL  := $(BIN)/python -m babel.messages.frontend -q
EXTRACT  := $(PYBABEL) extract -F pyproject.toml -k lazy_gettext -k sentence -k counted:1,2 \
            --no-location --sort-output --omit-header --width 110
UPDATE   := $(PYBABEL) update --previous --ignore-obsolete --ignore-pot-creation-date --width 110

# Beside the requirements of pyproject.toml the lock files name what the project is built with.
BUILT_WITH := $(BIN)/python -c 'import tomllib; \
              print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")'
LOCK       := $(BIN)/uv pip compile --quiet $(if $(UPGRADE),--upgrade)

.PHONY: run test thorough coverage lint audit lock translations docs train clean
.NOTPARALLEL:

run: $(VENV)/.installed $(CATALOGS)
	@$(BIN)/sagrada score "$(PHOTO)" $(CARDS) || [ $$? -eq 1 ]
	@echo
	@$(BIN)/sagrada serve --host "$(HOST)" --port "$(PORT)" $(if $(HTTPS),--https)

# PYTEST_XDIST_AUTO_NUM_WORKERS=1 in the environment leaves the other cores free.
test: $(VENV)/.installed-develop
	@if $(BIN)/python tests/chromium.py; then \
	    $(BIN)/python -m pytest -n logical --dist worksteal -m "not thorough"; \
	elif [ -n "$$CI" ]; then \
	    echo "No Chromium found, and on the server the browser tests must run: install chromium." >&2; exit 1; \
	else \
	    $(BIN)/python -m pytest -n logical --dist worksteal -m "not browser and not thorough"; status=$$?; \
	    echo "No Chromium found, so the browser tests did NOT run. Install chromium or Google Chrome, or name"; \
	    echo "one with CHROMIUM=/path/to/chromium, and run 'make test' again to have them too."; \
	    exit $$status; \
	fi

thorough: $(VENV)/.installed-develop
	$(BIN)/python -m pytest -n logical --dist worksteal -m thorough --hypothesis-profile=thorough

coverage: $(VENV)/.installed-develop
	$(BIN)/python -m coverage run -m pytest -q -m "not thorough" --hypothesis-profile=few scoring tests/scoring
	$(BIN)/python -m coverage report

lint: $(VENV)/.installed-develop
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/bandit -q -c pyproject.toml -r setup.py scoring vision calibration webapp benchmarks docs

audit: $(VENV)/.installed-develop
	@$(BIN)/python tests/audit.py

lock: $(VENV)/.venv-made
	@$(PIP) install "$(INSTALLER)"
	@echo "$(INSTALLER)" | $(LOCK) - --output-file requirements/uv.txt
	@$(BUILT_WITH) | $(LOCK) pyproject.toml - --extra test --extra lint --output-file requirements/develop.txt
	@cp requirements/develop.txt requirements/run.txt
	@$(BUILT_WITH) | $(LOCK:--upgrade=) pyproject.toml - --output-file requirements/run.txt

translations: $(VENV)/.installed
	@$(EXTRACT) -o scoring/translations/messages.pot scoring
	@$(EXTRACT) -o webapp/translations/messages.pot webapp vision calibration
	@for folder in scoring/translations webapp/translations; do \
	    if [ -n "$(NEW)" ] && [ ! -e "$$folder/$(NEW)" ]; then \
	        $(PYBABEL) init -i $$folder/messages.pot -d $$folder -l "$(NEW)" || exit; \
	    fi; \
	    $(UPDATE) -i $$folder/messages.pot -d $$folder || exit; \
	done
	@$(COMPILE)

docs: $(VENV)/.installed-docs
	@$(BIN)/python -m sphinx -q -W -b html docs/reference build/reference
	@echo "Open build/reference/index.html"

train: $(VENV)/.installed-train
	$(BIN)/python -m calibration.training.sets build/sets --share "$(SHARE)"
	$(BIN)/python -m calibration.training.recipes build/sets vision/models --share "$(SHARE)"

clean:
	rm -rf $(VENV) build dist *.egg-info .coverage .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# --- the virtual environment: one stamp for each set of packages, remade when the requirements change ---

$(VENV)/.venv-made:
	@for python in $(PYTHONS); do \
	    if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	        echo "Making $(VENV) with $$python"; \
	        if $$python -m venv $(VENV) && $(BIN)/python -m pip --version >/dev/null; then \
	            touch $@; exit 0; \
	        fi; \
	        echo "$$python cannot make a virtual environment: on Debian and Ubuntu install python3-venv." >&2; \
	        exit 1; \
	    fi; \
	done; \
	echo "Sagrada Companion needs Python 3.11 or newer; this machine has $$(python3 --version 2>/dev/null || echo none)." >&2; \
	echo "Install one, or say where it is: make run PYTHON=/path/to/python3" >&2; \
	exit 1

$(CATALOGS): setup.py $(wildcard */translations/*.pot */translations/*/LC_MESSAGES/*.po)
	@$(COMPILE)

PIP     := $(BIN)/python -m pip --disable-pip-version-check --quiet
EXACTLY := --require-hashes --only-binary :all: --requirement
DEVELOP := [test,lint]
# uv takes seconds where pip takes a minute. It does not read what pip was set up with: where it fails, pip installs.
INSTALLER := uv>=0.11,<1
# $(call install,LOCK FILE,EXTRAS): nothing is built but the project itself, with what the lock file holds.
define install
@if [ -n "$(LOCKED)" ] && $(BIN)/python -c 'import sys; sys.exit(sys.version_info >= (3, 15))'; then \
    echo "Installing the tested versions of $(1)"; \
    { { $(PIP) install $(EXACTLY) requirements/uv.txt && \
        VIRTUAL_ENV=$(VENV) $(BIN)/uv --no-config --quiet pip install $(EXACTLY) $(1); } 2>/dev/null || \
      $(PIP) install $(EXACTLY) $(1); } && \
    PYTHONWARNINGS=ignore $(PIP) install --no-deps --no-build-isolation --editable . || { \
        echo "The tested versions cannot be installed; why stands above. If this system has no matching"; \
        echo "distribution, add LOCKED= to the command: it takes the newest versions that pyproject.toml allows."; \
        exit 1; \
    } >&2; \
else \
    echo "Installing the newest versions that pyproject.toml allows"; \
    $(PIP) install --prefer-binary --editable ".$(2)"; \
fi
endef

# $(call add,EXTRA): the newest of what only makes the reference or the networks.
add = { VIRTUAL_ENV=$(VENV) $(BIN)/uv --no-config --quiet pip install --editable ".[$(1)]"; } 2>/dev/null || \
      $(PIP) install --editable ".[$(1)]"

$(VENV)/.installed: pyproject.toml requirements/run.txt | $(VENV)/.venv-made
	$(call install,requirements/run.txt)
	@touch $@

$(VENV)/.installed-develop: pyproject.toml requirements/develop.txt | $(VENV)/.venv-made
	$(call install,requirements/develop.txt,$(DEVELOP))
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-docs: pyproject.toml | $(VENV)/.installed-develop
	@$(call add,docs)
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-trace: pyproject.toml | $(VENV)/.installed-develop
	@$(call add,trace)
	@touch $@

$(VENV)/.installed-train: pyproject.toml | $(VENV)/.installed-develop
	@$(call add,train)
	@touch $@ $(VENV)/.installed
