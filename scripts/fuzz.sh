#!/usr/bin/env bash
# Fuzzes the format detection, the header readers and the decoder of each format with damaged files,
# using libFuzzer and AddressSanitizer.
#
#   scripts/fuzz.sh [SECONDS]    per target, 60 by default
#
# The corpora are kept in .build-fuzz/corpus*. An input that causes a failure is written to
# .build-fuzz/crash-*, timeout-* or oom-*.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-60}
folder=.build-fuzz
mkdir -p "$folder/corpus"

printf '%s\n' '@_cdecl("LLVMFuzzerTestOneInput") public func one(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt { 0 }' \
  >"$folder/probe.swift"
if ! swiftc -sanitize=fuzzer,address -parse-as-library "$folder/probe.swift" -o "$folder/probe" >"$folder/probe.log" 2>&1; then
  echo "Skipped: this Swift toolchain has no libFuzzer ($folder/probe.log)."
  exit 0
fi

mapfile -t sources < <(find Sources/RemoteImageDecoding -name '*.swift' ! -name WorkerThreads.swift)
swiftc -sanitize=fuzzer,address -parse-as-library -O -swift-version 6 -package-name remote-image -module-name Fuzz \
  Tests/Fuzz/HeaderFuzzer.swift "${sources[@]}" -o "$folder/fuzz" 2>"$folder/build.log" ||
  { cat "$folder/build.log"; exit 1; }

# A header that takes more than a second to read is a failure, as is one whose declared sizes cause
# large allocations.
"$folder/fuzz" -max_total_time="$seconds" -timeout=1 -rss_limit_mb=512 -max_len=8192 -dict=Tests/Fuzz/images.dict \
  -artifact_prefix="$folder/" -print_final_stats=1 "$folder/corpus" Tests/Fuzz/Seeds 2>"$folder/fuzz.log" ||
  { tail -40 "$folder/fuzz.log"; exit 1; }
grep -E 'Done|number_of_executed_units|peak_rss' "$folder/fuzz.log"

build=(swift build --configuration release --package-path Tests/Fuzz --scratch-path "$folder/build" --product fuzz-decoders
  --sanitize fuzzer --sanitize address -Xswiftc -sanitize=fuzzer,address)
"${build[@]}" >"$folder/build.log" 2>&1 || { tail -40 "$folder/build.log"; exit 1; }
fuzzer=$("${build[@]}" --show-bin-path)/fuzz-decoders
missing=()
for format in jpeg png gif webp avif heic jxl ico bmp; do
  mkdir -p "$folder/corpus-$format"
  echo "-- $format"
  status=0
  # Leak detection is off, since valgrind checks for leaks (test-installed.sh): GLib and the loaders
  # never free what they register, and libheif 1.15 leaks images of damaged AV1 data. libjxl 0.7
  # prints a message for each damaged file.
  ASAN_OPTIONS=detect_leaks=0 FORMAT=$format "$fuzzer" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 \
    -max_len=16384 -detect_leaks=0 \
    -dict=Tests/Fuzz/images.dict -artifact_prefix="$folder/" -print_final_stats=1 "$folder/corpus-$format" \
    Tests/Fuzz/Seeds 2>&1 | grep -av '^\./lib/jxl/' >"$folder/fuzz-$format.log" || status=$?
  case $status in
  0) grep -E 'Done|number_of_executed_units|peak_rss' "$folder/fuzz-$format.log" ;;
  69) cat "$folder/fuzz-$format.log" && missing+=("$format") ;;
  *) tail -40 "$folder/fuzz-$format.log"; exit 1 ;;
  esac
done
if [ ${#missing[@]} -gt 0 ]; then
  echo "Not fuzzed, since their codecs are not installed: ${missing[*]}"
  exit 1
fi
