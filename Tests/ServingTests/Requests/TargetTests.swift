import Testing

@testable import Serving

struct TargetTests {
  @Test func `a path is decoded once, part by part`() throws {
    let target = try Target("/api/v1/sources/storage%7C%252Fhome?kind=a+b&kind=%2B&empty")
    #expect(target.path == ["api", "v1", "sources", "storage|%2Fhome"])
    #expect(target.parameters.map(\.value) == ["a b", "+", ""])
  }
}
