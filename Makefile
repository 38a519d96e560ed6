# A thin front: each target installs what is missing, then calls CMake, CTest or the tool.
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)

.PHONY: build demo test test-full bench install deps format check-format tidy clean

build: deps
	cmake --preset default
	cmake --build --preset default -j $(JOBS)

deps:
	@scripts/install-deps.sh

demo: build
	scripts/demo.sh

test: build
	scripts/test.sh quick

test-full: build
	scripts/test.sh full

bench: build
	build/hemlock bench

install: build
	cmake --install build --prefix $(PREFIX)

format:
	scripts/format.sh fix

check-format:
	scripts/format.sh check

tidy: build
	scripts/tidy.sh

clean:
	rm -rf build build-*
