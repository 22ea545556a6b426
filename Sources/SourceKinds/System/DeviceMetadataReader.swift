import Gathering
import Ground
import Machine
import Values

/// Reads the identity of a machine, each fact from the first place that has it.
final class DeviceMetadataReader: InstanceReader {
  private typealias Field = DeviceMetadata.Field

  private let machine: Machine
  private let files: any FileTree
  private let firmware: FirmwareIdentity
  private let kernel: AttributeReader
  private let environment: MachineEnvironment
  private let upFor: PolledFile
  private let daemon: HostDaemon
  private var raws: [Int: RawValue] = [:]

  init(_ machine: Machine) {
    self.machine = machine
    files = machine.files
    firmware = FirmwareIdentity(in: machine.files)
    environment = MachineEnvironment(in: machine.files)
    daemon = HostDaemon(on: machine)
    upFor = PolledFile("/proc/uptime", in: machine.files)
    let kernel: [(Field, String)] = [
      (.kernelName, "ostype"), (.kernelRelease, "osrelease"), (.kernelVersion, "version"),
      (.architecture, "arch"), (.hostname, "hostname"), (.bootId, "random/boot_id"),
    ]
    self.kernel = AttributeReader(
      kernel.map { Attribute($0.0.rawValue, "/proc/sys/kernel/\($0.1)", .text) },
      of: DeviceMetadata.table, in: machine.files)
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    kernel.read(request, into: &reading)
    readTime(request, into: &reading)
    take(.locale, environment.locale(), &reading)
    take(.timezone, environment.timezone(), &reading)
    if request.allow.permits(.hostname) {
      let reported = daemon.property("PrettyHostname")
      take(.prettyHostname, reported ?? environment.prettyHostname(), &reading)
    }
    guard request.scope == .everything else { return }
    readSystem(into: &reading)
    readArchitecture(into: &reading)
    for field in FirmwareIdentity.fields where request.wants(DeviceMetadata.table[field]) {
      take(field, identity(field), &reading)
    }
    reading[Field.deviceId] = identity()
    let processors = Processors(in: files)
    take(.cpuModel, processors.model(), &reading)
    take(.logicalCpus, processors.logicalCount(), &reading)
    reading[Field.physicalCores] = processors.coreCount()
    take(.memoryTotal, memory(), &reading)
  }

  func raw(ofPropertyAt index: Int) -> RawValue? {
    kernel.raw(ofPropertyAt: index) ?? raws[index]
  }

  private func take(
    _ field: Field, _ found: (outcome: Outcome, raw: RawValue?), _ reading: inout Reading
  ) {
    reading[field] = found.outcome
    raws[field] = found.raw
  }

  /// The data of the firmware; for some facts hostnamed has more.
  private func identity(_ field: Field) -> (outcome: Outcome, raw: RawValue?) {
    let names: [Field: String] = [
      .vendor: "HardwareVendor", .model: "HardwareModel", .chassis: "Chassis",
    ]
    let reported = names[field].flatMap { daemon.property($0) }
    if field == .chassis, let reported, reported.outcome.status == .ok { return reported }
    let found = firmware.read(field)
    if found.outcome.leavesRoom, let reported, reported.outcome.status == .ok { return reported }
    let isSecret = field == .serial || field == .hardwareUuid
    guard isSecret, found.outcome.status == .permission, let answer = daemon.secret(field),
      answer.status == .ok
    else { return found }
    return (answer, nil)
  }

  private func readSystem(into reading: inout Reading) {
    let release = SystemRelease(in: files)
    let keys: [(Field, String)] = [
      (.osId, "ID"), (.osName, "NAME"), (.osVersion, "VERSION_ID"),
      (.osPrettyName, "PRETTY_NAME"), (.osVariant, "VARIANT"), (.osBuild, "BUILD_ID"),
    ]
    for (field, key) in keys { take(field, release.value(of: key), &reading) }
    if [.unsupported, .noData].contains(reading[Field.osId].status) {
      reading[Field.osId] = .ok(.string("linux"))
    }
  }

  /// Kernels before 6.1 lack the file; there the architecture of the build is used.
  private func readArchitecture(into reading: inout Reading) {
    guard machine.nature == .live, reading[Field.architecture].status == .unsupported else {
      return
    }
    #if arch(x86_64)
      reading[Field.architecture] = .ok(.string("x86_64"))
    #elseif arch(arm64)
      reading[Field.architecture] = .ok(.string("aarch64"))
    #endif
  }

  /// The difference of the clocks, which wall-clock steps do not bend as they do `btime`; in a
  /// captured tree the captured numbers.
  private func readTime(_ request: ReadRequest, into reading: inout Reading) {
    let isFirst = request.scope == .everything
    guard machine.nature == .captured else {
      let now = machine.clock.now
      reading[Field.uptime] = .ok(.double(Double(now.boot) / 1e9))
      if isFirst { reading[Field.bootTime] = .ok(.time(now.realtime - now.boot)) }
      return
    }
    let seconds = Outcome(reading: upFor, Self.firstNumber)
    take(.uptime, (seconds, upFor.lastRaw), &reading)
    if isFirst { take(.bootTime, capturedBootTime(), &reading) }
  }

  private static let firstNumber = TextRule { text in
    guard let word = Words(of: text).first(where: { _ in true }),
      let number = try? NumberText.double(word.span), number >= 0
    else { return .unparsable(text) }
    return .ok(.double(number))
  }

  private func capturedBootTime() -> (outcome: Outcome, raw: RawValue?) {
    let file = PolledFile("/proc/stat", in: files, limit: 1 << 22)
    do {
      let text = try file.read()
      for line in Lines(of: text) {
        var words = Words(of: line)
        guard words.next()?.equals("btime") == true, let word = words.next() else { continue }
        guard let seconds = word.decimal, seconds < Int64.max / 1_000_000_000 else {
          return (.unparsable(word), nil)
        }
        return (.ok(.time(seconds * 1_000_000_000)), RawValue(word, place: file.path))
      }
      return (text.isEmpty ? .noData("empty text") : .unsupported("no btime"), nil)
    } catch {
      return (.from(error), nil)
    }
  }

  /// The machine id itself is confidential: no raw payload is kept of it.
  private func identity() -> Outcome {
    do {
      let text = try PolledFile("/etc/machine-id", in: files).read()
      let identity = MachineIdentity(parsing: text)
      return identity.identifier(forApplication: Self.application).map { .ok(.string($0)) }
        ?? .noData("the machine has no valid machine id")
    } catch {
      return .from(error)
    }
  }

  private static let application: [UInt8] = [
    0x93, 0x81, 0x35, 0x1f, 0x38, 0x26, 0x40, 0xd6, 0xb9, 0xad, 0x19, 0x25, 0xb9, 0x86, 0xe4, 0xf4,
  ]

  private func memory() -> (outcome: Outcome, raw: RawValue?) {
    let file = PolledFile("/proc/meminfo", in: files, limit: 1 << 16)
    do {
      let text = try file.read()
      for line in Lines(of: text) {
        var words = Words(of: line)
        guard words.next()?.equals("MemTotal:") == true, let word = words.next() else { continue }
        let (bytes, overflow) = (word.decimal ?? -1).multipliedReportingOverflow(by: 1024)
        let isSound = bytes >= 0 && !overflow
        return (isSound ? .ok(.int(bytes)) : .unparsable(word), RawValue(word, place: file.path))
      }
      return (text.isEmpty ? .noData("empty text") : .unsupported("no MemTotal"), nil)
    } catch {
      return (.from(error), nil)
    }
  }
}
