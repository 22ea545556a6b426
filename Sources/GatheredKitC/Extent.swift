import Gathering

/// How deep and how large a value is.
///
/// Containers share what was copied into several places, so that a few calls can make a value whose
/// text would fill any memory. Each shared part is looked at once, and its size counted each time.
struct Extent {
  /// Containers inside each other; 0 for anything else.
  private(set) var depth = 0
  /// Values in all, as often as they would be written; capped.
  private(set) var size = 1

  /// How deep dictionaries and lists may be nested (C API R11).
  static let depthLimit = 128
  /// How many values a text may be made of.
  static let sizeLimit = 1 << 24

  /// The extent of a value.
  init(of value: Value) {
    switch value {
    case .list, .dictionary:
      var known: [UnsafeRawPointer: Extent] = [:]
      self.init(of: value, &known)
    default: self.init()
    }
  }

  private init() {}

  private init(of value: Value, _ known: inout [UnsafeRawPointer: Extent]) {
    let items: [Value]
    switch value {
    case .list(let list): items = list
    case .dictionary(let members): items = members.values
    default: return
    }
    // Held by `value`, the items cannot change while their address stands for them.
    let address = items.withUnsafeBytes(\.baseAddress)
    if !items.isEmpty, let address, let extent = known[address] {
      self = extent
      return
    }
    for item in items { add(Extent(of: item, &known)) }
    depth += 1
    if !items.isEmpty, let address { known[address] = self }
  }

  private mutating func add(_ item: Extent) {
    depth = max(depth, item.depth)
    size = min(size + item.size, Self.sizeLimit + 1)
  }
}

extension Value {
  /// Fails with LIMIT when this is nested too deep, inside so many containers.
  func checkDepth(inside outer: Int = 0) throws {
    if Extent(of: self).depth + outer > Extent.depthLimit {
      throw Failure(Status.limit, "the value is nested more than \(Extent.depthLimit) deep")
    }
  }

  /// Fails with LIMIT when the text of this would be too large.
  func checkSize() throws {
    if Extent(of: self).size > Extent.sizeLimit {
      throw Failure(Status.limit, "the value has more than \(Extent.sizeLimit) parts")
    }
  }
}
