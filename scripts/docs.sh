#!/usr/bin/env bash
# Checks the documentation and makes the site of it. Warnings, public symbols without documentation
# or topic, code blocks that do not compile, and faults of the site's pages are errors.
set -euo pipefail
cd "$(dirname "$0")/.."

swift build
build=$(swift build --show-bin-path)
info() { swiftc -print-target-info | python3 -c "import json, sys; print(json.load(sys.stdin)$1)"; }
target=$(info '["target"]["unversionedTriple"]')
resources=$(info '["paths"]["runtimeResourcePath"]')
flags=(-target "$target" -I "$build/Modules")
for map in Sources/C*/module.modulemap Sources/C*/include/module.modulemap "$build"/C*.build/module.modulemap; do
  [[ -f $map ]] && flags+=(-Xcc "-fmodule-map-file=$map")
done
for flag in $(pkg-config --cflags gtk4 libcurl); do flags+=(-Xcc "$flag"); done
extract=(swift symbolgraph-extract "${flags[@]}" -minimum-access-level public -skip-synthesized-members)

# Unlike -typecheck, -emit-sil also reports uninitialized variables and data races. The types of an
# example are in no module.
scripts/check-snippets.py swift swiftc -emit-sil -o /dev/null -whole-module-optimization -swift-version 6 \
  -suppress-warnings "${flags[@]}" Tests/Snippets/Context.swift Examples/URLSessionLoader/URLSessionLoader.swift
# The compiler says what to write instead, as the first line of each program states.
for program in Tests/Snippets/Mistakes/*/main.swift; do
  mode=()
  grep -q @main "$program" && mode=(-parse-as-library)
  message=$(swiftc -typecheck -swift-version 6 "${mode[@]}" "${flags[@]}" "$program" 2>&1 || true)
  expected=$(sed -n '1s|^// error: ||p' "$program")
  [[ -n $expected && $message == *"error: "*"$expected"* ]] || { echo "$program compiles, or fails otherwise"; exit 1; }
done
scripts/check-snippets.py manifest swiftc -typecheck -I "$resources/pm/ManifestAPI" -package-description-version 6.3
# shellcheck disable=SC2046
scripts/check-snippets.py c clang -fsyntax-only -Wall -Werror -Wno-unused-function -Wno-unused-variable \
  -ISources/CRemoteImage/include $(pkg-config --cflags gtk4) -include remote-image.h
scripts/check-snippets.py shell bash -n
scripts/check-snippets.py flatpak

graphs=.build/symbol-graphs
site=.build/site
rm -rf "$graphs"
# Symbols that a module re-exports from a target without a product are documented in that module.
for module in RemoteImageCore:RemoteImageDecoding RemoteImageDecoders RemoteImage RemoteImageGtk:GtkDeclarations RemoteImageTesting; do
  name=${module%:*}
  mkdir -p "$graphs/$name"
  reexport=()
  [[ $module == *:* ]] && reexport=("-experimental-allowed-reexported-modules=${module#*:}")
  "${extract[@]}" -module-name "$name" -output-dir "$graphs/$name" "${reexport[@]}"
done
scripts/check-interface.py swift "$graphs"

scripts/site.sh "$graphs" "$site"
python3 Tests/Site/test_check_site.py
scripts/check-site.py "$site"
echo "The site is in $site. Any web server opens it, such as: python3 -m http.server --directory $site"
