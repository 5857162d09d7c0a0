#!/usr/bin/env bash
# One scan: annotations, a summary, reports and outputs. Ends with the exit status of dupfind.
#
# The inputs are the variables INPUT_*. They become arguments and are never evaluated; a list has one
# item a line, so that items may hold spaces. Runs in the bash 3.2 of macOS too.
set -euo pipefail

# Shows a text in the list of annotations. GitHub reads a command up to the end of its line.
error() {
  local text=$1
  text=${text//'%'/%25}
  text=${text//$'\r'/%0D}
  text=${text//$'\n'/%0A}
  printf '::error title=dupfind::%s\n' "$text"
}

# Reports a wrong input. The exit status is 2, as that of dupfind for wrong options.
refuse() {
  error "$1"
  output exit-code 2
  exit 2
}

# Whether this is a pull request from another repository. If that is gone, its name is empty.
is_foreign() {
  case ${GITHUB_EVENT_NAME:-} in
    pull_request*) [ "${HEAD_REPOSITORY:-}" != "${GITHUB_REPOSITORY:-}" ] ;;
    *) false ;;
  esac
}

# Whether the pull request changes a configuration or the accepted pairs. Without the history of its target that is not known.
changes_config() {
  ! git diff --quiet --no-ext-diff --no-textconv "origin/${GITHUB_BASE_REF:-}...HEAD" -- \
    ':(top,glob,icase)**/dupfind.toml' ':(top,glob,icase)**/.dupfind.toml' \
    ':(top,glob,icase)**/.dupfind-baseline' 2>/dev/null
}

output() { printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"; }

arguments=(scan --format github --fail-on-empty)

# Adds an option unless its value is empty: then the configuration of the repository decides.
add_option() { if [ -n "$2" ]; then arguments+=("$1=$2"); fi; }

# Adds the lines of a text.
add_lines() {
  local line
  while read -r line; do
    if [ -n "$line" ]; then arguments+=("$line"); fi
  done <<<"$1"
}

# The outputs of the step come from the JSON report. The job summary is written by the format 'github'.
folder=$(mktemp -d "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/dupfind.XXXXXX")
reports=("json=$folder/dupfind.json")
wanted=${INPUT_REPORTS:-}
newline=$'\n'
while read -r report; do
  case $report in
    "") continue ;;
    markdown) reports+=("markdown=$folder/dupfind.md") ;;
    html | sarif) reports+=("$report=$folder/dupfind.$report") ;;
    *) refuse "reports: '$report' is none of sarif, html and markdown" ;;
  esac
done <<<"${wanted//[ ,]/$newline}"

for report in "${reports[@]}"; do
  arguments+=("--format=$report")
done
case ${INPUT_FAIL_ON_NEW:-false} in
  true) arguments+=(--fail-on-new) ;;
  false) ;;
  *) refuse "fail-on-new: '$INPUT_FAIL_ON_NEW' is neither true nor false" ;;
esac
add_option --fail-on "${INPUT_FAIL_ON:-}"
add_option --baseline "${INPUT_BASELINE:-}"
add_option --baseline-from "${INPUT_BASELINE_FROM:-}"
add_option --changed-since "${INPUT_CHANGED_SINCE:-}"
add_lines "${INPUT_ARGS:-}"
# A configuration may decide that nothing fails. One of somebody else does not; one that was named does.
named=false
for argument in "${arguments[@]}"; do
  case $argument in --config | --config=* | --no-config) named=true ;; esac
done
if ! $named && is_foreign && changes_config; then
  arguments+=(--no-config)
  printf '::notice title=dupfind::%s\n' \
    "no dupfind.toml is used: the pull request comes from another repository, and may have changed it or .dupfind-baseline"
fi
# What follows is no option, whatever it begins with.
arguments+=(--)
add_lines "${INPUT_PATHS:-}"

status=0
dupfind "${arguments[@]}" || status=$?
output exit-code "$status"

# A number of the summary, which has a line of its own. No name of a document can be taken for it:
# lists are indented, and a name has no line ends. Not every runner has jq.
count() { sed -n 's/^"summary": .*"'"$1"'":\([0-9][0-9]*\).*/\1/p' "$folder/dupfind.json"; }

# Without a report there was an error, and there is nothing to count.
if [ -e "$folder/dupfind.json" ]; then
  output pairs "$(count pairs)"
  output clusters "$(count clusters)"
  output new "$(count new_pairs)"
  for report in "${reports[@]}"; do
    output "${report%%=*}" "${report#*=}"
  done
fi
if [ "$status" -gt 1 ]; then
  error "dupfind could not do all of its work (exit status $status): the log of this step says why"
fi
exit "$status"
