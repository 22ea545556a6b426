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
    let jobs = core.withLock { state in
      deliveries.compactMap { delivery in
        state.beginPost(of: delivery.session) ? Job.deliverAll(delivery.session) : nil
      }
    }
    dispatcher.post(jobs)
  }

  /// Queues the delivery of events caused by a call.
  @discardableResult
  func cause(_ delivery: SessionDelivery) -> UInt64 {
    dispatcher.cause(.deliver(delivery.session, through: delivery.serial))
  }

  /// Delivers all that waits of a session, in turn.
  func deliverAll(_ session: SessionState) {
    let last = core.withLock { _ in
      session.isPosted = false
      return session.outbox.lastSerial
    }
    deliver(session, through: last)
  }

  /// Delivers what waits of a session up to a number, in turn.
  func deliver(_ session: SessionState, through serial: UInt64) {
    let thread = CurrentThread.identity
    var serial = serial
    while let item = core.withLock({ $0.takeItem(of: session, through: serial, on: thread) }) {
      switch item {
      case .event(let event, let listeners): dispatcher.deliver(event, to: listeners)
      case .reading(let block, let list, let epoch):
        serial = max(serial, hand(block, to: list, of: session, epoch: epoch))
      case .rows(let slices, let list, let epoch):
        serial = max(serial, hand(slices, to: list, of: session, epoch: epoch))
      }
    }
  }

  /// Calls listeners with a reading; up to which item of the outbox the caller is to go on.
  func hand(
    _ block: Block, to list: ListenerList, of session: SessionState, epoch: UInt64
  ) -> UInt64 {
    let update = list.hasClosures ? SourceUpdate(.reading(block)) : nil
    deliver(block, to: list, of: session, epoch: epoch, update)
    return session.endFanOut()
  }

  /// The same with rows of a stream, which functions of the C interface get one behind the other.
  private func hand(
    _ slices: [RowSlice], to list: ListenerList, of session: SessionState, epoch: UInt64
  ) -> UInt64 {
    let update = SourceUpdate(.rows(slices))
    let rows = list.hasFunctions ? Block(rowsOf: update, of: session.number) : nil
    deliver(rows, to: list, of: session, epoch: epoch, update)
    return session.endFanOut()
  }

  private func deliver(
    _ block: Block?, to list: ListenerList, of session: SessionState, epoch: UInt64,
    _ update: SourceUpdate?
  ) {
    var isLent = false
    if list.hasFunctions {
      session.lender?.lend { handle in
        isLent = true
        dispatcher.deliver(
          block, as: handle, to: list, of: session.gate, epoch: epoch, update: update)
      }
    }
    if isLent { return }
    dispatcher.deliver(block, as: nil, to: list, of: session.gate, epoch: epoch, update: update)
  }
}

extension Block {
  /// The rows of all readings of an update, one reading behind the other.
  fileprivate convenience init(rowsOf update: SourceUpdate, of session: UInt32) {
    let samples = update.samples
    let width = max(samples.count / max(update.rowCount, 1), 1)
    self.init(samples, of: session, width: width)
  }
}

/// A reading on request that can be taken at once.
struct DirectPlan {
  let instance: ProducerState
  let request: ReadRequest
}

/// What comes of a reading on request.
enum Publication {
  case none
  /// The update waits, behind others that this call or others caused.
  case caused(SessionDelivery)
  /// The thread has taken the turn to deliver the update.
  case taken(Block, ListenerList, epoch: UInt64)
}

extension CoreState {
  /// The plan of an update on request of an instance that is there and read directly, unless a look
  /// at the machine is due.
  mutating func planDirect(_ session: SessionState, at now: Int64) -> DirectPlan? {
    guard !isClosed, let instance = session.instance, instance.isDirect,
      let last = kinds[session.kindIndex].lookedAnewAt, now - last < Self.lookInterval,
      instance.isUsable(allowing: allowance)
    else { return nil }
    var request = request(of: instance)
    request.scope = .everything
    return DirectPlan(instance: instance, request: request)
  }

  /// Stores a reading and makes it the latest update of the session that asked for it. If it has
  /// listeners and the turn is free, the calling thread has the turn afterwards.
  mutating func publish(
    _ reading: Reading, of instance: ProducerState, to session: SessionState,
    by dispatcher: Dispatcher
  ) -> Publication {
    if isClosed { return .none }
    take(reading, of: instance, scope: .everything)
    let (update, isFresh) = session.makeUpdate(of: instance, at: reading.instant)
    let thread = CurrentThread.identity
    session.showLatest(to: thread)
    if session.listeners.isEmpty && session.phase != .updating { return .none }
    let mayEnd = session.phase == .updating && (instance.failure != nil || instance.hasOneShot)
    let isFirst =
      !mayEnd && session.outbox.isEmpty && !session.isFanningOut
      && !dispatcher.hasCaused.load(ordering: .relaxed)
    if isFirst, !session.listeners.isEmpty, dispatcher.turn.tryTake() == .taken {
      _ = session.review(instance, isFresh: isFresh, isAsked: true)
      session.show(update, to: thread)
      return .taken(update, session.listeners, epoch: session.gate.current)
    }
    var last: SessionDelivery?
    if !session.listeners.isEmpty {
      last = SessionDelivery(session: session, serial: session.outbox.append(.update(update)))
    }
    last = session.review(instance, isFresh: isFresh, isAsked: true).last ?? last
    return last.map(Publication.caused) ?? .none
  }
}
