// What a search found, for people to read and as a case file, common to the commands that search.

#pragma once

#include <filesystem>
#include <string>

#include "case/case.h"
#include "reports/report.h"

namespace assay {

struct FoundFailure {
  const Case& test_case;        // made small; its id is SOURCE/NAME
  const Result& result;         // what it gives
  std::string title;            // in one line
  std::string found_by;         // a sentence: which command found it
  std::string last_words = {};  // what the server said on stderr at its end
};

// FOLDER/failures/NAME.yaml.
std::filesystem::path FailureFile(const std::filesystem::path& folder, const Case& test_case);

// The case, with what it shows as comments above it. Throws InputError.
void WriteFailure(const FoundFailure& found, const std::filesystem::path& path);

// On stdout: the verdict, what was broken, the exchange that shows it, the file.
void PrintFailure(const FoundFailure& found, const std::filesystem::path& path);

}  // namespace assay
