#!/usr/bin/env bash
# Builds remote-image and remote-image-decoder, statically linked with Swift's libraries, and the
# shell completions.
#
#   scripts/build-command.sh FOLDER    the output folder
set -euo pipefail
cd "$(dirname "$0")/.."

folder=${1:?usage: scripts/build-command.sh FOLDER}
for product in remote-image remote-image-decoder; do
  strip --strip-all -o "$folder/$product" "$(scripts/build-product.sh .build-command "$product")/$product"
done
for shell in bash zsh fish; do
  "$folder/remote-image" --generate-completion-script "$shell" >"$folder/remote-image.$shell"
done
