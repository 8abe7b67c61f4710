#!/bin/bash -eu
cmake -S "$SRC/yaml-cpp" -B "$WORK/yaml-cpp" -G Ninja -DCMAKE_INSTALL_PREFIX="$WORK/libraries" \
  -DYAML_CPP_BUILD_TESTS=OFF -DYAML_CPP_BUILD_TOOLS=OFF
cmake --build "$WORK/yaml-cpp" --target install
CMAKE_PREFIX_PATH=$WORK/libraries BOOST_ROOT=$SRC/boost "$SRC/assay/fuzz/ossfuzz.sh"
