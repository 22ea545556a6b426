import Gathering
import Machine
import Values

/// The switches that turn a radio off: `rfkillN/hard` and `rfkillN/soft` below the radio's folder.
enum RadioSwitches {
  /// Why the radio of a folder is off; nil if no switch blocks it, or none can be read.
  static func block(of radio: String, in files: any FileTree) -> Availability? {
    let names = (try? files.entries(of: radio)) ?? []
    let switches = names.filter { $0.hasPrefix("rfkill") }
      .sorted(by: NaturalOrder.areInIncreasingOrder).map { "\(radio)/\($0)" }
    for folder in switches where isOn("\(folder)/hard", in: files) {
      return off("\(folder)/hard", remedy: "turn the radio on with the device's own switch or key")
    }
    for folder in switches where isOn("\(folder)/soft", in: files) {
      return off("\(folder)/soft", remedy: "run: rfkill unblock wlan")
    }
    return nil
  }

  private static func isOn(_ path: String, in files: any FileTree) -> Bool {
    guard let text = try? PolledFile(path, in: files).read() else { return false }
    return TextRule.flag(text).value == .bool(true)
  }

  private static func off(_ path: String, remedy: String) -> Availability {
    Availability(
      .poweredOff, backend: "nl80211", detail: "\(path) blocks the radio", remedy: remedy)
  }
}
