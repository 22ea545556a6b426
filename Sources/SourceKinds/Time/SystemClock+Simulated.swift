import Gathering

extension SystemClock {
  /// chrony keeps the laptop's clock, timesyncd the phone's.
  func simulated(on device: BuiltInDevice) -> String {
    switch device {
    case .laptop:
      """
      \(Self.clock(service: "chrony", source: "tsc", server: "time.example.org", stratum: 3))
      0 set \(Self.id)/offset 0.0003
      0 wave \(Self.id)/offset sine 0.0001 0.002
      0 set \(Self.id)/frequency_correction 11.8
      0 set \(Self.id)/root_delay 0.0182
      0 set \(Self.id)/root_dispersion 0.0011
      0 set \(Self.id)/jitter 0.0002
      0 set \(Self.id)/poll_interval 1024
      0 set \(Self.id)/tai_offset 37
      """
    case .phone:
      """
      \(Self.clock(
        service: "timesyncd", source: "arch_sys_counter", server: "time.example.org",
        stratum: 2))
      0 set \(Self.id)/offset 0.012
      0 wave \(Self.id)/offset sine 0.004 0.0005
      0 set \(Self.id)/frequency_correction 4.5
      0 set \(Self.id)/root_delay 0.024
      0 set \(Self.id)/root_dispersion 0.0004
      0 set \(Self.id)/jitter 0.006
      0 set \(Self.id)/poll_interval 2048
      0 absent \(Self.id)/tai_offset noData not set
      """
    }
  }

  private static let id = "time|\(system)"

  private static func clock(
    service: String, source: String, server: String, stratum: Int
  ) -> String {
    """
    0 add \(id)
    0 set \(id)/synchronized true
    0 set \(id)/maximum_error 0.03
    0 set \(id)/estimated_error 0.001
    0 set \(id)/stratum \(stratum)
    0 set \(id)/leap "none"
    0 set \(id)/server "\(server)"
    0 set \(id)/service "\(service)"
    0 absent \(id)/last_update noData the simulation has no calendar
    0 absent \(id)/pulses unsupported the system's clock has no pulses
    0 absent \(id)/pulse_time unsupported the system's clock has no pulses
    0 set \(id)/clock_source "\(source)"
    0 absent \(id)/label unsupported the system's clock has no name
    """
  }
}
