import Gathering
import Ground
import Recording
import Values

/// Why a message of a broker was ignored (fleet F38).
enum MessageFault: String, Error, CaseIterable, Sendable {
  case tooLong = "it is too long"
  case noJSON = "it is no JSON"
  case tooDeep = "it is nested too deep"
  case otherFormat = "it is of another format or version"
  case incomplete = "members are missing or of another type"
  case noBlocks = "its blocks are damaged"
  case notDescribed = "its series is not described"
  case badTopic = "its topic names no source"
  case tooMany = "there are too many of its kind"
}

/// What is read of messages, which may be another's, and its bounds (fleet F38).
enum FleetJSON {
  static let listLimit = 1 << 20
  static let stateLimit = 256 << 10
  static let rowsLimit = 2 << 20
  static let depthLimit = 64
  static let sourceLimit = 4096
  static let deviceLimit = 65_536
  static let propertyLimit = 512

  /// The members of an object of at most so many bytes.
  static func members(
    of text: some Collection<UInt8>, limit: Int
  ) throws(MessageFault) -> ValueDictionary {
    guard text.count <= limit else { throw .tooLong }
    let value: Value
    do throws(JSONReadError) {
      value = try Value(json: text)
    } catch {
      if case .limit = error { throw .tooDeep }
      throw .noJSON
    }
    guard case .dictionary(let members) = value else { throw .noJSON }
    guard value.isShallow(depthLimit) else { throw .tooDeep }
    return members
  }

  /// The items of a list.
  static func items(of text: [UInt8]) throws(MessageFault) -> [Value] {
    let wrapped = Array("{\"items\":".utf8) + text + Array("}".utf8)
    let members = try members(of: wrapped, limit: wrapped.count)
    guard let items = members["items"]?.items else { throw .incomplete }
    return items
  }

  /// A document of one of our formats in version 1.
  static func document(
    _ format: String, of text: some Collection<UInt8>
  ) throws(MessageFault) -> ValueDictionary {
    let members = try members(of: text, limit: listLimit)
    guard members["format"]?.text == format, members["version"]?.whole == 1 else {
      throw .otherFormat
    }
    return members
  }
}

extension Value {
  /// Whether lists and dictionaries lie no deeper in each other.
  fileprivate func isShallow(_ depth: Int) -> Bool {
    switch self {
    case .list(let items): depth > 0 && items.allSatisfy { $0.isShallow(depth - 1) }
    case .dictionary(let members):
      depth > 0 && members.values.allSatisfy { $0.isShallow(depth - 1) }
    default: true
    }
  }

  /// The truth it is.
  var truth: Bool? { if case .bool(let truth) = self { truth } else { nil } }

  /// The members it has.
  var members: ValueDictionary? { if case .dictionary(let members) = self { members } else { nil } }

  /// The items it has.
  var items: [Value]? { if case .list(let items) = self { items } else { nil } }
}

extension Instant {
  /// As `sent` tells it.
  var dictionary: Value {
    .dictionary(["time_ns": .int(realtime), "boot_ns": .int(boot)])
  }

  /// A moment told by `sent`; nil if that is incomplete.
  init?(_ value: Value?) {
    guard let members = value?.members, let time = members["time_ns"]?.whole,
      let boot = members["boot_ns"]?.whole
    else { return nil }
    self.init(boot: boot, realtime: time)
  }
}

extension ValueDictionary {
  /// As the bytes of a message: numbers that are not finite are null.
  var message: [UInt8] { Array(Value.dictionary(self).jsonText.utf8) }
}
