import Ground

/// What listens to a source.
extension Source {
  /// Calls `receive` with every update until the token is released or ended.
  public func addUpdateListener(
    onEnd: @escaping @Sendable () -> Void = {},
    _ receive: @escaping @Sendable (SourceUpdate) -> Void
  ) -> ListenerToken {
    context.add(Listener(.update(receive), onEnd: onEnd), to: session)
  }

  /// Calls a function of the C interface with the rows of every update, until the token is released
  /// or ended.
  package func addRowListener(
    _ function: @escaping RowFunction, _ userData: UnsafeMutableRawPointer?,
    onEnd: @escaping @Sendable () -> Void
  ) -> ListenerToken {
    context.add(Listener(.rows(function, userData), onEnd: onEnd), to: session)
  }

  /// The same for a function that gets the rows of the newest reading and a batch, which a
  /// `LentBatch` at its address reads.
  package func addBatchListener(
    _ function: @escaping BatchFunction, _ userData: UnsafeMutableRawPointer?,
    onEnd: @escaping @Sendable () -> Void
  ) -> ListenerToken {
    context.add(Listener(.batch(function, userData), onEnd: onEnd), to: session)
  }

  /// What such functions get as the source.
  package var handle: LentHandle { session.handle }

  /// Says what makes a handle of the source for such functions where the host has none.
  package func lend(through lender: any HandleLending) {
    context.core.withLock { _ in session.lender = lender }
  }

  /// The same for something of ours that may call the host.
  func addInnerUpdateListener(_ receive: @escaping @Sendable (SourceUpdate) -> Void)
    -> ListenerToken
  {
    context.add(Listener(.update(receive), isHost: false, onEnd: {}), to: session)
  }

  /// Calls `receive` with every event until the token is released or ended.
  public func addEventListener(
    onEnd: @escaping @Sendable () -> Void = {},
    _ receive: @escaping @Sendable (SourceEvent) -> Void
  ) -> ListenerToken {
    context.add(Listener(.event(receive), onEnd: onEnd), to: session)
  }

  /// Gives every update to a tap as it is gathered, without waiting for the loop.
  package func add(_ tap: any UpdateTap) {
    if context.fork.isForked { return }
    context.core.withLock { if !$0.isClosed { $0.sessions[number]?.taps.append(tap) } }
  }

  /// Gives nothing more to the taps that are meant.
  package func removeTaps(where isMeant: (any UpdateTap) -> Bool) {
    if context.fork.isForked { return }
    // Taps may call back when they are released: outside the lock.
    let removed = context.core.withLock { state -> [any UpdateTap] in
      let all = state.sessions[number]?.taps ?? []
      state.sessions[number]?.taps.removeAll(where: isMeant)
      return all
    }
    withExtendedLifetime(removed) {}
  }
}
