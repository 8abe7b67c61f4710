#include "transport/port_lease.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace assay {
namespace {

TEST(PortLease, IsAPortThatCanBeListenedOn) {
  const PortLease lease;
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(lease.port())));
  EXPECT_EQ(::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(::listen(fd, 1), 0);
  ::close(fd);
}

// So many that, drawn freely, some would be the same all but certainly.
TEST(PortLease, IsNobodyElsesInThisProcessOrAnother) {
  constexpr int kLeases = 400;
  std::vector<std::unique_ptr<PortLease>> ours;
  std::set<std::string> ports;
  const auto take = [&] {
    for (int i = 0; i < kLeases; ++i) {
      ours.push_back(std::make_unique<PortLease>());
      ports.insert(ours.back()->port());
    }
  };
  take();
  ASSERT_EQ(ports.size(), std::size_t{kLeases});
  const pid_t other = ::fork();
  ASSERT_GE(other, 0);
  if (other == 0) {
    const std::vector<std::unique_ptr<PortLease>> parents = std::move(ours);
    ours.clear();
    take();
    ::_exit(ports.size() == std::size_t{2 * kLeases} ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(other, &status, 0), other);
  EXPECT_EQ(status, 0);
}

TEST(PortLease, LeavesNoDescriptorBehind) {
  const int before = ::dup(0);
  ::close(before);
  for (int i = 0; i < 20; ++i) const PortLease lease;
  const int after = ::dup(0);
  ::close(after);
  EXPECT_EQ(after, before);
}

}  // namespace
}  // namespace assay
