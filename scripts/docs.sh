#!/usr/bin/env bash
# Builds the documentation of each library. Warnings and public symbols without documentation are
# errors.
set -euo pipefail
cd "$(dirname "$0")/.."

swift package dump-symbol-graph --minimum-access-level public --skip-synthesized-members >/dev/null
scripts/check-docs.py .build/*/symbolgraph
mkdir -p .build/documentation
for target in RemoteImageCore RemoteImageDecoders RemoteImagePixbuf RemoteImageGtk RemoteImageTesting; do
  swift package --allow-writing-to-directory .build/documentation generate-documentation \
    --target "$target" --output-path ".build/documentation/$target" --warnings-as-errors
done
echo "The documentation is in .build/documentation."
