#!/bin/sh
# Counts instructions and allocations of the hot paths, which hardly differ from run to run or on a busy
# machine: the difference between a number of iterations and twice as many, so that preparing does not
# count.
#
#   Benchmarks/Scripts/instructions.sh [NAME…]     # all sizes of --quick together
#   Benchmarks/Scripts/instructions.sh --check     # compares with Thresholds/instructions.txt
#   Benchmarks/Scripts/instructions.sh --record    # writes that file
#
# After --check or --record come options of `swift build`.
#
# It needs valgrind, and prints a line for each name: what one iteration takes. The recorded values are
# of small sizes, and valid for one toolchain on one platform: where that or valgrind is missing, the
# check says that it is skipped. The check also compares what a request takes of the client, over a real
# socket, with the same by URLSession: processor time differs too much from one machine and minute to
# the next.
set -eu

cd "$(dirname "$0")/.."
case "${1:-}" in
  --check | --record) mode=${1#--} && shift ;;
  *)
    mode=print
    names=${*:-walk.fresh walk.visit merge.onePage.int.same.middle notify.objects lookup}
    set --
    ;;
esac
recorded=Thresholds/instructions.txt
# In percent.
tolerance=2

platform() {
  printf '%s, %s, %s\n' "$(swift --version 2>/dev/null | sed -n 's/.*(\(swift-[^)]*\)).*/\1/p')" \
    "$(uname -sm)" "$(getconf GNU_LIBC_VERSION 2>/dev/null)"
}

if [ $mode = check ]; then
  skipped() { echo "SKIPPED: instructions are not compared with what is recorded: $1" && exit; }
  command -v valgrind >/dev/null || skipped "there is no valgrind"
  platform=$(sed -n 's/^# valid for //p' $recorded)
  [ "$platform" = "$(platform)" ] || skipped "recorded on $platform; this is $(platform)"
fi

swift build -c release "$@"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
# Without debug information, whose newest form not every valgrind reads.
program="$scratch/program"
strip -g -o "$program" "$(swift build -c release "$@" --show-bin-path)/freshet-benchmarks"
export SWIFT_DETERMINISTIC_HASHING=1

# Prints the instructions and the calls of malloc of a whole run. In callgrind's format a function is
# named where it first appears, `cfn=(12) malloc`, and goes by its number afterwards.
count() { # NAME LARGEST ITERATIONS
  valgrind --tool=callgrind --fair-sched=yes --callgrind-out-file="$scratch/out" \
    "$program" --quick --filter "$1" --largest "$2" --iterations "$3" >"$scratch/log" 2>&1 ||
    { cat "$scratch/log" >&2 && exit 1; }
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

# Prints what one iteration takes.
measure() { # NAME LARGEST ITERATIONS
  # shellcheck disable=SC2046 # four numbers
  set -- "$1" "$3" $(count "$1" "$2" "$3") $(count "$1" "$2" $((2 * $3)))
  printf '%-34s %14d %12d\n' "$1" $((($5 - $3) / $2)) $((($6 - $4) / $2))
}

# Prints the instructions of all threads but those of the server.
client() { # NAME ITERATIONS [--floor]
  rm -f "$scratch"/thread*
  valgrind --tool=callgrind --fair-sched=yes --separate-threads=yes \
    --callgrind-out-file="$scratch/thread" "$program" --quick --filter "$1" --iterations "$2" ${3-} \
    >"$scratch/client" 2>&1 || { cat "$scratch/client" >&2 && exit 1; }
  for file in "$scratch"/thread-*; do
    grep -q 'LoopbackServerC10ConnectionC5serve' "$file" || sed -n 's/^totals: //p' "$file"
  done | awk '{ sum += $1 } END { printf "%.0f\n", sum }'
}

# Prints the instructions of one request, also in percent of those that URLSession executes; fails if
# that is more than the limit.
compare_client() { # NAME ITERATIONS LIMIT
  ours=$((($(client "$1" $((2 * $2))) - $(client "$1" "$2")) / $2))
  floor=$((($(client "$1" $((2 * $2)) --floor) - $(client "$1" "$2" --floor)) / $2))
  printf '%-34s %14d %10d %%\n' "$1" "$ours" $((100 * ours / floor))
  [ $((100 * ours)) -le $(($3 * floor)) ] ||
    { echo "$1: more than $3 % of what URLSession takes ($floor): a regression" >&2 && return 1; }
}

heading() { printf '%-34s %14s %12s\n' "$1" instructions allocations; }

if [ $mode = print ]; then
  heading ""
  for name in $names; do measure "$name" 1000000 200; done
  exit
fi

{
  echo "# valid for $(platform)"
  heading "# one iteration of"
  # Names, the largest size, and iterations: as many as bring the counts to repeat.
  while read -r name largest iterations; do
    measure "$name" "$largest" "$iterations"
  done <<'ROWS'
cascade.cold 100 30
walk.visit 1000 20
merge.onePage.int.same.middle 100 1000
refresh.notModified 100 50
notify.objects 100 2000
lookup 1000 40
ROWS
} >"$scratch/counts"
cat "$scratch/counts"
if [ $mode = record ]; then
  cp "$scratch/counts" $recorded
  exit
fi
awk -v tolerance=$tolerance '
  /^#/ { next }
  NR == FNR { instructions[$1] = $2; allocations[$1] = $3; next }
  function compare(what, now, before) {
    if (now > before * (1 + tolerance / 100)) {
      print $1 ": " now " " what ", recorded are " before ": a regression"
      failed = 1
    } else if (now < before * (1 - tolerance / 100)) {
      print $1 ": " now " " what ", recorded are " before ": better; record it with --record"
      failed = 1
    }
  }
  { compare("instructions", $2, instructions[$1]); compare("allocations", $3, allocations[$1]) }
  END { exit failed }' $recorded "$scratch/counts" >&2
printf '%-34s %14s %12s\n' "# one request of" instructions "of URLSession"
compare_client wire.small 100 32
compare_client wire.large 20 33
compare_client wire.gzip 100 40
echo "All counts are within $tolerance % of what is recorded."
