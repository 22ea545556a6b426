public import Gathering

extension Source {
  /// The rows that are gathered from now on, as an asynchronous sequence of frames.
  ///
  /// Each frame has all rows since the frame before. Rows wait in a reader of `capacity` samples;
  /// `overflow` says what a full reader drops, and `statistics` counts it. This does not start the
  /// source. Throws the errors of `Reader.init`.
  public func frames(
    capacity: Int = Reader.defaultCapacity, overflow: Reader.Overflow = .dropOldest
  ) throws(SourceError) -> Frames {
    Frames(reader: try reader(capacity: capacity, overflow: overflow))
  }
}

/// The rows of a source as an asynchronous sequence of frames.
///
/// The sequence ends when the context is closed, an iteration also when its task is cancelled. It
/// waits while the source is stopped. Iterations share the rows: each row goes to one of them. In
/// host mode frames arrive during `dispatch`. Every call is allowed on any thread. The sequence
/// keeps the source alive.
public struct Frames: AsyncSequence, Sendable {
  /// All rows since the frame before.
  public typealias Element = Frame
  /// Iterating never throws: a value that cannot be read is a status in its frame.
  public typealias Failure = Never

  private let reader: Reader

  init(reader: Reader) { self.reader = reader }

  /// The samples queued, delivered and dropped so far.
  public var statistics: Reader.Statistics { reader.statistics }

  /// Begins an iteration.
  public func makeAsyncIterator() -> Iterator { Iterator(iteration: FrameIteration(of: reader)) }

  /// One iteration.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let iteration: FrameIteration

    /// The next frame; nil when the context is closed or the task has been cancelled.
    public mutating func next() async -> Frame? { await iteration.next() }

    /// The next frame, on the actor of the caller.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Frame? {
      await iteration.next(isolation: actor)
    }
  }
}
