import Testing

@testable import Serving

struct StreamPlanTests {
  @Test func `W18: intervals grow where all rows together would be too many`() {
    #expect(StreamPlan.stretch(of: [10_000_000, 20_000_000]) == 1)
    #expect(StreamPlan.stretch(of: [Int64](repeating: 2_000_000, count: 8)) == 2)
    #expect(StreamPlan.stretch(of: []) == 1)
  }
}
