import Gathering
import Ground
import Machine
import Values

/// Switches of a device's case and sockets: lid, tablet mode, plugs, dock, covers.
struct Switches: CatalogueKind {
  enum Field: Int, PropertyField {
    case lidClosed, tabletMode, headphoneInserted, microphoneInserted, docked, cameraCovered, muted

    var property: Property {
      switch self {
      case .lidClosed: Property("lid_closed", .bool, .onChange)
      case .tabletMode: Property("tablet_mode", .bool, .onChange)
      case .headphoneInserted: Property("headphone_inserted", .bool, .onChange)
      case .microphoneInserted: Property("microphone_inserted", .bool, .onChange)
      case .docked: Property("docked", .bool, .onChange)
      case .cameraCovered: Property("camera_covered", .bool, .onChange)
      case .muted: Property("muted", .bool, .onChange)
      }
    }

    /// The number of the switch in `linux/input-event-codes.h`.
    var code: UInt64 {
      switch self {
      case .lidClosed: 0x00
      case .tabletMode: 0x01
      case .headphoneInserted: 0x02
      case .microphoneInserted: 0x04
      case .docked: 0x05
      case .cameraCovered: 0x09
      case .muted: 0x0e
      }
    }
  }

  let kind = "switches"
  let name = "Switches"
  let intervals = Intervals(seconds: 10, minimum: 0.1, eventDriven: true)
  let topics: [ChangeTopic] = [
    .devices(subsystem: "input"), .bus(LoginDaemon.service), .bus(PowerDaemon.service),
  ]
  let hasAggregate = true
  static let table = Field.properties

  static let folder = "/sys/class/input"
  /// What lets a user read switches.
  static let remedy = "add yourself to group input"

  /// The input devices with switches, after the aggregate of all; where none can be read, what a
  /// service tells of lid and dock.
  func discover(on machine: Machine) -> Discovery {
    var discovery = discoverDevices(on: machine)
    let isUsable = discovery.instances.contains { $0.availability.group == .available }
    if isUsable { return discovery }
    let isClosed = !discovery.instances.isEmpty
    guard let service = LoginDaemon.instance(isClosed: isClosed, on: machine) else {
      return discovery
    }
    let all = Instance.aggregate(service.availability, label: "All switches")
    discovery.instances = [all] + discovery.instances.filter { !$0.isAggregate } + [service]
    return discovery
  }

  private func discoverDevices(on machine: Machine) -> Discovery {
    let entries: [String]
    do {
      entries = try machine.files.entries(of: Self.folder)
    } catch {
      return Discovery([], orElse: Availability(listing: error, backend: "evdev"))
    }
    let found = entries.filter { $0.hasPrefix("event") }
      .sorted(by: NaturalOrder.areInIncreasingOrder)
      .compactMap { Self.instance($0, having: .max, on: machine) }.withDistinctNames()
    let none = Availability(
      .noHardware, backend: "evdev", detail: "no input device below \(Self.folder) has a switch")
    guard let first = found.first else { return Discovery([], orElse: none) }
    let usable = found.first { $0.availability.group == .available } ?? first
    return Discovery(
      [.aggregate(usable.availability, label: "All switches")] + found, orElse: none)
  }

  /// An input device as an instance, if it has one of some switches.
  static func instance(_ event: String, having mask: UInt64, on machine: Machine) -> Instance? {
    let device = "\(folder)/\(event)/device"
    let file = PolledFile("\(device)/capabilities/sw", in: machine.files)
    guard let text = try? file.read(), SwitchMask.present(in: text) & mask != 0 else { return nil }
    let label = Outcome(reading: PolledFile("\(device)/name", in: machine.files), .text).value.text
    let place = PersistentPath.of("\(device)/device", in: machine.files)
    let name = [label, place == label ? nil : place].compactMap { $0 }.joined(separator: ".")
    var instance = Instance(
      name.isEmpty ? event : name, label: label ?? event, aliases: name.isEmpty ? [] : [event],
      availability: availability(of: event, on: machine), path: device, notes: ["event": event])
    instance.topics = [.switches(path: "/dev/input/\(event)")]
    return instance
  }

  /// Asks for the switches once: nothing else tells whether we may.
  private static func availability(of event: String, on machine: Machine) -> Availability {
    do {
      _ = try machine.switches.switchesOn(of: event)
    } catch  where error.code == SystemText.accessDenied || error.code == SystemText.notPermitted {
      let detail = "\(error.place): \(SystemText.message(of: error.code))"
      return Availability(
        .permissionDenied, backend: "evdev", detail: detail, errno: error.code, remedy: remedy)
    } catch {
      // Any other trouble is each value's own.
    }
    return Availability(.available, backend: "evdev")
  }

  /// Opens a device; throws where `/dev/input` is closed to us.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    if instance.isAggregate { return nil }
    if instance.notes["service"] != nil { return LoginDaemonReader(instance, on: machine) }
    if instance.availability.group == .permissionDenied {
      throw .unavailable(instance.availability)
    }
    return SwitchesReader(instance, on: machine)
  }

  /// A switch is on if any device that has it says so.
  func combine(_ members: [Reading], into aggregate: inout Reading) {
    for field in Field.allCases {
      aggregate[field] = members.any(field, noMember: "no device has switches")
    }
  }
}
