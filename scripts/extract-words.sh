#!/usr/bin/env bash
# Writes po/remote-image.pot, the template for translators, from the sources: the arguments of
# `Localization.translated` and the messages of errors. Then updates the translations.
set -euo pipefail
cd "$(dirname "$0")/.."

python3 - <<'PYTHON' > po/remote-image.pot
import glob
import re

print('''# Strings of Remote Image that users see.
msgid ""
msgstr ""
"Project-Id-Version: remote-image\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"''')
found = {}
for path in sorted(glob.glob("Sources/RemoteImageGtk/**/*.swift", recursive=True)):
    for line in open(path, encoding="utf-8"):
        for text in re.findall(r'Localization\.translated\("([^"]+)"\)', line):
            found.setdefault(text, path)
path = "Sources/RemoteImageDecoding/ImageError.swift"
for line in open(path, encoding="utf-8"):
    match = re.search(r'^ +(?:case [^:]+|default): "([^"]+)"', line)
    if match:
        found.setdefault(match[1], path)
for text, place in found.items():
    print(f'\n#: {place}\nmsgid "{text}"\nmsgstr ""')
PYTHON

for translation in po/*.po; do
    [ -e "$translation" ] && msgmerge --quiet --no-wrap --update --backup=none --no-fuzzy-matching "$translation" po/remote-image.pot
done
