import Gathering
import Ground
import Machine
import Values

/// Who is at the machine: whether its sessions are used, idle or locked.
struct Session: CatalogueKind {
  enum Field: Int, PropertyField {
    case present, idle, idleSince, idleTime, locked, sessionCount, type, desktop, user, since
    case preparingForSleep, preparingForShutdown, inhibited

    var property: Property {
      switch self {
      case .present: Property("present", .bool, .onChange, .derived, category: .activity)
      case .idle: Property("idle", .bool, .onChange, category: .activity)
      case .idleSince: Property("idle_since", .time, .onChange, category: .activity)
      case .idleTime:
        Property("idle_time", .double, unit: "s", .continuous, .derived, category: .activity)
      case .locked: Property("locked", .bool, .onChange, category: .activity)
      case .sessionCount:
        Property("session_count", .int, unit: "1", .onChange, category: .activity)
      case .type: Property("type", .enumeration(Self.types), .onChange)
      case .desktop: Property("desktop", .string, .onChange, category: .activity)
      case .user: Property("user", .string, .onChange, category: .activity)
      case .since: Property("since", .time, .onChange, category: .activity)
      case .preparingForSleep: Property("preparing_for_sleep", .bool, .onChange)
      case .preparingForShutdown: Property("preparing_for_shutdown", .bool, .onChange)
      case .inhibited: Property("inhibited", .string, .onChange)
      }
    }

    private static let types = ["unspecified", "tty", "x11", "wayland", "mir", "web"]
  }

  let kind = "session"
  let name = "Session"
  let intervals = Intervals(seconds: 10, minimum: 1, eventDriven: true)
  let topics: [ChangeTopic] = [.bus(LoginSeats.seats)]
  let hasAggregate = true
  static let table = Field.properties

  /// The notice that a session has changed: sessions are watched only where that is allowed.
  static let changes = ChangeTopic.report(service: "login1", of: "sessions")
  /// Where sessions without a seat are.
  static let remote = "remote"
  /// What a seat without a user has.
  static let vacant = Absence("no user is logged in there")

  /// What a reading has besides its outcomes; one of a simulation has none.
  struct Facts {
    /// Whether it is of the sessions without a seat.
    var isRemote = false
    /// For how long the sessions are idle, in nanoseconds, if that is told.
    var idleTime: Int64?

    init(isRemote: Bool, idleTime: Int64? = nil) {
      self.isRemote = isRemote
      self.idleTime = idleTime
    }

    init(of reading: Reading) {
      isRemote = reading.counters.first == 1
      idleTime = reading.counters.count > 1 ? reading.counters[1] : nil
    }

    var counters: [Int64] { [isRemote ? 1 : 0] + (idleTime.map { [$0] } ?? []) }
  }

  /// The seats by name, and the sessions without a seat, after the aggregate of all.
  func discover(on machine: Machine) -> Discovery {
    let service = LoginSeats.seats
    let view = machine.view(of: service)
    if let obstacle = Availability.obstacle(service, on: machine, view: view) {
      return Discovery([], orElse: obstacle)
    }
    let available = Availability(.available, backend: service.backend)
    let seats = (view?.paths(with: LoginSeats.seat) ?? []).map { path in
      let name = view?.object(path, LoginSeats.seat)?[LoginSeats.seat, "Id"]?.text ?? ""
      return (path: path, name: name.isEmpty ? String(path.split(separator: "/").last ?? "") : name)
    }
    let sorted = seats.sorted { NaturalOrder.areInIncreasingOrder($0.name, $1.name) }
    var found = sorted.map {
      Instance($0.name, label: "Seat \($0.name)", availability: available, path: $0.path)
    }
    found.append(Instance(Self.remote, label: "Remote sessions", availability: available))
    for place in found.indices { found[place].topics = [Self.changes] }
    let all = Instance.aggregate(available, label: "All sessions")
    return Discovery([all] + found.withDistinctNames(), orElse: available)
  }

