#!/usr/bin/env bash
# Installs the library into a separate folder and tests it there in C, Python, Vala and JavaScript,
# without Swift: the symbols, the bindings, the behaviour, and the screenshots of the examples,
# which must equal that of the Swift example.
#
#   scripts/test-installed.sh [--quick] [FOLDER]    the folder of the installation and screenshots
#
# --quick leaves out valgrind, the memory after a scroll, what a viewer draws after each step of a
# user, and the tests that need packages from PyPI.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/examples.sh

quick=""
if [ "${1:-}" = --quick ]; then quick=yes && shift; fi
prefix=${1:-$PWD/.build-installed}
mkdir -p "$prefix"
prefix=$(cd "$prefix" && pwd)
# The messages that the tests expect are English, and their images stay out of the user's cache.
export LANG=C.UTF-8
unset LANGUAGE LC_ALL LC_MESSAGES
XDG_CACHE_HOME=$(mktemp -d)
export XDG_CACHE_HOME
trap 'rm -rf "$XDG_CACHE_HOME"' EXIT
python_tests="view objects default failures desktop lists sources byte_sources effects stored_sizes accounts filters metrics processing previews misuse words isolation proxy widget_images viewer"
c_tests="view failures properties sources accounts filters desktop lists processing drawing misuse loops"
step() { printf '\n-- %s\n' "$*"; }

step "Install"
env -u DESTDIR PREFIX="$prefix" scripts/install.sh
library=$prefix/lib/libremoteimage-1.so.0

step "Install for a package, and uninstall"
package=$(mktemp -d)
trap 'rm -rf "$XDG_CACHE_HOME" "$package"' EXIT
packaged=(env DESTDIR="$package" PREFIX=/usr LIBDIR=/usr/lib/here scripts/install.sh)
"${packaged[@]}"
find "$package" -type f -path '*/lib*' | sed "s|$package||" | sort
if grep -r "$package" "$package/usr/lib/here/pkgconfig"; then exit 1; fi
# shellcheck disable=SC2016
grep -x 'libdir=${prefix}/lib/here' "$package/usr/lib/here/pkgconfig/remote-image-1.pc"
"${packaged[@]}" uninstall
left=$(find "$package" -type f -o -type l)
[ -z "$left" ] || { echo "Left: $left"; exit 1; }

step "Build the examples in Swift"
examples_swift=$(scripts/build-release.sh Examples Embedding Smallest Photos Thumbnails Avatars Timeline)

# From here on, the environment does not contain Swift.
export PATH=/usr/local/bin:/usr/bin:/bin
unset LD_LIBRARY_PATH
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig GI_TYPELIB_PATH=$prefix/lib/girepository-1.0

step "Dependencies, size and exported symbols of the library"
# Separately, since ldd prints the paths of several files, which may contain these words.
for file in "$library" "$prefix/bin/remote-image" "$prefix/libexec/remote-image-decoder"; do
  if ldd "$file" | grep -E 'swift|Foundation|not found'; then exit 1; fi
done
size=$(stat -c %s "$library")
echo "$size bytes"
[ "$size" -le 12582912 ] || { echo "The library is larger than 12 MiB."; exit 1; }
diff <(sed '/^#/d' data/symbols.txt | LC_ALL=C sort) <(nm -D --defined-only "$library" | awk '$2 == "T" {sub(/@.*/, "", $3); print $3}' | LC_ALL=C sort)
scripts/check-interface.py c "$prefix/share/gir-1.0/RemoteImage-1.gir"
"$prefix/bin/remote-image" --version

step "Behaviour in Python"
export LD_LIBRARY_PATH=$prefix/lib PYTHONDONTWRITEBYTECODE=1
for test in $python_tests; do scripts/with-display.sh python3 "Tests/EmbeddingTests/test_$test.py"; done

if [ -z "$quick" ]; then
  step "Memory after a scroll past 200 photos"
  for kind in views paintables; do scripts/with-display.sh Tests/Trials/scrolled_past.py "$kind"; done

  step "What a viewer and widgets draw after each step of a user, at scale 1 and 2"
  for scale in 1 2; do GDK_SCALE=$scale Tests/Trials/viewer_trial.py; done
fi

step "Behaviour in C"
built=$(mktemp -d)
trap 'rm -rf "$XDG_CACHE_HOME" "$package" "$built"' EXIT
for test in $c_tests; do
  # shellcheck disable=SC2046
  cc -std=gnu11 -Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers -Werror -g \
    "Tests/EmbeddingTests/test_$test.c" -o "$built/test_$test" $(pkg-config --cflags --libs remote-image-1)
