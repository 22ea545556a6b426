/// Two to four numbers that belong together, stored in place.
///
/// Components are named x, y, z, w by position; a property may call them otherwise.
public struct Vector: Sendable {
  /// How many components there are: 2, 3 or 4.
  public var count: Int { Int(storedCount) }

  private let storage: (Double, Double, Double, Double)
  private let storedCount: UInt8

  /// A vector of two components.
  public init(_ x: Double, _ y: Double) {
    self.init((x, y, 0, 0), count: 2)
  }

  /// A vector of three components.
  public init(_ x: Double, _ y: Double, _ z: Double) {
    self.init((x, y, z, 0), count: 3)
  }

  /// A vector of four components.
  public init(_ x: Double, _ y: Double, _ z: Double, _ w: Double) {
    self.init((x, y, z, w), count: 4)
  }

  /// A vector of the given components; nil unless there are two, three or four.
  public init?(_ components: some Collection<Double>) {
    var parts = (0.0, 0.0, 0.0, 0.0)
    var count: UInt8 = 0
    for component in components {
      switch count {
      case 0: parts.0 = component
      case 1: parts.1 = component
      case 2: parts.2 = component
      case 3: parts.3 = component
      default: return nil
      }
      count += 1
    }
    guard count >= 2 else { return nil }
    self.init(parts, count: count)
  }

  private init(_ storage: (Double, Double, Double, Double), count: UInt8) {
    self.storage = storage
    self.storedCount = count
  }

  /// The component at a position from 0; nil outside.
  public subscript(index: Int) -> Double? {
    guard index >= 0, index < count else { return nil }
    return switch index {
    case 0: storage.0
    case 1: storage.1
    case 2: storage.2
    default: storage.3
    }
  }

  /// The first component.
  public var x: Double { storage.0 }

  /// The second component.
  public var y: Double { storage.1 }

  /// The third component; nil when there are two.
  public var z: Double? { self[2] }

  /// The fourth component; nil when there are fewer.
  public var w: Double? { self[3] }

  /// All components in order.
  public var components: [Double] {
    (0..<count).compactMap { self[$0] }
  }

  /// The vector whose components are these, each passed through a function.
  public func map<Failure>(
    _ transform: (Double) throws(Failure) -> Double
  ) throws(Failure) -> Vector {
    var parts = storage
    parts.0 = try transform(storage.0)
    parts.1 = try transform(storage.1)
    if count > 2 { parts.2 = try transform(storage.2) }
    if count > 3 { parts.3 = try transform(storage.3) }
    return Vector(parts, count: storedCount)
  }
}

extension Vector: Hashable {
  /// Whether both have as many components and each pair is equal by streams L69.
  public static func == (left: Vector, right: Vector) -> Bool {
    left.storedCount == right.storedCount
      && left.storage.0.isSameContent(as: right.storage.0)
      && left.storage.1.isSameContent(as: right.storage.1)
      && left.storage.2.isSameContent(as: right.storage.2)
      && left.storage.3.isSameContent(as: right.storage.3)
  }

  /// Feeds the components, so that equal vectors hash alike.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(storedCount)
    for component in components { component.hashContent(into: &hasher) }
  }
}
