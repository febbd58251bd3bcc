#!/usr/bin/env bash
# Checks what `make check` does not: that the current commit is marked as a release. RELEASING.md
# describes the whole procedure.
set -euo pipefail
cd "$(dirname "$0")/.."

failures=0
check() { # description, command
  if "${@:2}"; then echo "ok      $1"; else echo "FAILED  $1"; failures=$((failures + 1)); fi
}

version=$(scripts/version.sh)
is_semantic() { grep -qxE '[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?' <<<"$version"; }
is_clean() { local changes && changes=$(git status --porcelain) && [ -z "$changes" ]; }
is_new() { ! git rev-parse --quiet --verify "refs/tags/$version" >/dev/null; }
has_heading() { grep -qE "^## $version - [0-9]{4}-[0-9]{2}-[0-9]{2}$" CHANGELOG.md; }
has_macros() {
  local header=Sources/CRemoteImage/include/remote-image-version.h
  [ "$(sed -nE 's/^#define REMOTE_IMAGE_(MAJOR|MINOR|MICRO)_VERSION ([0-9]+)$/\2/p' "$header" | paste -sd.)" = "${version%%-*}" ]
}
is_only_there() {
  local status=0
  # In text for readers; code and tests have numbers of other things.
  git grep --line-number --fixed-strings --word-regexp "$version" -- README.md docs data packaging '*.docc/*.md' || status=$?
  # 1: nothing was found. Anything above is a failure of git.
  [ "$status" -eq 1 ]
}
keeps() { # a list in data: no line of the last release is missing
  local last
  last=$(git describe --tags --abbrev=0 2>/dev/null) || return 0
  git cat-file -e "$last:$1" 2>/dev/null || return 0
  ! comm -23 <(git show "$last:$1" | grep -v '^#' | LC_ALL=C sort) <(grep -v '^#' "$1" | LC_ALL=C sort) | grep .
}

check "The version $version is semantic" is_semantic
check "The version is written in one place" is_only_there
check "remote-image-version.h has this version" has_macros
check "No tag has this version" is_new
check "All changes are committed" is_clean
check "CHANGELOG.md has the heading \"## $version - DATE\"" has_heading
check "data/symbols.txt has all symbols of the last release" keeps data/symbols.txt
check "data/interface.txt has the whole interface of the last release" keeps data/interface.txt
[ "$failures" -eq 0 ] || { echo "$failures checks failed."; exit 1; }
echo "To release: git tag --annotate $version --message 'remote-image $version' && git push origin $version"
