#!/usr/bin/env bash
# One check: annotations, a summary, reports and outputs. Ends with the exit status of dupfind.
#
# The inputs are the variables INPUT_*. They become arguments and are never evaluated; a list has one
# item a line, so that items may hold spaces. Runs in the bash 3.2 of macOS too.
set -euo pipefail

# Shows a text in the list of annotations. GitHub reads a command up to the end of its line.
annotate() {
  local text=$2
  text=${text//'%'/%25}
  text=${text//$'\r'/%0D}
  text=${text//$'\n'/%0A}
  printf '::%s title=dupfind::%s\n' "$1" "$text"
}

# Reports what keeps the check from its work. The exit status is 2, as that of dupfind for errors.
refuse() {
  annotate error "$1"
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

# Lists the files with rules that differ from those of the target branch, from the root of the repository, each with a NUL
# behind it: configurations, and accepted pairs, whatever they are called. Those are known by their first line. The arguments
# are more files, which the inputs name.
changed_rules() {
  local name
  changed() { git diff --name-only -z --no-renames --no-ext-diff --no-textconv "$base" HEAD -- "$@"; }
  changed ':(top,glob,icase)**/dupfind.toml' ':(top,glob,icase)**/.dupfind.toml' ':(top,glob,icase)**/.dupfind-baseline'
  # A file of another repository is none of the pull request.
  for name in "$@"; do changed ":(literal)$name" 2>/dev/null || true; done
  { git grep -l -z --text --full-name -e '^{"dupfind_baseline":' "$base" -- ':(top)' || true; } |
    while IFS= read -r -d '' name; do changed ":(top,literal)${name#"$base:"}"; done
}

# Takes the rules of the target branch. A pull request of another repository decides about no rule that it is checked by.
take_rules() {
  local name target=${GITHUB_BASE_REF:-} base=origin/${GITHUB_BASE_REF:-}
  if ! git rev-parse --verify --quiet "$base^{commit}" >/dev/null; then
    refuse "the pull request comes from another repository, and the branch $target, whose dupfind.toml and accepted pairs count, is not here: actions/checkout gets it with fetch-depth: 0"
  fi
  changed_rules "$@" >"$folder/rules"
  if [ ! -s "$folder/rules" ]; then return; fi
  while IFS= read -r -d '' name; do
    git restore --source="$base" --worktree -- ":(top,literal)$name"
  done <"$folder/rules"
  annotate notice "the pull request comes from another repository: dupfind.toml and the accepted pairs are those of $target. A pair that it accepts counts once it is merged"
}

output() { printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"; }

arguments=(check --format github)

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
add_option --fail-on "${INPUT_FAIL_ON:-}"
add_option --baseline "${INPUT_BASELINE:-}"
add_option --since "${INPUT_SINCE:-}"
add_lines "${INPUT_ARGS:-}"
if is_foreign; then
  named=()
  for argument in "${arguments[@]}"; do
    case $argument in --config=* | --baseline=*) named+=("${argument#*=}") ;; esac
  done
  take_rules ${named[@]+"${named[@]}"}
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
  for report in "${reports[@]}"; do
    output "${report%%=*}" "${report#*=}"
  done
fi
if [ "$status" -gt 1 ]; then
  annotate error "dupfind could not do all of its work (exit status $status): the log of this step says why"
fi
exit "$status"
