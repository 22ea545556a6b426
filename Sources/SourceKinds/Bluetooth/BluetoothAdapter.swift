import Gathering
import Machine
import Values

/// An adapter, as the kernel and BlueZ show it.
struct BluetoothAdapter {
  /// The kernel's name, `hci0`.
  let kernelName: String
  /// BlueZ's object, if it has one.
  let object: BusObject?
  private let isInKernel: Bool
  private let machine: Machine

  /// The path of BlueZ's object.
  var path: String { "/org/bluez/\(kernelName)" }
  /// Whether it is powered; nil if unknown.
  var isPowered: Bool? { object?[BluetoothDaemon.adapter, "Powered"]?.flag }

  /// All adapters of a machine, powered ones first, then in natural order.
  static func all(on machine: Machine) -> [BluetoothAdapter] {
    let view = BluetoothDaemon.view(on: machine)
    let inKernel = ((try? machine.files.entries(of: BluetoothDaemon.folder)) ?? [])
      .filter(isAdapter)
    let prefix = "/org/bluez/"
    let onBus = view.paths(with: BluetoothDaemon.adapter).filter { $0.hasPrefix(prefix) }
      .map { String($0.dropFirst(prefix.count)) }
    let names = Set(inKernel + onBus).sorted(by: NaturalOrder.areInIncreasingOrder)
    let all = names.map { name in
      BluetoothAdapter(
        kernelName: name, object: view.object(prefix + name, BluetoothDaemon.adapter),
        isInKernel: inKernel.contains(name), machine: machine)
    }
    return all.filter { $0.isPowered == true } + all.filter { $0.isPowered != true }
  }

  /// `hci0`, and not `hci0:12`, which is a connection of it.
  private static func isAdapter(_ name: String) -> Bool {
    name.hasPrefix("hci") && name.utf8.count > 3
      && name.utf8.dropFirst(3).allSatisfy { (48...57).contains($0) }
  }

  /// Its place, the kernel's name of a virtual one, or the digest of its address.
  var name: String {
    guard isInKernel else {
      let address = object?[BluetoothDaemon.adapter, "Address"]?.asText?.text
      return address.map { MachineIdentity.of(machine).digest(of: $0.uppercased()) } ?? kernelName
    }
    return PersistentPath.of("\(BluetoothDaemon.folder)/\(kernelName)/device", in: machine.files)
      ?? kernelName
  }

  /// Whether it can be used.
  var availability: Availability {
    if let obstacle = BluetoothDaemon.obstacle(on: machine) { return obstacle }
    if let block { return block }
    guard object != nil else {
      return Availability(
        .failed, backend: "bluez", detail: "BlueZ does not know \(kernelName)",
        remedy: "systemctl restart \(BluetoothDaemon.service.unit)")
    }
    if isPowered == false {
      return Availability(
        .poweredOff, backend: "bluez", detail: "\(kernelName) is not powered",
        // bluetoothctl would power the default adapter, which may be another.
        remedy: "busctl set-property org.bluez \(path) \(BluetoothDaemon.adapter) Powered b true")
    }
    return Availability(.available, backend: "bluez")
  }

  /// Its block by rfkill.
  private var block: Availability? {
    let folder = "\(BluetoothDaemon.folder)/\(kernelName)"
    let switches = ((try? machine.files.entries(of: folder)) ?? []).filter {
      $0.hasPrefix("rfkill")
    }
    for (file, remedy) in [
      ("hard", "switch the radio on by the switch of the device"),
      ("soft", "rfkill unblock bluetooth # from package rfkill"),
    ] {
      let isBlocked = switches.contains { name in
        let attribute = ParsedFile("\(folder)/\(name)/\(file)", .count, in: machine.files)
        return attribute.read().integer == 1
      }
      if isBlocked {
        return Availability(
          .poweredOff, backend: "rfkill", detail: "\(kernelName) is blocked", remedy: remedy)
      }
    }
    return nil
  }
}
