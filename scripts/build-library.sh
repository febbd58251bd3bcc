#!/usr/bin/env bash
# Builds libremoteimage-1.so.0, statically linked with Swift's libraries. It exports only the public
# symbols of the C interface.
#
#   scripts/build-library.sh FOLDER    the output folder
set -euo pipefail
cd "$(dirname "$0")/.."

folder=${1:?usage: scripts/build-library.sh FOLDER}
soname=libremoteimage-1.so.0
scratch=.build-library
mkdir -p "$folder" "$scratch"
folder=$(cd "$folder" && pwd)

# Only the listed symbols are exported; programs and g-ir-scanner use no others.
script="$PWD/$scratch/symbols.map"
{
  echo "REMOTEIMAGE_1 {"
  echo "  global:"
  sed -e '/^#/d' -e '/^$/d' -e 's/.*/    &;/' data/symbols.txt
  echo "  local: *;"
  echo "};"
} >"$script"

built=$(scripts/build-product.sh "$scratch" remoteimage -soname="$soname" --version-script="$script")
strip --strip-all -o "$folder/$soname" "$built/libremoteimage.so"
ln -sf "$soname" "$folder/libremoteimage-1.so"
