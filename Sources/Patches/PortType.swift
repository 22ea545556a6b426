import Gathering
public import Values

/// The hint of a port: the type of the values it takes. Values are never converted.
public enum PortType: String, Sendable, CaseIterable {
  case any
  case bool
  case int
  /// Takes ints, too.
  case double
  case vector
  case string
  case bytes
  case time
  /// Takes lists, too.
  case dict

  /// Whether a payload fits; null fits everywhere.
  public func takes(_ payload: Value) -> Bool {
    if case .any = self { return true }
    return takes(payload.type)
  }

  /// Whether the payload of a sample fits.
  @inline(__always)
  func takes(_ sample: borrowing Sample) -> Bool {
    if case .any = self { return true }
    return takes(sample.type)
  }

  private func takes(_ type: ValueType) -> Bool {
    switch (self, type) {
    case (_, .none), (.any, _), (.bool, .bool), (.int, .int), (.double, .double), (.double, .int),
      (.vector, .vector), (.string, .string), (.bytes, .bytes), (.time, .time),
      (.dict, .dictionary), (.dict, .list):
      true
    default: false
    }
  }

  /// Whether a payload other than null fits both.
  public func meets(_ other: PortType) -> Bool {
    if self == other || self == .any || other == .any { return true }
    return [self, other].allSatisfy { $0 == .int || $0 == .double }
  }
}

/// The payload of a sample.
public typealias Payload = Value

/// A port or an option of a patch type, as listed in the catalogue.
public struct PortDescription: Equatable, Sendable {
  /// Its name, in snake_case.
  public var name: String
  /// The type of its values.
  public var hint: PortType
  /// Its UCUM code, where it has one of its own.
  public var unit: String?
  /// The default of an option; nil for none.
  public var standard: Value?
  /// Whether an option is fixed at creation, and so no input.
  public var isFixed: Bool
  /// Whether null means nothing to it, instead of passing through to the outputs.
  public var isControl: Bool

  /// A port.
  public init(
    _ name: String, _ hint: PortType = .any, unit: String? = nil, standard: Value? = nil,
    isFixed: Bool = false, isControl: Bool = false
  ) {
    self.name = name
    self.hint = hint
    self.unit = unit
    self.standard = standard
    self.isFixed = isFixed
    self.isControl = isControl
  }
}

/// The ports of a patch.
public struct PortList: Equatable, Sendable {
  /// The inputs, in order.
  public var inputs: [PortDescription]
  /// The outputs, in order.
  public var outputs: [PortDescription]

  /// A list.
  public init(inputs: [PortDescription], outputs: [PortDescription]) {
    self.inputs = inputs
    self.outputs = outputs
  }
}
