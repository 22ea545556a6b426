import Testing

@testable import Serving

struct TargetTests {
  @Test func `a path is decoded once, part by part`() throws {
    let target = try Target("/api/v1/sources/storage%7C%252Fhome?kind=a+b&kind=%2B&empty")
    #expect(target.path == ["api", "v1", "sources", "storage|%2Fhome"])
    #expect(target.parameters.map(\.value) == ["a b", "+", ""])
    #expect(target.parameters.map(\.name) == ["kind", "kind", "empty"])
  }

  @Test func `the root has no parts, a slash within a part stays there`() throws {
    #expect(try Target("/").path == [])
    #expect(try Target("/?x=1").path == [])
    #expect(try Target("/a%2F..%2Fb").path == ["a/../b"])
    #expect(try Target("/a//b/").path == ["a", "", "b", ""])
  }

  @Test(arguments: [
    "", "a", "*", "http://host/", "/%", "/%4", "/%zz", "/%00", "/%ff", "/?a=%C3%28",
  ])
  func `what is no path, or no text, is refused`(_ text: String) {
    #expect(throws: Refusal.self) { try Target(text) }
  }
}
