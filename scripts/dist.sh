#!/usr/bin/env bash
# Writes the installed tree as an archive into .build-dist, with its checksum. The tree works in any
# folder: pkg-config, the library and the programs find their files relative to their own. The same
# commit produces the same bytes.
set -euo pipefail
cd "$(dirname "$0")/.."

name=remote-image-$(scripts/version.sh)-linux-$(uname -m)
output=$PWD/.build-dist
tree=$output/$name
SOURCE_DATE_EPOCH=$(scripts/source-date.sh)
export SOURCE_DATE_EPOCH
rm -rf "$output"
mkdir -p "$output"
# The tree is a prefix of its own.
env -u LIBDIR DESTDIR="$output" PREFIX="/$name" scripts/install.sh
sed -i -e 's|^prefix=.*|prefix=${pcfiledir}/../..|' -e 's|^libdir=.*|libdir=${prefix}/lib|' "$tree/lib/pkgconfig/remote-image-1.pc"
install -D -m 644 -t "$tree/share/doc/remote-image" README.md CHANGELOG.md LICENSE packaging/debian/copyright
install -m 644 .build-release/checkouts/swift-log/LICENSE.txt "$tree/share/doc/remote-image/LICENSE.Apache-2.0"
cat .build-release/checkouts/swift-{http-types,log}/NOTICE.txt >"$tree/share/doc/remote-image/NOTICE"

cd "$output"
if grep --recursive --fixed-strings "$(dirname "$output")/" "$name"; then
  echo "The tree contains the path of the folder in which it was built." >&2
  exit 1
fi
tar --create --sort=name --owner=0 --group=0 --numeric-owner --mode=u+rwX,go=rX --format=gnu \
  --mtime="@$SOURCE_DATE_EPOCH" "$name" | xz --threads=1 >"$name.tar.xz"
rm -r "$name"
sha256sum "$name.tar.xz" | tee SHA256SUMS
