public import Values

extension SourceEvent.What {
  /// The word of the specification as `event` and, where there is one, `reason`; of a change also
  /// `availability` and `remedy`.
  public var facts: ValueDictionary {
    switch self {
    case .added: Self.texts(["event": "added"])
    case .removed: Self.texts(["event": "removed"])
    case .started: Self.texts(["event": "started"])
    case .permissionRequested: Self.texts(["event": "permissionRequested"])
    case .stopped(let error): Self.texts(["event": "stopped", "reason": error?.message ?? ""])
    case .lost(let error): Self.texts(["event": "lost", "reason": error.message])
    case .failedToStart(let error):
      Self.texts(["event": "failedToStart", "reason": error.message])
    case .availabilityChanged(let availability):
      Self.texts([
        "event": "availabilityChanged", "availability": availability.state.rawValue,
        "reason": availability.detail, "remedy": availability.remedy,
      ])
    }
  }

  /// The pairs that are not empty, in order.
  private static func texts(_ pairs: KeyValuePairs<String, String>) -> ValueDictionary {
    ValueDictionary(pairs.filter { !$0.value.isEmpty }.map { ($0.key, Value.string($0.value)) })
  }
}
