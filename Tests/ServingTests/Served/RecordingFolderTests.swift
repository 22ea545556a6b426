import GatheredKit
import GatheredKitTesting
import Gathering
import Ground
import Testing
import Values

@testable import Serving

/// What names of recordings are used for by many at once (serve section 5).
struct RecordingFolderTests {
  private let folder: TemporaryFolder
  private let recordings: RecordingFolder
  private let wish: RecordingFolder.Wish

  init() throws {
    folder = try TemporaryFolder()
    recordings = try RecordingFolder(folder.path, SourceUsage(), StreamPlaces())
    let context = try Context.open("sim:laptop", mode: .thread)
    wish = RecordingFolder.Wish(sources: [(try context.open("memory"), nil)])
  }

  /// What comes of a work that several threads begin at once: nothing, or the code of a refusal.
  private func outcomes(
    of work: @escaping @Sendable () throws -> Void, on count: Int = 8
  ) throws -> [Refusal.Code?] {
    let (begun, found) = (Monitor(0), Monitor<[Refusal.Code?]>([]))
    let threads = try (0..<count).map { _ in
      try WorkerThread(named: "test") {
        begun.withLock { $0 += 1 }
        begun.signalAll()
        _ = begun.wait { $0 == count ? true : nil }
        do {
          try work()
          found.withLock { $0.append(nil) }
        } catch {
          let refusal = error as? Refusal ?? (error as? SourceError).map { Refusal($0) }
          found.withLock { $0.append(refusal?.code) }
        }
      }
    }
    for thread in threads { thread.join() }
    return found.withLock { $0 }
  }

  @Test func `of many who begin a recording of one name at once, one does`() throws {
    let (recordings, wish) = (recordings, wish)
    for round in 0..<20 {
      let name = "\(round).gkr"
      let codes = try outcomes { try recordings.start(name, wish) }
      #expect(codes.count { $0 == nil } == 1)
      #expect(codes.count { $0 == .exists } == 7, "\(codes)")
      #expect(recordings.isWriting(name))
      try recordings.stop(name)
      #expect(!recordings.isWriting(name))
    }
  }

  @Test func `of many who end a recording at once, and of many who remove it, one does`() throws {
    let recordings = recordings
    for round in 0..<20 {
      let name = "\(round).gkr"
      try recordings.start(name, wish)
      let ended = try outcomes { try recordings.stop(name) }
      #expect(ended.count { $0 == nil } == 1)
      #expect(ended.count { $0 == .notFound } == 7, "\(ended)")
      let removed = try outcomes { try recordings.remove(name) }
      #expect(removed.count { $0 == nil } == 1)
      #expect(removed.allSatisfy { [nil, .notFound, .busy].contains($0) }, "\(removed)")
      #expect(recordings.names.isEmpty)
    }
  }

  @Test func `what is written is not removed, be it that it only begins`() throws {
    let (recordings, wish) = (recordings, wish)
    let turn = Monitor(false)
    for round in 0..<20 {
      let name = "\(round).gkr"
      let codes = try outcomes(
        of: {
          let isFirst = turn.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
          }
          if isFirst { return try recordings.start(name, wish) }
          try recordings.remove(name)
        }, on: 4)
      #expect(codes.allSatisfy { [nil, .notFound, .busy, .exists].contains($0) }, "\(codes)")
      let isThere = recordings.size(of: name) != nil
      #expect(isThere == recordings.isWriting(name))
      if isThere { try recordings.stop(name) }
      turn.withLock { $0 = false }
    }
  }

  @Test func `a name that a link has is taken`() throws {
    try folder.link("/link.gkr", to: "/nowhere/to/be/found")
    #expect(
      performing: { try recordings.start("link.gkr", wish) },
      throws: { error in
        (error as? Refusal)?.code == .exists
      })
  }

  @Test func `once all are closed none begins`() throws {
    try recordings.start("a.gkr", wish)
    recordings.closeAll()
    #expect(!recordings.isWriting)
    #expect(
      performing: { try recordings.start("b.gkr", wish) },
      throws: { error in
        (error as? Refusal)?.code == .closed
      })
    #expect(recordings.names == ["a.gkr"])
  }
}
