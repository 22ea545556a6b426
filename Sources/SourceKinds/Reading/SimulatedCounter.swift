/// A counter of a simulated device.
enum SimulatedCounter {
  /// A counter that grows so much a second, for three years.
  static func lines(_ id: String, by perSecond: Int) -> String {
    let span = perSecond * 50_000_000
    return """
      0 set \(id) \(span + perSecond * 3600)
      0 wave \(id) ramp \(span) 0.00000001
      """
  }
}
