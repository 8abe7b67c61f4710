// The two directions of a connection, as seen by whoever stands between the server and a transport.
#pragma once

#include <string>
#include <string_view>

namespace assay::reference {

/// One message on its way out.
struct OutgoingMessage {
  enum class Kind : unsigned char {
    kAnswer,
    kNotification,
    kRequest,  // the server asks the client; legacy era only
    /// No message at all: the stream of `related` shall break off before its answer, to be resumed
    /// by the client (2025-11-25 basic/transports#sending-messages-to-the-server). Means nothing
    /// over stdio.
    kCloseStream,
  };

  Kind kind;
  /// Of the request that is answered, or of the notification or request; "-" for an answer to a
  /// line that had no readable method, and for the answers of a batch.
  std::string method;
  /// The id's JSON text: as the answered request gave it, or of the server's own request; empty if
  /// there is none.
  std::string id;
  /// What goes on the wire, line end included.
  std::string bytes;
  /// The id's JSON text of the client's request that a notification or request belongs to, or of
  /// the first request of the batch that is answered; empty if there is none.
  std::string related = {};
};

class MessageSink {
 public:
  virtual ~MessageSink() = default;
  virtual void Send(OutgoingMessage message) = 0;
};

/// Takes what a client sends, line by line.
class LineHandler {
 public:
  virtual ~LineHandler() = default;
  /// The first moment of a connection, before any input.
  virtual void HandleStart() {}
  /// A line without its line end. Not owned.
  virtual void HandleLine(std::string_view line) = 0;
  /// A line that was too long to keep; its content is gone.
  virtual void HandleOverlongLine() = 0;
  /// The client sends nothing any more, or the server is told to stop.
  virtual void HandleEnd() = 0;
  /// Whether nothing is being worked on that would still be answered.
  virtual bool Idle() const = 0;
};

}  // namespace assay::reference
