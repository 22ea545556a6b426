import Gathering

extension Thermal {
  func simulated(on device: BuiltInDevice) -> String {
    device.part(laptop: Self.laptop, phone: Self.phone)
  }

  private static let laptop = """
    0 add thermal|x86_pkg_temp
    0 set thermal|x86_pkg_temp/temperature 52
    0 wave thermal|x86_pkg_temp/temperature sine 8 0.01
    0 absent thermal|x86_pkg_temp/trip_active unsupported the zone has no active trip
    0 set thermal|x86_pkg_temp/trip_passive 95
    0 absent thermal|x86_pkg_temp/trip_hot unsupported the zone has no hot trip
    0 set thermal|x86_pkg_temp/trip_critical 100
    0 set thermal|x86_pkg_temp/enabled true
    0 add thermal|acpitz
    0 set thermal|acpitz/temperature 41
    0 wave thermal|acpitz/temperature sine 3 0.004
    0 set thermal|acpitz/trip_active 70
    0 absent thermal|acpitz/trip_passive unsupported the zone has no passive trip
    0 absent thermal|acpitz/trip_hot unsupported the zone has no hot trip
    0 set thermal|acpitz/trip_critical 103
    0 set thermal|acpitz/enabled true
    """

  private static let phone = """
    0 add thermal|cpu0-thermal
    0 set thermal|cpu0-thermal/temperature 44
    0 wave thermal|cpu0-thermal/temperature sine 6 0.01
    0 absent thermal|cpu0-thermal/trip_active unsupported the zone has no active trip
    0 set thermal|cpu0-thermal/trip_passive 75
    0 set thermal|cpu0-thermal/trip_hot 90
    0 set thermal|cpu0-thermal/trip_critical 110
    0 set thermal|cpu0-thermal/enabled true
    0 add thermal|gpu-thermal
    0 set thermal|gpu-thermal/temperature 41
    0 wave thermal|gpu-thermal/temperature sine 4 0.008
    0 absent thermal|gpu-thermal/trip_active unsupported the zone has no active trip
    0 absent thermal|gpu-thermal/trip_passive unsupported the zone has no passive trip
    0 absent thermal|gpu-thermal/trip_hot unsupported the zone has no hot trip
    0 set thermal|gpu-thermal/trip_critical 110
    0 set thermal|gpu-thermal/enabled true
    """
}