  /// Opens a seat, or the sessions without one.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    instance.isAggregate ? nil : SessionReader(at: instance.path, on: machine)
  }

  /// Computes whether a user is present, and for how long none has been.
  func derive(_ reading: inout Reading) {
    let idle = reading[Field.idle]
    if idle.absence == Self.vacant || reading[Field.locked].flag == true {
      reading.set(Field.present, to: false)
    } else {
      reading[Field.present] = idle.flag.map { .ok(.bool(!$0)) } ?? idle.asMissingInput
    }
    guard idle.flag == true else {
      return reading[Field.idleTime] = idle.flag == nil ? idle.asMissingInput : .ok(.double(0))
    }
    let since = reading[Field.idleSince]
    if let nanoseconds = Facts(of: reading).idleTime {
      reading[Field.idleTime] = .ok(.double(Double(nanoseconds) / 1e9))
    } else if since.status == .ok, case .time(let moment) = since.value {
      let (span, overflow) = reading.instant.realtime.subtractingReportingOverflow(moment)
      reading[Field.idleTime] = .ok(.double(overflow ? 0 : Double(max(0, span)) / 1e9))
    } else {
      reading[Field.idleTime] = since.asMissingInput
    }
  }
}

extension Session {
  /// All seats and the remote sessions as one.
  func combine(_ members: [Reading], into aggregate: inout Reading) {
    aggregate[Field.present] = members.any(Field.present, noMember: Self.vacant.reason)
    if let unknown = members.first(where: { $0[Field.present].flag == nil }),
      aggregate[Field.present].flag != true
    {
      aggregate[Field.present] = unknown[Field.present].asMissingInput
    }
    combineIdle(members, into: &aggregate)
    aggregate[Field.locked] = Self.all(Field.locked, members.filter { !Facts(of: $0).isRemote })
    let unknown = members.first { $0[Field.sessionCount].integer == nil }
    aggregate[Field.sessionCount] =
      unknown?[Field.sessionCount].asMissingInput
      ?? members.sum(Field.sessionCount, noMember: Self.vacant.reason)
    for field in [Field.type, .desktop, .user, .since] {
      aggregate[field] = Self.only(field, members)
    }
    guard !members.isEmpty else { return }
    for field in [Field.preparingForSleep, .preparingForShutdown, .inhibited] {
      aggregate.set(field.rawValue, asIn: members, at: 0)
    }
  }

  /// The machine is idle since its last session is.
  private func combineIdle(_ members: [Reading], into aggregate: inout Reading) {
    let idle = Self.all(Field.idle, members)
    aggregate[Field.idle] = idle
    guard idle.flag == true else {
      aggregate[Field.idleSince] = idle.flag == nil ? idle.asMissingInput : Self.notIdle
      aggregate[Field.idleTime] = idle.flag == nil ? idle.asMissingInput : .ok(.double(0))
      return
    }
    let used = members.filter { $0[Field.idle].absence != Self.vacant }
    aggregate[Field.idleSince] = Self.last(used.map { $0[Field.idleSince] })
    let times = used.map { $0[Field.idleTime] }
    aggregate[Field.idleTime] =
      times.first { $0.number == nil }?.asMissingInput
      ?? .ok(.double(times.compactMap(\.number).min() ?? 0))
  }

  static let notIdle = Outcome.noData("not idle")

  /// The latest of some times; one that is not known may be the latest.
  static func last(_ times: [Outcome]) -> Outcome {
    if let unknown = times.first(where: { $0.status != .ok }) { return unknown.asMissingInput }
    let moments = times.compactMap { if case .time(let moment) = $0.value { moment } else { nil } }
    return moments.max().map { .ok(.time($0)) } ?? notIdle
  }

  /// Whether something holds for all sessions there are: not if it does not for one, and unknown
  /// while it is of one.
  static func all(_ outcomes: [Outcome]) -> Outcome {
    if let other = outcomes.first(where: { $0.flag == false }) { return other }
    let unknown = outcomes.first { $0.flag == nil }
    return unknown?.asMissingInput ?? outcomes.first { $0.isLowAccuracy } ?? outcomes.first
      ?? Outcome(status: .noData, absence: vacant)
  }

  private static func all(_ field: Field, _ members: [Reading]) -> Outcome {
    all(members.map { $0[field] }.filter { $0.absence != vacant })
  }

  /// What the only session has.
  private static func only(_ field: Field, _ members: [Reading]) -> Outcome {
    let used = members.map { $0[field] }.filter { $0.absence != vacant }
    return only(used)
  }

  static func only(_ outcomes: [Outcome]) -> Outcome {
    switch outcomes.count {
    case 0: Outcome(status: .noData, absence: vacant)
    case 1: outcomes[0]
    default: outcomes.first { $0.status == .permission } ?? .noData("several sessions")
    }
  }
}
