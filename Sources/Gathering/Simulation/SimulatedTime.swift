/// A moment of a simulated device.
struct SimulatedTime: Equatable, Sendable {
  /// When the device was opened, on CLOCK_BOOTTIME in nanoseconds.
  let opening: Int64
  /// Nanoseconds since then: what scripts count.
  let position: Int64

  /// The moment on CLOCK_BOOTTIME: what samples carry.
  var boot: Int64 { opening &+ position }
}
