#!/usr/bin/env bash
# Builds remote-image and remote-image-decoder, statically linked with Swift's libraries, and the
# shell completions.
#
#   scripts/build-command.sh FOLDER    the output folder
set -euo pipefail
cd "$(dirname "$0")/.."

folder=${1:?usage: scripts/build-command.sh FOLDER}
# Linked like the library: fewer pages and relocations make each start faster and reduce the memory
# of idle decoder processes.
build=(swift build --configuration release --disable-default-traits --scratch-path .build-command
  -Xswiftc -static-stdlib -Xswiftc -use-ld=lld)
for option in --gc-sections --icf=safe --as-needed -z pack-relative-relocs; do build+=(-Xlinker "$option"); done
for product in remote-image remote-image-decoder; do
  "${build[@]}" --product "$product"
  strip --strip-all -o "$folder/$product" "$("${build[@]}" --show-bin-path)/$product"
done
for shell in bash zsh fish; do
  "$folder/remote-image" --generate-completion-script "$shell" >"$folder/remote-image.$shell"
done
