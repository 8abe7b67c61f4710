// Boost.JSON, compiled with the coverage of a fuzz build.
#include <boost/json/src.hpp>
