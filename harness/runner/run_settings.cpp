// Settings, as others want them.

#include "runner/run_settings.h"

#include <algorithm>
#include <utility>

namespace assay {

ServerSource SourceOf(const RunSettings& settings) {
  return {.command = settings.command,
          .reach = settings.reach,
          .limits = settings.limits,
          .start_within = settings.start_within,
          .use_once = settings.isolate};
}

DiscoverSettings DiscoverSettingsOf(const RunSettings& settings,
                                    std::function<Task<std::shared_ptr<Connection>>()> connect) {
  DiscoverSettings discover;
  discover.timeout = settings.timeout;
  discover.start_within = settings.start_within;
  discover.allow_tool_calls = settings.allow_tool_calls;
  discover.carries_token = std::any_of(
      settings.reach.fields.begin(), settings.reach.fields.end(),
      [](const HttpField& field) { return SameFieldName(field.name, "Authorization"); });
  discover.profile = settings.profile;
  discover.connect = std::move(connect);
  return discover;
}

}  // namespace assay
