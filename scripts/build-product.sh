#!/usr/bin/env bash
# Builds a product for installation, statically linked with Swift's libraries, and prints the path
# of its folder. The same commit produces the same bytes in every folder.
#
#   scripts/build-product.sh SCRATCH PRODUCT [LINKER-OPTION...]
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=${1:?usage: scripts/build-product.sh SCRATCH PRODUCT [LINKER-OPTION...]} product=${2:?is missing}
# Only lld applies a version script to Swift's symbols. Fewer pages and relocations make each start
# faster and reduce the memory of idle decoder processes.
#
# Three things would depend on the folder: messages of failed preconditions, which the prefix maps
# shorten; debug information, which is stripped anyway, but is part of the build ID; and a hash for
# incremental builds, which the compiler adds to each module.
build=(swift build --configuration release --disable-default-traits --scratch-path "$scratch"
  -Xswiftc -static-stdlib -Xswiftc -use-ld=lld -debug-info-format none
  -Xswiftc -file-prefix-map -Xswiftc "$PWD=." -Xcc "-ffile-prefix-map=$PWD=."
  -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen)
for option in --gc-sections --icf=safe --as-needed -z pack-relative-relocs "${@:3}"; do
  build+=(-Xlinker "$option")
done
"${build[@]}" --product "$product" >&2
"${build[@]}" --show-bin-path
