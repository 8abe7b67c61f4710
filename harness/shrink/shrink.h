// Makes a list that shows something smaller, as long as it still shows: letters of a sequence,
// steps of a case, whatever has simpler forms.

#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "transport/loop.h"

namespace assay {

template <typename Item>
struct ShrinkSettings {
  // Whether a candidate still shows it. Asked one candidate after another.
  std::function<Task<bool>(std::vector<Item>)> still_shows;
  // The forms that are simpler than an item, the simplest first; none where this is empty.
  std::function<std::vector<Item>(const Item&)> simpler;
  // How many candidates are tried at most.
  std::size_t attempts = 200;
};

// Drops stretches, from half the list down to single items, and puts simpler forms in place of
// items, until neither gives a list that still shows it (or `attempts` are used up): then no single
// item can go and none can be simpler. `items` itself shows it. The settings must outlive the task.
template <typename Item>
Task<std::vector<Item>> Shrink(std::vector<Item> items, const ShrinkSettings<Item>& settings) {
  std::size_t left = settings.attempts;
  const auto try_out = [&](const std::vector<Item>& candidate) -> Task<bool> {
    if (left == 0) co_return false;
    --left;
    co_return co_await settings.still_shows(candidate);
  };
  bool smaller = true;
  while (smaller && left > 0) {
    smaller = false;
    for (std::size_t size = std::max<std::size_t>(items.size() / 2, 1); size > 0; size /= 2) {
      for (std::size_t at = 0; at + size <= items.size() && items.size() > size;) {
        std::vector<Item> candidate = items;
        const auto from = candidate.begin() + static_cast<std::ptrdiff_t>(at);
        candidate.erase(from, from + static_cast<std::ptrdiff_t>(size));
        if (co_await try_out(candidate)) {
          items = std::move(candidate);
          smaller = true;
        } else {
          ++at;
        }
      }
    }
    for (std::size_t i = 0; settings.simpler && i < items.size(); ++i) {
      for (Item& form : settings.simpler(items[i])) {
        std::vector<Item> candidate = items;
        candidate[i] = std::move(form);
        if (co_await try_out(candidate)) {
          items = std::move(candidate);
          smaller = true;
          break;
        }
      }
    }
  }
  co_return items;
}

}  // namespace assay
