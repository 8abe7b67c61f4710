// Places, as compilers write them, and their order.

#include "case/place.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace assay {

std::string ToString(const Place& place) {
  if (place.line == 0) return place.file;
  return place.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

std::string ToString(const InputError& problem) {
  return ToString(problem.place()) + ": " + problem.what();
}

void AppendInOrder(std::vector<InputError> found, std::vector<InputError>* problems) {
  const auto position = [](const InputError& problem) {
    return std::tuple(problem.place().line, problem.place().column);
  };
  std::stable_sort(found.begin(), found.end(), [&](const InputError& a, const InputError& b) {
    return position(a) < position(b);
  });
  std::set<std::tuple<int, int, std::string>> seen;
  for (InputError& problem : found) {
    const auto [line, column] = position(problem);
    if (seen.emplace(line, column, problem.what()).second) problems->push_back(std::move(problem));
  }
}

}  // namespace assay
