import Gathering

/// Currents at the inputs of monitoring chips.
struct Current: RailKind {
  enum Field: Int, RailField {
    case current, average, minimum, maximum, criticalLow, critical, alarm, driver, label

    static let rail = Rail(
      key: "current", meaning: "the current; below 0 it flows the other way", channel: "curr",
      unit: "A")
  }

  let kind = "current"
  let name = "Current"
  static var about: KindMeaning {
    KindMeaning(
      "currents that monitoring chips measure", from: "/sys/class/hwmon",
      instances: "the channels of the chips")
  }
  static let table = Field.properties

  func simulated(on device: BuiltInDevice) -> String {
    switch device {
    case .laptop: simulated("ina3221:curr1", label: "12 V", 0.8, swing: 0.1)
    case .phone: simulated("ina231:curr1", label: "battery", 0.3, swing: 0.1)
    }
  }
}
