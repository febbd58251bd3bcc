#!/usr/bin/env bash
# Fails for comments of more than 100 columns, for vague subjects instead of parts of the program
# (nobody, somebody, whoever, everybody, anybody), and for another spelling than that of the API in
# the pages and in the comments of the sources (colour, centre).
set -euo pipefail
cd "$(dirname "$0")/.."

# Whether git finds something; ends the script if git fails, as outside a clone.
finds() {
  local status=0
  git grep --line-number "$@" || status=$?
  if [ "$status" -gt 1 ]; then
    echo "The sources were not checked, since git grep failed." >&2
    exit 1
  fi
  [ "$status" -eq 0 ]
}

if finds --ignore-case --extended-regexp \
  'nobody|somebody|whoever|everybody|anybody|who comes late' -- ':!scripts/lint-words.sh' ':!*.po'; then
  echo "Name the agent instead: the pipeline, the caller, a view, the decode thread."
  exit 1
fi

if finds --ignore-case --extended-regexp 'colour|centre' -- '*.md' ||
  finds --ignore-case --extended-regexp '^ *(//|\*).*(colour|centre)' -- Sources; then
  echo "Write color and center, as the API does."
  exit 1
fi

export LC_ALL=C.UTF-8
if finds --perl-regexp '^(?=.{101}) *(//|\* |# )' \
  -- '*.swift' '*.c' '*.h' '*.py' '*.sh' .ci/run; then
  echo "Wrap comments at 100 columns."
  exit 1
fi
