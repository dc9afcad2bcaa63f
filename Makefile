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
# Twelve times as fast as DEBUG, ten minutes to build.
SOAK = -c release -Xswiftc -enable-testing --scratch-path .build/soak -j $(JOBS) $(CHECKS)
# The directories of Swift code that are ours.
CODE = Package.swift Sources Tests $(wildcard benchmarks/Package.swift benchmarks/Sources)

.PHONY: help run build test test-systemd test-editors bench soak mutants man format format-check install uninstall deb clean dependencies test-dependencies

help:
	@echo 'make run           build the daemon and run it in the foreground'
	@echo 'make build         the release binaries, in .build/release'
	@echo 'make test          everything that is tested'
	@echo 'make test-systemd  only what is tested under a real systemd, in boxes of its own; takes root'
	@echo 'make test-editors  only the plugins of editors; ARGS=--long is many times as long'
	@echo 'make soak          the random tests with twenty times the seeds, the mutants, a million seeds of the simulation,'
	@echo '                   and ten million changes told to those who watch'
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
	$(SWIFT) build --build-tests $(DEBUG)
	NOTESD_BIN_DIR=$(CURDIR)/.build/release SWIFT=$(SWIFT) scripts/test

soak: test-dependencies build
	$(SWIFT) build --build-tests $(DEBUG)
	NOTESD_BIN_DIR=$(CURDIR)/.build/release SWIFT=$(SWIFT) NOTESD_SEEDS_FACTOR=$${NOTESD_SEEDS_FACTOR:-20} scripts/test
	SWIFT=$(SWIFT) JOBS=$(JOBS) scripts/mutants
	$(SWIFT) build --build-tests $(SOAK)
	NOTESD_SEEDS_FACTOR=2000 $(SWIFT) test --skip-build --disable-xctest $(SOAK) --filter SimulationTests/replicas
	NOTESD_BIN_DIR=$(CURDIR)/.build/release NOTESD_EVENTS=10000000 $(SWIFT) test --skip-build --disable-xctest $(SOAK) --filter CrowdTests

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
