public import Gathering
public import Machine

/// Every IIO device, whole: what no other kind covers stays reachable.
///
/// The property list is the instance's; the kind itself has the common tail only.
public struct IIO: SourceKind {
  typealias Field = SensorTail.Field

  /// The word in identifiers.
  public let kind = "iio"
  /// The name for people.
  public let name = "IIO Device"
  /// How often it is read unless asked otherwise, and at most.
  public let intervals = Intervals(seconds: 1, minimum: 0.01)
  /// What the kernel tells of it by itself.
  public let topics: [ChangeTopic] = [.devices(subsystem: "iio")]
  /// What every IIO device has, whatever its channels.
  public let properties = SensorTail.propertiesWithFrame

  /// The kind; it keeps no state.
  public init() {}

  /// All IIO devices, each with a property a channel.
  public func discover(on machine: Machine) -> Discovery {
    IIODevice.discover("an IIO device", on: machine) { device, _ in
      let channels = ChannelList(of: device, in: machine.iio.files)
      let table = channels.properties + SensorTail.propertiesWithFrame
      return device.instance(properties: channels.plan.properties(table, on: machine))
    }
  }

  /// Opens one device.
  public func open(
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
