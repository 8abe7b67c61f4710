#include "testing/stdio_relay.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <deque>
#include <string>

namespace assay {
namespace {

void WriteAll(int descriptor, const std::string& bytes) {
  for (std::size_t written = 0; written < bytes.size();) {
    const ssize_t count = ::write(descriptor, bytes.data() + written, bytes.size() - written);
    if (count <= 0) std::exit(0);
    written += static_cast<std::size_t>(count);
  }
}

class Relay {
 public:
  Relay(Variation& variation, int to_server, int from_server)
      : variation_(variation), to_server_(to_server), from_server_(from_server) {}

  void Run() {
    std::array<pollfd, 2> ends{{{STDIN_FILENO, POLLIN, 0}, {from_server_, POLLIN, 0}}};
    for (;;) {
      // What waits for company does not wait for long.
      const int count =
          ::poll(ends.data(), ends.size(), held_.empty() ? -1 : static_cast<int>(kMoment.count()));
      if (count == 0) Release();
      if (ends[0].revents != 0) FromClient(ends[0]);
      if (ends[1].revents != 0 && !FromServer()) break;
    }
    Release();
  }

 private:
  void FromClient(pollfd& end) {
    const ssize_t size = ::read(STDIN_FILENO, buffer_.data(), buffer_.size());
    if (size > 0) {
      WriteAll(to_server_, {buffer_.data(), static_cast<std::size_t>(size)});
    } else {
      ::close(to_server_);
      end.fd = -1;
    }
  }

  bool FromServer() {
    const ssize_t size = ::read(from_server_, buffer_.data(), buffer_.size());
    if (size <= 0) return false;
    pending_.append(buffer_.data(), static_cast<std::size_t>(size));
    for (std::size_t end = pending_.find('\n'); end != std::string::npos;
         end = pending_.find('\n')) {
      Pass(pending_.substr(0, end));
      pending_.erase(0, end + 1);
    }
    return true;
  }

  void Pass(const std::string& line) {
    const std::string varied = variation_.Apply(line) + "\n";
    const JsonParse parsed = variation_.Is("out-of-order") ? ParseJson(line) : JsonParse{};
    // Only answers may change places: what is told of a request comes before its answer.
    if (!parsed.value || !MayChangePlaces(*parsed.value)) {
      Release();
      WriteAll(STDOUT_FILENO, varied);
      return;
    }
    held_.push_front(varied);
    if (held_.size() < 2) return;
    variation_.NoteChange();
    Release();
  }

  void Release() {
    for (const std::string& line : held_) WriteAll(STDOUT_FILENO, line);
    held_.clear();
  }

  Variation& variation_;
  int to_server_;
  int from_server_;
  std::string pending_;
  std::deque<std::string> held_;
  std::array<char, 65536> buffer_{};
};

}  // namespace

void RelayStdio(Variation& variation, int to_server, int from_server) {
  Relay(variation, to_server, from_server).Run();
}

}  // namespace assay
