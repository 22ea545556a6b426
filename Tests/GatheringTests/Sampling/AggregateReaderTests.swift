import Testing

@testable import Gathering

/// A reader that may block, or not.
private final class PlainReader: InstanceReader {
  let mayBlock: Bool

  init(mayBlock: Bool) { self.mayBlock = mayBlock }

  func read(_ request: ReadRequest, into reading: inout Reading) {}
  func raw(ofPropertyAt index: Int) -> RawValue? { nil }
}

struct AggregateReaderTests {
  @Test(arguments: [(false, false), (false, true), (true, false)])
  func `T7: an aggregate may block as soon as one that it reads may`(own: Bool, member: Bool) {
    let reader = AggregateReader(
      Gauge(), own: PlainReader(mayBlock: own),
      members: [PlainReader(mayBlock: false), PlainReader(mayBlock: member)])
    #expect(reader.mayBlock == (own || member))
    #expect(!AggregateReader(Gauge(), own: nil, members: []).mayBlock)
  }
}
