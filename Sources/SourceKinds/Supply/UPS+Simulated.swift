import Gathering

extension UPS {
  /// The mains of the laptop fails for 20 s of each ten minutes; no upsd tells of the phone.
  func simulated(on device: BuiltInDevice) -> String {
    switch device {
    case .laptop: Self.desk
    case .phone:
      """
      0 add ups|desk
      \(Self.lines { "absent ups|desk/\($0) noData nothing listens on 127.0.0.1:3493" })
      """
    }
  }

  private static func lines(_ line: (String) -> String) -> String {
    Field.allCases.map { "0 \(line($0.property.key))" }.joined(separator: "\n")
  }

  private static let desk = """
    0 add ups|desk
    0 set ups|desk/low_battery false
    0 set ups|desk/replace_battery false
    0 set ups|desk/charging false
    0 set ups|desk/discharging false
    0 wave ups|desk/discharging ramp 0.5357142857142857 0.0016666666666666668
    0 set ups|desk/overload false
    0 set ups|desk/forced_shutdown false
    0 absent ups|desk/status noData \(noWords.reason)
    0 absent ups|desk/alarm unsupported the UPS does not report it
    0 set ups|desk/level 0.97
    0 wave ups|desk/level sine 0.03 0.0016666666666666668
    0 set ups|desk/load 0.21
    0 wave ups|desk/load noise 0.02 0.2
    0 set ups|desk/runtime 2100
    0 set ups|desk/real_power 112
    0 wave ups|desk/real_power noise 9 0.2
    0 set ups|desk/apparent_power 131
    0 wave ups|desk/apparent_power noise 10 0.2
    0 absent ups|desk/input_voltage unsupported the UPS does not report it
    0 set ups|desk/output_voltage 230
    0 wave ups|desk/output_voltage noise 0.6 0.2
    0 set ups|desk/battery_voltage 13.6
    0 wave ups|desk/battery_voltage sine 0.1 0.0016666666666666668
    0 absent ups|desk/input_frequency unsupported the UPS does not report it
    0 set ups|desk/temperature 31
    0 wave ups|desk/temperature sine 1.5 0.0016666666666666668
    0 absent ups|desk/ambient_temperature unsupported the UPS does not report it
    0 absent ups|desk/ambient_humidity unsupported the UPS does not report it
    0 set ups|desk/test_result "Done and passed"
    0 set ups|desk/manufacturer "SIM"
    0 set ups|desk/model "Back 550"
    0 set ups|desk/firmware "1.4"
    0 set ups|desk/driver "usbhid-ups"
    0 set ups|desk/description "under the desk"
    0 set ups|desk/serial "0042SIM"
    """
}
