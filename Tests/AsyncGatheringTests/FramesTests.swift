import AsyncGathering
import GatheredKitTesting
import Gathering
import Ground
import SourceKinds
import Testing
import Values

private let second: Int64 = 1_000_000_000

/// Frames that are awaited (sources L18, C API R9).
@Suite struct FramesTests {
  private let context: Context
  private let memory: Source

  init() throws {
    context = try Context.open("sim:laptop&clock=manual", catalogue: SourceCatalogue.all)
    memory = try context.open("memory")
  }

  /// The times of the rows that an iteration brings until there are so many.
  private func rows(_ count: Int, of frames: Frames) async -> [Int64] {
    var times: [Int64] = []
    for await frame in frames {
      times += frame.times
      if times.count >= count { break }
    }
    return times
  }

  @Test func `every row comes once and in order`() async throws {
    let frames = try memory.frames()
    let task = Task { await rows(5, of: frames) }
    try memory.startUpdating(every: second)
    for moment in 1...4 { try context.seek(to: Int64(moment) * second) }
    let times = await task.value
    #expect(times == times.sorted())
    #expect(times.count == 5)
    #expect(frames.statistics.queued == 0)
    #expect(frames.statistics.dropped == 0)
    try context.close()
  }

  @Test func `rows that came before the iteration are its first frame`() async throws {
    let frames = try memory.frames()
    try memory.startUpdating(every: second)
    try context.seek(to: 2 * second)
    var iterator = frames.makeAsyncIterator()
    let frame = try #require(await iterator.next())
    #expect(frame.rowCount == 3)
    #expect(frame.source == memory.number)
    #expect(frame.column("total")?.integers?.count == 3)
    try context.close()
  }

  @Test func `rows of a source that was stopped still come`() async throws {
    let frames = try memory.frames()
    let task = Task { await rows(2, of: frames) }
    try memory.startUpdating(every: second)
    try context.seek(to: second)
    try memory.stopUpdating()
    #expect(await task.value.count == 2)
    try context.close()
  }

  @Test func `cancelling the task ends the iteration`() async throws {
    let frames = try memory.frames()
    let task = Task {
      var count = 0
      for await frame in frames { count += frame.rowCount }
      return count
    }
    try memory.startUpdating(every: second)
    while frames.statistics.delivered == 0 { await Task.yield() }
    task.cancel()
    #expect(await task.value == 1)
    // The next iteration goes on where that one ended.
    try context.seek(to: second)
    #expect(await rows(1, of: frames).count == 1)
    try context.close()
  }

  @Test func `a task that was cancelled before gets nothing`() async throws {
    let frames = try memory.frames()
    try memory.startUpdating(every: second)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      var iterator = frames.makeAsyncIterator()
      return await iterator.next()?.rowCount
    }
    task.cancel()
    #expect(await task.value == nil)
    try context.close()
  }

  @Test func `closing the context ends every iteration`() async throws {
    let frames = try memory.frames()
    let tasks = (0..<3).map { _ in
      Task {
        var count = 0
        for await frame in frames { count += frame.rowCount }
        return count
      }
    }
    try memory.startUpdating(every: second)
    while frames.statistics.delivered == 0 { await Task.yield() }
    try context.close()
    var count = 0
    for task in tasks { count += await task.value }
    #expect(count == 1)
    var late = frames.makeAsyncIterator()
    #expect(await late.next() == nil)
    #expect(throws: SourceError.closed) { _ = try memory.frames() }
  }

  @Test func `tasks that wait share the rows`() async throws {
    let frames = try memory.frames()
    let tasks = (0..<2).map { _ in
      Task {
        var count = 0
        for await frame in frames { count += frame.rowCount }
        return count
      }
    }
    try memory.startUpdating(every: second)
    for moment in 1...50 { try context.seek(to: Int64(moment) * second) }
    while frames.statistics.queued > 0 { await Task.yield() }
    for task in tasks { task.cancel() }
    var count = 0
    for task in tasks { count += await task.value }
    #expect(count == 51)
    try context.close()
  }

  @Test func `nothing is kept once the sequence is let go`() async throws {
    var source: Source? = try context.open("cpu")
    weak var session: Source?
    session = source
    var frames: Frames? = try source?.frames()
    let task = Task { [frames] in
      var count = 0
      if let frames { for await frame in frames { count += frame.rowCount } }
      return count
    }
    try source?.startUpdating(every: second)
    while frames?.statistics.delivered == 0 { await Task.yield() }
    task.cancel()
    _ = await task.value
    source = nil
    frames = nil
    #expect(Patience.wait { session == nil })
    try context.close()
  }
}
