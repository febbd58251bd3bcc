#!/usr/bin/env bash
# Makes the C reference with gi-docgen. It contains the pages for GTK programmers.
#
#   scripts/site/reference.sh RemoteImage-1.gir FOLDER ADDRESS    that of the guides; see guide.py
set -euo pipefail
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
scripts/site/link-gir.py "$1" "$work/RemoteImage-1.gir"
sed "s/@VERSION@/$(scripts/version.sh)/" docs/site/reference.toml >"$work/reference.toml"
scripts/site/guide.py "$1" "$3" "$work"
# Where the pages look for the types of other libraries.
python3 - >"$work/urlmap.js" <<'END'
import json, tomllib
libraries = tomllib.load(open("docs/site/reference.toml", "rb"))["dependencies"].values()
print("baseURLs =", json.dumps([[library["name"], library["docs_url"]] for library in libraries]))
END
mkdir -p "$2"
gi-docgen generate --quiet --fatal-warnings --config "$work/reference.toml" --no-namespace-dir \
  --content-dir "$work" --output-dir "$2" "$work/RemoteImage-1.gir"
cat docs/site/reference.css >>"$2/style.css"
# The page shows a row for the addresses of a web page and of the sources, even if there are none.
sed -i '/<a href="" class="external"><\/a>/d' "$2/index.html"
