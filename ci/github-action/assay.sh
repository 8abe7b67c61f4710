#!/usr/bin/env bash
# The work of action.yml, whose inputs are in the environment: INPUT_COMMAND and so on.
#
# Ends with 0 when there is a report, whatever it says: that is for the action's last step, after the
# SARIF file is on its way. Ends with Assay's exit code (or 2) when there is none, and after a shard in
# which something could not be judged.
#
# Needs jq, which GitHub's runners have.
set -euo pipefail

# path PATH: the same, never looking like an option.
path() {
  case $1 in
    /* | ./*) printf '%s' "$1" ;;
    *) printf './%s' "$1" ;;
  esac
}
report=$(path "${INPUT_REPORT:-assay-report}")

# What a server says ends up in the log, and the runner obeys lines of the log. So they are not obeyed
# while Assay runs, until a word that nobody else knows.
random_word() { od -An -N16 -tx1 /dev/urandom | tr -d ' \n'; }

# A workflow command that says what went wrong before there was anything to judge.
give_up() {
  local text=$1
  text=${text//'%'/%25}
  text=${text//$'\r'/%0D}
  text=${text//$'\n'/%0A}
  printf '::error title=Assay::%s\n' "$text"
  exit 2
}

# output NAME VALUE
output() {
  local end
  end=$(random_word)
  printf '%s<<%s\n%s\n%s\n' "$1" "$end" "$2" "$end" >>"$GITHUB_OUTPUT"
}

# lines TEXT ARRAY: one element a line.
lines() { mapfile -t "$2" < <(printf '%s' "$1"); }

# Sets `assay` to a program that can be started.
find_assay() {
  assay=${INPUT_ASSAY:-assay}
  if [[ -n ${INPUT_ARCHIVE:-} ]]; then
    local into archive=$INPUT_ARCHIVE
    into=$(mktemp -d "${RUNNER_TEMP:-/tmp}/assay.XXXXXX")
    case $archive in
      https://*)
        [[ -n ${INPUT_SHA256:-} ]] || give_up "an archive from a URL needs its sha256"
        curl --fail --silent --show-error --location --proto =https --output "$into/archive" \
          -- "$archive" || give_up "cannot download $archive"
        archive=$into/archive
        ;;
      *://*) give_up "archive: neither a path nor an https URL: $archive" ;;
    esac
    [[ -f $archive ]] || give_up "no such archive: $archive"
    if [[ -n ${INPUT_SHA256:-} ]]; then
      local got
      got=$(sha256sum <"$archive")
      [[ ${got%% *} == "${INPUT_SHA256,,}" ]] || give_up "the archive's SHA-256 is ${got%% *}"
    fi
    tar -C "$into" -xzf "$archive" --strip-components=1 --no-same-owner ||
      give_up "not a release archive: $archive"
    assay=$into/bin/assay
  fi
  type -P -- "$assay" >/dev/null || give_up "there is no program $assay; give assay or archive"
}

# The words after `assay`, in `arguments`.
build_arguments() {
  if [[ -n ${INPUT_MERGE:-} ]]; then
    local -a parts
    mapfile -d '' parts < <(find "$(path "$INPUT_MERGE")" -name report.json -print0 | sort -z)
    [[ ${#parts[@]} -gt 0 ]] || give_up "no report.json in $INPUT_MERGE"
    arguments=(merge --report "$report" "${parts[@]}")
    return
  fi
  local -a command options
  lines "${INPUT_OPTIONS:-}" options
  lines "${INPUT_COMMAND:-}" command
  arguments=(run --report "$report" "${options[@]}")
  [[ -z ${INPUT_SHARD:-} ]] || arguments+=(--shard "$INPUT_SHARD")
  [[ ${#command[@]} -eq 0 ]] || arguments+=(-- "${command[@]}")
}

# One annotation for each defect that no baseline knows, the weightiest first: requirement, message,
# how many cases, one of them.
annotate() {
  jq -r --argjson limit "$1" '
    # Neither control characters nor what turns the direction of text.
    def plain: gsub("[\\p{Cc}\\p{Cf}&&[^\\n]]"; "�");
    def escaped: plain | gsub("%"; "%25") | gsub("\n"; "%0A");
    def property: escaped | gsub(":"; "%3A") | gsub(","; "%2C");
    def cut($n): if length > $n then .[:$n] + "…" else . end;
    def weight: {fail: 0, warn: 1, differs: 2}[.counts_as] // 3;
    def kind: {fail: "error", warn: "warning"}[.counts_as] // "notice";
    [.results[] | .case as $case | .findings[] | select(.baselined | not) | . + {case: $case}]
    | group_by([.requirement, .message])
    | map({finding: .[0], cases: length})
    | sort_by((.finding | weight), -.cases)
    | .[:$limit][]
    | .cases as $cases | .finding
    | (.requirement | cut(100) | property) as $title
    | ([.message, "“" + (.text // "") + "”", .link // "",
        "in " + .case + (if $cases > 1 then " and \($cases - 1) more" else "" end)]
       | map(select(. != "" and . != "“”")) | join("\n") | cut(2000) | escaped) as $text
    | "::\(kind) title=\($title)::\($text)"
  ' "$report/report.json"
}

find_assay
build_arguments

# A report that was there before says nothing about this server.
rm -f -- "$report/report.json"
resume=$(random_word)
printf '::stop-commands::%s\n' "$resume"
code=0
# The server has no business with the files that the runner reads afterwards.
env -u GITHUB_OUTPUT -u GITHUB_ENV -u GITHUB_PATH -u GITHUB_STATE -u GITHUB_STEP_SUMMARY \
  -u INPUT_COMMAND -u INPUT_OPTIONS -u INPUT_ASSAY -u INPUT_ARCHIVE -u INPUT_SHA256 -u INPUT_REPORT \
  -u INPUT_SHARD -u INPUT_MERGE -u INPUT_ANNOTATIONS \
  "$assay" "${arguments[@]}" </dev/null 2>&1 || code=$?
printf '\n::%s::\n' "$resume"

output exit-code "$code"
if [[ $code -gt 1 ]]; then
  printf '::error title=Assay::exit code %d: %s; the log says more\n' "$code" \
    "$([[ $code -eq 3 ]] && echo "the server, or some case, could not be judged" || echo "Assay did not run")"
fi
if [[ ! -s $report/report.json ]]; then
  [[ $code -ne 0 ]] || code=2
  exit "$code"
fi
output report "$report"
for verdict in pass fail warn differs skip error; do
  output "$verdict" "$(jq --arg verdict "$verdict" '.counts[$verdict]' "$report/report.json")"
done
if [[ -n ${INPUT_SHARD:-} ]]; then
  [[ $code -le 1 ]] || exit "$code"
  exit 0
fi

[[ ! -s $report/results.sarif ]] || output sarif "$report/results.sarif"
[[ -z ${GITHUB_STEP_SUMMARY:-} ]] || cat "$report/summary.md" >>"$GITHUB_STEP_SUMMARY"
[[ ${INPUT_ANNOTATIONS:-10} =~ ^[0-9]{1,3}$ ]] || INPUT_ANNOTATIONS=10
annotate "${INPUT_ANNOTATIONS:-10}"
