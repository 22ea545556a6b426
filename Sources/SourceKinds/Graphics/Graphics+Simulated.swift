import Gathering

extension Graphics {
  /// The graphics of the laptop's processor, and a card that is awake for 20 s of each minute; the
  /// graphics of the phone's chip.
  func simulated(on device: BuiltInDevice) -> String {
    device.part(laptop: Self.laptop, phone: Self.phone)
  }

  /// The card that sleeps while it takes no power.
  static let discrete = "pci-0000:03:00.0"
  /// Watts that fall from 40 to 0 within 20 s of each minute; below that the card is asleep.
  static func wave(of id: String) -> String {
    """
    0 set \(id)/power -20
    0 wave \(id)/power ramp -60 0.016666666666666666
    """
  }

  private static let laptop = """
    \(card(discrete, integrated: false, "Navi 33 [Radeon RX 7600M XT]", "amdgpu"))
    \(wave(of: "gpu|\(discrete)"))
    0 set gpu|\(discrete)/utilization 0.4
    0 wave gpu|\(discrete)/utilization sine 0.3 0.1
    0 set gpu|\(discrete)/memory_utilization 0.2
    0 set gpu|\(discrete)/video_utilization 0
    0 set gpu|\(discrete)/memory_total 8573157376
    0 set gpu|\(discrete)/memory_used 1403990016
    0 wave gpu|\(discrete)/memory_used sine 268435456 0.02
    0 set gpu|\(discrete)/shared_total 16560000000
    0 set gpu|\(discrete)/shared_used 41000000
    0 set gpu|\(discrete)/temperature 52
    0 wave gpu|\(discrete)/temperature sine 4 0.02
    0 set gpu|\(discrete)/temperature_hotspot 60
    0 set gpu|\(discrete)/temperature_memory 58
    0 set gpu|\(discrete)/power_limit 100
    0 set gpu|\(discrete)/frequency 1200000000
    0 set gpu|\(discrete)/memory_frequency 1000000000
    0 set gpu|\(discrete)/fan_speed 1800
    0 set gpu|\(discrete)/fan_duty 0.4
    0 set gpu|\(discrete)/uuid "5e7d3a9b1c2f4860"
    \(untold(discrete, ["encoder_utilization", "decoder_utilization", "energy", "throttle"]))
    \(untold(discrete, ["frequency_maximum", "performance_state", "driver_version"]))
    \(card(integrated, integrated: true, "Phoenix1", "amdgpu"))
    0 set gpu|\(integrated)/utilization 0.35
    0 wave gpu|\(integrated)/utilization sine 0.25 0.02
    0 set gpu|\(integrated)/memory_total 536870912
    0 set gpu|\(integrated)/memory_used 301989888
    0 set gpu|\(integrated)/shared_total 16560000000
    0 set gpu|\(integrated)/shared_used 1207959552
    0 set gpu|\(integrated)/temperature 48
    0 wave gpu|\(integrated)/temperature sine 3 0.02
    0 set gpu|\(integrated)/power 9.5
    0 wave gpu|\(integrated)/power sine 5.5 0.02
    0 set gpu|\(integrated)/frequency 800000000
    0 wave gpu|\(integrated)/frequency sine 400000000 0.02
    \(untold(integrated, ["memory_utilization", "encoder_utilization", "decoder_utilization"]))
    \(untold(integrated, ["video_utilization", "temperature_hotspot", "temperature_memory"]))
    \(untold(integrated, ["power_limit", "energy", "memory_frequency", "frequency_maximum"]))
    \(untold(integrated, ["fan_speed", "fan_duty", "throttle", "performance_state"]))
    \(untold(integrated, ["driver_version", "uuid"]))
    """

  private static let integrated = "pci-0000:c4:00.0"

  private static let phone = """
    0 add gpu|1c40000.gpu
    0 set gpu|1c40000.gpu/frequency 432000000
    0 wave gpu|1c40000.gpu/frequency sine 120000000 0.02
    0 set gpu|1c40000.gpu/frequency_maximum 576000000
    0 set gpu|1c40000.gpu/power_state "active"
    0 set gpu|1c40000.gpu/integrated true
    0 set gpu|1c40000.gpu/vendor "arm"
    0 set gpu|1c40000.gpu/model "allwinner,sun50i-a64-mali"
    0 set gpu|1c40000.gpu/driver "lima"
    \(untold("1c40000.gpu", Field.untoldByPhone.map { table[$0].key }))
    """

  private static func card(
    _ name: String, integrated: Bool, _ model: String, _ driver: String
  ) -> String {
    let id = "gpu|\(name)"
    return """
      0 add \(id)
      0 set \(id)/power_state "active"
      0 set \(id)/integrated \(integrated)
      0 set \(id)/vendor "amd"
      0 set \(id)/model "\(model)"
      0 set \(id)/driver "\(driver)"
      0 set \(id)/pci_address "\(name.dropFirst("pci-".count))"
      """
  }

  private static func untold(_ name: String, _ keys: [String]) -> String {
    keys.map { "0 absent gpu|\(name)/\($0) unsupported the driver does not tell it" }
      .joined(separator: "\n")
  }
}

extension Graphics.Field {
  /// What a card with a clock alone does not tell.
  fileprivate static let untoldByPhone = allCases.filter { field in
    ![
      .frequency, .frequencyMaximum, .powerState, .integrated, .vendor, .model, .driver, .keepAwake,
    ].contains(field)
  }
}
