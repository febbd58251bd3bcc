.DEFAULT_GOAL := help
# Given on the command line or in the environment; the script reads them there.
export URLS FOLDER PREFIX DESTDIR LIBDIR ROOT
.PHONY: help gallery gallery-screenshots test test-thread test-mutations fuzz test-accessibility test-installed test-without-swift \
	test-corpora test-distributions bench bench-setup \
	bench-quick bench-parts install uninstall docs format lint clean

help: ## Say what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

gallery: ## Show the gallery; URLS=list.txt or FOLDER=dir shows other images
	@scripts/setup.sh gallery
	@scripts/gallery.sh

gallery-screenshots: ## Make screenshots of every page of the gallery: light, dark, scale 1 and 2, right to left
	@scripts/setup.sh gallery
	@scripts/gallery-screenshots.sh

test: ## Run every test, those of the widgets under Xvfb
	@scripts/setup.sh test
	scripts/repeat-failures.sh scripts/with-display.sh swift test --no-parallel

test-thread: ## Run every test with ThreadSanitizer
	@scripts/setup.sh test
	TSAN_OPTIONS="suppressions=$(CURDIR)/Tests/thread-sanitizer.supp $$TSAN_OPTIONS" REMOTE_IMAGE_TEST_WAIT=200 \
		scripts/repeat-failures.sh scripts/with-display.sh swift test --sanitize=thread --scratch-path .build-thread --no-parallel

test-accessibility: ## Read the gallery as screen readers do, through AT-SPI
	@scripts/setup.sh test
	scripts/test-accessibility.sh

test-mutations: ## Check that tests notice the mistakes listed in Tests/Mutations; ONLY=part of a file or text
	@scripts/setup.sh test
	scripts/test-mutations.py $(ONLY)

fuzz: ## Feed damaged files to the readers of headers and to each decoder; SECONDS=60 for each
	@scripts/setup.sh build
	scripts/fuzz.sh $(or $(SECONDS),60)

test-corpora: ## Compare with Pillow over public test images; FOLDERS="dir..." adds folders of images
	@scripts/setup.sh test
	@scripts/setup.sh install
	scripts/test-corpora.sh $(FOLDERS)

test-distributions: ## Build and test on other Debian releases, RELEASES="bookworm trixie unstable"; as root
	scripts/test-distributions.sh $(RELEASES)

bench: ## Compare with the floor and with rivals; first: make bench-setup
	@scripts/setup.sh gallery
	@Benchmarks/compare/bench.py

bench-setup: ## Install the rivals and make the images of the comparison
	@scripts/bench-setup.sh

bench-quick: ## Fail if this has become slower, beside programs in C
	@scripts/bench-setup.sh quick
	@Benchmarks/compare/quick.py

bench-parts: ## Measure the parts of the library, without a server
	@scripts/setup.sh build
	swift run --package-path Benchmarks --configuration release benchmarks

install: ## Install the library for C, Python and Vala, and remote-image; PREFIX=/usr/local DESTDIR= LIBDIR=
	@scripts/setup.sh install
	scripts/install.sh

uninstall: ## Take away what was installed
	scripts/install.sh uninstall

test-installed: ## Install into a folder and test there, in C, Python and Vala
	@scripts/setup.sh install
	scripts/test-installed.sh

test-without-swift: ## Run what was installed below PREFIX on a Debian without Swift, made in ROOT; as root
	scripts/test-without-swift.sh "$(or $(PREFIX),/usr/local)" "$(or $(ROOT),.build-debian)"

docs: ## Build the documentation into .build/documentation
	@scripts/setup.sh build
	scripts/docs.sh

format: ## Lay the sources out
	swift format --in-place --recursive --parallel Package.swift Sources Tests Examples Benchmarks

lint: ## Check the layout of the sources, and their words
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Examples Benchmarks
	scripts/lint-words.sh

clean: ## Throw away what was built
	rm -rf .build .build-* Examples/.build Benchmarks/.build* gallery.png
