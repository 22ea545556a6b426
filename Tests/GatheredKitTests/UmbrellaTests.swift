import GatheredKit
import Testing

/// What a Swift user has who imports `GatheredKit` and nothing else.
struct UmbrellaTests {
  @Test func `a name of every module is there`() {
    let types: [Any.Type] = [
      Moment.self, SystemError.self, Signal<Int>.self, Context.self, Patch.self, Recorder.self,
      InMemoryDataSource<Int>.self, AsyncValues<Int>.self, Machine.self, SourceCatalogue.self,
    ]
    #expect(types.count == 10)
  }
}
