#!/usr/bin/env bash
# Builds for installation and for measurements, statically linked with Swift's libraries. All builds
# share .build-release, so that each module is compiled once. The same commit produces the same
# bytes in every folder.
#
#   scripts/build-release.sh library FOLDER
#     libremoteimage-1.so.0, which exports only the public symbols
#   scripts/build-release.sh command FOLDER
#     remote-image, remote-image-decoder and the shell completions
#   scripts/build-release.sh PACKAGE [PRODUCT...]
#     products of the package Examples or Benchmarks, all by default; prints their folder
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  echo "usage: scripts/build-release.sh library|command FOLDER | Examples|Benchmarks [PRODUCT...]" >&2
  exit 64
}
[ $# -gt 0 ] || usage
scratch=.build-release
built=$scratch/release

# Optimised for speed: with -Osize, generic code of dependencies is not specialised. Sections of
# their own let the linker drop unused functions. It also merges functions with the same code, since
# nothing here compares their addresses.
#
# Only lld applies a version script to Swift's symbols. Fewer pages and relocations make each start
# faster and reduce the memory of idle decoder processes.
#
# Three things would depend on the folder: messages of failed preconditions, which the prefix maps
# shorten; debug information, which is stripped anyway, but is part of the build ID; and a hash for
# incremental builds, which the compiler adds to each module.
build() { # package, options
  local command=(swift build --configuration release --package-path "$1" --scratch-path "$scratch"
    -Xswiftc -static-stdlib -Xswiftc -use-ld=lld -debug-info-format none
    -Xswiftc -file-prefix-map -Xswiftc "$PWD=." -Xcc "-ffile-prefix-map=$PWD=."
    -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen
    -Xswiftc -Xfrontend -Xswiftc -function-sections)
  local option
  for option in --gc-sections --icf=all --as-needed -z pack-relative-relocs "${link[@]}"; do
    command+=(-Xlinker "$option")
  done
  # The benchmarks have no traits, and depend on the library without any.
  [ "$1" = Benchmarks ] || command+=(--disable-default-traits)
  "${command[@]}" "${@:2}" >&2
}
link=()

case "$1" in
library)
  folder=${2:-}
  [ -n "$folder" ] || usage
  mkdir -p "$folder" "$scratch"
  # Only the listed symbols are exported; programs and g-ir-scanner use no others.
  {
    echo "REMOTEIMAGE_1 {"
    echo "  global:"
    sed -e '/^#/d' -e '/^$/d' -e 's/.*/    &;/' data/symbols.txt
    echo "  local: *;"
    echo "};"
  } >"$scratch/symbols.map"
  link=(-soname=libremoteimage-1.so.0 --version-script="$PWD/$scratch/symbols.map")
  build . --product remoteimage
  strip --strip-all -o "$folder/libremoteimage-1.so.0" "$built/libremoteimage.so"
  ln -sf libremoteimage-1.so.0 "$folder/libremoteimage-1.so"
  ;;
command)
  folder=${2:-}
  [ -n "$folder" ] || usage
  mkdir -p "$folder"
  # Builds the decoder, too, on which it depends.
  build . --product remote-image
  for product in remote-image remote-image-decoder; do
    strip --strip-all -o "$folder/$product" "$built/$product"
  done
  for shell in bash zsh fish; do
    "$folder/remote-image" --generate-completion-script "$shell" >"$folder/remote-image.$shell"
  done
  ;;
Examples | Benchmarks)
  if [ $# -eq 1 ]; then build "$1"; fi
  for product in "${@:2}"; do build "$1" --product "$product"; done
  echo "$PWD/$built"
  ;;
*) usage ;;
esac
