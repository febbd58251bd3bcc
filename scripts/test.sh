#!/usr/bin/env bash
# Builds and runs tests. Those of the widgets (XCTest) run one at a time on a private display. All
# others (Swift Testing) need no display and run beside them, several at a time.
#
#   scripts/test.sh           all tests of the package, then those of seeds
#   scripts/test.sh core      only those that need no display
#   scripts/test.sh widgets   only those of the widgets
#   scripts/test.sh examples  those of the package Examples, built in the same folder
#   scripts/test.sh seeds     those of the package Tests/Seeds, built in the same folder
#
# WARNINGS_ARE_ERRORS  if not empty, a warning of a compiler fails the build
# BUILD_OPTIONS        further options of swift build and swift test, such as --sanitize=thread
set -euo pipefail
cd "$(dirname "$0")/.."

read -ra options <<<"${BUILD_OPTIONS:-}"
# SwiftPM does not accept -Werror as the last option of the C compiler.
[ -z "${WARNINGS_ARE_ERRORS:-}" ] || options+=(-Xswiftc -warnings-as-errors -Xcc -Werror -Xcc -Wall)
scratch=$(sed -n 's/.*--scratch-path \([^ ]*\).*/\1/p' <<<"${BUILD_OPTIONS:-}")
scratch=${scratch:-.build}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# Another package in the same folder. SwiftPM caches one plan of a build in a folder, and would
# follow it for a package that it does not belong to.
other() { # folder
  options+=(--package-path "$1" --scratch-path "$scratch")
  trap 'rm -f "$log" "$scratch/debug.yaml"' EXIT
  rm -f "$scratch/debug.yaml"
}
case "${1:-}" in
examples) other Examples ;;
seeds) other Tests/Seeds ;;
esac
# SwiftPM can lock the build folder for one run only; these runs only read it.
run=(swift test --skip-build --ignore-lock "${options[@]}")
# The tests wait more than they compute, so twice as many as there are cores keep these busy. With
# more, the time limits of some tests would measure the others.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-$((2 * $(nproc)))}
tests() { # command
  "$@" | tee "$log"
  # SwiftPM also succeeds without a test.
  grep -qaE '(Executed|Test run with) [1-9]' "$log" || { echo "No test ran." >&2 && return 1; }
}
core() { scripts/repeat-failures.sh "${run[@]}" --disable-xctest; }
widgets() { scripts/repeat-failures.sh scripts/with-display.sh "${run[@]}" --disable-swift-testing; }

swift build --build-tests "${options[@]}"
case "${1:-all}" in
core) core ;;
widgets) widgets ;;
examples) tests core ;;
seeds)
  tests scripts/repeat-failures.sh scripts/with-display.sh "${run[@]}"
  grep -qaE 'Executed [1-9]' "$log" && grep -qaE 'Test run with [1-9]' "$log" || { echo "Not all tests ran." >&2 && exit 1; }
  ;;
all)
  core >"$log" 2>&1 &
  running=$! status=0
  # Both runs plan the build first, and SwiftPM fails if its database is in use.
  until grep -qa 'Test run started' "$log" || ! kill -0 "$running" 2>/dev/null; do sleep 0.2; done
  widgets || status=$?
  wait "$running" || status=$?
  cat "$log"
  scripts/test.sh seeds || status=$?
  exit "$status"
  ;;
*)
  echo "usage: scripts/test.sh [core|widgets|examples|seeds]" >&2
  exit 64
  ;;
esac
