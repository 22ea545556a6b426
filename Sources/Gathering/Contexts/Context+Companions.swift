import Ground

/// What others have attached to a context.
struct Companions: Sendable {
  private var objects: [ObjectIdentifier: any AnyObject & Sendable] = [:]
  private var ends: [(number: UInt64, action: @Sendable () -> Void)] = []
  private var lastNumber: UInt64 = 0
  private var isOver = false

  fileprivate func object<Companion>(of type: Companion.Type) -> Companion? {
    objects[ObjectIdentifier(type)] as? Companion
  }

  fileprivate mutating func keep<Companion: AnyObject & Sendable>(_ object: Companion) {
    if !isOver { objects[ObjectIdentifier(Companion.self)] = object }
  }

  /// Remembers what to do at the end; nil when that was.
  fileprivate mutating func add(_ end: @escaping @Sendable () -> Void) -> UInt64? {
    if isOver { return nil }
    lastNumber += 1
    ends.append((lastNumber, end))
    return lastNumber
  }

  fileprivate mutating func removeEnd(_ number: UInt64) -> (@Sendable () -> Void)? {
    ends.firstIndex { $0.number == number }.map { ends.remove(at: $0).action }
  }

  /// Empties it for ever; what was in it is for the caller, outside the lock.
  mutating func takeAll() -> ([@Sendable () -> Void], [any AnyObject & Sendable]) {
    isOver = true
    defer {
      ends = []
      objects = [:]
    }
    return (ends.map(\.action), Array(objects.values))
  }
}

extension Context {
  /// The one object of a type that belongs to this context; made when first asked for, let go when
  /// the context is closed.
  ///
  /// It must not keep the context. Of two threads that make one, the first wins.
  public func companion<Companion: AnyObject & Sendable>(
    _ make: () -> Companion
  ) -> Companion {
    if let present = companions.withLock({ $0.object(of: Companion.self) }) { return present }
    let new = make()
    return companions.withLock { companions in
      if let present = companions.object(of: Companion.self) { return present }
      companions.keep(new)
      return new
    }
  }

  /// Runs `action` once when the context is closed, behind its last callback; the answer takes the
  /// wish back. Nil, and nothing is run, when it is closed already.
  func onClose(_ action: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)? {
    guard let number = companions.withLock({ $0.add(action) }) else { return nil }
    return { [companions] in
      // Released outside the lock.
      _ = companions.withLock { $0.removeEnd(number) }
    }
  }
}

extension Context {
  /// Where its patches find stores by name.
  public var sampleSinks: SampleSinks { companion { SampleSinks() } }
}
