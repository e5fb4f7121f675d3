#!/usr/bin/env bash
# Four shards on one machine with GNU parallel, then one verdict: parallel.sh --sdk ./adapter
set -euo pipefail
export CONFORM=${CONFORM:-conform}

# The verdict of a shard is for `conform merge`. With every other exit code, such as 2 for bad input, the script ends.
shard() { # shard NUMBER OPTION...
  local code=0
  "$CONFORM" run "${@:2}" --quiet --shard "$1/4" --output "shards/$1" || code=$?
  case $code in 0 | 1 | 3 | 4) ;; *) return "$code" ;; esac
}
export -f shard

# With --halt the exit code is that of the shard; --quote keeps the blanks in an option.
PARALLEL_SHELL=$BASH parallel --will-cite --quote --halt soon,fail=1 -j 4 shard {} "$@" ::: 1 2 3 4
exec "$CONFORM" merge shards/[1-4]/run.jsonl --output conform-report
