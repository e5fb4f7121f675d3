#!/usr/bin/env bash
#SBATCH --job-name=conform
#SBATCH --array=1-4
#SBATCH --output=conform-%A_%a.log
# One task a shard: Slurm sets SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT, and `conform run` takes its part from them.
#   job=$(sbatch --parsable --wait slurm.sh --sdk ./adapter); conform merge shards/*/run.jsonl --output conform-report
set -euo pipefail
exec "${CONFORM:-conform}" run "$@" --output "shards/$SLURM_ARRAY_TASK_ID"
