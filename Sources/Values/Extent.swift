/// How deep and how large a value is.
///
/// Containers share what was copied into several places, so that a few calls can make a value whose
/// text would fill any memory. Each shared part is looked at once, and its size counted each time.
package struct Extent: Sendable {
  /// Containers inside each other; 0 for anything else.
  package private(set) var depth = 0
  /// Values in all, as often as they would be written; capped.
  package private(set) var size = 1
  /// Bytes that a copy of all of it would take; capped.
  package private(set) var memory = Extent.valueMemory
  /// Bytes that its text has at most; capped.
  package private(set) var text = 0

  /// How deep dictionaries and lists may be nested.
  package static let depthLimit = 128
  /// How many values there may be in one.
  package static let sizeLimit = 1 << 24

  /// What a value takes beside its bytes.
  private static let valueMemory = 64
  private static let cap = Int.max / 8

  /// That of an empty container.
  package static let ofContainer: Extent = {
    var extent = Extent()
    extent.depth = 1
    extent.text = 4
    return extent
  }()

  /// The extent of a value.
  package init(of value: Value) {
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
  package mutating func add(_ item: Extent) {
    depth = max(depth, item.depth + 1)
    size = min(size + item.size, Self.sizeLimit + 1)
    memory = min(memory + item.memory, Self.cap)
    text = min(text + item.text, Self.cap)
  }

  /// Counts the name of a member.
  package mutating func add(name: String) {
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
