#!/usr/bin/env bash
# Builds remote-image so that it needs no Swift on the machine it runs on, and its shell completions.
#
#   scripts/build-command.sh FOLDER    where they go
set -euo pipefail
cd "$(dirname "$0")/.."

folder=${1:?usage: scripts/build-command.sh FOLDER}
build=(swift build --configuration release --scratch-path .build-command --product remote-image
  -Xswiftc -static-stdlib -Xswiftc -use-ld=lld -Xlinker --gc-sections)
"${build[@]}"
strip --strip-all -o "$folder/remote-image" "$("${build[@]}" --show-bin-path)/remote-image"
for shell in bash zsh fish; do
  "$folder/remote-image" --generate-completion-script "$shell" >"$folder/remote-image.$shell"
done
