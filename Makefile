.DEFAULT_GOAL := help
# Variables of the command line or the environment, which the scripts read.
export URLS FOLDER PREFIX DESTDIR LIBDIR
.PHONY: help gallery gallery-screenshots test test-core check hooks test-thread test-mutations fuzz test-accessibility test-installed \
	test-corpora test-distributions test-deb test-dist test-flatpak deb dist install-gallery uninstall-gallery check-release bench bench-setup \
	bench-quick bench-parts install uninstall docs format lint clean

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

gallery: ## Show the gallery, or other images with URLS=list.txt or FOLDER=dir
	@scripts/setup.sh gallery
	@scripts/gallery.sh

gallery-screenshots: ## Make screenshots of every page of the gallery: light, dark, scale 1 and 2, right to left
	@scripts/setup.sh gallery
	@scripts/gallery-screenshots.sh

test: ## Run all tests, with the widgets' tests under Xvfb
	@scripts/setup.sh test
	scripts/test.sh

test-core: ## Run the tests that need no display, as quickly as possible
	@scripts/setup.sh test
	scripts/test.sh core

check: ## Run every check that exists, which takes hours, and print a table
	@scripts/check.sh

hooks: ## Let git format and lint the staged files before each commit
	@mkdir -p "$$(git rev-parse --git-path hooks)"
	ln -sf "$(CURDIR)/scripts/pre-commit.sh" "$$(git rev-parse --git-path hooks)/pre-commit"

test-thread: ## Run all tests with ThreadSanitizer
	@scripts/setup.sh test
	TSAN_OPTIONS="suppressions=$(CURDIR)/Tests/thread.supp" REMOTE_IMAGE_TEST_WAIT=200 \
	  BUILD_OPTIONS="--sanitize=thread --scratch-path .build-thread" scripts/test.sh

test-accessibility: ## Check what screen readers receive from the gallery, through AT-SPI
	@scripts/setup.sh test
	scripts/test-accessibility.sh

test-mutations: ## Check that the tests detect COUNT=100 drawn mutants; SEED=, FOLDER=; ONLY=all or a text takes those of Tests/Mutations, or COUNT= of them
	@scripts/setup.sh test
	@scripts/setup.sh install
	scripts/test-mutations.py $(if $(ONLY),--listed $(filter-out all,$(ONLY)),--installed) $(if $(COUNT),--count $(COUNT)) \
		$(if $(SEED),--seed $(SEED)) $(if $(FOLDER),--folder $(FOLDER))

fuzz: ## Fuzz the header readers and each decoder with damaged files, for SECONDS=60 each
	@scripts/setup.sh test
	scripts/fuzz.sh $(or $(SECONDS),60)

test-corpora: ## Compare decoded public test images with Pillow and Chromium; FOLDERS="dir..." adds folders of images
	@scripts/setup.sh test
	@scripts/setup.sh browser
	@scripts/setup.sh install
	scripts/test-corpora.sh $(FOLDERS)

test-distributions: ## Build and test on other Debian releases, RELEASES="smoke bookworm trixie unstable"; as root
	scripts/test-distributions.sh $(RELEASES)

test-deb: ## Install and make the Debian packages in fresh roots, RELEASES="bookworm trixie unstable"; as root
	@scripts/setup.sh deb
	scripts/test-deb.sh $(RELEASES)

test-flatpak: ## Run the commands of the Flatpak manifest in a root of Debian unstable; as root
	scripts/test-flatpak.sh

test-dist: ## Unpack the archive of make dist elsewhere and use it, and build it again from a clone
	@scripts/setup.sh install
	scripts/test-dist.sh

bench: ## Compare with the floor and with rivals, after make bench-setup
	@scripts/setup.sh gallery
	@Benchmarks/compare/bench.py

bench-setup: ## Install the rivals and make the images of the comparison
	@scripts/bench-setup.sh

bench-quick: ## Fail if the library has become slower relative to programs in C
	@scripts/bench-setup.sh quick
	@Benchmarks/compare/quick.py

bench-parts: ## Measure the parts of the library, without a server
	@scripts/setup.sh build
	$$(scripts/build-release.sh Benchmarks benchmarks)/benchmarks

install: ## Install the library for C, Python and Vala, and remote-image; PREFIX=/usr/local DESTDIR= LIBDIR=
	@scripts/setup.sh bindings
	scripts/install.sh

uninstall: ## Remove the installed files
	scripts/install.sh uninstall

install-gallery: ## Install the gallery with its desktop entry and icon; PREFIX=/usr/local DESTDIR=
	@scripts/setup.sh gallery
	scripts/install-gallery.sh

uninstall-gallery: ## Remove the installed gallery
	scripts/install-gallery.sh uninstall

deb: ## Make Debian packages in .build-deb
	@scripts/setup.sh deb
	scripts/deb.sh

dist: ## Make an archive of the installed tree in .build-dist, with its checksum
	@scripts/setup.sh bindings
	scripts/dist.sh

check-release: ## Check the version, the changelog and the interface for a release; see RELEASING.md
	@scripts/release.sh

test-installed: ## Install into a folder and test the result in C, Python and Vala
	@scripts/setup.sh install
	scripts/test-installed.sh

docs: ## Check the documentation, make its site in .build/site, and check every page in Chromium
	@scripts/setup.sh docs
	scripts/docs.sh

format: ## Format the sources
	swift format --in-place --recursive --parallel Package.swift Sources Tests Examples Benchmarks

lint: ## Check the format of the sources and the wording of their comments
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Examples Benchmarks
	scripts/lint-words.sh

clean: ## Remove all build products
	rm -rf .build .build-* Examples/.build Benchmarks/.build* gallery.png
