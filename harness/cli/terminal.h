// What is known of the terminal that people look at.

#pragma once

namespace assay {

struct Terminal {
  bool is_terminal = false;
  bool colour = false;
  int width = 100;  // columns
};

// Of a file descriptor; NO_COLOR and TERM are heeded.
Terminal LookAtTerminal(int descriptor);

}  // namespace assay
