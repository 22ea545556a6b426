import Testing

@testable import DataSources

struct StorageLayoutTests {
  @Test func `L23: points and percent signs of a prefix are spelled out`() {
    let space = StorageSpace(.prefix("a.b%"), type: nil)
    #expect(space.lead == "a%2Eb%25.")
    #expect(space.end == "a%2Eb%25/")
  }

  @Test func `L22: the empty prefix is the regular layout, and no root is`() {
    #expect(!StorageSpace(.prefix(""), type: nil).isOwn)
    #expect(StorageSpace(.root(""), type: nil).name == ".any")
    #expect(StorageSpace(.root("r"), type: .int).name == "r.int")
  }
}
