#!/bin/sh
# programs.sh LIBRARY.so SOURCES CXX [FLAG...] : programs that use the C interface, compiled
# as their users compile them, and what the library exports.  With BERTH_TRACES or
# BERTH_DATA set, KTH is run as well.
set -eu
library=$1
sources=$2
compiler=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
folder=$(dirname "$library")
BERTH_POLICIES=$sources/policies
export BERTH_POLICIES

# compile NAME SOURCE LANGUAGE STANDARD FLAG...
compile() {
  name=$1
  source=$2
  language=$3
  standard=$4
  shift 4
  "$compiler" -x "$language" -std="$standard" -Wall -Wextra -Wpedantic -Werror "$@" \
    -I "$sources/capi" "$source" -o "$work/$name" -x none \
    -L "$folder" -lberth -pthread -Wl,-rpath,"$folder"
}

# Functions of the interface, and the name of their version, are all that it exports.
others=$(nm -D --defined-only "$library" | awk '{ print $NF }' |
  grep -v -e '^berth_[a-z]*' -e '^BERTH_1$' || true)
if [ -n "$others" ]; then
  echo "exported besides the interface: $others"
  exit 1
fi
# Each function that the header declares is there.
for function in $(sed -n 's/^BERTH_API .*[ *]\(berth_[a-z_]*\)(.*/\1/p' \
  "$sources/capi/berth.h"); do
  nm -D --defined-only "$library" | grep -q " T $function@" || {
    echo "$function is declared, and not exported"
    exit 1
  }
done

compile refusals "$sources/tests/capi/refusals.c" c c99 "$@"
"$work/refusals" "$sources/tests/capi/endless.lua"
compile episodes "$sources/tests/capi/episodes.c" c c99 "$@"
"$work/episodes" "$work"
compile plus "$sources/tests/capi/plus.cpp" c++ c++11 "$@"
"$work/plus"

# The program of the page, against the built-in policy.
# block COMMENT: the blocks of the page behind such a comment.
block() {
  awk -v comment="<!-- skip: tests/capi/programs.sh $1 -->" '
    $0 == comment { is_next = 1; next } /^```c$/ && is_next { inside = 1; next }
    /^```$/ { inside = 0; is_next = 0 } inside' "$sources/docs/c.md"
}
block 'compiles and runs it' >"$work/page.c"
compile page "$work/page.c" c c99 "$@"
printed=$("$work/page")
expected=$("$work/plus" "$work/page.c")
[ "$printed" = "$expected" ] || {
  echo "docs/c.md: its program prints $printed, the policy easy gives $expected"
  exit 1
}

# The lines of the page about environments, in a program around them.
{
  sed '/^int main/,$d' "$work/page.c"
  echo 'int main(void) {'
  echo '  berth_scenario *scenario; berth_run *run;'
  echo '  berth_options options = {sizeof options, 0, NULL, NULL, 0, 60, 0, 0, 0, 0, NULL, 0, 0, 0};'
  echo '  if (berth_scenario_open(kScenario, strlen(kScenario), NULL, &scenario, NULL) < 0) return 1;'
  echo '  if (berth_open(scenario, &options, &run, NULL) < 0) return 1;'
  block 'runs it in a frame'
  echo '  if (ended[0] != 1 || berth_hash(run) == 0) return 1;'
  echo '  berth_close(run); berth_scenario_close(scenario); return 0; }'
} >"$work/frame.c"
grep -q 'berth_step' "$work/frame.c"
compile frame "$work/frame.c" c c99 "$@"
"$work/frame"

trace=${BERTH_TRACES:-${BERTH_DATA:-$sources/../shared/data}/traces}
trace=$trace/KTH-SP2-1996-2.1-cln.swf.gz
compile easy "$sources/tests/capi/easy.c" c c99 "$@"
if [ -f "$trace" ]; then
  "$work/easy" "$trace"
else
  echo "no $trace here: EASY over KTH is skipped"
fi
