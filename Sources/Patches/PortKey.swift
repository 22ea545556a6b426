/// Which port it is, among all that its loop ever had.
struct PortKey: Equatable, Sendable {
  /// The place of its record.
  var slot: Int32
  /// How many ports had the place before.
  var generation: UInt32

  /// No port's.
  static var none: PortKey { PortKey(slot: 0, generation: .max) }
}
