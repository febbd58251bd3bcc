#!/usr/bin/env bash
# Installs missing Debian packages, using sudo if necessary, after an announcement. Does nothing if
# all packages are installed.
#
#   scripts/setup.sh build          the packages for building the library and its programs
#   scripts/setup.sh docs           those of build, and the packages for the documentation
#   scripts/setup.sh gallery        those of build, and the packages for showing windows
#   scripts/setup.sh test           those of gallery, and the packages for the tests
#   scripts/setup.sh bindings       those of build, and the tools for other languages
#   scripts/setup.sh install        those of bindings and gallery, and tests in other languages
#   scripts/setup.sh deb            those of bindings, and the tools for making Debian packages
#   scripts/setup.sh metadata       the validators of desktop entries and AppStream metadata
#   scripts/setup.sh flatpak        the tool that reads the Flatpak manifest
#   scripts/setup.sh distributions  the packages for making roots of other Debian releases
#   scripts/setup.sh browser        the packages for comparing with Chromium
#   scripts/setup.sh bench          the packages of the benchmarks and of the rivals
#   scripts/setup.sh bench-quick    the packages of the quick benchmarks
set -euo pipefail

build="pkg-config libcurl4-openssl-dev libjpeg62-turbo-dev libpng-dev libgdk-pixbuf-2.0-dev
  libgtk-4-dev"
gallery="$build adwaita-icon-theme fonts-dejavu-core librsvg2-common webp-pixbuf-loader xvfb xauth dbus"
test="$gallery nginx-light openssl python3 liblcms2-2 libavif-gdk-pixbuf libheif1 at-spi2-core python3-gi gir1.2-atspi-2.0 libxtst6 libadwaita-1-0"
bindings="$build gcc gobject-introspection libgirepository1.0-dev valac gettext"
install="$gallery $bindings python3-gi gjs gir1.2-gtk-4.0 gir1.2-adw-1 valgrind python3-venv python3-dev libcairo2-dev libxtst6"
quick="$build nginx-light gcc make webp-pixbuf-loader python3 python3-pil mate-backgrounds"
bench="$quick $gallery libsoup-3.0-dev qmlscene qml-module-qtquick2 qml-module-qtquick-window2 qt5-image-formats-plugins chromium"

# The packages of libjxl and libavif, whose names contain the version, and of libheif's codecs,
# which are separate since Debian 13.
codecs() {
  # The package lists may be missing, as in container images. apt-cache then knows only the
  # installed packages.
  if command -v apt-get >/dev/null && ! compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null; then
    if [ "$(id -u)" -eq 0 ]; then
      apt-get update -qq
    elif command -v sudo >/dev/null; then
      echo "Reading the lists of packages with sudo." >&2
      sudo apt-get update -qq
    fi
  fi
  apt-cache pkgnames lib 2>/dev/null | grep -xE 'libjxl0\.[0-9]+' | sort -V | tail -1 || true
  apt-cache pkgnames libavif1 2>/dev/null | grep -xE 'libavif1[56]' | sort -V | tail -1 || true
  apt-cache pkgnames libheif-plugin- 2>/dev/null | grep -xE 'libheif-plugin-(dav1d|libde265)' || true
}

case "${1:-build}" in
build) wanted=$build ;;
docs)
  wanted="$build git python3 gobject-introspection libgirepository1.0-dev valac gir1.2-gtk-4.0 gi-docgen graphviz
    python3-markdown python3-pygments mandoc chromium fonts-dejavu-core" ;;
gallery) wanted=$gallery ;;
test) wanted="$test $(codecs)" ;;
bindings) wanted=$bindings ;;
install) wanted=$install ;;
deb) wanted="$bindings python3 debhelper dpkg-dev lintian chrpath gi-docgen graphviz" ;;
metadata) wanted="appstream desktop-file-utils" ;;
flatpak) wanted="flatpak-builder git python3" ;;
distributions) wanted="debootstrap curl" ;;
browser) wanted="$build python3 chromium" ;;
bench) wanted=$bench ;;
bench-quick) wanted=$quick ;;
*)
  echo "usage: scripts/setup.sh build|docs|gallery|test|bindings|install|deb|metadata|flatpak|distributions|browser|bench|bench-quick" >&2
  exit 64
  ;;
esac

if ! command -v swift >/dev/null; then
  # Under sudo, PATH may lack the folder of Swift.
  if [ -n "${SUDO_USER:-}" ]; then
    echo "Swift was not found. Run this without sudo; it calls sudo itself if necessary." >&2
    exit 1
  fi
  echo "Swift 6.3 or newer is missing; see https://www.swift.org/install/linux/." >&2
  exit 1
fi

if ! command -v dpkg-query >/dev/null; then
  # Not Debian: report the missing libraries, and let the build continue.
  for library in libcurl libjpeg libpng gdk-pixbuf-2.0 gtk4; do
    pkg-config --exists "$library" || echo "The development files of $library are missing; please install them." >&2
  done
  exit 0
fi

missing=()
for package in $wanted; do
  # Any variant of libcurl works, and two variants cannot be installed together.
  if [ "$package" = libcurl4-openssl-dev ] && pkg-config --exists libcurl 2>/dev/null; then continue; fi
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

run=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "Packages are missing and cannot be installed without root: ${missing[*]}" >&2
    exit 1
  fi
  run=(sudo)
  echo "Installing with sudo: ${missing[*]}"
else
  echo "Installing: ${missing[*]}"
fi
"${run[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq
"${run[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}" >/dev/null
