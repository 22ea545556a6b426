import Testing

@testable import Fleet

/// What is known of a source's rows.
struct RowsPlaceTests {
  @Test func `F49 V12 where less is added to times no row is taken for known, and none goes back`()
  {
    var place = RowsPlace()
    place.noteRead(at: 2000, told: 1000, in: "s")
    let own: [Int64] = [1000, 1001, 1002]
    let shift = place.shift(990, of: own, in: "s")
    let times = own.map { $0 + shift }
    let news = place.news(of: times, told: own, in: "s")
    #expect(news.known == 1 && !news.hasGap && times[1] > 2000)
    // As soon as there is room, all of it counts.
    #expect(place.shift(990, of: [1053], in: "s") == 990)
    #expect(place.shift(1010, of: [1053], in: "s") == 1010)
    // Another session's clock may begin again.
    #expect(place.shift(5, of: [1], in: "t") == 5)
  }
}
