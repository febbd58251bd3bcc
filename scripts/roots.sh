# Roots of other Debian releases, made by debootstrap: functions for the scripts that source this
# file. They require the root user and a Debian mirror.
#
# Roots are kept in ${XDG_CACHE_HOME:-~/.cache}/remote-image/roots; a deleted root is created again.
# shellcheck shell=bash

roots=${XDG_CACHE_HOME:-$HOME/.cache}/remote-image/roots
mirror=${MIRROR:-http://deb.debian.org/debian}

# Ends the calling script if roots cannot be made here: with success, unless REQUIRE_ROOTS is set.
require_roots() {
  [ "$(id -u)" -eq 0 ] || skip "creating the roots of other releases requires the root user."
  unshare --mount --pid --fork mount -t tmpfs tmpfs /tmp 2>/dev/null || skip "mounting is not allowed here."
  scripts/setup.sh distributions
  curl --silent --fail --head --max-time 20 "$mirror/dists/unstable/InRelease" >/dev/null || skip "no mirror at $mirror."
}
skip() {
  echo "Skipped: $1"
  [ -n "${REQUIRE_ROOTS:-}" ] && exit 1
  exit 0
}

# Creates the root of a release, or keeps the existing one.
make_root() { # release, folder
  local release=$1 root=$2
  if [ ! -e "$root/usr/bin/apt-get" ]; then
    mkdir -p "$(dirname "$root")"
    rm -rf "$root.part"
    debootstrap --variant=minbase "$release" "$root.part" "$mirror" || return 1
    mv "$root.part" "$root"
  fi
  # Keeps packages from starting services in a root.
  printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
  chmod +x "$root/usr/sbin/policy-rc.d"
  # A mirror may be weeks old.
  echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/90mirror"
  cp /etc/resolv.conf "$root/etc/resolv.conf"
}

# Runs a command in a root with /dev, /proc, /run and /tmp mounted. The project is mounted at the
# same path as on this machine, and so are the folders in `mounted`.
inside() { # root, command
  root=$1 folders="$PWD ${mounted:-}" unshare --mount --pid --fork --kill-child bash -c '
    # With /dev/pts, for tests of a terminal.
    mount --rbind /dev "$root/dev"
    mount -t proc proc "$root/proc"
    mount -t tmpfs tmpfs "$root/run"
    mount -t tmpfs tmpfs "$root/tmp"
    for folder in $folders; do
      mkdir -p "$root$folder"
      mount --bind "$folder" "$root$folder"
    done
    exec chroot "$root" "$@"' inside "${@:2}"
}

# Runs a command in a copy of a root, which is in memory and ends with the command.
inside_copy() { # root, command
  local copy
  copy=$(mktemp -d)
  base=$1 copy=$copy unshare --mount bash -c '
    . scripts/roots.sh
    mount -t tmpfs tmpfs "$copy"
    mkdir "$copy/root" "$copy/changes" "$copy/work"
    mount -t overlay overlay -o "lowerdir=$base,upperdir=$copy/changes,workdir=$copy/work" "$copy/root"
    inside "$copy/root" "$@"' inside_copy "${@:2}" && rmdir "$copy"
}

# Asked of the compiler, since swift may be a link to swiftly.
toolchain=$(swiftc -print-target-info | sed -n 's|.*"runtimeResourcePath": "\(.*\)/usr/lib/swift".*|\1|p')

# Copies the libraries that the Swift toolchain of this machine needs and that the root has only in
# another version. Mount the toolchain itself, and add the folder to LD_LIBRARY_PATH.
lend_libraries() { # root
  local root=$1 lent=$1/opt/toolchain-libraries
  rm -rf "$lent"
  mkdir -p "$lent"
  for program in swift-frontend swift-package clang lld; do
    ldd "$toolchain/usr/bin/$program" | awk '$3 ~ /^\// {print $3}'
  done | grep -v "^$toolchain" | sort -u | while read -r library; do
    [ -n "$(find "$root/usr/lib" -name "$(basename "$library")" -print -quit)" ] || cp -L "$library" "$lent/"
  done
}
