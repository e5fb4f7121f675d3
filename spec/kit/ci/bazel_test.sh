#!/usr/bin/env bash
# The program of an sh_test:
#   sh_test(name = "conformance", srcs = ["bazel_test.sh"], args = ["--sdk", "./adapter"], shard_count = 4)
# `conform run` reads TEST_SHARD_INDEX and TEST_TOTAL_SHARDS, touches TEST_SHARD_STATUS_FILE and writes XML_OUTPUT_FILE.
set -euo pipefail
exec "${CONFORM:-conform}" run "$@" --output "${TEST_UNDECLARED_OUTPUTS_DIR:-.}/conform-report"
