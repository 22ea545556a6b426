import AsyncDataSources
import DataSources
import GatheredKit
import GatheredKitTesting
import Gathering
import Recording
import Testing

/// A recording as a data source for callers that wait without blocking (data sources L36).
struct RecordingDataSourceTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/walk.gkr" }

  /// Six numbers, half a second apart.
  init() throws {
    folder = try TemporaryFolder()
    let recorder = try Recorder(to: path)
    for place in 0..<6 as Range<Int64> {
      let time = place * 500_000_000
      let sample = Sample(.double(Double(place)), time: time, realtime: time)
      try recorder.append(sample, named: "level")
    }
    try recorder.close()
  }

  @Test func `L36: an entry is the list of the rows of one series`() async throws {
    let recording = try RecordingDataSource(path: path)
    let rows = try await recording.getAll(.id("level"))
    #expect(rows.map { $0["value"] } == (0..<6).map { .double(Double($0)) })
    #expect(rows.last?["time"] == .time(2_500_000_000))
    await #expect(throws: DataSourceError(.notFound, "")) {
      _ = try await recording.get(.id("level"))
    }
    await #expect(throws: DataSourceError(.notImplemented, "")) {
      _ = try await recording.put(["value": .int(1)], in: .id("level"))
    }
  }

  @Test func `L12: a time range, a page and intervals of it`() async throws {
    let recording = try RecordingDataSource(path: path)
    let late = try await recording.getAll(.timeRange(1_000_000_000..<2_000_000_000))
    #expect(late.map { $0["value"] } == [.double(2), .double(3)])
    let page = try await recording.getAll(.page(offset: 4, limit: 9))
    #expect(page.map { $0["value"] } == [.double(4), .double(5)])
    let seconds = try RecordingDataSource(path: path, interval: 1_000_000_000)
    let means = try await seconds.getAll(.all())
    #expect(means.map { $0["value.mean"] } == [.double(0.5), .double(2.5), .double(4.5)])
    #expect(means.map { $0["rows"] } == [.int(2), .int(2), .int(2)])
  }

  @Test func `L12: what is in a time range can be deleted, and nothing else`() async throws {
    let recording = try RecordingDataSource(path: path)
    try await recording.delete(.timeRange(0..<1_500_000_000))
    let rest = try await recording.getAll(.all())
    #expect(rest.map { $0["value"] } == [.double(3), .double(4), .double(5)])
  }
}
