#!/usr/bin/env bash
# Tests other Debian releases, in root directories made by debootstrap. This requires the root user
# and a Debian mirror; without them, the script reports this and succeeds, unless REQUIRE_ROOTS is
# set. The releases are bookworm, trixie and unstable by default.
#
#   scripts/test-distributions.sh [RELEASE...]
#     builds the package with the libraries of the release and the Swift toolchain of this machine,
#     and runs its tests; then does the same as smoke
#   scripts/test-distributions.sh smoke [RELEASE...]
#     runs the library, the command and the examples that this machine has built
#   scripts/test-distributions.sh inside MODE SCRATCH PREFIX GALLERY OUTPUT
#     the part that runs in the root; the folders of the build, of the installed library, and of the
#     screenshots, and the gallery
set -euo pipefail
cd "$(dirname "$0")/.."
step() { printf '\n-- %s\n' "$*"; }

if [ "${1:-}" = inside ]; then
  mode=$2 scratch=$3 prefix=$4 gallery=$5 output=$6
  . scripts/examples.sh
  step "Versions of the libraries"
  for library in gtk4 gdk-pixbuf-2.0 glib-2.0 libcurl; do echo "$library $(pkg-config --modversion "$library")"; done
  step "The declarations of libavif agree with its headers"
  g++ -x c -std=c11 -Wall -Werror -fsyntax-only -ISources/CRemoteImageCodecs Tests/Codecs/libavif-layout.c
  if [ "$mode" = tests ]; then
    step "Build and tests"
    # The dependencies are checked out already. A fetch into the cache needs git, which is missing.
    WARNINGS_ARE_ERRORS=1 BUILD_OPTIONS="--scratch-path $scratch --disable-dependency-cache" scripts/test.sh
  fi

  step "The installed library: the command, and the examples in C and Python on X11"
  export PKG_CONFIG_PATH=$prefix/lib/pkgconfig GI_TYPELIB_PATH=$prefix/lib/girepository-1.0 PYTHONDONTWRITEBYTECODE=1
  export LD_LIBRARY_PATH=$prefix/lib:${LD_LIBRARY_PATH:-}
  "$prefix/bin/remote-image" --version
  mkdir -p "$scratch"
  build_browsers "$scratch"
  draw_browsers "$scratch" "$output" -x11

  # sway supports fractional scales since version 1.9 (wp_fractional_scale_v1).
  command -v sway >/dev/null || exit 0
  for scale in 1 1.5 2; do
    step "The examples and the gallery on Wayland at scale $scale"
    export WAYLAND_SCALE=$scale
    draw_browsers "$scratch" "$output" "-wayland-$scale"
    screenshot take "$output/gallery-$scale.png" "$gallery" --urls @all
    screenshot find "$output/gallery-$scale.png"
  done
  exit
fi

. scripts/roots.sh
mode=tests
if [ "${1:-}" = smoke ]; then mode=smoke && shift; fi
releases=("$@")
[ $# -gt 0 ] || releases=(bookworm trixie unstable)

packages=(ca-certificates pkg-config g++ make libcurl4-openssl-dev libgtk-4-dev libgdk-pixbuf-2.0-dev libjpeg-dev
  libpng-dev adwaita-icon-theme fonts-dejavu-core librsvg2-common xvfb xauth dbus nginx-light openssl python3 python3-gi
  gir1.2-gtk-4.0 gir1.2-atspi-2.0 at-spi2-core libxtst6 liblcms2-2 libwebp7 libheif1 libavif-dev)
declare -A extra=(
  [bookworm]="webp-pixbuf-loader libavif15 libavif-gdk-pixbuf"
  [trixie]="webp-pixbuf-loader libavif16 libheif-plugin-dav1d libheif-plugin-libde265"
  [unstable]="glycin-loaders libavif16 libheif-plugin-dav1d libheif-plugin-libde265 sway grim"
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
gallery=$(scripts/build-release.sh Examples Gallery)/Gallery
failed=()
for release in "${releases[@]}"; do
  printf '\n== %s\n' "$release"
  root=$roots/$release scratch=$PWD/.build-$release output=$prefix/$release
  mkdir -p "$output"
  prepare "$release" || { failed+=("$release"); continue; }
  path=/usr/sbin:/usr/bin:/sbin:/bin libraries=""
  if [ "$mode" = tests ]; then
    lend_libraries "$root"
    path=$toolchain/usr/bin:$path libraries=/opt/toolchain-libraries
    # Dependencies are resolved outside the root, which has no git.
    for package in . Tests/Seeds; do swift package --package-path "$package" --scratch-path "$scratch" resolve; done
  fi
  inside "$root" env -i HOME=/root LC_ALL=C.UTF-8 PATH="$path" LD_LIBRARY_PATH="$libraries" \
    "$PWD/scripts/test-distributions.sh" inside "$mode" "$scratch" "$prefix" "$gallery" "$output" || failed+=("$release")
done
[ ${#failed[@]} -eq 0 ] || { echo "Failed: ${failed[*]}"; exit 1; }
echo "The screenshots of the programs are in $prefix."
