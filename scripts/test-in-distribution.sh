#!/usr/bin/env bash
# The part of scripts/test-distributions.sh that runs in each root.
#
# SCRATCH  the folder for building the package with the root's GTK, GLib and libcurl
# PREFIX   the folder of the installed library, which was built on the oldest release
# GALLERY  the gallery, which was also built on the oldest release
# OUTPUT   a folder for the screenshots of the programs
set -euo pipefail
. scripts/examples.sh

# The dependencies are checked out already. A fetch into the cache needs git, which the root lacks.
build=(--scratch-path "${SCRATCH:?is set by scripts/test-distributions.sh}" --disable-dependency-cache)
step() { printf '\n-- %s\n' "$*"; }

step "Versions of the libraries"
for library in gtk4 gdk-pixbuf-2.0 glib-2.0 libcurl; do echo "$library $(pkg-config --modversion "$library")"; done

step "Build without warnings"
log=$(mktemp)
trap 'rm -rf "$log"' EXIT
swift build "${build[@]}" --build-tests 2>&1 | tee "$log"
if grep -E '(warning|error):' "$log" | grep -v 'prohibited flag'; then exit 1; fi

step "Tests"
scripts/repeat-failures.sh scripts/with-display.sh swift test "${build[@]}" --skip-build --no-parallel

step "The installed library: the command, and the examples in C and Python on X11"
export PKG_CONFIG_PATH=$PREFIX/lib/pkgconfig GI_TYPELIB_PATH=$PREFIX/lib/girepository-1.0 PYTHONDONTWRITEBYTECODE=1
export LD_LIBRARY_PATH=$PREFIX/lib:$LD_LIBRARY_PATH
"$PREFIX/bin/remote-image" --version
build_browsers "$SCRATCH"
draw_browsers "$SCRATCH" "$OUTPUT" -x11

# sway supports fractional scales since version 1.9 (wp_fractional_scale_v1).
command -v sway >/dev/null || exit 0
for scale in 1 1.5 2; do
  step "The examples and the gallery on Wayland at scale $scale"
  export WAYLAND_SCALE=$scale
  draw_browsers "$SCRATCH" "$OUTPUT" "-wayland-$scale"
  screenshot take "$OUTPUT/gallery-$scale.png" "$GALLERY" --urls @all
  screenshot find "$OUTPUT/gallery-$scale.png"
done
