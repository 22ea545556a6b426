# Each target calls a tool, or a script of .ci/.  `make run` is the place to start.
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
BINDIR ?= $(PREFIX)/bin
UDEVRULESDIR ?= /etc/udev/rules.d
DATADIR ?= $(PREFIX)/share
DESTDIR ?=
SECONDS_SHOWN ?= 5
PARTS ?=
SOAK_SECONDS ?= 3600
MINUTES ?= 60
SANITIZE_SECONDS ?= 1200
RELEASE = .build/release
# The package has the command only where this says so: it needs what users of the library do not.
export GATHEREDKIT_COMMAND = yes
INSTALL_INTO = PREFIX="$(PREFIX)" LIBDIR="$(LIBDIR)" INCLUDEDIR="$(INCLUDEDIR)" BINDIR="$(BINDIR)" \
	DATADIR="$(DATADIR)" DESTDIR="$(DESTDIR)"

.PHONY: help setup run build build-arm64 test test-server sanitize-server test-vm test-arm64 soak \
	soak-page bench lint docs picture install uninstall wheel wheel-arm64 sdist deb deb-arm64 \
	packages test-packages test-systems test-piuparts test-autopkgtest test-reproducible release \
	clean install-udev-rules uninstall-udev-rules install-energy-rule uninstall-energy-rule

help:
	@echo "make run        show what this machine tells about itself, installing what that needs"
	@echo "make setup      install what building, testing and linting need"
	@echo "make build      the shared library and the command, in $(RELEASE)"
	@echo "make build-arm64  the same for 64-bit ARM, in .build/cross/aarch64/build/release"
	@echo "make test       all tests (PARTS='swift c' for some: see .ci/test)"
	@echo "make test-server  what clients get from gathered-serve, and its limits; takes minutes"
	@echo "make sanitize-server  the same by the thread and address sanitizers, and a fuzzer"
	@echo "make test-vm    tests against virtual sensors behind real kernel drivers"
	@echo "make test-arm64 tests of what is built for ARM, by an emulator (PARTS=: see .ci/try-cross)"
	@echo "make soak       random callers and fuzzers, SOAK_SECONDS each ($(SOAK_SECONDS))"
	@echo "make soak-page  the live page at work: frames and memory, for MINUTES ($(MINUTES))"
	@echo "make bench      measure against other tools"
	@echo "make lint       formatters, linters and type checkers"
	@echo "make docs       the documentation, in .build/docs"
	@echo "make picture    what the first page shows, made anew from the command"
	@echo "make wheel      the Python wheels, in bindings/python/dist"
	@echo "make sdist      what the wheel is built from, in bindings/python/dist"
	@echo "make deb        the Debian packages, in .build/deb, built from the last commit"
	@echo "make wheel-arm64, deb-arm64  the same for 64-bit ARM, packages in .build/deb-arm64"
	@echo "make test-packages  check them, and use them in a fresh Debian"
	@echo "make test-systems  try the wheel on Debian 12, 13 and sid, Ubuntu 22.04 and 24.04"
	@echo "make test-piuparts, test-autopkgtest  let Debian's own tools try them"
	@echo "make test-reproducible  build them twice, from nothing, and compare"
	@echo "make release    all of this on a tag, with checksums and a signature, in .build/dist"
	@echo "make install    library with what finds it, command with its pages (PREFIX= DESTDIR=)"
	@echo "make uninstall  remove them again"
	@echo "make install-udev-rules    let the group gathered read the buffers of sensors"
	@echo "make uninstall-udev-rules  remove the rule again"
	@echo "make install-energy-rule   let the group read the energy counters of processors"
	@echo "make uninstall-energy-rule remove that rule again"

setup:
	.ci/setup build test browser
	.ci/python

run:
	.ci/setup build
	swift build -c release --disable-local-rpath --product gathered
	$(RELEASE)/gathered watch --for $(SECONDS_SHOWN)
	$(RELEASE)/gathered doctor

build:
	swift build -c release --disable-local-rpath --product gatheredkit
	swift build -c release --disable-local-rpath --product gathered
	swift build -c release --disable-local-rpath --product gathered-serve
	.ci/assemble

build-arm64:
	.ci/setup build cross
	.ci/cross aarch64

test:
	.ci/setup build test browser
	.ci/test $(PARTS)

test-server: build
	.ci/setup build test
	.ci/test server

sanitize-server:
	.ci/setup build test
	.ci/sanitize-server $(SANITIZE_SECONDS)

test-vm: build
	Tests/VirtualHardware/test

test-arm64: build build-arm64
	.ci/setup build test
	.ci/try-cross aarch64 $(PARTS)

soak:
	.ci/setup build test
	.ci/soak $(SOAK_SECONDS)

soak-page: build
	.ci/setup build browser
	.ci/python
	GATHERED_SERVE=$(RELEASE)/gathered-serve .build/venv/bin/python .ci/soak-page $(MINUTES)

bench: build
	.ci/setup bench
	Tests/Benchmarks/run

lint:
	.ci/setup build test
	.ci/lint

docs: build
	.ci/docs

picture: build
	.ci/picture bindings/docs/watch.svg 100 34 $(RELEASE)/gathered watch --context sim:laptop --for 6
	.ci/setup browser
	.ci/python
	GATHERED_SERVE=$(RELEASE)/gathered-serve .build/venv/bin/python .ci/page-picture \
		bindings/docs/page.png

wheel: build
	.ci/wheel

wheel-arm64: build-arm64
	.ci/wheel bindings/python/dist aarch64

sdist:
	.ci/sdist

deb:
	.ci/setup build packages
	.ci/deb

# Those that belong to one processor. All others are the same for each.
deb-arm64: build-arm64
	.ci/setup packages
	.ci/deb .build/deb-arm64 any aarch64

# With the source package.
packages:
	.ci/setup build packages
	.ci/deb .build/deb full

test-packages: packages
	.ci/try-deb .build/deb
	.ci/try-root .build/deb

# In roots of other systems, which are fetched once and kept in .build/systems.
test-systems: build
	.ci/setup build packages
	.ci/test systems

test-piuparts: packages
	.ci/try-piuparts .build/deb

test-autopkgtest: packages
	.ci/try-autopkgtest .build/deb

test-reproducible:
	.ci/setup build packages
	.ci/try-reproducible

release:
	.ci/setup build test packages cross
	.ci/release

install:
	@$(INSTALL_INTO) .ci/install

uninstall:
	$(INSTALL_INTO) .ci/uninstall

install-udev-rules:
	UDEVRULESDIR="$(UDEVRULESDIR)" DESTDIR="$(DESTDIR)" .ci/udev-rules install sensors

uninstall-udev-rules:
	UDEVRULESDIR="$(UDEVRULESDIR)" DESTDIR="$(DESTDIR)" .ci/udev-rules uninstall sensors

install-energy-rule:
	UDEVRULESDIR="$(UDEVRULESDIR)" DESTDIR="$(DESTDIR)" .ci/udev-rules install energy

uninstall-energy-rule:
	UDEVRULESDIR="$(UDEVRULESDIR)" DESTDIR="$(DESTDIR)" .ci/udev-rules uninstall energy

clean:
	rm -rf .build .build-tsan .build-asan .build-fuzz
