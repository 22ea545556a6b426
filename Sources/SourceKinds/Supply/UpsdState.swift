import Gathering
import Ground
import Machine
import Values

/// The state of the one connection to upsd. Its methods make decisions and return the actions to
/// carry out.
struct UpsdState: Sendable {
  enum Phase: Equatable, Sendable {
    case closed, connecting, connected
    /// Refused or lost; it is tried again.
    case lost
  }

  /// What of the list others see: it is told when it is another one.
  private struct Listing: Equatable, Sendable {
    var failure: Int32?
    var names: [ExactText] = []
    var troubles: [UpsdDevice.Standing] = []
  }

  /// How long one answer may take, in nanoseconds.
  static let courtesy: Int64 = 1_800_000_000
  /// How long an explicit request accepts a failed attempt.
  static let rest: Int64 = 2_000_000_000
  /// How many devices are asked for how they are with the list.
  static let portion = 64

  private(set) var phase = Phase.closed
  /// The errno of the last attempt that failed, until one comes off.
  private(set) var failure: Int32?
  private(set) var devices: [UpsdDevice] = []
  private var listeners = 0
  /// How many of them want to know which devices there are.
  private var lookers = 0
  private var generation = 0
  private var connection: (any LineConnection)?
  /// Whether the connection is there, answered or not.
  private var isOpen = false
  private var answer: (UpsdAnswer, deadline: Int64)?
  private var questions: [UpsdAnswer.Question] = []
  private var lostAt = Int64.min
  private var listDue = Int64.max
  /// When devices in trouble are asked again, and how long after that.
  private var troubleDue = Int64.max
  private var delays = RetryDelays()
  private var told = Listing()

  /// Whether nothing that is under way may change the list.
  var isSettled: Bool {
    switch phase {
    case .closed, .lost: true
    case .connecting: false
    case .connected: answer == nil && questions.isEmpty
    }
  }

  // MARK: Listeners

  /// Counts a listener; the connection to be called, if there is one.
  mutating func beginListening(toList isLooker: Bool) -> (any LineConnection)? {
    listeners += 1
    guard isLooker else { return nil }
    lookers += 1
    ask(.devices)
    return connection
  }

  /// The number of the connection to be made, if one is wanted.
  mutating func beginConnecting() -> Int? {
    guard phase == .closed, listeners > 0 else { return nil }
    generation += 1
    (phase, isOpen) = (.connecting, false)
    return generation
  }

  /// The number of the connection to be made in place of one that was lost 2 s ago or earlier, and
  /// the one to be ended.
  mutating func beginAnew(at now: Int64) -> (generation: Int, old: (any LineConnection)?)? {
    guard phase == .lost, listeners > 0, now - lostAt >= Self.rest else { return nil }
    generation += 1
    (phase, isOpen) = (.connecting, false)
    if lookers > 0 { ask(.devices) }
    defer { connection = nil }
    return (generation, connection)
  }

  /// Keeps a connection, unless a newer one is meant or no source listens by now.
  mutating func keep(_ connection: any LineConnection, _ generation: Int) -> Bool {
    guard generation == self.generation, listeners > 0 else { return false }
    self.connection = connection
    return true
  }

  /// The connection to end, if the last listener was removed.
  mutating func endListening(toList isLooker: Bool) -> (any LineConnection)? {
    listeners -= 1
    if isLooker { lookers -= 1 }
    guard listeners == 0 else { return nil }
    generation += 1
    (phase, isOpen) = (.closed, false)
    (answer, questions) = (nil, [])
    defer { connection = nil }
    return connection
  }

  /// Asks about a device, before all else; how many answers there were so far, and the connection
  /// to be called.
  mutating func ask(about name: String) -> (answers: Int, connection: (any LineConnection)?) {
    let question = UpsdAnswer.Question.variables(of: name)
    if answer?.0.question != question && !questions.contains(question) {
      questions.insert(question, at: 0)
    }
    return (device(name)?.answers ?? 0, connection)
  }

  func device(_ name: String) -> UpsdDevice? { devices.first { $0.name.isSpelt(name) } }

  private mutating func ask(_ question: UpsdAnswer.Question) {
    if answer?.0.question != question && !questions.contains(question) {
      questions.append(question)
    }
  }

  // MARK: Events

