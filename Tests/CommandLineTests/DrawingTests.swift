import Testing

@testable import gathered

/// The pictures beside the tables of a watch.
struct DrawingTests {
  @Test func `the strip has the heading in its middle, over the pointer`() {
    let points = [(0.0, "N"), (45, "N"), (90, "E"), (180, "S"), (225, "S"), (270, "W"), (360, "N")]
    for (heading, letter) in points {
      let lines = HeadingStrip.lines(heading: heading, columns: 80)
      #expect(lines.count == 2)
      let middle = lines[0].count / 2
      #expect(String(Array(lines[0])[middle]) == letter, "\(heading): \(lines[0])")
      #expect(Array(lines[1])[middle] == "^")
    }
  }

  @Test func `what lies to the right is on the right`() {
    let strip = HeadingStrip.lines(heading: 350, columns: 80)[0]
    // W, NW, N, NE.
    #expect(strip.filter { "NESW".contains($0) } == "WNWNNE")
    #expect(strip.hasPrefix("|") && strip.hasSuffix("|"))
  }

  @Test(arguments: [20, 24, 25, 40, 61, 200])
  func `a picture keeps within the columns`(columns: Int) {
    let identity = [1.0, 0, 0, 0]
    let lines =
      HeadingStrip.lines(heading: 12, columns: columns)
      + Horizon.lines(attitude: identity, columns: columns)
    #expect(lines.allSatisfy { $0.count <= columns })
  }

  /// The ground of the rows, as how many of their characters are.
  private func ground(_ attitude: [Double]) -> [Int] {
    Horizon.lines(attitude: attitude, columns: 80).dropFirst().dropLast()
      .map { $0.filter { $0 == ":" }.count }
  }

  @Test func `a device that lies flat sees as much ground as sky`() {
    let rows = ground([1, 0, 0, 0])
    #expect(rows == [0, 0, 0, 0, 0, 33, 33, 33, 33])
  }

  @Test func `looking up there is sky, looking down ground`() {
    // Turned about the device's X by 80 degrees, up and down.
    let (cosine, sine) = (0.766, 0.643)
    #expect(ground([cosine, sine, 0, 0]).allSatisfy { $0 == 0 })
    // All but the device in the middle.
    #expect(ground([cosine, -sine, 0, 0]) == [33, 33, 33, 33, 28, 33, 33, 33, 33])
  }

  @Test func `with the right side lower, the ground rises on the right`() {
    // Turned about the device's Y by 30 degrees: its X points down.
    let lines = Horizon.lines(attitude: [0.9659, 0, 0.2588, 0], columns: 80)
    let row = lines[lines.count / 2]
    #expect(row.hasSuffix(":|") && row.hasPrefix("| "))
  }
}
