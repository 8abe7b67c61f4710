// Files that people name: each is read and written whole.

#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>

namespace assay {

// All three throw InputError, which names the file and says why the system refused.

std::string ReadFile(const std::filesystem::path& path);

// What was there before is gone. The folders above the file are made if need be.
void WriteFile(const std::filesystem::path& path, std::string_view text);
void WriteFile(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);

}  // namespace assay
