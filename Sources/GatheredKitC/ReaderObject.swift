import CGatheredKit
import Gathering
import Ground
import Recording

/// A reader as C holds it, with the sources the host gave it and what it lent.
final class ReaderObject: HandleObject, @unchecked Sendable {
  // Safe: everything mutable is in monitors.
  let reader: Reader
  let owner: ContextObject
  private let kept = Monitor<[SourceObject]>([])
  /// What the last read lent.
  private let lent = Monitor(Arena())

  init(_ reader: Reader, of owner: ContextObject) {
    self.reader = reader
    self.owner = owner
    super.init(.reader)
    owner.add(self)
  }

  deinit {
    LockRank.expectNoLock("lets go of a reader")
    close()
  }

  override var keeper: (any HandleKeeper)? { owner }

  override var summary: String {
    "reader of \(reader.sources.count) sources, \(reader.statistics.queued) samples queued"
  }

  /// Adds a source, which the reader keeps; false if it is in already.
  func add(_ source: SourceObject) throws -> Bool {
    guard try reader.add(source.source) else { return false }
    kept.withLock { $0.append(source) }
    return true
  }

  /// What a frame of this reader was read from.
  func origin(of frame: Frame) -> FrameTable.Origin? {
    let sources = kept.withLock { $0 }
    return sources.first { $0.source.number == frame.source }.map { FrameTable.Origin($0.source) }
  }

  /// Takes no more, wakes who waits, and lets the sources go.
  func close() {
    reader.close()
    let sources = kept.withLock { sources in
      defer { sources = [] }
      return sources
    }
    withExtendedLifetime(sources) {}
  }

  /// Fills an array of the host with samples, oldest first; payloads live until the next read.
  func read(
    into out: UnsafeMutablePointer<gkit_sample>, capacity: Int, timeout: Int64?
  ) throws -> Int {
    let queued = reader.statistics.queued
    if !Room.has(2 * min(capacity, queued) * MemoryLayout<Reader.Item>.stride) {
      throw Failure.noMemory
    }
    let taken = try reader.read(capacity, within: timeout)
    if taken.isEmpty { return 0 }
    let arena = Arena()
    for (index, item) in taken.enumerated() {
      out[index] = arena.sample(item.sample, property: item.property, source: item.source)
    }
    // What the former one lent is let go outside the lock.
    let former = lent.withLock { lent in
      defer { lent = arena }
      return lent
    }
    withExtendedLifetime(former) {}
    return taken.count
  }
}