done
# The server sends some images only once, so each round of the tests has its own server and cache.
begin_round() {
  coproc server { exec python3 Tests/EmbeddingTests/images.py; }
  read -r address <&"${server[0]}"
  XDG_CACHE_HOME=$(mktemp -d "$built/cache-XXXX")
  export XDG_CACHE_HOME
}
end_round() {
  kill "$server_PID"
  wait "$server_PID" 2>/dev/null || true
}
begin_round
for test in $c_tests; do scripts/with-display.sh "$built/test_$test" "$address"; done
end_round

if [ -z "$quick" ]; then
  step "Behaviour in C under valgrind: no leaks, no invalid memory accesses"
  # The library is not stripped of its symbols, since the suppressions name them.
  begin_round
  mkdir "$built/symbols"
  strip --strip-debug -o "$built/symbols/libremoteimage-1.so.0" .build-release/release/libremoteimage.so
  # GL is disabled, since OpenGL drivers cause their own errors. A forked child lacks the threads of
  # its parent and leaks their memory, so valgrind does not report on it; the child's exit status is
  # the result of its test.
  for test in $c_tests; do
    log=$built/valgrind-$test.log
    LD_LIBRARY_PATH=$built/symbols GDK_DEBUG=gl-disable scripts/with-display.sh valgrind --quiet --child-silent-after-fork=yes \
      --leak-check=full --show-leak-kinds=definite --num-callers=40 \
      --suppressions=Tests/EmbeddingTests/valgrind.supp --log-file="$log" "$built/test_$test" "$address"
    [ ! -s "$log" ] || { cat "$log"; exit 1; }
  done
  end_round
fi

step "The examples and their screenshots"
build_browsers "$built" --vapidir "$prefix/share/vala/vapi"
draw_browsers "$built" "$prefix"
screenshot take "$prefix/swift.png" "$examples_swift/Embedding" @1 @2 @3 @4 @5 @6
screenshot take "$prefix/ui.png" python3 Examples/Embedding/ui/show.py Examples/Embedding/ui/browser.ui@@
screenshot compare "$prefix/c.png" "$prefix"/{swift,ui}.png
screenshot take "$prefix/smallest.png" "$examples_swift/Smallest" @1
screenshot find @1 "$prefix/smallest.png"
python3 Tests/EmbeddingTests/test_programs.py "$examples_swift" "$prefix"
python3 Tests/EmbeddingTests/test_javascript.py

step "The timeline in Swift and Python, and its server"
python3 Tests/EmbeddingTests/test_timeline_server.py
python3 Tests/EmbeddingTests/test_timeline.py "$prefix" swift "$examples_swift/Timeline"
python3 Tests/EmbeddingTests/test_timeline.py "$prefix" python python3 Examples/Embedding/python/timeline.py

step "The code blocks of the documentation in Python and Vala"
scripts/check-snippets.py python
scripts/check-snippets.py vala valac --ccode --quiet --directory "$built" --vapidir "$prefix/share/vala/vapi" --pkg remote-image-1

step "The programs of the pages for GTK programmers"
guide=Sources/RemoteImageGtk/RemoteImageGtk.docc
python3 Tests/EmbeddingTests/test_guide.py "$guide" "$prefix"

if [ -z "$quick" ]; then
  step "Asynchronous calls, awaited with the PyGObject of PyPI"
  python3 -m venv "$built/venv"
  "$built/venv/bin/pip" install --quiet --disable-pip-version-check 'PyGObject>=3.50,<3.51'
  scripts/with-display.sh "$built/venv/bin/python3" Tests/EmbeddingTests/test_await.py
  PATH=$built/venv/bin:$PATH python3 Tests/EmbeddingTests/test_guide.py "$guide" "$prefix" \
    Guide.test_an_image_is_awaited Guide.test_an_attachment_is_decrypted_by_a_task Guide.test_an_expired_token_is_replaced_by_a_task \
    Guide.test_an_application_runs_tasks
fi

step "No files are left after make uninstall"
PREFIX="$prefix" scripts/install.sh uninstall
left=$(find "$prefix" -type f -o -type l | grep -v '\.png$' || true)
[ -z "$left" ] || { echo "Left: $left"; exit 1; }
