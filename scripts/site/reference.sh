#!/usr/bin/env bash
# Makes the C reference with gi-docgen. It contains the page For GTK programmers.
#
#   scripts/site/reference.sh RemoteImage-1.gir FOLDER
set -euo pipefail
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
scripts/site/link-gir.py "$1" "$work/RemoteImage-1.gir"
sed "s/@VERSION@/$(scripts/version.sh)/" docs/site/reference.toml >"$work/reference.toml"
# gi-docgen reads the title from a line of its own, and knows no links of DocC.
guide=Sources/RemoteImageGtk/RemoteImageGtk.docc/ForGTKProgrammers.md
{
  sed -n '1s/^# /Title: /p' "$guide"
  echo
  sed -E -e 's/<doc:([^>]*\/)?([A-Za-z]+)>/\2/g' -e '/^```/!s/``([^`]+)``/`\1`/g' "$guide"
} >"$work/for-gtk-programmers.md"
mkdir -p "$2"
gi-docgen generate --quiet --fatal-warnings --config "$work/reference.toml" --no-namespace-dir \
  --content-dir "$work" --output-dir "$2" "$work/RemoteImage-1.gir"
# The page shows a row for the addresses of a web page and of the sources, even if there are none.
sed -i '/<a href="" class="external"><\/a>/d' "$2/index.html"
