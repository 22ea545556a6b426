import Gathering
import Machine

/// The channels a device's buffer can hold.
struct BufferedChannels {
  /// The names without `in_` and `_en`; nil where they cannot be listed.
  private let names: Set<String>?

  init(of device: IIODevice, on machine: Machine) {
    let files = machine.iio.files
    let folder = "\(device.path)/scan_elements"
    guard let entries = try? files.entries(of: folder) else {
      // While the link is broken this is known only after the buffer was opened.
      names = machine.iio.isRemote ? nil : []
      return
    }
    let enabled = entries.filter { entry in
      guard entry.hasPrefix("in_") && entry.hasSuffix("_en") else { return false }
      // In a captured tree no channel can be enabled: disabled ones stay disabled.
      guard machine.nature == .captured else { return true }
      let state = Outcome(reading: PolledFile("\(folder)/\(entry)", in: files), .flag)
      return state.flag == true
    }
    names = Set(enabled.map { String($0.dropFirst("in_".count).dropLast("_en".count)) })
  }

  /// The positions of a plan's columns that are wholly in the buffer.
  func positions(in plan: SensorPlan) -> [Int] {
    plan.columns.indices.filter { index in
      let column = plan.columns[index]
      guard column.device.path == plan.device.path, column.direction == "in" else { return false }
      guard let names else { return index < max(1, plan.mustStream) }
      return column.channels.allSatisfy(names.contains)
    }
  }
}
