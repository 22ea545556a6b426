import Recording
import Values

/// Whether a machine is there: `online`, retained, and the will.
struct OnlineMessage: Equatable, Sendable {
  let isOnline: Bool
  /// The publisher's session, new with each.
  let session: String
  /// When that began, on CLOCK_REALTIME in nanoseconds.
  let since: Int64

  var dictionary: ValueDictionary {
    [
      "state": .string(isOnline ? "online" : "offline"), "session": .string(session),
      "since_ns": .int(since),
    ]
  }
}

extension OnlineMessage {
  init(_ text: UnsafeRawBufferPointer) throws(MessageFault) {
    let members = try FleetJSON.members(of: text, limit: 4096)
    guard let state = members["state"]?.text, ["online", "offline"].contains(state),
      let session = members["session"]?.text
    else { throw .incomplete }
    self.init(
      isOnline: state == "online", session: session, since: members["since_ns"]?.whole ?? 0)
  }
}
