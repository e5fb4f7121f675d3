#!/usr/bin/env bash
# Four shards on one machine with GNU parallel, then one verdict: parallel.sh --sdk ./adapter
set -uo pipefail
conform=${CONFORM:-conform}
parallel --will-cite -j 4 "$conform" run "$@" --quiet --shard {}/4 --output shards/{} ::: 1 2 3 4
exec "$conform" merge shards/[1-4]/run.jsonl --output conform-report
