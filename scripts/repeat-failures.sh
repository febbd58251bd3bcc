#!/usr/bin/env bash
# Runs a command and, where it fails, repeats at the end what failed: among thousands of lines of
# passed tests it is hard to find.
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
