#!/bin/sh
# Counts instructions and allocations of the hot paths, which hardly differ from run to run or on a busy
# machine: the difference between a number of iterations and twice as many, so that preparing does not
# count.
#
#   Benchmarks/Scripts/instructions.sh [ROW…]      # recorded ones; of others all sizes of --quick together
#   Benchmarks/Scripts/instructions.sh --check     # compares with Thresholds/instructions.txt
#   Benchmarks/Scripts/instructions.sh --record    # writes that file
#   Benchmarks/Scripts/instructions.sh --shares [ROW…]   # what kinds of functions the instructions are in
#
# After --check or --record come options of `swift build`.
#
# It needs valgrind, and prints a line for each row: the instructions and allocations of one iteration, the
# instructions for each page, observer or resource, and as many of what the row is compared with. A row that ends in
# a number is of that size alone, the others of all sizes up to one. The recorded values are valid for one
# toolchain on one platform: where that or valgrind is missing, the check says that it is skipped. The check also
# compares what a request takes of the client, over a real socket, with the same by URLSession: processor time
# differs too much from one machine and minute to the next.
set -eu

cd "$(dirname "$0")/.."
case "${1:-}" in
  --check | --record) mode=${1#--} && shift ;;
  *)
    mode=print
    [ "${1:-}" != --shares ] || { mode=shares && shift; }
    names=${*:-walk.visit merge.onePage.int.same.middle notify.objects lookup}
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
count() { # NAME LARGEST ITERATIONS [--floor]
  valgrind --tool=callgrind --fair-sched=yes --callgrind-out-file="$scratch/out" \
    "$program" --quick --filter "$1" --largest "$2" --iterations "$3" ${4-} >"$scratch/log" 2>&1 ||
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

# Prints instructions and allocations of one iteration: of all sizes up to the largest.
one_iteration() { # NAME LARGEST ITERATIONS [--floor]
  # shellcheck disable=SC2046 # four numbers
  set -- "$3" $(count "$@") $(count "$1" "$2" $((2 * $3)) ${4-})
  echo $((($4 - $2) / $1)) $((($5 - $3) / $1))
}

# The same of the largest size alone, where a smaller one is given.
one_iteration_alone() { # NAME LARGEST ITERATIONS SMALLER [--floor]
  if [ "$4" = - ]; then
    one_iteration "$1" "$2" "$3" ${5-}
  else
    # shellcheck disable=SC2046 # four numbers
    set -- $(one_iteration "$1" "$2" "$3" ${5-}) $(one_iteration "$1" "$4" "$3" ${5-})
    echo $(($1 - $3)) $(($2 - $4))
  fi
}

# Prints a line: what one iteration takes, in all and for each page, observer or resource; and what it is compared
# with, but for --check, which does not compare that.
measure() { # ROW LARGEST ITERATIONS SMALLER PIECES
  row=$1 pieces=$5
  set -- "${1%%:*}" "$2" "$3" "$4"
  # shellcheck disable=SC2046 # two numbers each
  if [ $mode = check ]; then
    set -- $(one_iteration_alone "$@") - -
  else
    set -- $(one_iteration_alone "$@") $(one_iteration_alone "$@" --floor)
  fi
  each=- floor=-
  if [ "$pieces" != - ]; then
    each=$(($1 / pieces))
    [ "$3" = - ] || floor=$(($3 / pieces))
  fi
  print_row "$row" "$1" "$2" "$each" "$floor"
}

# Prints what percentage of an iteration each kind of function takes, without what it calls.
shares() { # ROW LARGEST ITERATIONS SMALLER
  sizes=$2 && number=0 && rm -f "$scratch"/annotated*
  [ "$4" = - ] || sizes="$2 $4"
  for size in $sizes; do
    for factor in 1 2; do
      number=$((number + 1))
      count "${1%%:*}" "$size" $((factor * $3)) >"$scratch/counted"
      callgrind_annotate --threshold=100 "$scratch/out" >"$scratch/annotated$number" 2>"$scratch/log"
    done
  done
  awk -v row="$1" '
    function kind(text) {
      if (text ~ /swift_(begin|end)Access|AccessSet|SwiftTLSContext|__tls_get_addr/) return "exclusivity"
      if (text ~ /7Freshet/) return "Freshet"
      if (text ~ /(retain|release|RefCount|swift_weak|WeakReference|SideTable)/) return "references"
      if (text ~ /malloc|free|swift_slow(A|Dea)lloc|swift_(de)?alloc|unlink_chunk/) return "allocation"
      if (text ~ /[mM]etadata|[cC]onform|swift_dynamicCast|WitnessTable|GenericCache|getCache/) return "types"
      if (text ~ /swift_(task|job|async)|AsyncTask|[eE]xecutor|dispatch|pthread|ActorImpl/) return "tasks"
      return "other"
    }
    FNR == 1 { file++ }
    $1 ~ /^[0-9,]+$/ && $2 ~ /^\(/ && !/PROGRAM TOTALS/ {
      gsub(",", "", $1)
      # Twice the iterations less one time; of the smaller size the other way round.
      change = file == 1 || file == 4 ? -$1 : $1
      sum[kind($0)] += change
      all += change
    }
    END {
      printf "%s:", row
      for (name in sum) printf "  %s %.0f %%", name, 100 * sum[name] / all
      print ""
    }' "$scratch"/annotated*
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

# The rows: what is counted, the largest size, iterations, as many as bring the counts to repeat, the next smaller
# size if the largest is counted alone, and how many pages, observers or resources an iteration has.
rows() {
  cat <<'ROWS'
cascade.cold 100 30 - 110
cascade.cold:1000 1000 4 100 1000
cascade.json.wrapped 200 1 - 200
walk.visit 1000 20 - 1110
walk.recipe 1000 20 - 1110
merge.onePage.int.same.middle 100 1000 - 2
merge.onePage.held.int.one.middle 100 1000 - 2
refresh.notModified 100 50 - 110
refresh.notModified:1000 1000 4 100 1000
notify.objects 100 2000 - 111
notify.objects:1 1 5000 - 1
lookup 1000 40 - 1000
lookup.absolute 1000 40 - 1000
ROWS
}

print_row() { printf '%-34s %14s %12s %10s %10s\n' "$@"; }
heading() { print_row "$1" instructions allocations "for each" floor; }

if [ $mode = print ] || [ $mode = shares ]; then
  for name in $names; do
    case $name in
      *:*) rows | grep -q "^$name " || { echo "$name: only recorded rows are of one size" >&2 && exit 2; } ;;
    esac
  done
  [ $mode = shares ] || heading ""
  for name in $names; do
    rows | grep -F "$name " | grep "^$name " || echo "$name 1000000 200 - -"
  done | while read -r row; do
    # shellcheck disable=SC2086 # words
    if [ $mode = print ]; then measure $row; else shares $row; fi
  done
  exit
fi

{
  echo "# valid for $(platform)"
  heading "# one iteration of"
  rows | while read -r row; do
    # shellcheck disable=SC2086 # words
    measure $row
  done
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
