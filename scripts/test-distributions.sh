#!/usr/bin/env bash
# Builds the package on other Debian releases and runs its tests, programs and examples there. Each
# release is a root directory created by debootstrap, with the Swift toolchain of this machine
# mounted. This requires the root user and a Debian mirror; without them, the script reports this
# and succeeds.
#
#   scripts/test-distributions.sh [bookworm|trixie|unstable]...    all three by default
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/roots.sh

releases=("$@")
[ $# -gt 0 ] || releases=(bookworm trixie unstable)

packages=(ca-certificates pkg-config g++ make libcurl4-openssl-dev libgtk-4-dev libgdk-pixbuf-2.0-dev libjpeg-dev
  libpng-dev adwaita-icon-theme fonts-dejavu-core librsvg2-common xvfb xauth dbus nginx-light openssl python3 python3-gi
  gir1.2-gtk-4.0 gir1.2-atspi-2.0 at-spi2-core libxtst6 liblcms2-2 libwebp7 libheif1)
declare -A extra=(
  [bookworm]="webp-pixbuf-loader libavif-gdk-pixbuf"
  [trixie]="webp-pixbuf-loader libheif-plugin-dav1d libheif-plugin-libde265"
  [unstable]="glycin-loaders libheif-plugin-dav1d libheif-plugin-libde265 sway grim"
)

require_roots
scripts/setup.sh install

# Creates a root, and installs its missing packages.
prepare() { # release
  local release=$1 root=$roots/$1
  make_root "$release" "$root" || return 1
  # shellcheck disable=SC2086
  [ -n "$(chroot "$root" apt-cache pkgnames libjxl0.)" ] || inside "$root" apt-get update -qq || return 1
  # The name of Debian's libjxl package contains the version.
  local jxl missing=""
  jxl=$(chroot "$root" apt-cache pkgnames libjxl0. | grep -xE 'libjxl0\.[0-9]+' | sort -V | tail -1)
  local wanted="${packages[*]} ${extra[$release]} $jxl"
  for package in $wanted; do
    [ "$(chroot "$root" dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)" = installed ] ||
      missing="$missing $package"
  done
  [ -n "$missing" ] || return 0
  echo "Installing in $release:$missing"
  inside "$root" env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 sh -c "
    apt-get update -qq && apt-get install -qq -y --no-install-recommends $missing >/dev/null" || return 1
}

prefix=$PWD/.build-distributions
mounted=$toolchain
PREFIX="$prefix" scripts/install.sh
swift build --package-path Examples --configuration release --product Gallery
gallery=$(swift build --package-path Examples --configuration release --show-bin-path)/Gallery
failed=()
for release in "${releases[@]}"; do
  printf '\n== %s\n' "$release"
  root=$roots/$release scratch=$PWD/.build-$release output=$prefix/$release
  mkdir -p "$output"
  prepare "$release" || { failed+=("$release"); continue; }
  lend_libraries "$root"
  # Dependencies are resolved outside the root, which has no git.
  swift package --scratch-path "$scratch" resolve
  inside "$root" env -i HOME=/root LC_ALL=C.UTF-8 PATH="$toolchain/usr/bin:/usr/sbin:/usr/bin:/sbin:/bin" \
    LD_LIBRARY_PATH=/opt/toolchain-libraries SCRATCH="$scratch" PREFIX="$prefix" GALLERY="$gallery" OUTPUT="$output" \
    sh -c "cd '$PWD' && scripts/test-in-distribution.sh" || failed+=("$release")
done
[ ${#failed[@]} -eq 0 ] || { echo "Failed: ${failed[*]}"; exit 1; }
echo "The screenshots of the programs are in $prefix."
