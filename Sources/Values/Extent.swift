import Gathering
import Ground
import Values

/// How deep and how large a value is.
///
/// Containers share what was copied into several places, so that a few calls can make a value whose
/// text would fill any memory. Each shared part is looked at once, and its size counted each time.
struct Extent {
  /// Containers inside each other; 0 for anything else.
  private(set) var depth = 0
  /// Values in all, as often as they would be written; capped.
  private(set) var size = 1
  /// Bytes that a copy of all of it would take; capped.
  private(set) var memory = Extent.valueMemory
  /// Bytes that its text has at most; capped.
  private(set) var text = 0

  /// How deep dictionaries and lists may be nested (C API R11).
  static let depthLimit = 128
  /// How many values there may be in one.
  static let sizeLimit = 1 << 24

  /// What a value takes beside its bytes.
  private static let valueMemory = 64
  private static let cap = Int.max / 8

  /// That of an empty container.
  static let ofContainer: Extent = {
    var extent = Extent()
    extent.depth = 1
    extent.text = 4
    return extent
  }()

  /// The extent of a value.
  init(of value: Value) {
    switch value {
    case .list, .dictionary:
      var known: [UnsafeRawPointer: Extent] = [:]
      self.init(of: value, &known)
    default: self.init(plain: value)
    }
  }

  private init() {}

  private init(plain value: Value) {
    switch value {
    case .string(let string):
      memory += string.utf8.count
      text = Self.written(string)
    case .bytes(let bytes):
      memory += bytes.count
      text = 2 * bytes.count + 16
    case .vector: text = 128
    case .time: text = 48
    default: text = 28
    }
  }

  private init(of value: Value, _ known: inout [UnsafeRawPointer: Extent]) {
    let (items, names): ([Value], [String])
    switch value {
    case .list(let list): (items, names) = (list, [])
    case .dictionary(let members): (items, names) = (members.values, members.keys)
    default:
      self.init(plain: value)
      return
    }
    // Held by `value`, the items cannot change while their address stands for them.
    let address = items.withUnsafeBytes(\.baseAddress)
    if !items.isEmpty, let address, let extent = known[address] {
      self = extent
      return
    }
    self = .ofContainer
    for item in items { add(Extent(of: item, &known)) }
    for name in names { add(name: name) }
    if !items.isEmpty, let address { known[address] = self }
  }

  /// Counts what is put into this container.
  mutating func add(_ item: Extent) {
    depth = max(depth, item.depth + 1)
    size = min(size + item.size, Self.sizeLimit + 1)
    memory = min(memory + item.memory, Self.cap)
    text = min(text + item.text, Self.cap)
  }

  /// Counts the name of a member.
  mutating func add(name: String) {
    memory = min(memory + name.utf8.count + Self.valueMemory, Self.cap)
    text = min(text + Self.written(name), Self.cap)
  }

  /// How many bytes a text has at most, as JSON or for people.
  private static func written(_ text: String) -> Int {
    var count = 4
    for byte in text.utf8 {
      switch byte {
      case 0..<0x20: count += 6
      case 0x22, 0x5C, 0xC2: count += 2
      case 0x7F: count += 3
      default: count += 1
      }
    }
    return count
  }
}

extension Extent {
  /// Fails with LIMIT when this is more than a value of the host may be.
  func check() throws {
    if depth > Self.depthLimit {
      throw Failure(Status.limit, "the value is nested more than \(Self.depthLimit) deep")
    }
    if size > Self.sizeLimit {
      throw Failure(Status.limit, "the value has more than \(Self.sizeLimit) parts")
    }
    if memory > Room.limit {
      throw Failure(Status.limit, "the value has more than \(Room.limit) bytes")
    }
  }

  /// Fails with LIMIT or NO_MEMORY when the text of this is too large.
  func checkText() throws {
    try check()
    // The text grows by doubling; beside it are the finished text and the copy of the host.
    try checkRoom(for: text, times: 5)
  }
}

extension Value {
  /// Fails with LIMIT when this is nested too deep, too large, or has too many parts.
  func checkExtent() throws { try Extent(of: self).check() }
}

/// Fails with LIMIT for more bytes than anything may have, and with NO_MEMORY where they cannot be
/// had so many times.
func checkRoom(for bytes: Int, times: Int = 1) throws {
  if bytes > Room.limit {
    throw Failure(Status.limit, "this takes more than \(Room.limit) bytes")
  }
  if !Room.has(bytes * times) { throw Failure.noMemory }
}
