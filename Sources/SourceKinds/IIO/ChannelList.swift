import Gathering
import Machine
import Values

/// The channels of an IIO device as properties: in scan order, then by name (catalogue 5.9).
struct ChannelList {
  /// One property a channel, or one for x, y and z together.
  let properties: [Property]
  /// The channels of the properties.
  let plan: SensorPlan

  private struct Entry {
    var name: String
    var direction: String
    var scanIndex: Int64
  }

  init(of device: IIODevice, in files: any FileTree) {
    var entries = Self.entries(of: device, in: files)
    let names = Set(entries.map { "\($0.direction)_\($0.name)" })
    var properties: [Property] = []
    var columns: [SensorPlan.Column] = []
    var taken = Set(SensorTail.table.map(\.key))
    while let entry = entries.first {
      entries.removeFirst()
      var column = SensorPlan.Column(
        property: properties.count, quantity: .number(entry.name), device: device,
        direction: entry.direction)
      var id = Self.identifier(of: entry.name)
      if let type = Self.axesType(of: entry.name),
        IIODevice.axes.allSatisfy({ names.contains("\(entry.direction)_\(type)_\($0)") })
      {
        column.quantity = .axes(type)
        id = type
        entries.removeAll { $0.direction == entry.direction && Self.axesType(of: $0.name) == type }
      }
      let choices = [id, entry.name, "\(entry.direction)_\(entry.name)"].map(Self.key)
      guard let key = choices.first(where: { !taken.contains($0) }) else { continue }
      taken.insert(key)
      columns.append(column)
      properties.append(Self.property(key, column, device))
    }
    self.properties = properties
    var plan = SensorPlan(device, columns: columns, tail: properties.count)
    plan.hasFrame = true
    plan.mustStream = 0
    self.plan = plan
  }

  private static func property(
    _ key: String, _ column: SensorPlan.Column, _ device: IIODevice
  ) -> Property {
    let unit = IIOUnit(of: column.channels[0], on: device).code
    if case .axes = column.quantity {
      return Property(key, .vector(components: IIODevice.axes), unit: unit, .continuous)
    }
    if column.channels[0].hasSuffix("quaternion") {
      return Property(key, .vector(components: IIODevice.axes + ["w"]), unit: unit, .continuous)
    }
    return Property(key, .double, unit: unit, .continuous)
  }

  /// All channels with a value: buffered ones by their index, then the rest by name.
  private static func entries(of device: IIODevice, in files: any FileTree) -> [Entry] {
    var found: Set<String> = []
    for attribute in device.attributes {
      guard attribute.hasPrefix("in_") || attribute.hasPrefix("out_") else { continue }
      for suffix in ["_raw", "_input"] where attribute.hasSuffix(suffix) {
        let name = String(attribute.dropLast(suffix.count))
        // Peaks and means of a channel are attributes of it, not channels.
        if !name.hasSuffix("_peak") && !name.hasSuffix("_mean") { found.insert(name) }
      }
    }
    let folder = "\(device.path)/scan_elements"
    for element in (try? files.entries(of: folder)) ?? [] where element.hasSuffix("_index") {
      let name = String(element.dropLast("_index".count))
      if name.hasPrefix("in_") && name != "in_timestamp" { found.insert(name) }
    }
    let entries = found.map { name in
      let file = PolledFile("\(folder)/\(name)_index", in: files)
      let index = Outcome(reading: file, .number).integer ?? .max
      let direction = name.hasPrefix("in_") ? "in" : "out"
      return Entry(
        name: String(name.dropFirst(direction.count + 1)), direction: direction, scanIndex: index)
    }
    return entries.sorted { left, right in
      if left.scanIndex != right.scanIndex { return left.scanIndex < right.scanIndex }
      if left.direction != right.direction { return left.direction < right.direction }
      return NaturalOrder.areInIncreasingOrder(left.name, right.name)
    }
  }

  /// `accel` of `accel_x`; nil for a channel that is no axis.
  private static func axesType(of name: String) -> String? {
    guard let end = name.lastIndex(of: "_"),
      IIODevice.axes.contains(String(name[name.index(after: end)...]))
    else { return nil }
    return String(name[..<end])
  }

  /// `voltage0` of `voltage0_vccint`: a converter's inputs are counted, and what they are wired to
  /// is their name. A modifier (`voltage0_i`) is part of what a channel is.
  private static func identifier(of name: String) -> String {
    let wired = ["voltage", "altvoltage", "current", "power", "temp"]
    guard let end = name.firstIndex(of: "_"), !name.contains("-"),
      wired.contains(String(name[..<end].prefix { !$0.isDecimalDigit })),
      name[..<end].last?.isDecimalDigit == true, !["_i", "_q"].contains(String(name[end...]))
    else { return name }
    return String(name[..<end])
  }

  private static func key(_ name: String) -> String {
    String(
      name.unicodeScalars.map { scalar in
        let isPlain = ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
        return isPlain ? Character(scalar) : "_"
      })
  }
}
