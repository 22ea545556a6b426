import Ground

/// How a derived value comes from its inputs.
struct Derivation<Value: Sendable>: Sendable {
  /// Computes the value from the present values of the inputs.
  let present: @Sendable () -> Value
  /// Where the inputs' transactions stand.
  let phase: @Sendable () -> TransactionPhase
  /// Subscribes to the inputs, and returns a function that computes the value from those received.
  let attach: @Sendable (InputSubscription<Value>) -> @Sendable () -> Value
  /// Whether a value after another one is told; nil for always.
  var isNews: (@Sendable (_ former: Value, _ new: Value) -> Bool)?
}

/// A value derived from others: the one node behind every mapping and combination.
///
/// It stores no value while it is not observed. While observed, it keeps the newest value computed;
/// its transaction is open while that of any input is.
final class DerivedValue<Value: Sendable>: ObservableValue {
  /// Its state while it is observed.
  struct Observed: Sendable {
    let inputSubscription: InputSubscription<Value>
    var transaction: Transaction<Value>
  }

  let broadcaster: Broadcaster<Step<Value>, Observed?>
  let receivers = Receivers<Value>()
  private let derivation: Derivation<Value>
  private let inputSubscription = Lock<InputSubscription<Value>?>(nil)
  private let observation = SerialEventQueue<Void>()
  /// What its inputs know of it.
  let dependant = Dependant()

  init(_ derivation: Derivation<Value>) {
    broadcaster = Broadcaster(cascadeLimit: 100_000, held: nil)
    self.derivation = derivation
  }

  /// While an input is delivering, it may hold a newer value than the one received from it.
  var value: Value {
    if let kept = broadcaster.read({ $0?.transaction.value }), !phase.isBusy { return kept }
    return derivation.present()
  }

  var updates: any ValueStream<TransactionEvent<ValueChange<Value>>> { Updates(owner: self) }

  func subscribe(_ sink: Sink<Value>) -> Connection { joinValues(sink) }

  // MARK: For the input subscription

  func install(_ inputSubscription: InputSubscription<Value>, _ value: Value) {
    replace(with: Observed(inputSubscription: inputSubscription, transaction: Transaction(value)))
  }

  func begin(by inputSubscription: InputSubscription<Value>) {
    _ = broadcaster.place { state, isInside -> Transaction<Value>.Spent? in
      guard state.held?.inputSubscription === inputSubscription else { return nil }
      return state.held?.transaction.begin(in: &state.queue, isInside: isInside)
    }
  }

  /// Stores a new value and, unless it is silenced, announces it.
  @_optimize(speed)
  func report(_ value: Value, by inputSubscription: InputSubscription<Value>, isTold: Bool) {
    let isTold = isTold && isNews(value)
    // The former value, once it is stored.
    var other = value
    if isTold,
      broadcaster.sendWhole(
        { held, place in
          guard held?.inputSubscription === inputSubscription else { return false }
          return held?.transaction.storeWhole(&other, at: place) ?? false
        }, { .end(latest: value, changedAt: $0) })
    {
      return
    }
    _ = broadcaster.place { state, isInside -> Transaction<Value>.Spent? in
      guard state.held?.inputSubscription === inputSubscription else { return nil }
      guard isTold else { return state.held?.transaction.store(value) }
      return state.held?.transaction.report(value, in: &state.queue, isInside: isInside)
    }
  }

  private func isNews(_ value: Value) -> Bool {
    guard let isNews = derivation.isNews,
      let former = broadcaster.read({ $0?.transaction.value })
    else { return true }
    return isNews(former, value)
  }

  func end(by inputSubscription: InputSubscription<Value>) {
    _ = broadcaster.place { state, isInside in
      guard state.held?.inputSubscription === inputSubscription else { return }
      _ = state.held?.transaction.end(in: &state.queue, isInside: isInside)
    }
  }

  private func replace(with observed: Observed?) {
    // The former value is released outside the lock.
    _ = broadcaster.place { state, _ in
      defer { state.held = observed }
      return state.held
    }
  }
}

extension DerivedValue: HeldValue {
  typealias Item = Step<Value>
  typealias Held = Observed?

  static func transaction(in held: Observed?) -> Transaction<Value>? { held?.transaction }

  var phase: TransactionPhase { ownPhase | derivation.phase() }

  func observationChanged() {
    broadcaster.inspect { state, _ in dependant.note(state.queue.subscribers) }
    observation.pass(()) { _, _ in
      let isWanted = broadcaster.subscriberCount > 0
      switch (isWanted, inputSubscription.withLock { $0 }) {
      case (true, nil):
        let new = InputSubscription(of: self)
        inputSubscription.withLock { $0 = new }
        new.open(derivation)
      case (false, let former?):
        // `former` holds it.
        inputSubscription.withLock { $0 = nil }
        former.close()
        replace(with: nil)
      default: break
      }
    }
  }
}
