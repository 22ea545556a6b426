import Gathering
import Ground
import Machine
import Values

/// Reads one drive: what udisks was told of its health, and what the kernel knows without asking.
final class DiskReader: InstanceReader {
  private typealias Field = Disk.Field

  private let names: [String]
  private let bus: DiskBus?
  private let machine: Machine
  private let watch: (any Cancellable)?
  private let power: RuntimePower
  private let flash: FlashHealth?
  private let chip: DiskTemperature?
  private let facts: DiskFacts
  /// udisks' copy of what an NVMe drive told, and of when it is.
  private let call = RepeatedCall()
  private var asked: (owner: String?, updated: BusValue?)?
  private var raws: [Int: RawValue] = [:]

  /// udisks may have to be waited for.
  private static let limit: Int64 = 900_000_000
  static let install = "install udisks2"

  init(_ instance: Instance, on machine: Machine) {
    names = (instance.notes["names"] ?? "").split(separator: " ").map(String.init)
    bus = instance.notes["bus"].flatMap(DiskBus.init)
    self.machine = machine
    watch = machine.bus?.watch(DiskDaemon.service) {}
    power = RuntimePower(of: instance.notes["power"], in: machine.files)
    flash = FlashHealth(of: instance, in: machine.files)
    chip = DiskTemperature(of: instance, on: machine)
    facts = DiskFacts(instance, in: machine.files)
  }

  deinit { watch?.cancel() }

  /// A daemon or a drive may take its time.
  var mayBlock: Bool { machine.bus != nil || machine.nature != .captured }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    let end = Monitor<Void>.moment(after: Self.limit)
    let view = machine.bus?.view(of: DiskDaemon.service, waiting: Self.limit)
    let drive = view?.drives.first { $0.has(anyOf: names) }
    readHealth(drive, view, until: end, into: &reading)
    // What udisks was told is here already; all else would wake a drive that sleeps.
    let isAsleep = power.isAsleep
    if let flash {
      set(.wear, isAsleep ? Self.asleep : flash.wear, in: &reading)
      set(.failing, isAsleep ? Self.asleep : flash.failing, in: &reading)
    }
    readTemperature(isAsleep, into: &reading)
    guard request.scope == .everything else { return }
    let isSerialWanted = request.wants(.static, .serial)
    for (field, value) in facts.read(drive, isSerialWanted: isSerialWanted) {
      set(field, value, in: &reading)
    }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? { raws[index] }

  private static let asleep: ReportedValue = (RuntimePower.asleep.outcome, nil)

  private func set(_ field: Field, _ value: ReportedValue, in reading: inout Reading) {
    reading[field] = value.outcome
    raws[field.rawValue] = value.raw
  }

  // MARK: Health

  /// What SMART tells.
  private static let health: [Field] = [
    .failing, .warnings, .temperature, .wear, .spare, .powerOnTime, .badSectors, .mediaErrors,
    .failingAttributes, .readTotal, .writtenTotal, .powerCycles, .unsafeShutdowns, .selftest,
    .updated,
  ]

  private func readHealth(
    _ drive: DiskDrive?, _ view: BusView?, until end: Int64, into reading: inout Reading
  ) {
    guard let drive, drive.isATA || drive.isNVMe else {
      let missing = missing(view, isDrive: drive != nil)
      for field in Self.health { set(field, (missing, nil), in: &reading) }
      if missing == Self.old {
        for field in [Field.badSectors, .failingAttributes] {
          set(field, (DiskHealth.onlyATA, nil), in: &reading)
        }
      }
      return
    }
    let health = DiskHealth(
      drive: drive, attributes: drive.isNVMe ? attributes(of: drive, view, until: end) : nil,
      now: reading.instant.realtime)
    for field in Self.health { set(field, health.reported(field), in: &reading) }
  }

  /// Why udisks tells no health of the drive.
  private func missing(_ view: BusView?, isDrive: Bool) -> Outcome {
    if let bus, !bus.hasSmart { return Self.mute }
    switch view?.state {
    case .running?:
      guard bus == .nvme, view?.isBeforeNVMe == true else { return Self.untold }
      return Self.old
    case .asking?: return .noData("udisks has not answered so far")
    case .absent(let failure)?:
      let isAbsent =
        switch failure.cause {
        case .notRunning, .noBus: true
        default: false
        }
      return isAbsent ? Self.withoutDaemon : .from(failure, of: DiskDaemon.service)
    case nil: return Self.withoutDaemon
    }
  }

  private static let mute = Outcome.unsupported("such a drive does not tell")
  private static let untold = Outcome.unsupported("udisks has no health of the drive")
  private static let old = Outcome(
    status: .unsupported,
    absence: Absence("udisks 2.10 would tell", remedy: "install a newer udisks2"))
  private static let withoutDaemon = Outcome(
    status: .unsupported, absence: Absence("udisks is not there to tell", remedy: install))

  /// udisks' copy of what an NVMe drive told, asked for when it is another.
  private func attributes(
    of drive: DiskDrive, _ view: BusView?, until end: Int64
  ) -> RepeatedCall.Reply? {
    guard let bus = machine.bus else { return nil }
    let updated = drive.object[DiskDaemon.controller, "SmartUpdated"]
    if updated?.integer == 0 { return nil }
    let isSame = asked.map { $0.owner == view?.owner && $0.updated == updated } ?? false
    if isSame, let reply = call.reply(within: 0), case .success = reply { return reply }
    if !isSame { call.forget() }
    call.send(
      BusCall(
        DiskDaemon.name, drive.path, DiskDaemon.controller, "SmartGetAttributes",
        [.dictionary(of: "sv", [])]), on: bus)
    asked = (view?.owner, updated)
    return call.newReply(within: max(0, end - Monitor<Void>.moment(after: 0)))
  }

  /// The chip of the drive, where udisks has no temperature that is up to date.
  private func readTemperature(_ isAsleep: Bool, into reading: inout Reading) {
    let told = reading[Field.temperature]
    guard told.status != .ok, let chip else { return }
    let measured = isAsleep ? Self.asleep : chip.read(at: reading.instant)
    guard measured.outcome.status == .ok || told.status != .stale else { return }
    set(.temperature, measured, in: &reading)
  }
}
