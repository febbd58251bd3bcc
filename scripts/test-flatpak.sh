#!/usr/bin/env bash
# Runs the commands of the Flatpak manifest in a root of Debian unstable, without network and with
# /app as the prefix, and takes a screenshot of the application. The root stands for the GNOME
# runtime, whose libraries have about the same versions; flatpak-builder itself only reads the
# manifest. This requires the root user and a Debian mirror; without them, the script reports this
# and succeeds.
#
#   scripts/test-flatpak.sh
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/roots.sh

step() { printf '\n-- %s\n' "$*"; }
require_roots
scripts/setup.sh flatpak

step "The manifest"
scripts/flatpak-dependencies.py --check
scratch=$PWD/.build-flatpak
rm -rf "$scratch"
mkdir -p "$scratch"
flatpak-builder --show-manifest packaging/flatpak/org.example.Photos.yaml >"$scratch/manifest.json"

step "The sources of the modules"
# Prints the lines of a module: kind, destination, and address, path or command.
list() { # module, kind
  python3 - "$scratch/manifest.json" "$@" <<'END'
import json, sys
modules = {module["name"]: module for module in json.load(open(sys.argv[1]))["modules"]}
module = modules[sys.argv[2]]
if sys.argv[3] == "commands":
    print("\n".join(module["build-commands"]))
for source in module["sources"] if sys.argv[3] == "packages" else []:
    if "url" in source:
        print(source["dest"], source["url"], source["tag"], source["commit"])
END
}
git clone --quiet . "$scratch/remote-image"
list remote-image packages | while read -r folder address tag commit; do
  git -c advice.detachedHead=false clone --quiet --depth 1 --branch "$tag" "$address" "$scratch/remote-image/$folder"
  [ "$(git -C "$scratch/remote-image/$folder" rev-parse HEAD)" = "$commit" ]
done
mkdir "$scratch/photos"
cp Examples/Embedding/vala/browser.vala "$scratch/photos"

step "The root"
root=$roots/unstable-flatpak
make_root unstable "$root"
inside "$root" env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 sh -c "apt-get update -qq && apt-get install -qq -y \
  --no-install-recommends ca-certificates pkg-config g++ git iproute2 libcurl4-openssl-dev libgtk-4-dev libgdk-pixbuf-2.0-dev \
  libjpeg-dev libpng-dev libxml2-dev gettext gobject-introspection libgirepository1.0-dev valac adwaita-icon-theme \
  fonts-dejavu-core xvfb xauth dbus python3 glycin-loaders >/dev/null"
lend_libraries "$root"

step "The commands of the modules, without network"
for module in remote-image photos; do
  list "$module" commands >"$scratch/$module.sh"
done
export mounted=$toolchain
inside_copy "$root" unshare --net env -i HOME=/root LC_ALL=C.UTF-8 FLATPAK_DEST=/app PKG_CONFIG_PATH=/app/lib/pkgconfig \
  GI_TYPELIB_PATH=/app/lib/girepository-1.0 PATH="$toolchain/usr/bin:/app/bin:/usr/sbin:/usr/bin:/sbin:/bin" \
  LD_LIBRARY_PATH=/app/lib:/opt/toolchain-libraries LIBRARY_PATH=/app/lib PYTHONDONTWRITEBYTECODE=1 SCRATCH="$scratch" bash -euc '
  ip link set lo up
  for module in remote-image photos; do
    (cd "$SCRATCH/$module" && sh -eux "$SCRATCH/$module.sh")
  done
  cd "$SCRATCH/.."
  python3 Tests/EmbeddingTests/screenshot.py take .build-flatpak/photos.png /app/bin/photos @1 @2 @3 @4 @5 @6
  python3 Tests/EmbeddingTests/screenshot.py find .build-flatpak/photos.png'
echo "The screenshot is .build-flatpak/photos.png."
