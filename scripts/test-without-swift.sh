#!/usr/bin/env bash
# Runs the examples in C and Python on a Debian that has GTK, libcurl and the Python bindings of
# GTK, but not Swift. The system is created by debootstrap, which requires the root user and a
# Debian mirror.
#
#   scripts/test-without-swift.sh PREFIX ROOT
#
# PREFIX  the folder of the installed library
# ROOT    the root directory of the system, created if it is missing
set -euo pipefail
cd "$(dirname "$0")/.."

prefix=$(cd "${1:?usage: scripts/test-without-swift.sh PREFIX ROOT}" && pwd)
root=${2:?usage: scripts/test-without-swift.sh PREFIX ROOT}
packages="libgtk-4-1 libcurl4 python3-gi gir1.2-gtk-4.0 adwaita-icon-theme fonts-dejavu-core"

if [ ! -e "$root/usr/bin/python3" ]; then
  debootstrap --variant=minbase bookworm "$root"
  # debootstrap's --include is not used, since it does not resolve alternative dependencies.
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive chroot "$root" apt-get install -qq -y --no-install-recommends $packages
fi
if find "$root" -xdev -iname '*swift*' -path '*lib*' -name '*.so*' | grep .; then
  echo "The root contains Swift."
  exit 1
fi

place=/opt/remote-image
rm -rf "${root:?}$place"
mkdir -p "$root$place"
cp -a "$prefix/lib" "$prefix/bin" "$root$place/"
cp Examples/Embedding/python/browser.py "$root$place/"
# shellcheck disable=SC2046
PKG_CONFIG_PATH="$prefix/lib/pkgconfig" cc -Wall -Werror Examples/Embedding/c/browser.c -o "$root$place/browser" \
  $(PKG_CONFIG_PATH="$prefix/lib/pkgconfig" pkg-config --cflags --libs remote-image-1)

export LD_LIBRARY_PATH=$place/lib GI_TYPELIB_PATH=$place/lib/girepository-1.0 PYTHONDONTWRITEBYTECODE=1
# Only prints the help, since Swift reads a program's arguments from /proc, which is not mounted.
chroot "$root" "$place/bin/remote-image" >/dev/null
# The programs use the machine's display, since X11's abstract socket is reachable from the root.
take="python3 Tests/EmbeddingTests/screenshot.py take"
$take "$prefix/bare-c.png" chroot "$root" "$place/browser" @1 @2 @3 @4 @5 @6
$take "$prefix/bare-python.png" chroot "$root" python3 "$place/browser.py" @1 @2 @3 @4 @5 @6
python3 Tests/EmbeddingTests/screenshot.py compare "$prefix/bare-c.png" "$prefix/bare-python.png"
