#!/usr/bin/env bash
# Builds libremoteimage-1.so.0 so that it needs no Swift on the machine it runs on, and exports its
# public symbols only.
#
#   scripts/build-library.sh FOLDER    where the library goes
set -euo pipefail
cd "$(dirname "$0")/.."

folder=${1:?usage: scripts/build-library.sh FOLDER}
soname=libremoteimage-1.so.0
scratch=.build-library
mkdir -p "$folder" "$scratch"
folder=$(cd "$folder" && pwd)

# What is exported is what the list names, and what g-ir-scanner and programs may rely on.
script="$PWD/$scratch/symbols.map"
{
  echo "REMOTEIMAGE_1 {"
  echo "  global:"
  sed -e '/^#/d' -e '/^$/d' -e 's/.*/    &;/' data/symbols.txt
  echo "  local: *;"
  echo "};"
} >"$script"

# Only lld honours a version script for Swift's symbols.
flags=(-Xswiftc -static-stdlib -Xswiftc -use-ld=lld)
for option in -soname="$soname" --version-script="$script" --gc-sections --icf=safe --as-needed \
  -z pack-relative-relocs; do flags+=(-Xlinker "$option"); done
swift build --configuration release --disable-default-traits --scratch-path "$scratch" --product remoteimage "${flags[@]}"
built="$(swift build --configuration release --disable-default-traits --scratch-path "$scratch" --show-bin-path)"

strip --strip-all -o "$folder/$soname" "$built/libremoteimage.so"
ln -sf "$soname" "$folder/libremoteimage-1.so"
