#!/usr/bin/env bash
#SBATCH --job-name=conform
#SBATCH --array=1-4
#SBATCH --output=conform-%A_%a.log
# One task a shard: Slurm sets SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT, and `conform run` takes its part from them.
#   job=$(sbatch --parsable --wait slurm.sh --sdk ./adapter)
#   conform merge "shards/$job"/*/run.jsonl --output conform-report
# The folder has the number of the job, so a task that writes no record leaves a gap, not the record of an earlier job.
set -euo pipefail
exec "${CONFORM:-conform}" run "$@" --output "shards/$SLURM_ARRAY_JOB_ID/$SLURM_ARRAY_TASK_ID"
