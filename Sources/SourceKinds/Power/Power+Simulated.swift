import Gathering

extension Power {
  /// The processor of a laptop, with a counter of memory that we may not read, a card that sleeps
  /// most of the time, and its battery; the battery of a phone and one rail.
  func simulated(on device: BuiltInDevice) -> String {
    device.part(laptop: Self.laptop, phone: Self.phone)
  }

  private static let laptop = """
    \(domain("package-0", .package, 9.5, swing: 5.5))
    0 set power|package-0/limit 15
    0 set power|package-0/limit_short 35
    \(domain("package-0.core", .cores, 5, swing: 3, inside: "package-0"))
    \(domain("package-0.uncore", .uncore, 1, swing: 0.5, inside: "package-0"))
    \(domain("package-0.dram", .memory, nil, inside: "package-0"))
    \(domain("battery", .battery, 11.2, swing: 2.5))
    0 absent power|battery/energy unsupported a battery has none
    \(domain(card, .gpu, 0))
    0 absent power|\(card)/energy unsupported nothing counts its energy
    \(Graphics.wave(of: "power|\(card)"))
    0 set power|\(card)/limit 100
    0 set power|aggregate/members "package-0 package-0.dram \(card)"
    0 set power|aggregate/meter "battery"
    """

  private static let card = "gpu.\(Graphics.discrete)"

  private static let phone = """
    \(domain("battery", .battery, 0))
    0 absent power|battery/power noData on external power
    0 absent power|battery/energy unsupported a battery has none
    \(domain("ina231:power1", .rail, 1.2, swing: 0.3))
    0 absent power|ina231:power1/energy unsupported nothing counts its energy
    """

  /// A domain with a power in W, or one whose counter we may not read.
  private static func domain(
    _ name: String, _ domain: PowerDomain, _ power: Double?, swing: Double = 0,
    inside parent: String? = nil
  ) -> String {
    let id = "power|\(name)"
    let flow =
      power.map { power in
        """
        0 set \(id)/power \(power)
        0 wave \(id)/power sine \(swing) 0.02
        \(SimulatedCounter.lines("\(id)/energy", by: Int(power)))
        """
      }
      ?? ["power", "energy"].map { "0 absent \(id)/\($0) permission \($0)_uj: Permission denied" }
      .joined(separator: "\n")
    let coverage = parent != nil ? "part" : domain == .battery ? "machine" : "device"
    return """
      0 add \(id)
      \(flow)
      0 absent \(id)/limit unsupported nothing limits it
      0 absent \(id)/limit_short unsupported nothing limits it
      0 set \(id)/domain "\(domain.rawValue)"
      0 set \(id)/coverage "\(coverage)"
      \(parent.map { "0 set \(id)/parent \"\($0)\"" }
        ?? "0 absent \(id)/parent noData it lies in no other")
      0 absent \(id)/energy_range unsupported its counter does not wrap
      0 absent \(id)/members unsupported the aggregate alone has it
      0 absent \(id)/meter unsupported the aggregate alone has it
      0 absent \(id)/system_power unsupported the aggregate alone has it
      """
  }
}
