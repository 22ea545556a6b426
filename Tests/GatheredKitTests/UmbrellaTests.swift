import GatheredKit
import Testing

/// What a Swift user has who imports `GatheredKit` and nothing else.
struct UmbrellaTests {
  @Test func `a name of every module is there`() {
    let types: [Any.Type] = [
      Moment.self, SystemError.self, Signal<Int>.self, Context.self, Patch.self, Recorder.self,
      Query.self, InMemoryDataSource<Int>.self, AsyncValues<Int>.self, Machine.self,
      SourceCatalogue.self, Value.self, Frames.self,
    ]
    let modules = Set(types.map { String(String(reflecting: $0).prefix { $0 != "." }) })
    #expect(
      modules == [
        "Ground", "Streams", "AsyncStreams", "Machine", "Gathering", "SourceKinds", "Patches",
        "DataSources", "AsyncDataSources", "Recording", "Values", "AsyncGathering",
      ])
  }
}
