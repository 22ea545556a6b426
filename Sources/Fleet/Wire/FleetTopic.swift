import Gathering
import Values

/// Where a source's messages are at the broker: `ROOT/v1/DEVICE/KIND/INSTANCE/WHAT`
/// (fleet F1 to F3). Streams have the kind `stream` and their name as instance.
struct FleetTopic: Hashable, Sendable {
  /// What a message below a source tells.
  enum What: String, Sendable {
    case about, state, rows, late
  }

  /// What a message is about.
  enum Subject: Hashable, Sendable {
    /// Whether the machine is there.
    case online
    /// Its list of sources.
    case device
    case source(kind: String, instance: String, What)
  }

  /// The machine, decoded.
  let device: String
  let subject: Subject

  /// The version of the wire format.
  static let version = "v1"
  /// The kind of streams and graph outputs; no kind of sources has the name.
  static let streamKind = "stream"
  /// The longest level and the longest topic, in bytes.
  static let levelLimit = 128
  static let topicLimit = 512

  /// The text of a topic below a root.
  func text(below root: String) -> String {
    let start = "\(root)/\(Self.version)/\(Self.level(device))"
    return switch subject {
    case .online: "\(start)/online"
    case .device: "\(start)/device"
    case .source(let kind, let instance, let what):
      "\(start)/\(Self.level(kind))/\(Self.level(instance))/\(what.rawValue)"
    }
  }

  /// A part of an id as a level of a topic: `+`, which ids allow, is percent-encoded as well.
  static func level(_ part: String) -> String {
    let text = IdentifierGrammar.encoded(part)
    guard text.utf8.contains(UInt8(ascii: "+")) else { return text }
    return text.split(separator: "+", omittingEmptySubsequences: false).joined(separator: "%2B")
  }

  /// Why this cannot be a topic below a root; nil if it can.
  func refusal(below root: String) -> String? {
    if case .source(let kind, let instance, _) = subject {
      for level in [Self.level(kind), Self.level(instance)]
      where level.utf8.count > Self.levelLimit {
        return "its topic has a level of more than \(Self.levelLimit) bytes"
      }
    }
    let isLong = text(below: root).utf8.count > Self.topicLimit
    return isLong ? "its topic has more than \(Self.topicLimit) bytes" : nil
  }
}

extension FleetTopic {
  /// Reads a topic of a broker below a root; nil for one that is none of these.
  init?(_ text: String, below root: String) {
    let (bytes, start) = (Array(text.utf8), "\(root)/\(Self.version)/")
    guard bytes.count <= Self.topicLimit, bytes.starts(with: start.utf8) else { return nil }
    let levels = bytes[start.utf8.count...]
      .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let parts = levels.map { IdentifierGrammar.decoded(Array($0)) }
    let what = String(decoding: levels[levels.count - 1], as: UTF8.self)
    // Names that an id can have.
    guard let device = parts.first ?? nil,
      (try? SourceIdentifier(kind: Self.streamKind, instance: device)) != nil
    else { return nil }
    switch levels.count {
    case 2 where what == "online": self.init(device: device, subject: .online)
    case 2 where what == "device": self.init(device: device, subject: .device)
    case 4:
      guard let kind = parts[1], let instance = parts[2],
        let what = What(rawValue: what),
        (try? SourceIdentifier(kind: kind, instance: instance, device: device)) != nil
      else { return nil }
      self.init(device: device, subject: .source(kind: kind, instance: instance, what))
    default: return nil
    }
  }
}
