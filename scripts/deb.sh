#!/usr/bin/env bash
# Builds the library, installs it into a folder, makes Debian packages of it in .build-deb, and
# checks them with lintian.
#
#   scripts/deb.sh
#   scripts/deb.sh package FOLDER    makes and checks the packages of a copy of the folder in
#                                    .build-deb, without a build, so that other releases can do it
set -euo pipefail
cd "$(dirname "$0")/.."

package() { # folder
  (cd "$1" && dpkg-buildpackage --build=binary --no-sign --no-check-builddeps)
  # A first upload to Debian would close a bug; these packages are not uploaded there.
  lintian --fail-on error,warning --info --tag-display-limit 0 --suppress-tags initial-upload-closes-no-bugs "$1"/../*.changes
}
if [ "${1:-}" = package ]; then
  package "$2"
  exit
fi

# The second part is Debian's revision.
version=$(scripts/version.sh deb)-1
date=$(scripts/source-date.sh)
export SOURCE_DATE_EPOCH=$date
output=$PWD/.build-deb
work=$output/remote-image-$version
tree=$work/installed
rm -rf "$output"
mkdir -p "$work"
DESTDIR="$tree" PREFIX=/usr LIBDIR="/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)" scripts/install.sh

guides=$tree/usr/share/doc/libremoteimage-1-doc
mkdir -p "$guides/examples"
# They link to each other across the folders of the sources, and here they lie in one.
cp Sources/*/*.docc/*.md "$guides/"
cp packaging/debian/README.md "$guides/"
cp packaging/flatpak/{org.example.Photos.yaml,dependencies.json} "$guides/examples/"
sed -Ei 's#\]\((\.\./)+[A-Za-z]+/[A-Za-z]+\.docc/#](#; s#\]\(\.\./\.\./\.\./packaging/flatpak/#](examples/#' "$guides"/*.md
scripts/plain-guides.py "$guides"
# Devhelp expects the folder to have the name of its file.
scripts/site/reference.sh "$tree/usr/share/gir-1.0/RemoteImage-1.gir" "$guides/RemoteImage-1" "../{name}.md"
cp Examples/Embedding/c/browser.c Examples/Embedding/python/browser.py Examples/Embedding/{vala/browser.vala,javascript/*.js,ui/browser.ui,ui/show.py,python/{mastodon,timeline,timeline_widgets}.py} "$guides/examples/"
for link in $(grep -ohP '\]\(\K(?!doc:|https:)[^)#]+' "$guides"/*.md) \
  $(grep -ohP 'href="\.\./\K[^"#]+\.md' "$guides"/RemoteImage-1/*.html); do
  test -e "$guides/$link" || { echo "A guide or a page of the reference links to $link, which is not there."; exit 1; }
done

cp -r packaging/debian CHANGELOG.md "$work/"
cat >"$work/debian/changelog" <<END
remote-image ($version) unstable; urgency=medium

  * The changes are in the changelog of the project.

 -- The remote-image authors <maintainers@remote-image.invalid>  $(date --utc --rfc-email --date="@$date")
END
cat .build-release/checkouts/swift-{http-types,log}/NOTICE.txt >"$work/debian/NOTICE"
# The version in which each symbol appeared: "# Since 1.1" in data/symbols.txt applies to the lines
# below it.
awk '
  BEGIN {
    since = "1.0.0~"
    print "libremoteimage-1.so.0 libremoteimage-1-0 #MINVER#"
    print "* Build-Depends-Package: libremoteimage-1-dev"
  }
  # As in scripts/version.sh: a pre-release sorts before its release.
  /^# Since / { sub("-", "~", $3); since = $3 "~" }
  /^[a-z]/ { print " " $1 "@REMOTEIMAGE_1 " since }' data/symbols.txt >"$work/debian/libremoteimage-1-0.symbols"

package "$work"
echo "The packages are in $output."
