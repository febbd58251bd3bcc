#!/usr/bin/env bash
# Makes builds take the Swift packages that Package.swift names from local git repositories, for
# machines without network.
#
#   scripts/use-dependencies.sh FOLDER    the folder of the repositories, each with the name of its
#                                         package and the tag of its version
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(cd "${1:?usage: scripts/use-dependencies.sh FOLDER}" && pwd)
sed -n 's/.*url: "\([^"]*\)".*/\1/p' Package.swift | sort -u | while read -r address; do
  repository=$folder/$(basename "$address")
  if [ -z "$(git -C "$repository" tag 2>/dev/null)" ]; then
    echo "$repository is not a git repository with the tag of a version." >&2
    exit 1
  fi
  for package in . Examples Benchmarks Tests/Fuzz Tests/Seeds; do
    swift package --package-path "$package" config set-mirror --original "$address" --mirror "file://$repository"
  done
done
