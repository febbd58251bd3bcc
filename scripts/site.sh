#!/usr/bin/env bash
# Makes one site of all documentation, which any web server can serve below any path: the landing
# page, the pages from Markdown, the manual page, the Swift modules (DocC), and the C reference
# (gi-docgen).
#
#   scripts/site.sh GRAPHS FOLDER    the folders of the symbol graphs and of the site
set -euo pipefail
cd "$(dirname "$0")/.."

graphs=${1:?usage: scripts/site.sh GRAPHS FOLDER}
site=${2:?usage: scripts/site.sh GRAPHS FOLDER}
bar=docs/site/bar.html
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rm -rf "$site"
mkdir -p "$site"

# Each module links to those before it, which it imports. docc also has an option that writes the
# text into the pages for readers without JavaScript; it crashes on Linux (Swift 6.3.1).
archives=()
dependencies=()
for name in RemoteImageCore RemoteImageDecoders RemoteImage RemoteImageGtk RemoteImageTesting; do
  archive=$work/$name.doccarchive
  docc convert "Sources/$name/$name.docc" --additional-symbol-graph-dir "$graphs/$name" --warnings-as-errors \
    --fallback-display-name "$name" --fallback-bundle-identifier "$name" --output-path "$archive" \
    --enable-experimental-external-link-support "${dependencies[@]}"
  archives+=("$archive")
  dependencies+=(--dependency "$archive")
done
docc merge "${archives[@]}" --output-path "$site/swift" --synthesized-landing-page-name "Swift modules" \
  --synthesized-landing-page-topics-style list
scripts/site/rebase.py "$site/swift" "$bar"

# Nothing of the library's code is in the reference, so the debug build will do.
cp "$(swift build --show-bin-path)/libremoteimage.so" "$work/libremoteimage-1.so.0"
ln -s libremoteimage-1.so.0 "$work/libremoteimage-1.so"
scripts/build-bindings.sh "$work"
scripts/site/reference.sh "$work/RemoteImage-1.gir" "$site/c" "../swift/documentation/{module}/{address}/"
scripts/site/add-bar.py "$site/c" "$bar"

scripts/site/pages.py "$site"
