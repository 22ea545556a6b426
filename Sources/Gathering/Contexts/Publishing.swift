import Ground
import Synchronization

/// How what a session's outbox holds reaches its listeners.
extension Context: SessionDeliverer {
  /// Queues the delivery of a session's outbox for the loop, once however much it holds: a host
  /// that never dispatches must not pay for it.
  func post(_ delivery: SessionDelivery) {
    guard core.withLock({ $0.beginPost(of: delivery.session) }) else { return }
    dispatcher.post(.deliverAll(delivery.session))
  }

  /// The same for several sessions, which the loop is asked for once.
  func post(_ deliveries: [SessionDelivery]) {
    if deliveries.isEmpty { return }
    dispatcher.post(
      core.withLock { state in
        var posted = PostedSessions()
        for delivery in deliveries { state.post(delivery, among: &posted) }
        return posted
      })
  }

  /// Queues the delivery of events caused by a call.
  @discardableResult
  func cause(_ delivery: SessionDelivery) -> UInt64 {
    dispatcher.cause(.deliver(delivery.session, through: delivery.serial))
  }

  /// Delivers all that waits of a session, in turn.
  func deliverAll(_ session: SessionState) {
    let thread = CurrentThread.identity
    var serial: UInt64 = 0
    let only = core.withLock { _ -> FanOut? in
      session.isPosted = false
      if let update = session.takeOnlyUpdate() { return session.show(update, to: thread) }
      serial = session.outbox.lastSerial
      return nil
    }
    if let only { serial = hand(only, of: session) }
    if serial > 0 { deliver(session, through: serial) }
  }

  /// Delivers what waits of a session up to a number, in turn.
  func deliver(_ session: SessionState, through serial: UInt64) {
    let thread = CurrentThread.identity
    let first = core.withLock { $0.takeItem(of: session, through: serial, on: thread) }
    deliver(first, of: session, through: serial, on: thread)
  }

  /// Delivers an item that was taken, and what waits behind it up to a number.
  private func deliver(
    _ first: TakenItem?, of session: SessionState, through serial: UInt64, on thread: UInt
  ) {
    var (next, serial) = (first, serial)
    while let item = next {
      let former = serial
      switch item.content {
      case .event(let event, let listeners): dispatcher.deliver(event, to: listeners)
      case .reading(let fanOut): serial = max(serial, hand(fanOut, of: session))
      case .rows(let slices, let fanOut):
        serial = max(serial, hand(slices, fanOut, of: session))
      }
      if item.isLast && serial == former { return }
      next = core.withLock { $0.takeItem(of: session, through: serial, on: thread) }
    }
  }

  /// Calls listeners with a reading; up to which item of the outbox the caller is to go on.
  @_optimize(speed)
  func hand(_ fanOut: FanOut, of session: SessionState) -> UInt64 {
    if let handle = session.handle.pointer, !fanOut.listeners.types.contains(.closures) {
      dispatcher.deliver(fanOut, as: handle, of: session.gate, update: nil)
    } else {
      deliver(fanOut, of: session)
    }
    return session.endFanOut()
  }

  private func deliver(_ fanOut: FanOut, of session: SessionState) {
    let hasClosures = fanOut.listeners.types.contains(.closures)
    let update = hasClosures ? SourceUpdate(.reading(fanOut.reading.block)) : nil
    deliver(fanOut, of: session, update)
  }

  /// The same with rows of a stream, which functions of the C interface get one behind the other.
  private func hand(_ slices: [RowSlice], _ fanOut: FanOut, of session: SessionState) -> UInt64 {
    let types = fanOut.listeners.types
    let update = types.contains(.closures) ? SourceUpdate(.rows(slices)) : nil
    let rows = types.contains(.rowFunctions) ? FlatRows(slices) : nil
    let batch = RowBatch(slices)
    var whole = fanOut
    if let rows { whole.reading.show(rows) }
    whole.reading.show(batch)
    deliver(whole, of: session, update)
    withExtendedLifetime((rows, batch)) {}
    return session.endFanOut()
  }

  private func deliver(_ fanOut: FanOut, of session: SessionState, _ update: SourceUpdate?) {
    if let handle = session.handle.pointer {
      return dispatcher.deliver(fanOut, as: handle, of: session.gate, update: update)
    }
    var isLent = false
    if !fanOut.listeners.types.isDisjoint(with: .functions) {
      session.lender?.lend { handle in
        isLent = true
        dispatcher.deliver(fanOut, as: handle, of: session.gate, update: update)
      }
    }
    if !isLent { dispatcher.deliver(fanOut, as: nil, of: session.gate, update: update) }
  }
}

/// What comes of a reading on request.
enum Publication {
  case none
  /// The update waits, behind others that this call or others caused.
  case caused(SessionDelivery)
  /// The thread has taken the turn to deliver the update.
  case taken(FanOut)
}

extension CoreState {
  /// The instance that an update on request, within nanoseconds, is to read, if it is there and the
  /// caller may read it itself; what is to be asked, and at which boot time a look at the machine
  /// is due. Nil also while the next reading is to show an event's time, which is asked for once.
  @_optimize(speed)
  mutating func planDirect(
    _ session: SessionState, within limit: Int64, sparing isSparing: Bool,
    _ asked: inout ReadRequest,
    before deadline: inout Int64
  ) -> ProducerState? {
    guard !isClosed, let instance = session.instance, instance.directness.includes(limit: limit),
      let last = kinds[session.kindIndex].lookedAnewAt, instance.eventTime == nil,
      instance.isUsable(allowing: allowance)
    else { return nil }
    deadline = last + Self.lookInterval
    asked = request(of: instance)
    asked.scope = isSparing ? .changing : .everything
    asked.isSparing = isSparing
    return instance
  }

  /// Stores a reading and makes it the latest update of the session that asked for it. If it has
  /// listeners and the turn is free, the calling thread has the turn afterwards.
  @_optimize(speed)
  mutating func publish(
    _ reading: borrowing Reading, of instance: ProducerState, scope: ReadRequest.Scope,
    to session: SessionState, by dispatcher: Dispatcher
  ) -> Publication {
    if isClosed { return .none }
    take(reading, of: instance, scope: scope)
    let isFresh = session.makeUpdate(of: instance, at: reading.instant)
    let thread = CurrentThread.identity
    session.showLatest(to: thread)
    if session.hasNoListeners && session.phase != .updating { return .none }
    let mayEnd = session.phase == .updating && (instance.failure != nil || instance.hasOneShot)
    let isFirst =
      !mayEnd && session.outbox.isEmpty && !session.isFanningOut
      && !dispatcher.hasCaused.load(ordering: .relaxed)
    if isFirst, !session.hasNoListeners, dispatcher.turn.tryTake() == .taken {
      if session.phase == .updating {
        _ = session.review(instance, isFresh: isFresh, isAsked: true)
      }
      return .taken(session.beginFanOut(on: thread))
    }
    var last: SessionDelivery?
    if !session.hasNoListeners {
      let serial = session.outbox.append(.update(session.latest))
      last = SessionDelivery(session: session, serial: serial)
    }
    last = session.review(instance, isFresh: isFresh, isAsked: true) ?? last
    return last.map(Publication.caused) ?? .none
  }
}
