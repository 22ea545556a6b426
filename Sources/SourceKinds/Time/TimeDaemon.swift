import Gathering
import Machine
import Values

/// systemd-timesyncd, which is asked anew each time: it announces few of its properties.
struct TimeDaemon {
  private typealias Field = SystemClock.Field

  static let name = "org.freedesktop.timesync1"
  static let path = "/org/freedesktop/timesync1"
  static let manager = "org.freedesktop.timesync1.Manager"

  private static let service = BusService(
    name, objects: .fixed([BusService.ObjectInterface(path, manager)]),
    unit: "systemd-timesyncd.service", package: "systemd-timesyncd")

  private let bus: any MessageBus
  private let call = RepeatedCall()

  init(on bus: any MessageBus) { self.bus = bus }

  /// How long it is waited for.
  private static let patience: Int64 = 500_000_000

  /// What it tells; nil where it does not run. It is never started.
  func report() -> ClockReport? {
    call.send(
      BusCall(
        Self.name, Self.path, "org.freedesktop.DBus.Properties", "GetAll",
        [.string(Self.manager)]), on: bus)
    switch call.newReply(within: Self.patience) {
    case .success(let values)?:
      return ClockReport(
        service: "timesyncd", values: Self.values(of: values.first?.named ?? [:]))
    case .failure(let failure)?:
      switch failure.cause {
      case .notRunning, .noBus, .noLibrary: return nil
      default: return Self.failing(.from(failure, of: Self.service))
      }
    case nil: return Self.failing(.from(.timedOut(Self.name), of: Self.service))
    }
  }

  private static func failing(_ outcome: Outcome) -> ClockReport {
    var report = ClockReport(service: "timesyncd", values: [:])
    for field in ClockReport.fields { report.values[field] = (outcome, nil) }
    return report
  }

  private static func values(of properties: [String: BusValue]) -> [Field: ReportedValue] {
    var values = message(properties["NTPMessage"])
    values[.server] = server(properties)
    let interval = properties["PollIntervalUSec"]
    values[.pollInterval] = (
      .of(interval, "PollIntervalUSec") { $0.seconds },
      interval.map { RawValue($0, place: "\(manager).PollIntervalUSec") }
    )
    return values
  }

  private static func server(_ properties: [String: BusValue]) -> ReportedValue {
    let name = properties["ServerName"]
    if let text = name?.text, !text.isEmpty {
      return (.ok(.string(text)), name.map { RawValue($0, place: "\(manager).ServerName") })
    }
    let address = properties["ServerAddress"]
    guard case .structure(let parts)? = address?.plain, parts.count == 2,
      let bytes = parts[1].bytes, bytes.count == 4 || bytes.count == 16
    else { return (.noData("timesyncd has no server"), nil) }
    return (
      .ok(.string(InterfaceAddress.text(of: bytes))),
      address.map { RawValue($0, place: "\(manager).ServerAddress") }
    )
  }

  // MARK: The message

  /// The members of NTPMessage, of type (uuuuittayttttbtt).
  private enum Member: Int {
    case leap, version, mode, stratum, precision, rootDelay, rootDispersion, reference
    case origin, receive, transmit, destination, isIgnored, count, jitter
  }

  /// What the last answer of a server says, in microseconds.
  private static func message(_ message: BusValue?) -> [Field: ReportedValue] {
    let fields: [Field] = [
      .offset, .rootDelay, .rootDispersion, .jitter, .stratum, .leap, .lastUpdate,
    ]
    let all = { (outcome: Outcome) -> [Field: ReportedValue] in
      var values: [Field: ReportedValue] = [:]
      for field in fields { values[field] = (outcome, nil) }
      return values
    }
    guard let message else { return all(.noData("NTPMessage is not known")) }
    guard case .structure(let members) = message.plain,
      message.plain.typeSignature == "(uuuuittayttttbtt)"
    else {
      return all(.failed("NTPMessage is of type \(message.plain.typeSignature)"))
    }
    let value = { (member: Member) in members[member.rawValue] }
    if value(.count).integer == 0 || value(.isIgnored).flag == true {
      return all(.noData("timesyncd has no answer of a server"))
    }
    let raw = { (member: Member) in
      RawValue(value(member), place: "\(manager).NTPMessage.\(member)")
    }
    return [
      .offset: (offset(of: [.origin, .receive, .transmit, .destination].map(value)), nil),
      .rootDelay: (.of(value(.rootDelay), "delay") { $0.seconds }, raw(.rootDelay)),
      .rootDispersion: (
        .of(value(.rootDispersion), "dispersion") { $0.seconds }, raw(.rootDispersion)
      ),
      .jitter: (.of(value(.jitter), "jitter") { $0.seconds }, raw(.jitter)),
      .stratum: (.ok(.int(value(.stratum).integer ?? 0)), raw(.stratum)),
      .leap: (leap(value(.leap).integer), raw(.leap)),
      .lastUpdate: (
        .of(value(.destination), "destination") { $0.asMoment }, raw(.destination)
      ),
    ]
  }

  /// ((receive − origin) + (transmit − destination)) ÷ 2, in microseconds.
  private static func offset(of times: [BusValue]) -> Outcome {
    let moments = times.compactMap(\.integer)
    // So far from now no difference overflows.
    let limit: Int64 = 1 << 60
    guard moments.count == 4, moments.allSatisfy({ (1..<limit).contains($0) }) else {
      return .failed("the times of NTPMessage are implausible")
    }
    let sum = (moments[1] - moments[0]) + (moments[2] - moments[3])
    return .ok(.double(Double(sum) / 2e6))
  }

  private static func leap(_ number: Int64?) -> Outcome {
    let words = SystemClock.Field.leaps
    guard let number, (0..<Int64(words.count)).contains(number) else {
      return .failed("leap of NTPMessage is \(number ?? -1)")
    }
    return .ok(.string(words[Int(number)]))
  }
}

extension BusValue {
  /// Microseconds as seconds.
  fileprivate var seconds: Outcome? {
    guard case .uint64(let number) = plain else { return nil }
    return .ok(.double(Double(number) / 1e6))
  }
}
