#!/bin/sh
# streams.sh BERTH : standard streams that are closed or full.  Output that is lost is
# exit status 8, and the files of --out and -o are those of a run with open streams.
set -eu
berth=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >t.swf <<SWF
; MaxProcs: 4
1 0 -1 100 3 -1 -1 3 100 -1 1 1 1 1 1 1 -1 -1
2 1 -1 50 4 -1 -1 4 50 -1 1 2 1 1 1 1 -1 -1
SWF

# fails_with STATUS COMMAND... : by a shell of its own, whose streams it may close.
fails_with() {
  wanted=$1
  shift
  got=0
  sh -c "$*" 2>/dev/null || got=$?
  [ "$got" -eq "$wanted" ] || { echo "status $got, not $wanted: $*" >&2; exit 1; }
}

run="$berth run --trace t.swf --policy easy"
for command in "$run" "$run --json" "$run --table csv" "$berth policies" "$berth api" \
  "$berth trace t.swf" "$berth --help" "$berth completions bash" "$berth check t.swf"; do
  for lost in '>&-' '>/dev/full' '>&- <&- 2>&-'; do
    fails_with 8 "$command $lost"
  done
  fails_with 0 "$command 2>&- >/dev/null"
done
# A failure before keeps its own status.
fails_with 3 "$berth run --trace none.swf --policy easy >&-"

$run --out open >/dev/null
$berth generate lublin --jobs 50 --processors 8 --seed 1 -o open.swf
n=0
for closed in '<&-' '>&-' '2>&-' '>&- 2>&-' '<&- >&- 2>&-'; do
  n=$((n + 1))
  sh -c "$run --out $n >/dev/null $closed" 2>/dev/null || true
  for file in jobs.csv summary.json timeline.csv; do cmp "open/$file" "$n/$file"; done
  fails_with 0 "$berth generate lublin --jobs 50 --processors 8 --seed 1 -o $n.swf $closed"
  cmp open.swf "$n.swf"
done
echo "lost output has status 8, files are the same"
