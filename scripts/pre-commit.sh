#!/usr/bin/env bash
# Formats and lints the staged files, and stages the result. `make hooks` lets git run this before
# each commit; `git commit --no-verify` skips it.
set -euo pipefail
cd "$(git rev-parse --show-toplevel)"

mapfile -d '' -t staged < <(git diff --cached --name-only --diff-filter=ACMR -z -- '*.swift')
mapfile -d '' -t changed < <(git diff --name-only -z -- "${staged[@]}")
if [ ${#staged[@]} -gt 0 ]; then
  if [ ${#changed[@]} -eq 0 ]; then
    swift format --in-place --parallel "${staged[@]}"
    git add -- "${staged[@]}"
  else
    # Formatting would stage other changes of these files, so the staged content is only checked.
    copy=$(mktemp -d)
    trap 'rm -rf "$copy"' EXIT
    git checkout-index --prefix="$copy/" -- "${staged[@]}" .swift-format
    (cd "$copy" && swift format lint --strict --parallel "${staged[@]}")
  fi
fi
scripts/lint-words.sh
