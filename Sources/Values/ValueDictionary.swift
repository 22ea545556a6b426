/// Named values in the order in which their names were first set.
///
/// Names are compared by their UTF-8 bytes. Looking one up takes constant time on average,
/// whatever the size; removing takes time in proportion to the size.
public struct ValueDictionary: Sendable {
  /// The names, in order.
  public private(set) var keys: [String] = []

  /// The values, in the order of their names.
  public private(set) var values: [Value] = []

  /// Where a name stands; kept only beyond `scanLimit`, below which a scan is faster.
  private var index: [ExactText: Int] = [:]

  private static let scanLimit = 8

  /// An empty dictionary.
  public init() {}

  /// A dictionary of the pairs given; of two with one name the later value stays, in the place of
  /// the earlier.
  public init(_ members: some Sequence<(String, Value)>) {
    for (key, value) in members { self[key] = value }
  }

  /// How many names there are.
  public var count: Int { keys.count }

  /// Whether there are none.
  public var isEmpty: Bool { keys.isEmpty }

  /// The value of a name; nil when the name is not there.
  ///
  /// Setting an existing name keeps its place (C API R15); setting nil removes it.
  public subscript(key: String) -> Value? {
    get { position(of: key).map { values[$0] } }
    set {
      switch (position(of: key), newValue) {
      case (let position?, let value?): values[position] = value
      case (nil, let value?): append(key, value)
      case (let position?, nil): remove(at: position)
      case (nil, nil): break
      }
    }
  }

  private func position(of key: String) -> Int? {
    if keys.count > Self.scanLimit { return index[ExactText(key)] }
    let wanted = ExactText(key)
    return keys.firstIndex { ExactText($0) == wanted }
  }

  /// Appends a name that is not there.
  mutating func append(_ key: String, _ value: Value) {
    keys.append(key)
    values.append(value)
    if keys.count == Self.scanLimit + 1 {
      rebuildIndex()
    } else if keys.count > Self.scanLimit {
      index[ExactText(key)] = keys.count - 1
    }
  }

  private mutating func remove(at position: Int) {
    keys.remove(at: position)
    values.remove(at: position)
    rebuildIndex()
  }

  private mutating func rebuildIndex() {
    index.removeAll(keepingCapacity: true)
    guard keys.count > Self.scanLimit else { return }
    for (position, key) in keys.enumerated() { index[ExactText(key)] = position }
  }
}

extension ValueDictionary: ExpressibleByDictionaryLiteral {
  /// A dictionary written out in place, as by `init(_:)`.
  public init(dictionaryLiteral elements: (String, Value)...) {
    self.init(elements)
  }
}

extension ValueDictionary: RandomAccessCollection {
  /// One name with its value.
  public typealias Element = (key: String, value: Value)

  /// Always 0.
  public var startIndex: Int { 0 }

  /// The number of names.
  public var endIndex: Int { keys.count }

  /// The name and value at a position within bounds.
  public subscript(position: Int) -> Element {
    (key: keys[position], value: values[position])
  }
}

extension ValueDictionary: Hashable {
  /// Whether both have the same names with equal values, in whatever order.
  public static func == (left: ValueDictionary, right: ValueDictionary) -> Bool {
    guard left.count == right.count else { return false }
    return left.allSatisfy { right[$0.key] == $0.value }
  }

  /// Feeds the members without regard to their order, as equality does.
  public func hash(into hasher: inout Hasher) {
    var mixed = 0
    for (key, value) in self {
      var member = Hasher()
      member.combine(ExactText(key))
      member.combine(value)
      mixed ^= member.finalize()
    }
    hasher.combine(count)
    hasher.combine(mixed)
  }
}
