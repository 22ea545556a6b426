import Gathering
import Machine
import Values

/// systemd-logind's seats, and its sessions where they may be asked for.
enum LoginSeats {
  static let seat = "org.freedesktop.login1.Seat"
  static let session = "org.freedesktop.login1.Session"

  private static let manager = BusService.ObjectInterface(LoginDaemon.path, LoginDaemon.manager)

  /// The manager and the seats; no session is asked for.
  static let seats = BusService(
    LoginDaemon.name,
    objects: .listed(
      by: BusService.Listing(
        manager, method: "ListSeats", added: "SeatNew", removed: "SeatRemoved", interface: seat),
      and: [manager]),
    propertySignals: [
      BusService.PropertySignal(manager, "PreparingForSleep", by: "PrepareForSleep", argument: 0),
      BusService.PropertySignal(
        manager, "PreparingForShutdown", by: "PrepareForShutdown", argument: 0),
    ],
    readings: [
      "ActiveSession", "IdleHint", "IdleSinceHint", "IdleSinceHintMonotonic", "BlockInhibited",
      "DelayInhibited",
    ],
    unit: LoginDaemon.service.unit, package: LoginDaemon.service.package)

  /// The sessions, which are personal.
  static let sessions = BusService(
    LoginDaemon.name,
    objects: .listed(
      by: BusService.Listing(
        manager, method: "ListSessions", added: "SessionNew", removed: "SessionRemoved",
        interface: session),
      and: []),
    unit: LoginDaemon.service.unit, package: LoginDaemon.service.package)
}

/// One session of logind's.
struct LoginSession {
  /// Its object, which is named by a counter.
  let path: String
  /// Its properties by name.
  var properties: [String: BusValue]
  /// Why its hints could not be asked for at this moment.
  var failure: BusFailure?

  /// Whether a user logged in by it: greeters and managers have none. Nil if that is not told.
  var isUsers: Bool? { properties["Class"]?.text.map { $0 == "user" } }
  /// Whether its user has logged out, and only some of its processes are left.
  var isOver: Bool { properties["State"]?.text == "closing" }
  /// The path of its seat, `/` for none.
  var seat: String? {
    guard case .structure(let members)? = properties["Seat"]?.plain else { return nil }
    return members.path
  }

  /// Whether a desktop tells logind of it: other sessions are judged by their terminals.
  var isGraphical: Bool {
    ["x11", "wayland", "mir"].contains(properties["Type"]?.text)
  }

  /// A property by a rule.
  func outcome(_ name: String, _ rule: (BusValue) -> Outcome?) -> Outcome {
    .of(properties[name], name, rule)
  }

  private var hintTime: Int64? { properties["IdleSinceHint"]?.integer }

  /// Whether it is idle; one that has never told is not taken to be used.
  var idle: Outcome {
    if let failure { return .from(failure, of: LoginSeats.sessions) }
    let hint = outcome("IdleHint") { $0.asFlag }
    guard hint.flag == false, hintTime == 0 else { return hint }
    if !isGraphical { return .noData("the session has no terminal to judge it by") }
    let isSway = properties["Desktop"]?.text == "sway"
    return .noData(
      "this desktop does not tell logind", remedy: isSway ? "run swayidle with idlehint" : "")
  }

  /// Since when it is idle.
  var idleSince: Outcome { outcome("IdleSinceHint") { $0.asMoment } }

  /// Since when it is idle on CLOCK_MONOTONIC, in nanoseconds.
  var idleSinceMonotonic: Int64? {
    properties["IdleSinceHintMonotonic"]?.integer.flatMap {
      let (moment, overflow) = $0.multipliedReportingOverflow(by: 1000)
      return overflow || moment <= 0 ? nil : moment
    }
  }

  /// Whether its screen is locked. Until it has set a hint, that it is not may be wrong.
  func locked(hasBeen: Bool) -> Outcome {
    var hint = outcome("LockedHint") { $0.asFlag }
    let hasTold = hasBeen || isGraphical && (hintTime ?? 0) != 0
    hint.isLowAccuracy = hint.flag == false && !hasTold
    return hint
  }
}

extension BusValue {
  /// Microseconds since 1970 as a time; 0 is none.
  var asMoment: Outcome? {
    guard let microseconds = integer else { return nil }
    if microseconds == 0 { return .noData("reported as 0") }
    let (moment, overflow) = microseconds.multipliedReportingOverflow(by: 1000)
    return overflow || moment < 0 ? nil : .ok(.time(moment))
  }
}
