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
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
# Without debug information, whose newest form not every valgrind reads.
program="$scratch/program"
strip -g -o "$program" "$(swift build -c release --show-bin-path)/freshet-benchmarks"
export SWIFT_DETERMINISTIC_HASHING=1

# Prints the instructions and the calls of malloc of a whole run. In callgrind's format a function is
# named where it first appears, `cfn=(12) malloc`, and goes by its number afterwards.
count() { # NAME ITERATIONS
  valgrind --tool=callgrind --fair-sched=yes --callgrind-out-file="$scratch/out" \
    "$program" --quick --filter "$1" --iterations "$2" >"$scratch/log" 2>&1
  awk '
    /^c?fn=/ {
      match($0, /\([0-9]+\)/)
      function_number = substr($0, RSTART, RLENGTH)
      if ($0 ~ /\) malloc$/) malloc[function_number] = 1
      if ($0 ~ /^cfn=/) called = function_number
    }
    /^calls=/ { split($0, part, /[= ]/); calls[called] += part[2] }
    /^(summary|totals): / { instructions = $2 }
    END {
      for (number in malloc) allocations += calls[number]
      printf "%.0f %.0f\n", instructions, allocations
    }' "$scratch/out"
}

iterations=200
[ $# -gt 0 ] || set -- walk.fresh walk.visit merge.onePage.int.same.middle notify.objects lookup
printf '%-34s %14s %12s\n' "" instructions allocations
for name in "$@"; do
  # shellcheck disable=SC2046 # four numbers
  set -- $(count "$name" $iterations) $(count "$name" $((2 * iterations))) "$@"
  printf '%-34s %14d %12d\n' "$name" $((($3 - $1) / iterations)) $((($4 - $2) / iterations))
  shift 4
done
