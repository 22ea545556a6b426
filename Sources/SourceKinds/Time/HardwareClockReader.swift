import Gathering
import Ground
import Machine
import Values

/// Reads the clock of a device, such as a network card, against the system's.
final class HardwareClockReader: InstanceReader {
  private typealias Field = SystemClock.Field

  static let folder = "/sys/class/ptp"

  /// The clocks of devices in natural order.
  static func all(on machine: Machine) -> [Instance] {
    ClockDevices.all(in: folder, named: "ptp", on: machine.files).map { device in
      let names = AttributeFolder(device.path, ["clock_name"], in: machine.files)
      let name = names.read(0, .text).text
      let place = PersistentPath.of("\(device.path)/device", in: machine.files)
      let words = [name, place].compactMap { $0 }.joined(separator: ".")
      return Instance(
        "ptp-\(words.isEmpty ? device.node : words)", label: name ?? device.node,
        aliases: words.isEmpty ? [] : [device.node],
        availability: availability(of: device.node, on: machine), path: device.path,
        notes: ["device": "ptp", "node": device.node])
    }
  }

  /// The name is open to all; the clock may be closed to us.
  private static func availability(of node: String, on machine: Machine) -> Availability {
    guard let hardware = machine.clocks.hardware else {
      return Availability(.available, backend: "ptp", detail: "only its name")
    }
    do throws(SystemError) {
      _ = try hardware.open(clock: node)
      return Availability(.available, backend: "ptp")
    } catch {
      let outcome = outcome(of: error)
      return Availability(
        .available, backend: "ptp", detail: "only its name: \(outcome.absence?.reason ?? "")",
        errno: error.code, remedy: outcome.absence?.remedy ?? "")
    }
  }

  private let node: String
  private let hardware: (any HardwareClockOpener)?
  private let name: ParsedFile
  private let power: PolledFile

  init(_ instance: Instance, on machine: Machine) {
    node = instance.notes["node"] ?? ""
    hardware = machine.clocks.hardware
    name = ParsedFile("\(instance.path)/clock_name", .text, in: machine.files)
    power = PolledFile("\(instance.path)/device/power/runtime_status", in: machine.files)
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    if request.scope == .everything { name.read(into: &reading, at: Field.label.rawValue) }
    reading.lack(Self.absent, Self.lacks)
    reading[Field.offset] = isAsleep ? Self.asleep : offset
  }

  func raw(ofPropertyAt index: Int) -> RawValue? {
    index == Field.label.rawValue ? name.raw : nil
  }

  private static let absent = Field.allCases.filter { $0 != .offset && $0 != .label }
  private static let lacks = KeptOutcome(.unsupported("the clock of a device does not tell it"))
  private static let asleep = Outcome.noData("asleep")
  private static let closed = Outcome.unsupported("a captured tree has no clocks of devices")

  /// Reading the clock would wake its device.
  private var isAsleep: Bool {
    let state = Outcome(reading: power, .text).text
    return ["suspended", "suspending", "resuming"].contains(state)
  }

  private var offset: Outcome {
    guard let hardware else { return Self.closed }
    do throws(SystemError) {
      return .ok(.double(Double(try hardware.open(clock: node).offset()) / 1e9))
    } catch {
      return Self.outcome(of: error)
    }
  }

  private static func outcome(of error: SystemError) -> Outcome {
    switch error.code {
    case SystemText.accessDenied, SystemText.notPermitted:
      .permission(
        "\(error.place): \(SystemText.message(of: error.code))", errno: error.code,
        remedy: "add yourself to group gathered, and this rule to /etc/udev/rules.d: "
          + "SUBSYSTEM==\"ptp\", GROUP=\"gathered\", MODE=\"0440\"")
    default: .from(error)
    }
  }
}
