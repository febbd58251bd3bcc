#!/usr/bin/env bash
# Decodes public test images with remote-image and with Pillow, and fails if neither Chromium agrees
# with a difference nor Tests/Trials/corpora.md explains it.
#
#   scripts/test-corpora.sh [FOLDER...]   further folders of images, each a corpus named like it
#
# All downloads and output are in .build-corpora: the sources of Debian packages, a Python
# environment and the command-line decoders of the codecs.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(libpng1.6 libjpeg-turbo libwebp libavif libheif jpeg-xl gdk-pixbuf pillow)
tools=(libjpeg-turbo-progs webp libavif-bin libheif-examples libjxl-tools)
mirror=${MIRROR:-http://deb.debian.org/debian}
folder=$PWD/.build-corpora
mkdir -p "$folder"/{apt/lists/partial,apt/archives/partial,sources,tools,corpora}

if ! "$folder/venv/bin/python" -c 'import PIL, pillow_heif, pillow_jxl' 2>/dev/null; then
  python3 -m venv "$folder/venv"
  "$folder/venv/bin/pip" install --quiet pillow pillow-heif pillow-jxl-plugin
fi

# A separate apt configuration, which leaves the machine's package lists and sources unchanged.
suites=(sid trixie bookworm)
printf "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror %s main\n" "${suites[@]}" \
  >"$folder/apt/sources.list"
cat >"$folder/apt/apt.conf" <<EOF
Dir::State::lists "$folder/apt/lists";
Dir::Cache "$folder/apt";
Dir::Etc::sourcelist "$folder/apt/sources.list";
Dir::Etc::sourceparts "-";
Acquire::Languages "none";
APT::Sandbox::User "";
EOF
for package in "${packages[@]}"; do
  [ ! -d "$folder/corpora/$package" ] || continue
  if [ -z "${updated:-}" ]; then
    APT_CONFIG=$folder/apt/apt.conf apt-get update -qq
    updated=yes
  fi
  rm -rf "$folder/sources/$package"
  mkdir -p "$folder/sources/$package"
  # A mirror may list a version that it no longer has, so all suites are tried.
  for suite in "${suites[@]}"; do
    (cd "$folder/sources/$package" &&
      APT_CONFIG=$folder/apt/apt.conf apt-get source -qq --download-only "$package/$suite") \
      >>"$folder/download.log" 2>&1 && break
  done
  rm -rf "$folder/corpora/$package.new"
  mkdir "$folder/corpora/$package.new"
  if ! ls "$folder/sources/$package"/*.orig*.tar.?z >/dev/null 2>&1; then
    echo "The source of $package could not be downloaded; see $folder/download.log." >&2
    exit 1
  fi
  for archive in "$folder/sources/$package"/*.orig*.tar.?z; do
    tar -xf "$archive" -C "$folder/corpora/$package.new"
  done
  mv "$folder/corpora/$package.new" "$folder/corpora/$package"
done

# Installed tools are used; missing ones are unpacked into the folder instead of being installed.
for package in "${tools[@]}"; do
  case $package in
  libjpeg-turbo-progs) program=djpeg ;;
  webp) program=dwebp ;;
  libavif-bin) program=avifdec ;;
  libheif-examples) program=heif-convert ;;
  libjxl-tools) program=djxl ;;
  esac
  if ! command -v "$program" >/dev/null && [ ! -x "$folder/tools/usr/bin/$program" ]; then
    (cd "$folder/tools" && apt-get download -qq "$package" && dpkg-deb -x "$package"_*.deb .)
  fi
done

scripts/build-release.sh command "$folder/program" >"$folder/build.log" 2>&1 || { tail -40 "$folder/build.log"; exit 1; }
PATH=$folder/tools/usr/bin:$PATH exec "$folder/venv/bin/python" Tests/Trials/corpora.py \
  "$folder/program/remote-image" "$folder/work" "$folder"/corpora/* "$@"
