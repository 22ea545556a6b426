import Gathering
import Machine

/// Every IIO device with all its channels, including those that no other kind covers.
///
/// The property list is the instance's; the kind itself has the common tail only.
struct IIO: CatalogueKind {
  typealias Field = SensorTail.Field

  let kind = "iio"
  let name = "IIO Device"
  let intervals = Intervals(seconds: 1, minimum: 0.01)
  let topics: [ChangeTopic] = [.devices(subsystem: "iio")]
  /// The properties of every IIO device.
  static let table = SensorTail.table

  /// All IIO devices, each with a property a channel.
  func discover(on machine: Machine) -> Discovery {
    IIODevice.discover("an IIO device", on: machine) { device, _ in
      let channels = ChannelList(of: device, in: machine.iio.files)
      let table = channels.properties + Self.table
      return channels.plan.instance(
        properties: channels.plan.properties(table, on: machine), on: machine)
    }
  }

  /// A channel of a simulated device, by its key: in the unit of its type.
  func property(ofInstance key: String, components: Int) -> Property? {
    let isKey = key.utf8.allSatisfy {
      (0x61...0x7A).contains($0) || $0 == 0x5F || (0x30...0x39).contains($0)
    }
    guard isKey, let first = key.first, first.isLatinLetter, [1, 3, 4].contains(components) else {
      return nil
    }
    let type = String(key.prefix { $0 != "_" && !$0.isDecimalDigit })
    let axes = Array((IIODevice.axes + ["w"]).prefix(components))
    return Property(
      key, components == 1 ? .double : .vector(components: axes),
      unit: IIOUnit.table[type]?.code ?? "1", .continuous)
  }

  /// Opens one device.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    let device = IIODevice(instance.path, on: machine)
    let channels = ChannelList(of: device, in: machine.iio.files)
    let keys = (channels.properties + properties).map(\.key)
    // The list was declared (sources V1): a device with other channels is another instance.
    if let declared = instance.properties, declared.map(\.key) != keys {
      throw .unavailable(.gone(instance))
    }
    return SensorReader(channels.plan, on: machine)
  }
}
