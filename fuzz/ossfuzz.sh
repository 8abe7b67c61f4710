#!/usr/bin/env bash
# Builds the libFuzzer targets as OSS-Fuzz and ClusterFuzzLite want it: with $CXX, $CXXFLAGS and
# $LIB_FUZZING_ENGINE, into $OUT; each with its seeds, dictionary and options. What it builds on the
# way goes to $WORK.
set -euo pipefail
: "${CXX:?}" "${CXXFLAGS:?}" "${LIB_FUZZING_ENGINE:?}" "${OUT:?}" "${WORK:?}"
source=$(cd "$(dirname "$0")/.." && pwd)

# This check does not understand coroutines.
export CXXFLAGS="$CXXFLAGS -fno-sanitize=function"
cmake -S "$source" -B "$WORK/assay" -G Ninja -DASSAY_FUZZ=ON -DASSAY_TESTS=OFF \
  -DASSAY_FUZZ_ENGINE="$LIB_FUZZING_ENGINE" >"$WORK/configure.log" || { cat "$WORK/configure.log"; exit 1; }
cmake --build "$WORK/assay" --target fuzz_targets -- --quiet

for file in "$source"/fuzz/*/target.cpp; do
  folder=$(dirname "$file")
  target=$(basename "$folder")
  cp "$WORK/assay/bin/$target" "$OUT/"
  cp "$source/fuzz/mcp.dict" "$OUT/$target.dict"
  cp "$source/fuzz/targets.options" "$OUT/$target.options"
  mkdir -p "$WORK/seeds/$target"
  find "$folder" -mindepth 2 -type f -exec cp {} "$WORK/seeds/$target" \;
  (cd "$WORK/seeds/$target" && cmake -E tar cf "$OUT/${target}_seed_corpus.zip" --format=zip .)
done
