import Ground
import Values

/// Something that takes samples in: a recording, a data source.
public protocol SampleSink: AnyObject, Sendable {
  /// Takes in a sample of a series of that name; called on the loop, one sample at a time.
  func append(_ sample: Sample, named name: String) throws

  /// The same; why a sample was lost after all is told to `failed`, once, on any thread.
  ///
  /// A sink whose samples are in good hands when it returns needs none of its own.
  func append(
    _ sample: Sample, named name: String, orLater failed: @escaping @Sendable (any Error) -> Void
  ) throws
}

extension SampleSink {
  /// Takes in a sample of which there is nothing to say later.
  public func append(
    _ sample: Sample, named name: String, orLater failed: @escaping @Sendable (any Error) -> Void
  ) throws {
    try append(sample, named: name)
  }
}

/// The sample sinks a context knows by name.
public final class SampleSinks: Sendable {
  private let sinks = Monitor<[ExactText: any SampleSink]>([:])

  /// The sink of a name; setting nil forgets it.
  public subscript(name: String) -> (any SampleSink)? {
    get { sinks.withLock { $0[ExactText(name)] } }
    set {
      // The former one is let go outside the lock.
      let former = sinks.withLock { sinks in
        defer { sinks[ExactText(name)] = newValue }
        return sinks[ExactText(name)]
      }
      withExtendedLifetime(former) {}
    }
  }

  /// Makes a sink known under a free name; false if the name is taken.
  public func claim(_ name: String, for sink: any SampleSink) -> Bool {
    sinks.withLock { sinks in
      if sinks[ExactText(name)] != nil { return false }
      sinks[ExactText(name)] = sink
      return true
    }
  }

  /// Forgets a name, unless another sink has it by now.
  public func giveBack(_ name: String, of sink: any SampleSink) {
    sinks.withLock { sinks in
      if sinks[ExactText(name)] === sink { sinks[ExactText(name)] = nil }
    }
  }

  /// The names there are, in alphabetical order.
  public var names: [String] { sinks.withLock { $0.keys.map(\.text).sorted() } }
}
