import Machine

/// Something that takes samples in: a recording, a data source.
public protocol SampleSink: AnyObject, Sendable {
  /// Takes in a sample of a series of that name; called on the loop, one sample at a time.
  func append(_ sample: Sample, named name: String) throws
}

/// The sample sinks a context knows by name.
public final class SampleSinks: Sendable {
  private let sinks = Monitor<[String: any SampleSink]>([:])

  /// The sink of a name; setting nil forgets it.
  public subscript(name: String) -> (any SampleSink)? {
    get { sinks.withLock { $0[name] } }
    set {
      // The former one is let go outside the lock.
      let former = sinks.withLock { sinks in
        defer { sinks[name] = newValue }
        return sinks[name]
      }
      withExtendedLifetime(former) {}
    }
  }

  /// The names there are, in alphabetical order.
  public var names: [String] { sinks.withLock { $0.keys.sorted() } }
}

extension Context {
  /// Where its patches find stores by name.
  public var sampleSinks: SampleSinks { companion { SampleSinks() } }
}
