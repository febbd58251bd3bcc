# Runs the steps of a check, each with its seconds: functions for the scripts that source this file.
# A step that fails does not end the check, so that one run reports all failures.
#
# LOGS  a folder for the output of the steps, which is otherwise printed
# shellcheck shell=bash

names=() seconds=() results=()

step() { # name, command
  local start=$SECONDS status=0 log=""
  if [ -n "${LOGS:-}" ]; then
    log=$LOGS/$(tr -cs '[:alnum:]\n' - <<<"$1").log
    "${@:2}" >"$log" 2>&1 </dev/null || status=$?
    [ "$status" -eq 0 ] || tail -n 40 "$log"
  else
    printf '\n== %s\n' "$1"
    "${@:2}" || status=$?
  fi
  names+=("$1") seconds+=($((SECONDS - start))) results+=("$status")
  if [ "$status" -eq 0 ]; then status="passed"; else status="failed with status $status; $log"; fi
  printf '== %s: %d s, %s\n' "$1" $((SECONDS - start)) "$status"
}

# Prints the table of all steps, and fails if a step has failed.
finish() {
  local index failed=0
  echo
  for index in "${!names[@]}"; do
    local result=passed
    if [ "${results[index]}" -ne 0 ]; then result=FAILED failed=$((failed + 1)); fi
    printf '%-6s %6d s  %s\n' "$result" "${seconds[index]}" "${names[index]}"
  done
  printf '%13d s  in all, %d of %d steps failed\n' "$SECONDS" "$failed" "${#names[@]}"
  [ "$failed" -eq 0 ]
}
