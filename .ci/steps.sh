# Steps that ./quickstart, ./test and the stages in .ci/ share.  Source it from the root
# of the tree; POSIX sh.

say() { printf '%s\n' "berth: $*" >&2; }

# quietly WHAT COMMAND...: says what is being done; shows the log's end if it fails.
quietly() {
  say "$1"
  shift
  log=$(mktemp)
  if "$@" >"$log" 2>&1 </dev/null; then
    rm -f "$log"
    return 0
  fi
  grep -v '^\[[0-9]*/[0-9]*\] ' "$log" | tail -n 60 >&2
  say "failed: $*"
  rm -f "$log"
  return 1
}

# The packages of these kinds that .ci/packages names.
packages() {
  for kind in "$@"; do
    awk -v kind="$kind" '$1 == kind { print $2 }' .ci/packages
  done
}

is_installed() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# need KIND...: installs what .ci/packages names for these kinds and is missing.
need() {
  if ! command -v dpkg-query >/dev/null; then
    say "no Debian here: .ci/packages says what has to be installed"
    return 0
  fi
  missing=
  for package in $(packages "$@"); do
    is_installed "$package" || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    say "some packages are missing; please run this, then try again:"
    printf '%s\n' "sudo apt-get install --no-install-recommends$missing" >&2
    return 1
  fi
  quietly "reading the package lists" apt-get -q update
  # shellcheck disable=SC2086
  quietly "installing$missing" env DEBIAN_FRONTEND=noninteractive \
    apt-get -q -y install --no-install-recommends $missing
}

# A precompiled header has a time of its own; the compiler cache must look past it.
# Another checkout of the same sources may use what this one compiled.
export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1
export CCACHE_SLOPPINESS="${CCACHE_SLOPPINESS:-pch_defines,time_macros}"

# configure PRESET [OPTION...]
configure() {
  quietly "configuring ($1)" cmake --preset "$@"
}

# how_far: copies ninja's output and shows how far it is: on a terminal as a line that
# moves, in CI not at all, elsewhere as a line at each quarter.
how_far() {
  quarter=1
  while IFS= read -r line; do
    printf '%s\n' "$line"
    case $line in
    '['[0-9]*/[0-9]*'] '*) ;;
    *) continue ;;
    esac
    done=${line%%/*} all=${line%%]*}
    percent=$((100 * ${done#[} / ${all#*/}))
    if [ -t 2 ]; then
      printf '\rberth: %d %% ' "$percent" >&2
    elif [ -z "${CI:-}" ] && [ "$percent" -ge $((25 * quarter)) ]; then
      say "$percent %"
      quarter=$((percent / 25 + 1))
    fi
  done
  [ ! -t 2 ] || printf '\r\033[K' >&2
}

# build PRESET [TARGET...]: builds these targets, or all.
build() {
  preset=$1
  shift
  say "building ($preset)"
  log=$(mktemp)
  { cmake --build --preset "$preset" ${1:+--target "$@"} 2>&1 </dev/null ||
    echo "failed: build $preset $*"; } | how_far >"$log"
  case $(tail -n 1 "$log") in
  "failed: build $preset"*)
    grep -v '^\[[0-9]*/[0-9]*\] ' "$log" | tail -n 60 >&2
    rm -f "$log"
    return 1 ;;
  esac
  rm -f "$log"
}