  /// Handles an event; also whether the list is another one now.
  mutating func handle(
    _ event: LineEvent, _ generation: Int, at now: Int64
  ) -> (LineResponse, isListNew: Bool) {
    guard generation == self.generation else {
      return (LineResponse(hangUp: SystemText.notPermitted), false)
    }
    var response = LineResponse()
    switch event {
    case .opened:
      isOpen = true
      if lookers > 0 || devices.isEmpty { ask(.devices) }
    case .line(let line): take(line, at: now, &response)
    case .silence, .called: break
    case .closed(let error): lose(error.code, at: now)
    }
    if let answer, now >= answer.deadline { response.hangUp = SystemText.timedOut }
    if response.hangUp == nil && isOpen { proceed(at: now, &response) }
    return (response, isListNew())
  }

  private mutating func lose(_ code: Int32, at now: Int64) {
    phase = .lost
    failure = code
    lostAt = now
    isOpen = false
    (answer, questions) = (nil, [])
    for index in devices.indices { devices[index].forget() }
  }

  /// Asks the next question, unless an answer is still to come.
  private mutating func proceed(at now: Int64, _ response: inout LineResponse) {
    if now >= listDue && lookers > 0 {
      ask(.devices)
      for device in devices.prefix(Self.portion) { ask(.variables(of: device.name)) }
      listDue = now + UpsdLink.freshness
    }
    if now >= troubleDue {
      for device in devices where device.isInTrouble { ask(.variables(of: device.name)) }
      troubleDue = now + delays.next()
    }
    if answer == nil, !questions.isEmpty {
      let next = UpsdAnswer(to: questions.removeFirst())
      response.send = Array(next.text.utf8)
      answer = (next, now + Self.courtesy)
    }
    let moments = [answer?.deadline, lookers > 0 ? listDue : nil, troubleDue].compactMap(\.self)
    let next = moments.min() ?? .max
    response.patience = next == .max ? nil : max(0, next - now)
  }

  private mutating func take(_ line: [UInt8], at now: Int64, _ response: inout LineResponse) {
    guard let step = answer?.0.take(line), let question = answer?.0.question else { return }
    switch (step, question) {
    case (.goesOn, _): return
    case (.isForeign, _): response.hangUp = SystemText.unknownProtocol
    case (.fails("ACCESS-DENIED"), .devices): response.hangUp = SystemText.accessDenied
    case (.fails, .devices): response.hangUp = SystemText.unknownProtocol
    case (.ends, .devices): list(answer?.0.rows ?? [], at: now)
    case (.fails("UNKNOWN-UPS"), .variables(let name)):
      devices.removeAll { $0.name.isSpelt(name) }
      ask(.devices)
    case (.fails(let word), .variables(let name)):
      change(name, at: now) { $0.fail(word, at: now) }
    case (.ends, .variables(let name)):
      let rows = answer?.0.rows ?? []
      change(name, at: now) { $0.take(rows, at: now) }
    }
    if response.hangUp != nil { return }
    answer = nil
    (phase, failure) = (.connected, nil)
    response.isGood = true
  }

  private mutating func list(_ rows: [(name: String, value: [UInt8])], at now: Int64) {
    var listed: [UpsdDevice] = []
    var names: Set<ExactText> = []
    for row in rows where names.insert(ExactText(row.name)).inserted {
      var device = device(row.name) ?? UpsdDevice(row.name, description: row.value)
      device.description = row.value
      listed.append(device)
    }
    devices = listed
    listDue = now + UpsdLink.freshness
    for device in devices.prefix(Self.portion) where device.standing == .unknown {
      ask(.variables(of: device.name))
    }
  }

  private mutating func change(
    _ name: String, at now: Int64, _ change: (inout UpsdDevice) -> Void
  ) {
    guard let index = devices.firstIndex(where: { $0.name.isSpelt(name) }) else { return }
    change(&devices[index])
    let isTrouble = devices.contains(where: \.isInTrouble)
    if !isTrouble {
      (troubleDue, delays) = (.max, RetryDelays())
    } else if troubleDue == .max {
      troubleDue = now + delays.next()
    }
  }

  /// Whether the list is another one than was told last, once all questions about it are answered.
  private mutating func isListNew() -> Bool {
    guard isSettled, phase != .closed else { return false }
    let isLost = phase == .lost
    let listing = Listing(
      failure: failure, names: isLost ? [] : devices.map { ExactText($0.name) },
      troubles: isLost ? [] : devices.map { $0.isInTrouble ? $0.standing : .fresh })
    defer { told = listing }
    return told != listing
  }
}
