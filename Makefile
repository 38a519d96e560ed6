# A thin front: each target installs what is missing, then calls CMake, CTest or the tool.
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)

.PHONY: build demo test test-full bench paper install deps format check-format tidy clean

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

# Our two mutexes beside the peers, about ten minutes; `build/hemlock bench --help` has the rest.
bench: build
	build/hemlock bench peers --locks mutex,fifo,peers --duration 200ms --html build/peers.html --json build/peers.json

# docs/paper.md and build/paper/paper.html, tens of minutes; `scripts/paper.sh --quick` takes less.
paper: build
	scripts/paper.sh

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
