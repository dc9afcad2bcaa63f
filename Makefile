# `make` lists the targets.

SWIFT ?= swift
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
DESTDIR ?=

# SwiftPM lets a target import modules that it does not declare; this option makes such an import an error. `TidyTests` finds
# the imports that the option misses.
CHECKS = --explicit-target-dependency-import-check=error
# If the toolchain has LLD, it packs the relocations of a program into a short table, so that `notesctl` starts 2 ms sooner. The
# C library reads such a table from version 2.36 on, which Debian 12 has.
LLD = $(wildcard $(dir $(realpath $(shell command -v $(SWIFT))))ld.lld)
READS_TABLE = $(filter 2.36,$(shell printf '2.36\n%s\n' "$$(getconf GNU_LIBC_VERSION | cut -d' ' -f2)" | sort -V | head -n 1))
LINKING = $(if $(and $(LLD),$(READS_TABLE)),-Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs)
RELEASE = -c release --static-swift-stdlib -j $(JOBS) $(CHECKS) $(LINKING)
DEBUG = -j $(JOBS) $(CHECKS)
# Leaves the page out of a build where cmark-gfm is missing.
PAGE = $(shell INSTALL=no scripts/dependencies page >/dev/null 2>&1 || echo NOTESD_PAGE=no)
# The directories of Swift code that are ours.
CODE = Package.swift Sources Tests verification/guarantees $(wildcard benchmarks/Package.swift benchmarks/Sources)

.PHONY: help run build build-all postgres web build-web test check verify soak test-systemd test-editors bench mutants man format format-check \
	check-tables install uninstall install-postgres uninstall-postgres install-web uninstall-web deb deb-postgres deb-web clean dependencies test-dependencies \
	page-dependencies

help:
	@echo 'make run           build the daemon and its client, and run the daemon in the foreground'
	@echo 'make test          the tests: unit, property, store, and end to end with real processes; minutes, no root'
	@echo 'make check         form, tidiness, tables of mutants and the tests of the pure targets; about three minutes after a build'
	@echo 'make verify        everything else that matters: editors, systemd, crashes, hostile clients, models; ARGS=--list'
	@echo 'make soak          the same in its largest form, for many hours; continues where it was stopped'
	@echo 'make test-systemd  the tests under a real systemd only; needs root'
	@echo 'make test-editors  the tests of the editor plugins only; ARGS=--long runs many times as many'
	@echo 'make mutants       plant faults in the code, one at a time, and check that the tests catch each'
	@echo 'make bench         measure, next to Redis, PostgreSQL and others; ARGS=--help lists the benchmarks'
	@echo 'make build         the release programs, in .build/release'
	@echo 'make postgres      the gateway to a PostgreSQL database, in .build/release; needs libpq'
	@echo 'make web           build the page, and show the notes of the running daemon in a browser; needs cmark-gfm'
	@echo 'make man           the man pages and completions, in .build/man and .build/completions'
	@echo 'make format        format the code;  make format-check: report what is not formatted'
	@echo 'make install       install what `make build man` made; PREFIX=$(PREFIX) DESTDIR=$(DESTDIR);  make uninstall: remove it'
	@echo 'make deb           a Debian package, in .build;  make deb-postgres and make deb-web: those of the gateway and the page'
	@echo 'make clean         remove what was built'

dependencies:
	@scripts/dependencies

test-dependencies:
	@scripts/dependencies test

# A build without the page goes on.
page-dependencies:
	@scripts/dependencies page || true

# One pass, so that both programs compile side by side. SwiftPM builds either one product or everything; NOTESD_BUILD leaves out
# of the manifest what neither program needs.
build: dependencies
	NOTESD_BUILD=programs $(SWIFT) build $(RELEASE)

# Also builds the guarantee checker.
build-all: build page-dependencies
	$(SWIFT) build $(RELEASE) --product check-guarantees
	$(if $(PAGE),@:,$(SWIFT) build $(RELEASE) --product notesd-web)

# The gateway to a PostgreSQL database. Only this program needs libpq.
postgres:
	@scripts/dependencies postgres
	NOTESD_POSTGRES=1 $(SWIFT) build $(RELEASE) --product notesd-postgres

# The page in a browser. Only this program needs cmark-gfm.
build-web: build
	@scripts/dependencies page
	$(SWIFT) build $(RELEASE) --product notesd-web

web: build-web
	@.build/release/notesctl web

run: build
	@scripts/run

# The end-to-end tests start the debug programs that this builds; `verify` tests the release programs.
test: dependencies page-dependencies
	$(PAGE) $(SWIFT) build --build-tests $(DEBUG)
	@SWIFT=$(SWIFT) scripts/test

check: format-check check-tables page-dependencies
	$(PAGE) $(SWIFT) build --build-tests $(DEBUG)
	@SWIFT=$(SWIFT) scripts/test pure

# Whether the tables of planted faults fit the code.
check-tables:
	@scripts/mutation by-hand --check
	@scripts/mutation guarantees --check

verify: check-tables test-dependencies build-all man
	@scripts/dependencies models
	@scripts/dependencies editors
	@scripts/dependencies agents
	@scripts/dependencies ssh
	@scripts/dependencies hub
	@scripts/dependencies web
	$(PAGE) $(SWIFT) build --build-tests $(DEBUG)
	NOTESD_BIN_DIR=$(CURDIR)/.build/release SWIFT=$(SWIFT) scripts/verify $(ARGS)

soak: test-dependencies build-all man
	@scripts/dependencies models
	@scripts/dependencies editors
	@scripts/dependencies agents
	@scripts/dependencies ssh
	@scripts/dependencies hub
	@scripts/dependencies web
	$(PAGE) $(SWIFT) build --build-tests $(DEBUG)
	NOTESD_BIN_DIR=$(CURDIR)/.build/release SWIFT=$(SWIFT) scripts/verify --soak $(ARGS)

mutants: dependencies
	SWIFT=$(SWIFT) JOBS=$(JOBS) scripts/mutation by-hand $(ARGS)

bench: build $(if $(filter hub,$(ARGS)),postgres)
	@scripts/dependencies peers
	$(SWIFT) run --package-path benchmarks -c release -j $(JOBS) bench $(ARGS)

man: build
	scripts/man .build/release .build

format:
	$(SWIFT) format format --in-place --recursive --parallel $(CODE)

format-check:
	$(SWIFT) format lint --strict --recursive --parallel $(CODE)

# Builds nothing, so that root needs no toolchain to install. Run `make build man` first.
install uninstall:
	@DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' scripts/install $@

# The same for the gateway. Run `make postgres` first.
install-postgres uninstall-postgres:
	@DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' scripts/install $(@:-postgres=) notesd-postgres

# The same for the page. Run `make build-web` first.
install-web uninstall-web:
	@DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' scripts/install $(@:-web=) notesd-web

deb: build man
	scripts/deb $(ARGS)

deb-postgres: postgres
	scripts/deb --package notesd-postgres $(ARGS)

deb-web: build-web
	scripts/deb --package notesd-web $(ARGS)

test-editors: build
	@scripts/dependencies editors
	NOTESD_BIN_DIR=$(CURDIR)/.build/release scripts/test-editors $(ARGS)

test-systemd: build man
	scripts/test-systemd $(ARGS)

clean:
	rm -rf .build benchmarks/.build
