/// The revisions of the Model Context Protocol that a session speaks, by their dates.
enum ProtocolVersion: String, CaseIterable, Comparable {
  case first = "2024-11-05"
  case batches = "2025-03-26"
  case structures = "2025-06-18"

  /// The one that a client asks for, or the newest.
  static func agreed(on asked: String) -> ProtocolVersion {
    ProtocolVersion(rawValue: asked) ?? .structures
  }

  /// Dates sort by their text.
  static func < (left: ProtocolVersion, right: ProtocolVersion) -> Bool {
    left.rawValue < right.rawValue
  }

  /// Whether several messages may come as one list: in one revision only.
  var hasBatches: Bool { self == .batches }

  /// Whether tools say that they only read.
  var hasAnnotations: Bool { self >= .batches }

  /// Whether tools have titles, and answers a JSON object beside their text.
  var hasStructures: Bool { self >= .structures }
}
