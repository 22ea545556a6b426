public import Gathering

extension Source {
  /// The rows that are gathered from now on, as an asynchronous sequence of frames.
  ///
  /// Each frame has all rows that have come since the one before. Rows wait in a reader of
  /// `capacity` samples; a full one does what `overflow` says, and `statistics` counts what is
  /// lost. The source is not started. Throws what making a reader throws.
  public func frames(
    capacity: Int = Reader.defaultCapacity, overflow: Reader.Overflow = .dropOldest
  ) throws(SourceError) -> Frames {
    Frames(reader: try reader(capacity: capacity, overflow: overflow))
  }
}

/// The rows of a source, frame by frame, to be awaited.
///
/// It ends when the context is closed, and an iteration when its task is cancelled. While the
/// source is stopped it waits. Iterations share the rows: each goes to one of them. Frames come
/// where listeners are called; in host mode they wait for `dispatch`. Every call is allowed on any
/// thread. The sequence keeps the source.
public struct Frames: AsyncSequence, Sendable {
  /// What is awaited.
  public typealias Element = Frame
  /// A value that cannot be read is a status in its frame.
  public typealias Failure = Never

  private let reader: Reader

  init(reader: Reader) { self.reader = reader }

  /// What went through so far, in samples.
  public var statistics: Reader.Statistics { reader.statistics }

  /// Begins an iteration.
  public func makeAsyncIterator() -> Iterator { Iterator(iteration: FrameIteration(of: reader)) }

  /// One iteration.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let iteration: FrameIteration

    /// The next frame; nil when the context is closed or the task has been cancelled.
    public mutating func next() async -> Frame? { await iteration.next() }

    /// The next frame, without leaving the actor that asks.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Frame? {
      await iteration.next(isolation: actor)
    }
  }
}
