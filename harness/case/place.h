// Where something stands in a file, and the one exception type for bad input.

#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace assay {

struct Place {
  std::string file;
  int line = 0;  // 1-based; 0 = the file as a whole
  int column = 0;
};

std::string ToString(const Place& place);  // file:line:column

// Bad input from a person: what() is the message alone, in words that say what was expected.
class InputError : public std::runtime_error {
 public:
  InputError(Place where, const std::string& message)
      : std::runtime_error(message), place_(std::move(where)) {}
  const Place& place() const { return place_; }

 private:
  Place place_;
};

std::string ToString(const InputError& problem);  // file:line:column: message

// Appends problems of one file in the order of their places, each once.
void AppendInOrder(std::vector<InputError> found, std::vector<InputError>* problems);

}  // namespace assay
