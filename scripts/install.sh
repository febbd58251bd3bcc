#!/usr/bin/env bash
# Installs the library for C, Python and Vala, and the command line; `uninstall` removes them. The
# build runs as the calling user. Only the copying uses sudo, after an announcement, and only if the
# caller cannot write to the target.
#
#   PREFIX   /usr/local by default
#   DESTDIR  prepended to each path, for packaging
#   LIBDIR   $PREFIX/lib by default
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/privileges.sh

version=$(scripts/version.sh)
prefix=${PREFIX:-/usr/local}
libdir=${LIBDIR:-$prefix/lib}
root=${DESTDIR:-}
headers=$root$prefix/include/remote-image-1
soname=libremoteimage-1.so.0

files=(
  "$root$libdir/$soname" "$root$libdir/libremoteimage-1.so"
  "$root$libdir/pkgconfig/remote-image-1.pc"
  "$root$libdir/girepository-1.0/RemoteImage-1.typelib"
  "$root$prefix/share/gir-1.0/RemoteImage-1.gir"
  "$root$prefix/share/vala/vapi/remote-image-1.vapi" "$root$prefix/share/vala/vapi/remote-image-1.deps"
  "$root$prefix/share/man/man1/remote-image.1"
  "$root$prefix/share/bash-completion/completions/remote-image"
  "$root$prefix/share/zsh/site-functions/_remote-image"
  "$root$prefix/share/fish/vendor_completions.d/remote-image.fish"
  "$root$prefix/bin/remote-image" "$root$prefix/libexec/remote-image-decoder"
)
for words in po/*.po; do
  files+=("$root$prefix/share/locale/$(basename "$words" .po)/LC_MESSAGES/remote-image.mo")
done

# Updates the cache of the dynamic linker if the library is in one of its folders.
tell_linker() {
  if [ -n "$root" ] || { [ "$(id -u)" -ne 0 ] && [ ${#as[@]} -eq 0 ]; }; then return; fi
  case "$libdir" in
  /lib* | /usr/lib* | /usr/local/lib*) PATH=$PATH:/usr/sbin:/sbin "${as[@]}" ldconfig ;;
  esac
}

if [ "${1:-}" = uninstall ]; then
  become_root "Removing from" "$root$prefix" "$root$prefix/lib" "$root$libdir"
  "${as[@]}" rm -f "${files[@]}"
  "${as[@]}" rm -rf "$headers"
  tell_linker
  exit 0
fi

built=.build-release/install
rm -rf "$built"
mkdir -p "$built"
scripts/build-release.sh library "$built"
scripts/build-release.sh command "$built"
scripts/build-bindings.sh "$built"

become_root "Installing below" "$root$prefix" "$root$prefix/lib" "$root$libdir"
place() { # mode, file, target
  "${as[@]}" install -D -m "$1" "$2" "$root$3"
}
place 755 "$built/$soname" "$libdir/$soname"
"${as[@]}" ln -sf "$soname" "$root$libdir/libremoteimage-1.so"
for header in Sources/CRemoteImage/include/*.h; do
  place 644 "$header" "$prefix/include/remote-image-1/$(basename "$header")"
done
sed -e "s|@PREFIX@|$prefix|" -e "s|@LIBDIR@|${libdir/#"$prefix"/"\${prefix}"}|" -e "s|@VERSION@|$version|" data/remote-image-1.pc.in >"$built/remote-image-1.pc"
place 644 "$built/remote-image-1.pc" "$libdir/pkgconfig/remote-image-1.pc"
place 644 "$built/RemoteImage-1.typelib" "$libdir/girepository-1.0/RemoteImage-1.typelib"
place 644 "$built/RemoteImage-1.gir" "$prefix/share/gir-1.0/RemoteImage-1.gir"
place 644 "$built/remote-image-1.vapi" "$prefix/share/vala/vapi/remote-image-1.vapi"
place 644 "$built/remote-image-1.deps" "$prefix/share/vala/vapi/remote-image-1.deps"
sed -e "s|@VERSION@|$version|" data/remote-image.1 >"$built/remote-image.1"
place 644 "$built/remote-image.1" "$prefix/share/man/man1/remote-image.1"
place 755 "$built/remote-image" "$prefix/bin/remote-image"
# The programs and the library look for it in this folder.
place 755 "$built/remote-image-decoder" "$prefix/libexec/remote-image-decoder"
if command -v msgfmt >/dev/null; then
  for words in po/*.po; do
    language=$(basename "$words" .po)
    msgfmt --output-file="$built/$language.mo" "$words"
    place 644 "$built/$language.mo" "$prefix/share/locale/$language/LC_MESSAGES/remote-image.mo"
  done
else
  echo "msgfmt (gettext) is missing; the translations are not installed." >&2
fi
place 644 "$built/remote-image.bash" "$prefix/share/bash-completion/completions/remote-image"
place 644 "$built/remote-image.zsh" "$prefix/share/zsh/site-functions/_remote-image"
place 644 "$built/remote-image.fish" "$prefix/share/fish/vendor_completions.d/remote-image.fish"
tell_linker
echo "Installed below $root$prefix."
