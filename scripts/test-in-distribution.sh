#!/usr/bin/env bash
# What scripts/test-distributions.sh runs in each root.
set -euo pipefail

scratch=${SCRATCH:?is set by scripts/test-distributions.sh}
build=(--scratch-path "$scratch" --skip-update)
step() { printf '\n-- %s\n' "$*"; }

step "What is here"
for library in gtk4 gdk-pixbuf-2.0 glib-2.0 libcurl; do echo "$library $(pkg-config --modversion "$library")"; done

step "Build without warnings"
swift build "${build[@]}" --build-tests

step "Tests"
scripts/with-display.sh swift test "${build[@]}" --skip-build --no-parallel
