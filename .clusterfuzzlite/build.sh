#!/bin/bash -eu
# The libraries that the configuration of Assay asks for, though not all of them are part of a fuzz
# target; then the targets.
install_library() {  # NAME CMAKE-OPTION...
  cmake -S "$SRC/$1" -B "$WORK/$1" -G Ninja -DCMAKE_INSTALL_PREFIX="$WORK/libraries" "${@:2}"
  cmake --build "$WORK/$1" --target install
}
install_library CLI11 -DCLI11_BUILD_TESTS=OFF -DCLI11_BUILD_EXAMPLES=OFF -DCLI11_BUILD_DOCS=OFF
install_library pugixml
install_library rapidcheck
install_library yaml-cpp -DYAML_CPP_BUILD_TESTS=OFF -DYAML_CPP_BUILD_TOOLS=OFF

# yaml-cpp's headers are found by no package.
CXXFLAGS="$CXXFLAGS -isystem $WORK/libraries/include" CMAKE_PREFIX_PATH=$WORK/libraries \
  BOOST_ROOT=$SRC/boost "$SRC/assay/fuzz/ossfuzz.sh"
