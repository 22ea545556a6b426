import Testing

@testable import Fleet

/// What is known of a source's rows.
struct RowsPlaceTests {
  @Test func `F49 V12 where less is added to times no row is taken for known, and none goes back`()
  {
    var place = RowsPlace()
    place.noteRead(at: 2000, told: 1000, sampledAt: [1000], in: "s")
    let own: [Int64] = [1000, 1001, 1002]
    let same = { (row: Int) in [own[row]] }
    let shift = place.shift(990, of: own, samples: same, in: "s")
    let times = own.map { $0 + shift }
    let news = place.news(of: times, told: own, samples: same, in: "s")
    #expect(news.known == 1 && !news.hasGap && times[1] > 2000)
    // As soon as there is room, all of it counts.
    #expect(place.shift(990, of: [1053], samples: { _ in [1053] }, in: "s") == 990)
    #expect(place.shift(1010, of: [1053], samples: { _ in [1053] }, in: "s") == 1010)
    // Another session's clock may begin again.
    #expect(place.shift(5, of: [1], samples: { _ in [1] }, in: "t") == 5)
  }

  @Test func `F49 V12 no sample goes back where rows and their samples differ in time`() {
    var place = RowsPlace()
    place.noteRead(at: 2000, told: 1000, sampledAt: [0, 997], in: "s")
    // 997 was at 1997 here; the next row is 4 later, and its new sample only 2.
    let shift = place.shift(990, of: [1004], samples: { _ in [0, 997, 999] }, in: "s")
    #expect(999 + shift > 997 + 1000 && 1004 + shift > 2000)
    let news = place.news(
      of: [1004 + shift], told: [1004], samples: { _ in [0, 997, 999] }, in: "s")
    #expect(news.known == 0)
    // A row without a new sample is bound by rows alone.
    let other = place.shift(990, of: [1020], samples: { _ in [0, 999] }, in: "s")
    #expect(other == 990)
  }
}
