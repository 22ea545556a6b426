import Gathering
import Ground
import Machine
import Values

/// Reads the session of one seat, or those without a seat.
///
/// The sessions are watched while that is allowed. What a text session does is not announced: it is
/// asked for at each reading.
final class SessionReader: InstanceReader {
  private typealias Field = Session.Field

  /// The path of the seat, empty for the sessions without one.
  private let seat: String
  private let machine: Machine
  private let watch: (any Cancellable)?
  /// The watch of the sessions, while it is allowed.
  private var sessions: (any Cancellable)?
  private var calls: [String: RepeatedCall] = [:]
  /// The sessions that have been locked.
  private var lockers: Set<String> = []
  private var raws: [Int: RawValue] = [:]

  init(at seat: String, on machine: Machine) {
    self.seat = seat
    self.machine = machine
    watch = machine.bus?.watch(LoginSeats.seats) {}
  }

  deinit {
    watch?.cancel()
    sessions?.cancel()
  }

  /// logind may have to be waited for.
  var mayBlock: Bool { true }

  private static let limit: Int64 = 900_000_000
  private static let unasked = Outcome.permission(
    "no session is asked for", remedy: PrivacyCategory.activity.remedy)

  func read(_ request: ReadRequest, into reading: inout Reading) {
    let view = machine.bus?.view(of: LoginSeats.seats, waiting: Self.limit)
    raws = [:]
    readManager(view, into: &reading)
    guard request.allow.permits(.activity) else {
      sessions?.cancel()
      (sessions, calls, lockers) = (nil, [:], [])
      return reading[Field.type] = Self.unasked
    }
    if sessions == nil {
      let notices = machine.notices
      sessions = machine.bus?.watch(LoginSeats.sessions) {
        notices?.send(ChangeNotice(topic: Session.changes))
      }
    }
    switch speakers(view) {
    case .success(let speakers): read(speakers, into: &reading)
    case .failure(let unknown):
      for field in Self.own { reading[field] = unknown.outcome }
      reading.counters = Session.Facts(isRemote: seat.isEmpty).counters
    }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? { raws[index] }

  private static let own: [Field] = [
    .idle, .idleSince, .locked, .sessionCount, .type, .desktop, .user, .since,
  ]

  private func readManager(_ view: BusView?, into reading: inout Reading) {
    let manager = view?.object(LoginDaemon.path, LoginDaemon.manager)
    let facts: [(Field, String, (BusValue) -> Outcome?)] = [
      (.preparingForSleep, "PreparingForSleep", \.asFlag),
      (.preparingForShutdown, "PreparingForShutdown", \.asFlag),
      (.inhibited, "BlockInhibited", \.asInhibitions),
    ]
    for (field, name, rule) in facts {
      guard let manager else {
        reading[field] = .noData("logind has not answered")
        continue
      }
      let reported = manager.reported(LoginDaemon.manager, name, rule)
      reading[field] = reported.outcome
      raws[field.rawValue] = reported.raw
    }
  }

  // MARK: Sessions

  private struct Unknown: Error {
    let outcome: Outcome
  }

  /// The sessions that speak for the instance: the active one of a seat, or all without a seat; and
  /// how many it has.
  private typealias Speakers = (sessions: [LoginSession], count: Int)

  private func speakers(_ seats: BusView?) -> Result<Speakers, Unknown> {
    guard let view = machine.bus?.view(of: LoginSeats.sessions, waiting: Self.limit) else {
      return .failure(Unknown(outcome: .noData("this machine has no message bus")))
    }
    if case .absent(let failure) = view.state {
      return .failure(Unknown(outcome: .from(failure, of: LoginSeats.sessions)))
    }
    guard view.isRunning else {
      return .failure(Unknown(outcome: .noData("logind has not answered")))
    }
    let all = renewed(view).filter { !$0.isOver }
    if let odd = all.first(where: { $0.isUsers == nil || $0.seat == nil }) {
      let name = odd.isUsers == nil ? "Class" : "Seat"
      return .failure(Unknown(outcome: odd.outcome(name) { _ in nil }))
    }
    let home = seat.isEmpty ? "/" : seat
    let own = all.filter { $0.isUsers == true && $0.seat == home }
    if seat.isEmpty { return .success((own, own.count)) }
    guard let active = seats?.object(seat, LoginSeats.seat)?[LoginSeats.seat, "ActiveSession"],
      case .structure(let members) = active.plain, let path = members.path
    else { return .failure(Unknown(outcome: .noData("ActiveSession is not known"))) }
    if path == "/" { return .success(([], own.count)) }
    // One that has only just begun is known to its seat first.
    guard all.contains(where: { $0.path == path }) else {
      return .failure(Unknown(outcome: .noData("logind does not report the session at present")))
    }
    return .success((own.filter { $0.path == path }, own.count))
  }

  /// The sessions, those judged by a terminal asked anew.
  private func renewed(_ view: BusView) -> [LoginSession] {
    let paths = view.paths(with: LoginSeats.session).sorted(by: NaturalOrder.areInIncreasingOrder)
    let known = paths.map { path in
      LoginSession(
        path: path, properties: view.objects[path]?.interfaces[LoginSeats.session] ?? [:])
    }
    let mine = known.filter { !$0.isGraphical && $0.isUsers == true && isHere($0) }.map(\.path)
    for path in mine { ask(path) }
    calls = calls.filter { mine.contains($0.key) }
    let end = Monitor<Void>.moment(after: Self.limit)
    return known.compactMap { session in
      guard let call = calls[session.path] else { return session }
      var session = session
      switch call.newReply(within: max(0, end - Monitor<Void>.moment(after: 0))) {
      case .success(let values)?:
        session.properties.merge(values.first?.named ?? [:]) { $1 }
      case .failure(let failure)?:
        // It has ended since it was listed.
        if failure.cause == .noObject { return nil }
        session.failure = failure
      case nil: session.failure = .timedOut(LoginDaemon.name)
      }
      return session
    }
  }

  private func isHere(_ session: LoginSession) -> Bool {
    session.seat == (seat.isEmpty ? "/" : seat)
  }

  private func ask(_ path: String) {
    guard let bus = machine.bus else { return }
    let call = calls[path] ?? RepeatedCall()
    calls[path] = call
    call.send(
      BusCall(
        LoginDaemon.name, path, "org.freedesktop.DBus.Properties", "GetAll",
        [.string(LoginSeats.session)]), on: bus)
  }

  private func read(_ speakers: Speakers, into reading: inout Reading) {
    let sessions = speakers.sessions
    for session in sessions where session.properties["LockedHint"]?.flag == true {
      lockers.insert(session.path)
    }
    let idle = Session.all(sessions.map(\.idle))
    reading[Field.idle] = idle
    reading[Field.idleSince] =
      switch idle.flag {
      case true?: Session.last(sessions.map(\.idleSince))
      case false?: Session.notIdle
      case nil: idle.asMissingInput
      }
    let facts = Session.Facts(isRemote: seat.isEmpty, idleTime: idleTime(sessions))
    reading.counters = facts.counters
    reading[Field.locked] = Session.all(
      sessions.map { $0.locked(hasBeen: lockers.contains($0.path)) })
    reading[Field.sessionCount] = .ok(.int(Int64(speakers.count)))
    let texts: [(Field, String, (BusValue) -> Outcome?)] = [
      (.type, "Type", \.asText), (.desktop, "Desktop", \.asText), (.user, "Name", \.asText),
      (.since, "Timestamp", \.asMoment),
    ]
    for (field, name, rule) in texts {
      reading[field] = Session.only(sessions.map { $0.outcome(name, rule) })
    }
    note(sessions, texts.map { ($0.0, $0.1) })
  }

  /// How long the sessions have been idle, in nanoseconds; nil if that is not told.
  private func idleTime(_ sessions: [LoginSession]) -> Int64? {
    let moments = sessions.compactMap(\.idleSinceMonotonic)
    guard let last = moments.max(), moments.count == sessions.count else { return nil }
    return max(0, Monitor<Void>.moment(after: 0) - last)
  }

  /// Keeps what the values of an only session came from.
  private func note(_ sessions: [LoginSession], _ facts: [(Field, String)]) {
    guard sessions.count == 1 else { return }
    let hints: [(Field, String)] = [
      (.idle, "IdleHint"), (.idleSince, "IdleSinceHint"), (.locked, "LockedHint"),
    ]
    for (field, name) in hints + facts {
      raws[field.rawValue] = sessions[0].properties[name].map {
        RawValue($0, place: "\(LoginSeats.session).\(name)")
      }
    }
  }
}

extension BusValue {
  /// What programs forbid, as words.
  fileprivate var asInhibitions: Outcome? {
    guard let text else { return nil }
    let words = text.split(separator: ":").joined(separator: " ")
    return words.isEmpty ? .noData("nothing is inhibited") : .ok(.string(words))
  }
}
