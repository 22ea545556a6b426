import Gathering

extension Battery {
  func simulated(on device: BuiltInDevice) -> String {
    device.part(laptop: Self.laptop, phone: Self.phone)
  }

  private static let laptop = """
    0 add battery|BAT0
    0 set battery|BAT0/level 0.72
    0 wave battery|BAT0/level sine 0.1 0.0002
    0 set battery|BAT0/level_word "normal"
    0 set battery|BAT0/state "discharging"
    0 set battery|BAT0/external_power false
    0 set battery|BAT0/energy 129600
    0 wave battery|BAT0/energy sine 18000 0.0002
    0 set battery|BAT0/energy_full 180000
    0 set battery|BAT0/energy_full_design 205200
    0 set battery|BAT0/power 11.2
    0 wave battery|BAT0/power sine 2.5 0.05
    0 set battery|BAT0/voltage 11.8
    0 wave battery|BAT0/voltage sine 0.2 0.0002
    0 set battery|BAT0/current 0.95
    0 wave battery|BAT0/current sine 0.2 0.05
    0 set battery|BAT0/temperature 31.5
    0 wave battery|BAT0/temperature sine 1.5 0.002
    0 set battery|BAT0/cycle_count 214
    0 set battery|BAT0/condition "Good"
    0 set battery|BAT0/technology "Li-ion"
    0 set battery|BAT0/manufacturer "Simulated Cells"
    0 set battery|BAT0/model "SIM-57"
    0 set battery|BAT0/serial "00042"
    0 set battery|BAT0/scope "system"
    """

  private static let phone = """
    0 add battery|axp20x-battery
    0 set battery|axp20x-battery/level 0.55
    0 wave battery|axp20x-battery/level sine 0.2 0.0002
    0 set battery|axp20x-battery/level_word "normal"
    0 set battery|axp20x-battery/state "charging"
    0 set battery|axp20x-battery/external_power true
    0 set battery|axp20x-battery/energy 21780
    0 wave battery|axp20x-battery/energy sine 7920 0.0002
    0 set battery|axp20x-battery/energy_full 39600
    0 set battery|axp20x-battery/energy_full_design 41580
    0 set battery|axp20x-battery/power 4.2
    0 wave battery|axp20x-battery/power sine 0.8 0.02
    0 set battery|axp20x-battery/voltage 3.92
    0 wave battery|axp20x-battery/voltage sine 0.1 0.0002
    0 set battery|axp20x-battery/current 1.07
    0 wave battery|axp20x-battery/current sine 0.2 0.02
    0 absent battery|axp20x-battery/temperature unsupported the gauge measures none
    0 absent battery|axp20x-battery/cycle_count noData the gauge does not count
    0 set battery|axp20x-battery/condition "Good"
    0 set battery|axp20x-battery/technology "Li-ion"
    0 absent battery|axp20x-battery/manufacturer unsupported the gauge does not tell
    0 absent battery|axp20x-battery/model unsupported the gauge does not tell
    0 absent battery|axp20x-battery/serial unsupported the gauge does not tell
    0 set battery|axp20x-battery/scope "system"
    """
}
