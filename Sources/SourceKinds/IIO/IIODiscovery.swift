import Gathering
import Ground
import Machine
import Values

extension IIODevice {
  /// Finds the instances of a kind among a machine's devices.
  ///
  /// `make` gets one device and all of them, and gives the instance or nil; `what` names the kind
  /// in the reason why there is none. Names are made distinct in the order of where the devices
  /// are attached, so that they stay when the kernel counts otherwise (sources N7).
  static func discover(
    _ what: String, on machine: Machine, byLocation: Bool = false,
    _ make: (_ device: IIODevice, _ all: [IIODevice]) -> Instance?
  ) -> Discovery {
    let all: [IIODevice]
    do throws(SystemError) {
      all = try IIODevice.all(on: machine)
    } catch {
      return Discovery([], orElse: Availability(listingIIO: error))
    }
    HeldSensors.of(machine).forget(allBut: all.map(\.path))
    let none = Availability(
      .noHardware, backend: "iio", detail: "no device in \(folder) is \(what)")
    let attached = all.sorted {
      NaturalOrder.areInIncreasingOrder($0.wholePath, $1.wholePath)
    }
    var found: [(device: IIODevice, instance: Instance)] = []
    for device in attached {
      if let instance = make(device, all) { found.append((device, instance)) }
    }
    let named = found.map(\.instance).withDistinctNames()
    let ranks = found.map { entry in
      byLocation ? SensorLocation(of: entry.device, on: machine).rank : 0
    }
    let order = found.indices.sorted { left, right in
      if ranks[left] != ranks[right] { return ranks[left] < ranks[right] }
      return NaturalOrder.areInIncreasingOrder(
        found[left].device.kernelName, found[right].device.kernelName)
    }
    return Discovery(order.map { named[$0] }, orElse: none)
  }

  /// The folders of the chips that some instances are devices of (sources H3).
  static func parents(of instances: [Instance], on machine: Machine) -> Set<String> {
    Set(
      instances.compactMap { instance in
        (try? machine.iio.files.canonicalPath(of: instance.path)).map {
          "/" + $0.split(separator: "/").dropLast().joined(separator: "/")
        }
      })
  }

  /// The device as an instance of a kind; without rights to its buffer it can only be polled.
  func instance(properties: [Property]? = nil) -> Instance {
    var instance = Instance(
      name, label: label ?? driver ?? kernelName,
      aliases: name == kernelName ? [] : [kernelName],
      availability: bufferRefusal.map { .pollingOnly(self, $0) }
        ?? Availability(.available, backend: "iio"),
      path: path, properties: properties)
    instance.pollingFloor = pollingFloor
    return instance
  }
}

extension Availability {
  /// The availability for a failure to list the IIO devices; for another computer, that its daemon
  /// does not answer.
  init(listingIIO error: SystemError) {
    guard SystemText.unreachable.contains(error.code) else {
      self.init(listing: error, backend: "iio")
      return
    }
    self.init(
      .serviceNotRunning, backend: "iio",
      detail: "\(error.place): \(SystemText.message(of: error.code))", errno: error.code,
      remedy: "start iiod on \(error.place)")
  }

  /// An instance that was discovered and has changed or gone since.
  static func gone(_ instance: Instance) -> Availability {
    Availability(
      .disconnected, backend: "iio", detail: "\(instance.path) is no longer this sensor",
      errno: SystemText.noDevice, remedy: "attach the device again")
  }
}
