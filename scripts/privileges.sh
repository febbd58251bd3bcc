# Writing to folders of the system: functions for the scripts that source this file.
# shellcheck shell=bash

# The words before each command that writes; none if the caller may write itself.
as=()

# Whether the caller can write to a folder or create it.
is_writable() {
  local folder=$1
  while [ ! -e "$folder" ]; do folder=$(dirname "$folder"); done
  [ -w "$folder" ]
}

# Uses sudo from here on, after an announcement, if the caller cannot write to each of the folders.
become_root() { # the start of the announcement, the place that it names, folders
  local folder
  for folder in "${@:3}"; do
    is_writable "$folder" && continue
    if ! command -v sudo >/dev/null; then
      echo "Only root can write below $2." >&2
      exit 1
    fi
    echo "$1 $2 with sudo."
    as=(sudo)
    return
  done
}
