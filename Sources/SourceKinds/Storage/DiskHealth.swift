import Gathering
import Machine
import Values

/// What udisks says of a drive's health: which property or attribute each field is, and its rule.
struct DiskHealth {
  typealias Field = Disk.Field
  typealias Rule = @Sendable (BusValue) -> Outcome?

  let drive: DiskDrive
  /// What `SmartGetAttributes` answered for an NVMe drive.
  let attributes: RepeatedCall.Reply?
  /// The time of the reading, in nanoseconds since 1970.
  let now: Int64

  private var interface: String { drive.isATA ? DiskDaemon.ata : DiskDaemon.controller }

  /// A field that udisks tells of this kind of drive.
  func reported(_ field: Field) -> ReportedValue {
    let table = drive.isATA ? Self.ata : Self.controller
    if let (name, rule) = table[field] {
      var value = drive.object.reported(interface, name, rule)
      if let silence, field != .updated { value.outcome = silence }
      if field == .temperature, isOld { value.outcome.grow(old: Self.age) }
      return value
    }
    if !drive.isATA, let (name, rule) = Self.attributes[field] { return attribute(name, rule) }
    return (drive.isATA ? Self.onlyNVMe : Self.onlyATA, nil)
  }

  // MARK: When it was read

  private static let unread = Outcome.noData("not read yet")
  private static let unsupported = Outcome.noData(
    "udisks found no SMART; the drive may have been asleep when udisks started")
  private static let disabled = Outcome.noData("SMART is switched off on the drive")
  private static let age = Absence("read more than two hours ago")
  private static let onlyNVMe = Outcome.unsupported("only NVMe drives tell")
  static let onlyATA = Outcome.unsupported("only ATA drives tell")

  private var updated: Int64? { drive.object[interface, "SmartUpdated"]?.integer }

  /// Why nothing of what SMART tells counts; nil where it does.
  private var silence: Outcome? {
    if updated == 0 {
      let flag = { drive.object[interface, $0]?.flag }
      if flag("SmartSupported") == false { return Self.unsupported }
      return flag("SmartEnabled") == false ? Self.disabled : Self.unread
    }
    return nil
  }

  /// Whether the temperature of an ATA drive is out of date; what a clock that was set says of it
  /// is nothing.
  private var isOld: Bool {
    guard drive.isATA, let updated, updated > 0 else { return false }
    return now / 1_000_000_000 - updated > 7200
  }

  // MARK: Attributes of NVMe

  private func attribute(_ name: String, _ rule: Rule) -> ReportedValue {
    if let silence { return (silence, nil) }
    switch attributes {
    case .success(let values)?:
      let value = values.first?.named?[name]
      let place = "\(DiskDaemon.controller).SmartGetAttributes \(name)"
      return (.of(value, name, rule), value.map { RawValue($0, place: place) })
    case .failure(let failure)?:
      // Its own words may name the object, and with it the serial number.
      let failure = BusFailure(
        failure.cause, message: "SmartGetAttributes failed", errno: failure.errno)
      return (.from(failure, of: DiskDaemon.service), nil)
    case nil: return (.from(.timedOut(DiskDaemon.name), of: DiskDaemon.service), nil)
    }
  }

  // MARK: Tables

  private static let ata: [Field: (name: String, rule: Rule)] = [
    .failing: ("SmartFailing", { $0.asFlag }),
    .temperature: ("SmartTemperature", { $0.asKelvin }),
    .powerOnTime: ("SmartPowerOnSeconds", { $0.asDuration(times: 1) }),
    .badSectors: ("SmartNumBadSectors", { $0.asCount }),
    .failingAttributes: ("SmartNumAttributesFailing", { $0.asCount }),
    .selftest: ("SmartSelftestStatus", { $0.asText }),
    .updated: ("SmartUpdated", { $0.asUpdate }),
  ]

  private static let controller: [Field: (name: String, rule: Rule)] = [
    .failing: ("SmartCriticalWarning", { $0.texts.map { .ok(.bool(!$0.isEmpty)) } }),
    .warnings: ("SmartCriticalWarning", { $0.asWarnings }),
    .temperature: ("SmartTemperature", { $0.asKelvin }),
    .powerOnTime: ("SmartPowerOnHours", { $0.asDuration(times: 3600) }),
    .selftest: ("SmartSelftestStatus", { $0.asText }),
    .updated: ("SmartUpdated", { $0.asUpdate }),
  ]

  private static let attributes: [Field: (name: String, rule: Rule)] = [
    .wear: ("percent_used", { $0.asShare("percent_used", upTo: 255) }),
    .spare: ("avail_spare", { $0.asShare("avail_spare", upTo: 100) }),
    .mediaErrors: ("media_errors", { $0.asCount }),
    .readTotal: ("total_data_read", { $0.asCount }),
    .writtenTotal: ("total_data_written", { $0.asCount }),
    .powerCycles: ("power_cycles", { $0.asCount }),
    .unsafeShutdowns: ("unsafe_shutdowns", { $0.asCount }),
  ]
}

extension Outcome {
  /// Makes a good outcome one that is out of date.
  fileprivate mutating func grow(old age: Absence) {
    if status == .ok { (status, absence) = (.stale, age) }
  }
}

extension BusValue {
  /// Kelvin as degrees Celsius; 0 is none.
  fileprivate var asKelvin: Outcome? {
    let kelvin = integer.map(Double.init) ?? double
    guard let kelvin else { return nil }
    if kelvin == 0 { return .noData("reported as 0") }
    guard kelvin.isFinite, (1...1000).contains(kelvin) else { return nil }
    return .ok(.double(((kelvin * 1000).rounded() - 273_150) / 1000))
  }

  /// A time in units of some seconds; 0 is none.
  fileprivate func asDuration(times seconds: Double) -> Outcome? {
    count { number in
      if number < 0 { return .failed("a negative time of \(number)") }
      return number == 0 ? .noData("reported as 0") : .ok(.double(Double(number) * seconds))
    }
  }

  /// A count; −1 is none.
  fileprivate var asCount: Outcome? {
    count { $0 >= 0 ? .ok(.int($0)) : .noData("reported as \($0)") }
  }

  /// Hundredths.
  fileprivate func asShare(_ name: String, upTo most: Int64) -> Outcome? {
    count(name, in: 0...most) { .ok(.double(Double($0) / 100)) }
  }

  /// Seconds since 1970 as a time; 0 is none.
  fileprivate var asUpdate: Outcome? {
    guard let seconds = integer else { return nil }
    if seconds == 0 { return .noData("not read yet") }
    let (moment, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow || moment < 0 ? nil : .ok(.time(moment))
  }

  /// The warnings as words.
  fileprivate var asWarnings: Outcome? {
    texts.map { $0.isEmpty ? .noData("none") : .ok(.string($0.joined(separator: " "))) }
  }
}
