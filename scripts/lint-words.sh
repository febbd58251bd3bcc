#!/usr/bin/env bash
# Fails for comments of more than 100 columns, and for vague subjects instead of parts of the
# program: nobody, somebody, whoever, everybody, anybody.
set -euo pipefail
cd "$(dirname "$0")/.."

if git grep --line-number --ignore-case --extended-regexp \
  'nobody|somebody|whoever|everybody|anybody|who comes late' -- ':!scripts/lint-words.sh' ':!*.po'; then
  echo "Name the agent instead: the pipeline, the caller, a view, the decode thread."
  exit 1
fi

if LC_ALL=C.UTF-8 git grep --line-number --perl-regexp '^(?=.{101}) *(//|\* |# )' \
  -- '*.swift' '*.c' '*.h' '*.py' '*.sh' .ci/run; then
  echo "Wrap comments at 100 columns."
  exit 1
fi
