# Two commands do all the set-up: `make demo` and `make test`. Needed: Python 3.11 or newer with venv; a C compiler is used where there is one.
#
#   PYTHON=python3.12      the interpreter to make the environment with
#   PINCITE_KERNEL=auto    auto: compile the kernel where a compiler works; require: fail where none does; off: never compile
#   PDFS=folder QUERY=…    what `make demo` reads and looks for, instead of its own samples

PYTHON ?= python3
PINCITE_KERNEL ?= auto
PYTEST_ARGS ?= -n 2
export PINCITE_KERNEL

VENV := .venv
BIN := $(VENV)/bin
KERNEL_SOURCES := $(wildcard src/pincite/_kernel/*.py src/pincite/_kernel/*.pxd)
# The stamp carries the mode, so that a change of PINCITE_KERNEL builds again.
KERNEL := $(VENV)/.kernel-$(PINCITE_KERNEL)
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

KERNEL_REPORT = if ls src/pincite/_kernel/*.so >/dev/null 2>&1; then echo "The kernel is compiled."; \
    else echo "The kernel is not compiled: its source runs as it stands, which is slower."; fi

.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help demo test test-endurance check kernel test-pure clean

help:
	@echo "make demo       install, make sample PDFs, ingest, search, show; PDFS=folder takes your own"
	@echo "make test       lint, types, import contracts and all tests"
	@echo "make test-endurance  thousands of documents through the sandbox, ingests killed at 50 random moments"
	@echo "make check      the same without the tests"
	@echo "make test-pure  the tests on the uncompiled kernel"
	@echo "make kernel     compile the kernel in place"
	@echo "make clean      remove everything that was built, the environment included"

demo: $(VENV)/.installed $(KERNEL)
	@$(BIN)/python tools/demo.py $(if $(PDFS),--pdfs "$(PDFS)") $(if $(QUERY),--query "$(QUERY)")

test: check
	$(BIN)/python -m pytest $(PYTEST_ARGS)

test-endurance: $(VENV)/.installed-dev $(KERNEL)
	PINCITE_ENDURANCE=2000 PINCITE_KILLS=50 $(BIN)/python -m pytest tests/sandbox/test_sandbox_endurance.py tests/library/test_library_kill.py

check: $(VENV)/.installed-dev $(KERNEL)
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache --no-logo

kernel: $(VENV)/.installed-dev $(KERNEL)

# The whole tree once more without its compiled modules, with an environment that looks there first: child processes, too, then run
# the kernel's source as it stands.
PURE := build/pure
test-pure: $(VENV)/.installed-dev
	rm -rf $(PURE)
	mkdir -p $(PURE)
	tar c --exclude=./.git --exclude=./$(VENV) --exclude=./build --exclude=./demo --exclude='*.so' . | tar x -C $(PURE)
	$(BIN)/python -m venv --without-pip $(PURE)/.venv
	$(BIN)/python -c "import pathlib, sysconfig; \
	    site = next(pathlib.Path('$(PURE)/.venv').glob('lib/python*/site-packages')); \
	    (site / 'tree.pth').write_text('$(abspath $(PURE)/src)\n' + sysconfig.get_path('purelib') + '\n')"
	cd $(PURE) && PINCITE_KERNEL=off PINCITE_CORPUS="$${PINCITE_CORPUS:-$(abspath ../shared/corpus)}" .venv/bin/python -m pytest $(PYTEST_ARGS)

$(VENV)/.made:
	@$(PYTHON) -m venv $(VENV) || { echo "No virtual environment: on Debian, apt install python3-venv"; exit 1; }
	@touch $@

# Either installation compiles the kernel as well. A module that is left over would shadow a source that no longer compiles.
$(VENV)/.installed: pyproject.toml setup.py | $(VENV)/.made
	@echo "Installing pincite into $(VENV): a minute or more, most of it to compile the kernel"
	@rm -f $(VENV)/.kernel-* src/pincite/_kernel/*.so
	@$(PIP) install --editable .
	@touch $@ $(KERNEL)
	@$(KERNEL_REPORT)

$(VENV)/.installed-dev: pyproject.toml setup.py | $(VENV)/.made
	@echo "Installing pincite and its development tools into $(VENV)"
	@rm -f $(VENV)/.kernel-* src/pincite/_kernel/*.so
	@$(PIP) install --editable '.[dev]'
	@touch $@ $(VENV)/.installed $(KERNEL)
	@$(KERNEL_REPORT)

# Only where a source or the mode changed since; without the development tools pip has to fetch Cython for it.
$(KERNEL): setup.py $(KERNEL_SOURCES)
	@rm -f $(VENV)/.kernel-* src/pincite/_kernel/*.so
	@if [ -e $(VENV)/.installed-dev ]; then $(BIN)/python setup.py --quiet build_ext --inplace; \
	    else $(PIP) install --no-deps --editable .; fi
	@touch $@
	@$(KERNEL_REPORT)

clean:
	rm -rf $(VENV) build dist demo tests/actual src/*.egg-info src/pincite/_kernel/*.so
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .grimp_cache
	find src tests tools -name __pycache__ -prune -exec rm -rf {} +
