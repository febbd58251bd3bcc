#!/usr/bin/env bash
# Installs the packages of the comparison, makes its images, and builds its programs.
#
#   scripts/bench-setup.sh        for the full comparison; takes some minutes the first time
#   scripts/bench-setup.sh quick  for the quick comparison
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh "bench${1:+-$1}"
# Debian's own Python, since only this one uses the installed packages.
python=/usr/bin/python3
if [ "${1:-}" = quick ]; then
  exec "$python" Benchmarks/compare/images.py Benchmarks/.data photos:60 thumbnails:600 mixed:60
fi
"$python" Benchmarks/compare/images.py Benchmarks/.data
exec "$python" Benchmarks/compare/programs.py
