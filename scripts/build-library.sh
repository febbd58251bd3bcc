#!/usr/bin/env bash
# Builds libremoteimage-1.so.0 so that it needs no Swift on the machine it runs on, and exports its public symbols only.
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

# What only the compiler reads of objects, and what only debuggers read of Swift's types. The runtime's own objects keep their empty
# sections, whose bounds it asks for.
discarded="$PWD/$scratch/discarded.ld"
{
  echo "SECTIONS { /DISCARD/ : { *(.swift_modhash)"
  for section in swift5_assocty swift5_builtin; do echo "  *(EXCLUDE_FILE(*swiftrt.o) $section)"; done
  echo "} } INSERT AFTER .eh_frame;"
} >"$discarded"

# Only lld honours a version script for Swift's symbols. Sections that nobody refers to go, equal functions are one. The index of
# unwind tables, a quarter of a megabyte, is for C++ exceptions, of which there are none here; debuggers read the tables.
# Nothing looks into values at run time.
flags=(-Xswiftc -static-stdlib -Xswiftc -use-ld=lld -Xswiftc -Osize -Xswiftc -Xfrontend -Xswiftc -disable-reflection-metadata)
# 64 KiB of zeros, where the runtime keeps what its reports of crashes need, are no part of the file: they are linked as memory
# that is zero at the start, from a copy of Swift's libraries.
swift=$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")
runtime="$PWD/$scratch/swift_static"
rm -rf "$runtime"
cp -rs "$swift/lib/swift_static" "$runtime"
rm "$runtime/linux/libswiftCore.a"
"$swift/bin/llvm-objcopy" --set-section-type swift5_backtrace=8 \
  "$swift/lib/swift_static/linux/libswiftCore.a" "$runtime/linux/libswiftCore.a"
flags+=(-Xswiftc -resource-dir -Xswiftc "$runtime")
for option in -soname="$soname" --version-script="$script" --script="$discarded" --gc-sections --icf=all -O2 \
  --as-needed --no-eh-frame-hdr -z pack-relative-relocs; do
  flags+=(-Xlinker "$option")
done
swift build --configuration release --disable-default-traits --scratch-path "$scratch" --product remoteimage "${flags[@]}"
built="$(swift build --configuration release --disable-default-traits --scratch-path "$scratch" --show-bin-path)"

strip --strip-all --remove-section=.comment --remove-section=.lldbsummaries -o "$folder/$soname" "$built/libremoteimage.so"
ln -sf "$soname" "$folder/libremoteimage-1.so"
