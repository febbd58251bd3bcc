#!/usr/bin/env bash
# Generates the language bindings from the library's header: GIR and typelib for Python and
# JavaScript, VAPI for Vala. Warnings are errors.
#
#   scripts/build-bindings.sh FOLDER    the folder of libremoteimage-1.so and of the output
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(cd "${1:?usage: scripts/build-bindings.sh FOLDER}" && pwd)
include=Sources/CRemoteImage/include

gtk_flags=$(pkg-config --cflags gtk4)
# shellcheck disable=SC2086
LD_LIBRARY_PATH="$folder" g-ir-scanner --warn-all --warn-error --no-libtool --quiet \
  --namespace=RemoteImage --nsversion=1 --identifier-prefix=RemoteImage --symbol-prefix=remote_image \
  --include=Gtk-4.0 --pkg-export=remote-image-1 --c-include=remote-image.h \
  --cflags-begin $gtk_flags "-I$include" --cflags-end \
  --library-path="$folder" --library=remoteimage-1 --output="$folder/RemoteImage-1.gir" "$include"/*.h
# The types are final: the header does not have their structures, so that a class in C or Vala
# cannot be derived from them. Classes in Python can, so the types themselves are not registered as
# final.
sed -i 's/^\( *<class name="[A-Za-z]*"\)/\1 final="1"/' "$folder/RemoteImage-1.gir"
g-ir-compiler --shared-library=libremoteimage-1.so.0 --output="$folder/RemoteImage-1.typelib" "$folder/RemoteImage-1.gir"
# gtk4.vapi of Vala 0.56 lacks GtkContentFit.
cat >"$folder/RemoteImage-1.metadata" <<'end'
ContentFit deprecated=false deprecated_since=""
View.content_fit#property type="RemoteImage.ContentFit"
View.get_content_fit type="RemoteImage.ContentFit"
View.set_content_fit.content_fit type="RemoteImage.ContentFit"
Processor.new_resize.fit type="RemoteImage.ContentFit"
Pipeline.load_icon_async.fit type="RemoteImage.ContentFit"
Pipeline.load_source_icon_async.fit type="RemoteImage.ContentFit"
end
vapigen --quiet --metadatadir="$folder" --library=remote-image-1 --pkg=gtk4 --directory="$folder" "$folder/RemoteImage-1.gir"
echo gtk4 >"$folder/remote-image-1.deps"
