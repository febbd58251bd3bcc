#!/usr/bin/env bash
# Installs what a build needs and this machine has not: Debian's packages, with sudo where that is
# needed, said before. Does nothing where all is there.
#
#   scripts/setup.sh build          what the library and its programs are built with
#   scripts/setup.sh gallery        the same, and what a window needs
#   scripts/setup.sh test           the same, and what the tests run
#   scripts/setup.sh install        the same, and tools for the library for other languages
#   scripts/setup.sh distributions  what makes roots of other Debian releases
#   scripts/setup.sh bench          what the benchmarks compare with
#   scripts/setup.sh bench-quick    the little that the quick benchmarks need
set -euo pipefail

build="pkg-config libcurl4-openssl-dev libjpeg62-turbo-dev libpng-dev libgdk-pixbuf-2.0-dev
  libgtk-4-dev"
gallery="$build adwaita-icon-theme fonts-dejavu-core librsvg2-common webp-pixbuf-loader xvfb xauth dbus"
# The lists of packages may be empty, as in an image of a container.
if command -v apt-cache >/dev/null && [ -z "$(apt-cache pkgnames libcurl4)" ]; then
  if [ "$(id -u)" -eq 0 ]; then apt-get update -qq; elif command -v sudo >/dev/null; then sudo apt-get update -qq; fi
fi
# Debian's name of libjxl has its version, and libheif's codecs are packages of their own from
# Debian 13 on.
codecs="libheif1 $(apt-cache pkgnames lib 2>/dev/null | grep -xE 'libjxl0\.[0-9]+' | sort -V | tail -1 || true)
  $(apt-cache pkgnames libheif-plugin- 2>/dev/null | grep -xE 'libheif-plugin-(dav1d|libde265)' || true)"
test="$gallery nginx-light openssl python3 liblcms2-2 libavif-gdk-pixbuf $codecs at-spi2-core python3-gi gir1.2-atspi-2.0 libxtst6"
install="$gallery gcc gobject-introspection libgirepository1.0-dev valac python3-gi gir1.2-gtk-4.0 valgrind gettext
  python3-venv python3-dev libcairo2-dev"
quick="$build nginx-light gcc make webp-pixbuf-loader python3 python3-pil mate-backgrounds"
bench="$quick $gallery libsoup-3.0-dev qmlscene qml-module-qtquick2 qml-module-qtquick-window2 qt5-image-formats-plugins chromium"

case "${1:-build}" in
build) wanted=$build ;;
gallery) wanted=$gallery ;;
test) wanted=$test ;;
install) wanted=$install ;;
distributions) wanted="debootstrap curl" ;;
bench) wanted=$bench ;;
bench-quick) wanted=$quick ;;
*)
  echo "usage: scripts/setup.sh build|gallery|test|install|distributions|bench|bench-quick" >&2
  exit 64
  ;;
esac

if ! command -v swift >/dev/null; then
  # Root has another PATH.
  if [ -n "${SUDO_USER:-}" ]; then
    echo "Swift is not found here; run this without sudo: it asks for it where root is needed." >&2
    exit 1
  fi
  echo "Swift 6.3 or newer is missing. https://www.swift.org/install/linux/ says how to install it." >&2
  exit 1
fi

if ! command -v dpkg-query >/dev/null; then
  # Not Debian: say what is missing and let the build go on with what there is.
  for library in libcurl libjpeg libpng gdk-pixbuf-2.0 gtk4; do
    pkg-config --exists "$library" || echo "The development files of $library are missing; please install them." >&2
  done
  exit 0
fi

missing=()
for package in $wanted; do
  # Any flavour of libcurl will do; two of them cannot be installed at once.
  if [ "$package" = libcurl4-openssl-dev ] && pkg-config --exists libcurl 2>/dev/null; then continue; fi
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

run=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "These packages are missing, and only root can install them: ${missing[*]}" >&2
    exit 1
  fi
  run=(sudo)
  echo "Installing with sudo: ${missing[*]}"
else
  echo "Installing: ${missing[*]}"
fi
"${run[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq
"${run[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}" >/dev/null
