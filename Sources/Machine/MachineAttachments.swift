import Ground

/// Objects kept with a machine: one object per type, made on first use.
public final class MachineAttachments: Sendable {
  private let objects = Monitor<[ObjectIdentifier: any AnyObject & Sendable]>([:])

  /// Nothing so far.
  public init() {}

  /// The one object of a type; of two threads that make one, the first wins.
  public func attachment<Attachment: AnyObject & Sendable>(
    _ make: () -> Attachment
  ) -> Attachment {
    let key = ObjectIdentifier(Attachment.self)
    if let present = objects.withLock({ $0[key] as? Attachment }) { return present }
    let new = make()
    return objects.withLock { objects in
      if let present = objects[key] as? Attachment { return present }
      objects[key] = new
      return new
    }
  }

  /// All of them.
  var all: [any AnyObject & Sendable] { objects.withLock { Array($0.values) } }
}

extension Machine {
  /// Makes every attachment that remembers failures check these topics again.
  public func lookAnew(at topics: [ChangeTopic]) {
    let parts: [Any?] = [bus, iio.files, nvidia] + attachments.all
    for case let part as any LooksAnew in parts { part.lookAnew(at: topics) }
  }
}
