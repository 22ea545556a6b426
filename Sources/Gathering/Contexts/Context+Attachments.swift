import Ground

/// Objects of higher layers that are attached to a context.
struct ContextAttachments: Sendable {
  private var objects: [ObjectIdentifier: any AnyObject & Sendable] = [:]
  private var ends: [(number: UInt64, action: @Sendable () -> Void)] = []
  private var lastNumber: UInt64 = 0
  private var isOver = false

  fileprivate func object<Attachment>(of type: Attachment.Type) -> Attachment? {
    objects[ObjectIdentifier(type)] as? Attachment
  }

  fileprivate mutating func keep<Attachment: AnyObject & Sendable>(_ object: Attachment) {
    if !isOver { objects[ObjectIdentifier(Attachment.self)] = object }
  }

  /// Registers an action for the end of the context; nil if it has ended.
  fileprivate mutating func add(_ end: @escaping @Sendable () -> Void) -> UInt64? {
    if isOver { return nil }
    lastNumber += 1
    ends.append((lastNumber, end))
    return lastNumber
  }

  fileprivate mutating func removeEnd(_ number: UInt64) -> (@Sendable () -> Void)? {
    ends.firstIndex { $0.number == number }.map { ends.remove(at: $0).action }
  }

  /// Empties it permanently; the caller releases its content outside the lock.
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
  /// The one object of a type that belongs to this context; made on first use, released when the
  /// context is closed.
  ///
  /// It must not keep the context. Of two threads that make one, the first wins.
  public func attachment<Attachment: AnyObject & Sendable>(
    _ make: () -> Attachment
  ) -> Attachment {
    if let present = attachments.withLock({ $0.object(of: Attachment.self) }) { return present }
    let new = make()
    return attachments.withLock { attachments in
      if let present = attachments.object(of: Attachment.self) { return present }
      attachments.keep(new)
      return new
    }
  }

  /// Runs `action` once when the context is closed, behind its last callback; the answer takes the
  /// wish back. Nil, and nothing is run, when it is closed already.
  package func onClose(_ action: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)? {
    guard let number = attachments.withLock({ $0.add(action) }) else { return nil }
    return { [attachments] in
      // Released outside the lock.
      _ = attachments.withLock { $0.removeEnd(number) }
    }
  }
}

extension Context {
  /// Where its patches find stores by name.
  public var sampleSinks: SampleSinks { attachment { SampleSinks() } }
}
