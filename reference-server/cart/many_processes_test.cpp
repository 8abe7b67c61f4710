// Several processes, one store: nothing is lost or doubled, whoever is killed when.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cart/file_cart_store.h"
#include "cart/goods.h"
#include "cart/temporary_folder_for_test.h"

namespace assay::reference {
namespace {

/// A process that does some work and tells through a pipe how far it is.
class Worker {
 public:
  /// Writes to the pipe.
  using Tell = std::function<void(const std::string&)>;

  explicit Worker(const std::function<void(const Tell&)>& work) {
    int ends[2];
    if (pipe(ends) != 0) std::abort();
    process_ = fork();
    if (process_ < 0) std::abort();
    if (process_ == 0) {
      close(ends[0]);
      int status = 0;
      try {
        work([&ends](const std::string& text) {
          if (write(ends[1], text.data(), text.size()) < 0) std::_Exit(2);
        });
      } catch (...) {
        status = 1;
      }
      std::_Exit(status);  // not the end of the test program
    }
    close(ends[1]);
    pipe_ = ends[0];
  }
  ~Worker() {
    if (process_ > 0) Kill();
    close(pipe_);
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// The next so many characters, or fewer if that was all.
  std::string Hear(std::size_t characters) const {
    std::string heard(characters, '\0');
    std::size_t size = 0;
    while (size < characters) {
      const ssize_t count = read(pipe_, heard.data() + size, characters - size);
      if (count <= 0) break;
      size += static_cast<std::size_t>(count);
    }
    heard.resize(size);
    return heard;
  }

  bool IsAlive() const {
    siginfo_t state{};
    waitid(P_PID, static_cast<id_t>(process_), &state, WEXITED | WNOHANG | WNOWAIT);
    return state.si_pid == 0;
  }

  void Kill() {
    kill(process_, SIGKILL);
    Wait();
  }

  /// Whether it ended of itself and well.
  bool Wait() {
    int status = 0;
    waitpid(process_, &status, 0);
    process_ = -1;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

 private:
  pid_t process_ = -1;
  int pipe_ = -1;
};

constexpr int kWorkers = 8;
constexpr int kAddsPerWorker = 24;  // the same number to each cart
constexpr int kCarts = 3;
constexpr std::size_t kKills = 20;

/// Adds one piece in turn to each cart, from the beginning: what was done before its death is a
/// repetition, which the keys make harmless.
void AddAll(const std::filesystem::path& file, const std::vector<std::string>& carts, int worker,
            const Worker::Tell& tell) {
  FileCartStore store(file);
  for (int i = 0; i < kAddsPerWorker; ++i) {
    const std::string sku(Goods()[static_cast<std::size_t>(worker) % Goods().size()].sku);
    const std::string key = std::to_string(worker) + "-" + std::to_string(i);
    const auto cart = carts[static_cast<std::size_t>(i) % carts.size()];
    std::get<CartView>(store.AddItem(cart, {sku, 1, key}));
    tell(".");
  }
}

TEST(ManyProcesses, LoseAndDoubleNothingWhileOneIsKilledAgainAndAgain) {
  const TemporaryFolder folder;
  const auto file = folder / "store";
  std::vector<std::string> carts;
  FileCartStore store(file);
  for (int i = 0; i < kCarts; ++i) carts.push_back(std::get<CartView>(store.Create()).cart_id);

  const auto work = [&](int worker) {
    return std::make_unique<Worker>(
        [&, worker](const Worker::Tell& tell) { AddAll(file, carts, worker, tell); });
  };
  std::vector<std::unique_ptr<Worker>> others;
  for (int i = 1; i < kWorkers; ++i) others.push_back(work(i));
  for (std::size_t done = 1; done <= kKills; ++done) {
    const auto victim = work(0);
    ASSERT_EQ(victim->Hear(done).size(), done);
    victim->Kill();
  }
  EXPECT_TRUE(work(0)->Wait());
  for (const auto& other : others) EXPECT_TRUE(other->Wait());

  std::vector<int> expected(Goods().size());
  for (int i = 0; i < kWorkers; ++i) {
    expected[static_cast<std::size_t>(i) % Goods().size()] += kAddsPerWorker / kCarts;
  }
  for (const std::string& cart : carts) {
    const CartView view = std::get<CartView>(store.View(cart));
    EXPECT_EQ(view.version, static_cast<std::uint64_t>(kWorkers * kAddsPerWorker / kCarts));
    ASSERT_EQ(view.items.size(), Goods().size());
    for (std::size_t i = 0; i < view.items.size(); ++i) {
      EXPECT_EQ(view.items[i].quantity, expected[i]) << view.items[i].sku;
    }
  }
}

TEST(ManyProcesses, SeeACartBeforeOrAfterAChangeAndNothingBetween) {
  const TemporaryFolder folder;
  const auto file = folder / "store";
  FileCartStore store(file);
  const std::string cart = std::get<CartView>(store.Create()).cart_id;
  constexpr std::uint64_t kAdds = 100;
  Worker writer([&](const Worker::Tell&) {
    FileCartStore own(file);
    for (std::uint64_t i = 0; i < kAdds; ++i) {
      std::get<CartView>(own.AddItem(cart, {"mug-enamel", 3, std::to_string(i)}));
    }
  });
  std::uint64_t last = 0;
  bool writing = true;
  while (writing) {
    writing = writer.IsAlive();
    const CartView view = std::get<CartView>(store.View(cart));
    ASSERT_GE(view.version, last);
    ASSERT_EQ(view.items.empty() ? 0 : view.items.at(0).quantity,
              3 * static_cast<std::int64_t>(view.version));
    last = view.version;
  }
  EXPECT_EQ(last, kAdds);
}

TEST(ManyProcesses, MakeOneStoreWhenAllComeFirst) {
  const TemporaryFolder folder;
  std::vector<std::unique_ptr<Worker>> all;
  for (int i = 0; i < kWorkers; ++i) {
    all.push_back(std::make_unique<Worker>([&](const Worker::Tell& tell) {
      const SecretKey secret = FileCartStore(folder / "store").Secret();
      tell({secret.begin(), secret.end()});
    }));
  }
  const SecretKey secret = FileCartStore(folder / "store").Secret();
  for (const auto& worker : all) {
    EXPECT_EQ(worker->Hear(secret.size()), std::string(secret.begin(), secret.end()));
  }
}

TEST(ManyProcesses, BuyACartOnceWhenAllCheckOutTogether) {
  const TemporaryFolder folder;
  const auto file = folder / "store";
  FileCartStore store(file);
  const std::string cart = std::get<CartView>(store.Create()).cart_id;
  const std::uint64_t seen = std::get<CartView>(store.AddItem(cart, {"mug-enamel", 1, {}})).version;
  std::vector<std::unique_ptr<Worker>> all;
  for (int i = 0; i < kWorkers; ++i) {
    all.push_back(std::make_unique<Worker>([&](const Worker::Tell& tell) {
      tell(std::get<CartView>(FileCartStore(file).Checkout(cart, seen)).order_id.value());
    }));
  }
  for (const auto& worker : all) {
    const std::string order = worker->Hear(32);
    EXPECT_EQ(order, std::get<CartView>(store.View(cart)).order_id);
  }
}

}  // namespace
}  // namespace assay::reference
