import Gathering
import Ground
import Machine
import Values

/// Reads the pulses that a device stamps, one at the beginning of each second.
final class PulseReader: InstanceReader {
  private typealias Field = SystemClock.Field

  static let folder = "/sys/class/pps"

  /// The sources of pulses in natural order.
  static func all(on machine: Machine) -> [Instance] {
    ClockDevices.all(in: folder, named: "pps", on: machine.files).map { device in
      let name = AttributeFolder(device.path, ["name"], in: machine.files).read(0, .text).text
      return Instance(
        "pps-\(name ?? device.node)", label: name ?? device.node,
        aliases: name == nil ? [] : [device.node],
        availability: Availability(.available, backend: "pps"), path: device.path,
        notes: ["device": "pps"])
    }
  }

  /// A pulse: when it came and which it was since the start.
  private struct Pulse {
    let time: Int64
    let number: Int64
  }

  /// The edges that a pulse may begin with, the better one first.
  private let edges: [PolledFile]
  private let name: ParsedFile
  private let clock: any TimeSource
  private var raw: RawValue?

  init(_ instance: Instance, on machine: Machine) {
    edges = ["assert", "clear"].map { PolledFile("\(instance.path)/\($0)", in: machine.files) }
    name = ParsedFile("\(instance.path)/name", .text, in: machine.files)
    clock = machine.clock
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    if request.scope == .everything { name.read(into: &reading, at: Field.label.rawValue) }
    reading.lack(Self.absent, Self.lacks)
    raw = nil
    switch lastPulse() {
    case .failure(let missing):
      for field in Self.own { reading.set(field, to: missing.outcome) }
    case .success(let pulse):
      reading.set(Field.pulses, to: pulse.number)
      guard pulse.number > 0, pulse.time > 0 else {
        reading.set(Field.pulseTime, to: Self.none)
        reading.set(Field.offset, to: Self.none)
        return
      }
      let isOld = clock.now.realtime &- pulse.time > Self.patience
      reading[Field.pulseTime] = Self.outcome(.time(pulse.time), isOld)
      reading[Field.offset] = Self.outcome(.double(Self.offset(of: pulse.time)), isOld)
    }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? {
    if index == Field.label.rawValue { return name.raw }
    return Self.own.contains { $0.rawValue == index } ? raw : nil
  }

  private static let own: [Field] = [.pulses, .pulseTime, .offset]
  private static let absent = Field.allCases.filter { !own.contains($0) && $0 != .label }
  private static let lacks = KeptOutcome(.unsupported("pulses do not tell it"))
  private static let none = Outcome.noData("no pulse so far")
  /// A pulse comes every second.
  private static let patience: Int64 = 3_000_000_000

  private static func outcome(_ value: Value, _ isOld: Bool) -> Outcome {
    if !isOld { return .ok(value) }
    return Outcome(
      value: value, status: .stale, absence: Absence("no pulse for more than 3 s"))
  }

  /// How far the clock is behind: it is right if the pulse came at the beginning of its second.
  private static func offset(of time: Int64) -> Double {
    let second: Int64 = 1_000_000_000
    let part = time % second
    return Double(part > second / 2 ? second - part : -part) / 1e9
  }

  private struct Missing: Error {
    let outcome: Outcome
  }

  /// The last pulse by the edge that the device stamps.
  private func lastPulse() -> Result<Pulse, Missing> {
    var found: (pulse: Pulse, raw: RawValue?)?
    var missing: Missing?
    for file in edges {
      switch Self.pulse(in: file) {
      case .success(let pulse):
        if pulse.number > found?.pulse.number ?? -1, found == nil || found?.pulse.number == 0 {
          found = (pulse, file.lastRaw)
        }
      case .failure(let why):
        if !why.outcome.leavesRoom, found == nil { return .failure(why) }
        missing = missing ?? why
      }
    }
    raw = found?.raw
    if let found { return .success(found.pulse) }
    return .failure(missing ?? Missing(outcome: Self.none))
  }

  /// `SECONDS.NANOSECONDS#NUMBER`
  private static func pulse(in file: PolledFile) -> Result<Pulse, Missing> {
    let text: ArraySlice<UInt8>
    do throws(SystemError) {
      text = try file.read().trimmed
    } catch {
      return .failure(Missing(outcome: .from(error)))
    }
    if text.isEmpty { return .failure(Missing(outcome: .noData("empty text"))) }
    let parts = text.split(separator: UInt8(ascii: "#"), omittingEmptySubsequences: false)
    let times = parts[0].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 2, times.count == 2, times[1].count == 9,
      let seconds = times[0].decimal, let nanoseconds = times[1].decimal,
      let number = parts[1].decimal, seconds < Int64.max / 1_000_000_000
    else { return .failure(Missing(outcome: .unparsable(text))) }
    return .success(Pulse(time: seconds * 1_000_000_000 + nanoseconds, number: number))
  }
}

/// The devices of a class that the kernel numbers.
enum ClockDevices {
  /// The kernel's names and folders in natural order.
  static func all(
    in folder: String, named start: String, on files: any FileTree
  ) -> [(node: String, path: String)] {
    let nodes = ((try? files.entries(of: folder)) ?? []).filter { node in
      let number = node.dropFirst(start.count)
      return node.hasPrefix(start) && !number.isEmpty && number.allSatisfy(\.isDecimalDigit)
    }
    return nodes.sorted(by: NaturalOrder.areInIncreasingOrder).map { ($0, "\(folder)/\($0)") }
  }
}
