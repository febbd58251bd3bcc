#!/usr/bin/env bash
# Checks whether the current commit can be released. RELEASING.md describes the whole procedure.
#
#   scripts/release.sh --check    all checks, with the packages and the documentation
#   scripts/release.sh --quick    only those that build nothing
set -euo pipefail
cd "$(dirname "$0")/.."

failures=0
check() { # description, command
  if "${@:2}"; then echo "ok      $1"; else echo "FAILED  $1"; failures=$((failures + 1)); fi
}
# Runs a long check, and shows its output only if it fails.
check_build() { # description, command
  local log
  log=$(mktemp)
  if "${@:2}" >"$log" 2>&1; then echo "ok      $1"; else tail -40 "$log"; check "$1" false; fi
  rm -f "$log"
}

version=$(scripts/version.sh)
is_semantic() { grep -qxE '[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?' <<<"$version"; }
is_clean() { local changes && changes=$(git status --porcelain) && [ -z "$changes" ]; }
is_new() { ! git rev-parse --quiet --verify "refs/tags/$version" >/dev/null; }
has_heading() { grep -qE "^## $version - [0-9]{4}-[0-9]{2}-[0-9]{2}$" CHANGELOG.md; }
is_only_there() {
  local status=0
  git grep --line-number --fixed-strings "$version" -- ':!Sources/RemoteImageCore/LibraryVersion.swift' \
    ':!CHANGELOG.md' ':!RELEASING.md' ':!scripts/version.sh' || status=$?
  # 1: nothing was found. Anything above is a failure of git.
  [ "$status" -eq 1 ]
}
keeps() { # a list in data: no line of the last release is missing
  local last
  last=$(git describe --tags --abbrev=0 2>/dev/null) || return 0
  git cat-file -e "$last:$1" 2>/dev/null || return 0
  ! comm -23 <(git show "$last:$1" | grep -v '^#' | LC_ALL=C sort) <(grep -v '^#' "$1" | LC_ALL=C sort) | grep .
}
[ "${1:-}" = --check ] || [ "${1:-}" = --quick ] || { echo "usage: scripts/release.sh --check|--quick" >&2; exit 64; }

check "The version $version is semantic" is_semantic
check "The version is written in one place" is_only_there
check "No tag has this version" is_new
check "All changes are committed" is_clean
check "CHANGELOG.md has the heading \"## $version - DATE\"" has_heading
check "data/symbols.txt has all symbols of the last release" keeps data/symbols.txt
check "data/interface.txt has the whole interface of the last release" keeps data/interface.txt
check_build "The sources are formatted" make lint
scripts/setup.sh metadata
check_build "The gallery's metadata is valid" scripts/gallery-metadata.sh "$(mktemp -d)"
if [ "$1" = --check ]; then
  check_build "The installed library passes its tests" make test-installed
  check_build "The archive is reproducible" make test-dist
  check_build "The Debian packages pass lintian, and work on Debian 12, 13 and unstable" env REQUIRE_ROOTS=1 make test-deb
  check_build "The documentation is complete" make docs
fi
[ "$failures" -eq 0 ] || { echo "$failures checks failed."; exit 1; }
echo "To release: git tag --annotate $version --message 'remote-image $version' && git push origin $version"
