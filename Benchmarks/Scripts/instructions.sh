#!/bin/sh
# Counts instructions and allocations of the hot paths, which hardly differ from run to run or on a busy
# machine: the difference between a number of iterations and twice as many, so that preparing does not
# count.
#
#   Benchmarks/Scripts/instructions.sh [NAME…]
#
# It needs valgrind, and prints a line for each name: what one iteration takes, all sizes of --quick
# together.
set -eu

cd "$(dirname "$0")/.."
swift build -c release
program="$(swift build -c release --show-bin-path)/freshet-benchmarks"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
export SWIFT_DETERMINISTIC_HASHING=1

run() { # TOOL NAME ITERATIONS
  valgrind --tool="$1" "--$1-out-file=$scratch/out" \
    "$program" --quick --filter "$2" --iterations "$3" >"$scratch/log" 2>&1
}

instructions() { # NAME ITERATIONS
  run callgrind "$1" "$2"
  sed -n 's/^summary: //p; s/^totals: //p' "$scratch/out" | head -n 1
}

allocations() { # NAME ITERATIONS
  run dhat "$1" "$2"
  sed -n 's/.*Total: .* in \([0-9,]*\) blocks.*/\1/p' "$scratch/log" | tr -d ,
}

iterations=200
[ $# -gt 0 ] || set -- walk.fresh walk.visit merge.onePage.int.same.middle notify lookup
printf '%-34s %14s %12s\n' "" instructions allocations
for name in "$@"; do
  printf '%-34s %14d %12d\n' "$name" \
    $((($(instructions "$name" $((2 * iterations))) - $(instructions "$name" $iterations)) / iterations)) \
    $((($(allocations "$name" $((2 * iterations))) - $(allocations "$name" $iterations)) / iterations))
done
