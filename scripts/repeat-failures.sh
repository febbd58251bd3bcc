#!/usr/bin/env bash
# Runs a command. If it fails, repeats its error lines at the end, since they are hard to find among
# thousands of lines of passed tests.
set -uo pipefail

log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$@" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
if ((status)); then
  printf '\n== Failed\n'
  grep -aE '✘|error:|Sanitizer' "$log" | cut -c 1-400
fi
exit "$status"
