#!/usr/bin/env bash
# Builds the Debian packages, and installs them with apt in fresh roots of Debian releases, without
# Swift. There, the programs of the documentation and the photo browsers must show their images,
# purging the packages must leave no file, and the tools of the release must make the packages from
# the same build. The roots require the root user and a Debian mirror. Without them, the script
# reports this and succeeds, unless REQUIRE_ROOTS is set.
#
#   scripts/test-deb.sh [bookworm|trixie|unstable]...    all three by default
#   scripts/test-deb.sh inside PACKAGES OUTPUT           the part that runs in the root
set -euo pipefail
cd "$(dirname "$0")/.."
step() { printf '\n-- %s\n' "$*"; }

if [ "${1:-}" = inside ]; then
  . scripts/examples.sh
  packages=$2 output=$3
  export DEBIAN_FRONTEND=noninteractive PYTHONDONTWRITEBYTECODE=1
  install() { apt-get install -qq -y "$@" >"$log" || { cat "$log"; exit 1; }; }
  log=$(mktemp)

  step "Install the packages"
  apt-get update -qq
  install "./$packages"/*.deb
  names=$(for file in "$packages"/*.deb; do dpkg-deb -f "$file" Package; done)
  # shellcheck disable=SC2086
  dpkg -L $names | sort -u | while read -r path; do [ -d "$path" ] || echo "$path"; done >/tmp/installed
  dpkg-query -W -f='${Package} ${Version}\n' | grep -E '^(remote-image|libavif1|libheif|libjxl|libwebp7|liblcms2|libgtk-4-1)'
  if find / -xdev -iname 'libswift*.so*' | grep .; then exit 1; fi
  ldd /usr/lib/*/libremoteimage-1.so.0 /usr/bin/remote-image /usr/libexec/remote-image-decoder >"$log"
  if grep 'not found' "$log"; then exit 1; fi
  test -s /usr/share/devhelp/books/RemoteImage-1/class.View.html

  step "The command decodes in the decoder process"
  install --no-install-recommends python3 xvfb xauth
  remote-image --version
  bash -n /usr/share/bash-completion/completions/remote-image
  coproc server { exec python3 Tests/EmbeddingTests/images.py; }
  read -r address <&"${server[0]}"
  decode() { # address, format
    remote-image fetch --json "$1" | tee "$log"
    grep --quiet "\"format\":\"$2\".*\"isolated\":true" "$log"
  }
  decode "$address/1.png" png
  python3 -c "import sys, urllib.request as r; r.urlretrieve(sys.argv[1], '/tmp/image.png')" "$address/1.png"
  kill "$server_PID"

  step "The formats of the recommended packages"
  install --no-install-recommends webp libheif-examples libjxl-tools
  cd /tmp
  cwebp -quiet image.png -o image.webp
  heif-enc --avif image.png -o image.avif
  heif-enc image.png -o image.heic
  cjxl --quiet image.png image.jxl
  for format in webp avif heic jxl; do decode "file:///tmp/image.$format" $format; done
  cd "$OLDPWD"

  step "The programs of the documentation in Python, C and Vala"
  install --no-install-recommends gcc libc6-dev pkg-config valac python3-gi adwaita-icon-theme fonts-dejavu-core
  python3 Tests/EmbeddingTests/test_guide.py Sources/RemoteImageGtk/RemoteImageGtk.docc /usr
  scripts/with-display.sh python3 Tests/EmbeddingTests/test_isolation.py

  step "The photo browsers in C, Python and Vala"
  build_browsers /tmp
  draw_browsers /tmp "$output"

  step "Nothing is left after the packages are purged"
  # shellcheck disable=SC2086
  apt-get purge -qq -y $names >"$log" || { cat "$log"; exit 1; }
  left=$(while read -r path; do [ ! -e "$path" ] || [ -d "$path" ] || echo "$path"; done </tmp/installed
    find / -xdev -iname '*remote*image*' ! -path '/root/*' ! -path "$PWD*" ! -path "$(dirname "$PWD")")
  [ -z "$left" ] || { echo "Left: $left"; exit 1; }

  step "debhelper and lintian of this release make and check the packages"
  folder=$(mktemp -d)/remote-image
  cp -a "$packages"/remote-image-*/ "$folder"
  install --no-install-recommends lintian
  apt-get build-dep -qq -y --no-install-recommends "$folder" >"$log" || { cat "$log"; exit 1; }
  scripts/deb.sh package "$folder"
  exit
fi

. scripts/roots.sh

releases=("$@")
[ $# -gt 0 ] || releases=(bookworm trixie unstable)
scripts/deb.sh
require_roots

failed=()
for release in "${releases[@]}"; do
  printf '\n== %s\n' "$release"
  output=$PWD/.build-deb/$release
  mkdir -p "$output"
  make_root "$release" "$roots/$release-fresh" || { failed+=("$release"); continue; }
  inside_copy "$roots/$release-fresh" env -i HOME=/root LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    "$PWD/scripts/test-deb.sh" inside .build-deb "$output" || failed+=("$release")
done
[ ${#failed[@]} -eq 0 ] || { echo "Failed: ${failed[*]}"; exit 1; }
echo "The screenshots are in .build-deb."
