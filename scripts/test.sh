#!/usr/bin/env bash
# Builds and runs tests. Those of the widgets (XCTest) run one at a time on a private display. All
# others (Swift Testing) need no display and run beside them, several at a time.
#
#   scripts/test.sh           all tests of the package
#   scripts/test.sh core      only those that need no display
#   scripts/test.sh widgets   only those of the widgets
#   scripts/test.sh examples  those of the package Examples, built in the same folder
#
# WARNINGS_ARE_ERRORS  if not empty, a warning of a compiler fails the build
# BUILD_OPTIONS        further options of swift build and swift test, such as --sanitize=thread
set -euo pipefail
cd "$(dirname "$0")/.."

read -ra options <<<"${BUILD_OPTIONS:-}"
# SwiftPM does not accept -Werror as the last option of the C compiler.
[ -z "${WARNINGS_ARE_ERRORS:-}" ] || options+=(-Xswiftc -warnings-as-errors -Xcc -Werror -Xcc -Wall)
[ "${1:-}" != examples ] || options+=(--package-path Examples --scratch-path .build)
# SwiftPM can lock the build folder for one run only; these runs only read it.
run=(swift test --skip-build --ignore-lock "${options[@]}")
# The tests wait more than they compute, so twice as many as there are cores keep these busy. With
# more, the time limits of some tests would measure the others.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-$((2 * $(nproc)))}
core() { scripts/repeat-failures.sh "${run[@]}" --disable-xctest; }
widgets() { scripts/repeat-failures.sh scripts/with-display.sh "${run[@]}" --disable-swift-testing; }

swift build --build-tests "${options[@]}"
case "${1:-all}" in
core | examples) core ;;
widgets) widgets ;;
all)
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  core >"$log" 2>&1 &
  running=$! status=0
  widgets || status=$?
  wait "$running" || status=$?
  cat "$log"
  exit "$status"
  ;;
*)
  echo "usage: scripts/test.sh [core|widgets|examples]" >&2
  exit 64
  ;;
esac
