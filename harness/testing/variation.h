// What the relay changes in the messages of a server: each variation is permitted by the
// specification, so what Assay finds fault with behind it is Assay's own fault.
//
//   key-order        members of objects in the opposite order
//   unknown-members  members that nobody defined, in results, params, list items and contents
//   escapes          every letter of a string as \u escape
//   other-words      other error messages
//   meta             `_meta` in every result and notification
//   more-versions    later versions listed beside those of the server
//   no-descriptions  no description of tools, prompts, resources and templates
//   extra-tool       a tool more than the server has
//   spaces           white space between all tokens
//   numbers          integers with a fraction of zero
//
// The others concern how messages are carried, and are up to the carriers:
//
//   slow             every message a moment later
//   out-of-order     answers in another order, where several are on their way
//   chatter          talk on stderr with every message
//   slow-start       the server starts twenty moments later
//   late-responses   over HTTP, what the client answers goes on five moments later, or just
//                    behind the end of the session if that comes first
//
// stdio_relay.h and http_relay.h carry messages; http_variation.h has what is about HTTP itself.

#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <string_view>

#include "message/json.h"

namespace assay {

// What "a moment later" means.
inline constexpr std::chrono::milliseconds kMoment{20};

// One variation, by name. May be used by several threads.
class Variation {
 public:
  // The first change appends `name` and a newline to the file `tally`, unless that is "".
  Variation(std::string name, std::string tally);

  bool Is(std::string_view name) const { return name_ == name; }
  // Is, and that is a change made now.
  bool Makes(std::string_view name);
  // The text of one message, or of a batch, as it is to go on; after a moment where it is slow.
  std::string Apply(const std::string& text);
  // Something is not as it was.
  void NoteChange();

 private:
  const std::string name_;
  const std::string tally_;
  std::atomic<bool> noted_{false};
};

// `json` with `space` after every comma, colon and opening bracket between its tokens.
std::string AfterEachToken(const std::string& json, std::string_view space);

// Whether it is a response that may change places with another: that of `initialize` may not, since
// all the others are held to what it says.
bool MayChangePlaces(const Json& message);

}  // namespace assay
