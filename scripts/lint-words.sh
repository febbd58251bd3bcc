#!/usr/bin/env bash
# Fails where a sentence has a subject that is no thing of the program: nobody, somebody, whoever, everybody, anybody.
set -euo pipefail
cd "$(dirname "$0")/.."

if git grep --line-number --ignore-case --word-regexp --extended-regexp \
  'nobody|somebody|whoever|everybody|anybody|who comes late' -- ':!scripts/lint-words.sh' ':!*.po'; then
  echo "Name the agent: the pipeline, the caller, a view, the decode thread."
  exit 1
fi
