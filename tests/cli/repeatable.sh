#!/bin/sh
# repeatable.sh BERTH [PROCESSES] : the same scenario in so many processes, with and
# without address randomisation, with other locales and sizes of environment, with one
# thread and with two: every result file but timing.json has the same bytes.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
berth=$1
processes=${2:-8}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/scenario.toml" <<TOML
seed = 3
[machine]
processors = 64
[workload]
model = "lublin"
jobs = 400
load = 0.7
estimates = "factor"
[run]
policies = ["fcfs", "sjf", "first_fit", "best_fit", "easy", "conservative",
            "$here/repeatable/pairs.lua", "$here/repeatable/equal_keys.lua"]
TOML

# checksums FOLDER: of everything in it but timing.json, by name.
checksums() {
  (cd "$1" && find . -type f ! -name timing.json | LC_ALL=C sort | xargs sha256sum)
}

without_randomisation="setarch $(uname -m) -R"
$without_randomisation true 2>/dev/null || without_randomisation=
padding=
n=1
while [ "$n" -le "$processes" ]; do
  case $((n % 4)) in
  0) wrap=$without_randomisation locale=C ;;
  1) wrap= locale=de_DE.UTF-8 ;;
  2) wrap=$without_randomisation locale=C.UTF-8 ;;
  *) wrap= locale=C ;;
  esac
  # shellcheck disable=SC2086
  env PADDING="$padding" LC_ALL=$locale $wrap "$berth" run "$work/scenario.toml" \
    -j $((n % 2 + 1)) --log --out "$work/$n" >/dev/null 2>"$work/$n.err" ||
    { cat "$work/$n.err" >&2; exit 1; }
  checksums "$work/$n" >"$work/$n.sums"
  cmp "$work/1.sums" "$work/$n.sums" || { diff "$work/1.sums" "$work/$n.sums" >&2; exit 1; }
  padding=$padding$(printf '%0777d' "$n")
  n=$((n + 1))
done
echo "$processes processes, $(wc -l <"$work/1.sums") files each: the same bytes"
