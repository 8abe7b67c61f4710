// Asks the terminal.

#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace assay {

Terminal LookAtTerminal(int descriptor) {
  Terminal terminal;
  terminal.is_terminal = ::isatty(descriptor) != 0;
  const char* kind = std::getenv("TERM");
  const char* no_colour = std::getenv("NO_COLOR");  // https://no-color.org
  terminal.colour = terminal.is_terminal && (no_colour == nullptr || *no_colour == '\0') &&
                    kind != nullptr && std::string_view(kind) != "dumb";
  winsize size{};
  if (terminal.is_terminal && ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    terminal.width = size.ws_col;
  }
  return terminal;
}

}  // namespace assay
