#!/usr/bin/env bash
# Installs what the comparison needs, makes its images, and builds what is measured.
#
#   scripts/bench-setup.sh        the rivals, all images and programs, some minutes the first time
#   scripts/bench-setup.sh quick  what the quick comparison needs
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh "bench${1:+-$1}"
# Debian's own Python: the packages are for no other.
python=/usr/bin/python3
if [ "${1:-}" = quick ]; then
  exec "$python" Benchmarks/compare/images.py Benchmarks/.data photos:60 thumbnails:600 mixed:60
fi
"$python" Benchmarks/compare/images.py Benchmarks/.data
exec "$python" Benchmarks/compare/programs.py
