#!/usr/bin/env bash
# Builds the documentation of each library. Warnings, and public symbols without documentation or
# topic, are errors.
set -euo pipefail
cd "$(dirname "$0")/.."

swift build
build=$(swift build --show-bin-path)
target=$(swiftc -print-target-info | python3 -c 'import json, sys; print(json.load(sys.stdin)["target"]["unversionedTriple"])')
extract=(swift symbolgraph-extract -target "$target" -I "$build/Modules" -minimum-access-level public
  -skip-synthesized-members)
for map in Sources/C*/module.modulemap Sources/C*/include/module.modulemap "$build"/C*.build/module.modulemap; do
  [[ -f $map ]] && extract+=(-Xcc "-fmodule-map-file=$map")
done
for flag in $(pkg-config --cflags gtk4 libcurl); do extract+=(-Xcc "$flag"); done

graphs=.build/symbol-graphs
rm -rf "$graphs"
# What a module re-exports from a target that is no product is documented as its own.
for module in RemoteImageCore:RemoteImageDecoding RemoteImageDecoders RemoteImagePixbuf:RemoteImagePixbufDecoder \
  RemoteImageGtk RemoteImageTesting; do
  name=${module%:*}
  mkdir -p "$graphs/$name"
  reexport=()
  [[ $module == *:* ]] && reexport=("-experimental-allowed-reexported-modules=${module#*:}")
  "${extract[@]}" -module-name "$name" -output-dir "$graphs/$name" "${reexport[@]}"
done
scripts/check-docs.py "$graphs"

for graph in "$graphs"/*; do
  name=$(basename "$graph")
  docc convert "Sources/$name/$name.docc" --additional-symbol-graph-dir "$graph" --warnings-as-errors \
    --fallback-display-name "$name" --fallback-bundle-identifier "$name" --output-path ".build/documentation/$name"
done
echo "The documentation is in .build/documentation."
