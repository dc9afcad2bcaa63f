# `make` says what there is to make.

SWIFT ?= swift
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
DESTDIR ?=

# SwiftPM lets a target import what it does not declare; this makes it an error. `TidyTests` finds what this misses.
CHECKS = --explicit-target-dependency-import-check=error
# Where the toolchain has LLD, addresses that are set when a program starts stand in a short table: `notesctl` starts 2 ms sooner.
# The C library reads such a table since 2.36, which Debian 12 has.
LLD = $(wildcard $(dir $(realpath $(shell command -v $(SWIFT))))ld.lld)
READS_TABLE = $(filter 2.36,$(shell printf '2.36\n%s\n' "$$(getconf GNU_LIBC_VERSION | cut -d' ' -f2)" | sort -V | head -n 1))
LINKING = $(if $(and $(LLD),$(READS_TABLE)),-Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs)
RELEASE = -c release --static-swift-stdlib -j $(JOBS) $(CHECKS) $(LINKING)
DEBUG = -j $(JOBS) $(CHECKS)
# The directories of Swift code that are ours.
CODE = Package.swift Sources Tests $(wildcard benchmarks/Package.swift benchmarks/Sources)

.PHONY: help run build test test-systemd test-editors bench prove soak mutants man format format-check install uninstall deb clean dependencies test-dependencies

help:
	@echo 'make run           build the daemon and run it in the foreground'
	@echo 'make build         the release binaries, in .build/release'
	@echo 'make test          everything that is tested'
	@echo 'make test-systemd  only what is tested under a real systemd, in boxes of its own; takes root'
	@echo 'make test-editors  only the plugins of editors; ARGS=--long is many times as long'
	@echo 'make prove         try to break each promise of the daemon, for a quarter of an hour; docs/guarantees.md says how'
	@echo 'make soak          the same for hours, with all random tests, mutants and fuzzers; goes on where it was stopped'
	@echo 'make mutants       plant faults in the code, one at a time, and see that the tests catch each'
	@echo 'make bench         measure, beside Redis, PostgreSQL and others; ARGS=--help says what there is'
	@echo 'make man           the man pages and the completions, in .build/man and .build/completions'
	@echo 'make format        put the code into its form;  make format-check: say where it is not'
	@echo 'make install       what `make build man` made; PREFIX=$(PREFIX) DESTDIR=$(DESTDIR);  make uninstall: take it away'
	@echo 'make deb           a Debian package, in .build'
	@echo 'make clean         remove what was built'

dependencies:
	@scripts/dependencies

test-dependencies:
	@scripts/dependencies test

build: dependencies
	$(SWIFT) build $(RELEASE) --product notesd
	$(SWIFT) build $(RELEASE) --product notesctl

run: build
	@scripts/run

# The end-to-end tests start the release programs, as people do.
test: test-dependencies build man
	scripts/test-systemd --if-possible
	@scripts/dependencies editors
	NOTESD_BIN_DIR=$(CURDIR)/.build/release scripts/test-editors --if-possible
	@scripts/dependencies models
	NOTESD_BIN_DIR=$(CURDIR)/.build/release scripts/prove --quick
	$(SWIFT) build --build-tests $(DEBUG)
	NOTESD_BIN_DIR=$(CURDIR)/.build/release SWIFT=$(SWIFT) scripts/test

# Tries to break every promise of the daemon; `soak` for hours, and again from where it was stopped.
prove: test-dependencies build
	@scripts/dependencies models
	NOTESD_BIN_DIR=$(CURDIR)/.build/release SWIFT=$(SWIFT) scripts/prove $(ARGS)

soak: test-dependencies build
	@scripts/dependencies models
	@scripts/dependencies editors
	NOTESD_BIN_DIR=$(CURDIR)/.build/release SWIFT=$(SWIFT) scripts/prove --full $(ARGS)

mutants: dependencies
	SWIFT=$(SWIFT) JOBS=$(JOBS) scripts/mutants $(ARGS)

bench: build
	@scripts/dependencies peers
	$(SWIFT) run --package-path benchmarks -c release -j $(JOBS) bench $(ARGS)

man: build
	scripts/man .build/release .build

format:
	$(SWIFT) format format --in-place --recursive --parallel $(CODE)

format-check:
	$(SWIFT) format lint --strict --recursive --parallel $(CODE)

# Builds nothing, so that root, who installs, needs no toolchain: `make build man` comes first.
install uninstall:
	@DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' scripts/install $@

deb: build man
	scripts/deb $(ARGS)

test-editors: build
	@scripts/dependencies editors
	NOTESD_BIN_DIR=$(CURDIR)/.build/release scripts/test-editors $(ARGS)

test-systemd: build man
	scripts/test-systemd $(ARGS)

clean:
	rm -rf .build benchmarks/.build
