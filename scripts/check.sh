#!/usr/bin/env bash
# Runs every check that exists, for a night or a release. Each step is one line with its seconds;
# its output is in .build-check. A failure does not end the run. The steps in other Debian releases
# require the root user.
#
# MUTANTS             how many mutants are drawn, and how many of the lists, 40 by default
# SECONDS_OF_FUZZING  for each target, 60 by default
# MINUTES_OF_USE      how long the gallery is used at random, 60 by default
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/steps.sh

export WARNINGS_ARE_ERRORS=1
# Within a night, a root that cannot be made is a failure.
if [ "$(id -u)" -eq 0 ]; then export REQUIRE_ROOTS=1; fi
export LOGS=$PWD/.build-check
rm -rf "$LOGS"
mkdir -p "$LOGS"

core_without_url() { swift build --disable-default-traits --target RemoteImage --scratch-path .build-plain; }
# The other Debian releases than that of this machine.
others() { printf '%s\n' bookworm trixie unstable | grep -vx "$(. /etc/os-release && echo "${VERSION_CODENAME:-}")" | xargs; }
metadata() { scripts/setup.sh metadata && scripts/gallery-metadata.sh "$(mktemp -d)"; }
store() { # command of store_trials.py
  Tests/Trials/store_trials.py .build/debug/remote-image "$@"
}
resized() { Tests/Trials/resized_trials.py .build/debug/remote-image "$@"; }
random_use() { Tests/Trials/soak.py "$(scripts/build-release.sh Examples Gallery)/Gallery" --minutes "${MINUTES_OF_USE:-60}"; }
browser() { scripts/setup.sh browser && Tests/Trials/browser_trial.py .build/debug/remote-image; }

step "Checks of a change" env -u LOGS .ci/run
step "Widgets at scale 2" env GDK_SCALE=2 scripts/test.sh widgets
step "ThreadSanitizer" make test-thread
step "Core without the trait URL" core_without_url
step "Accessibility" make test-accessibility
step "Gallery's screenshots" make gallery-screenshots
step "Gallery's metadata" metadata
step "Store: killed processes" store kill --times 40
step "Store: two processes" store share --seconds 10
step "Store: resumed downloads" store resume
step "Store: full disk" store faults
step "Resized images: killed processes" resized kill --times 40
step "Resized images: two processes" resized share --seconds 10
step "Resized images: full disk" resized faults
step "Hostile images beside good ones" Tests/Trials/hostile_neighbours.py .build/debug/remote-image
step "Random use of the gallery" random_use
step "Odd files and servers, as Chromium shows them" browser
step "The whole library for other languages" make test-installed
step "Sizes from a thumbor server" Tests/Trials/thumbor_trial.py
step "Public test images" make test-corpora
step "Fuzzing" scripts/fuzz.sh "${SECONDS_OF_FUZZING:-60}"
step "Mutants, drawn" make test-mutations COUNT="${MUTANTS:-40}"
step "Mutants of the lists" make test-mutations ONLY=all COUNT="${MUTANTS:-40}"
step "Documentation" make docs
step "Archive, built twice" make test-dist
step "Debian packages in fresh roots" make test-deb
step "Tests in other Debian releases" make test-distributions RELEASES="$(others)"
step "Flatpak manifest" make test-flatpak
# The figures of the repository are those of a chosen machine.
step "Benchmarks" env BENCHMARK_RESULTS="$LOGS/results" make bench-setup bench
finish
