import Gathering
import Testing
import Values

@testable import gathered

/// The parts of the screen of a watch.
struct ScreenTests {
  @Test func `keys are read from what a terminal sends`() {
    let sent = "q\u{1B}[A\u{1B}OB\u{1B}[5~\u{1B}[6~\u{1B}[1~\u{1B}[F\r\u{7F}é\u{1B}"
    let keys: [Keyboard.Key] = [
      .character("q"), .up, .down, .pageUp, .pageDown, .home, .end, .enter, .backspace,
      .character("é"), .escape,
    ]
    #expect(Keyboard.keys(in: Array(sent.utf8)) == keys)
    // Keys with modifiers and unknown ones mean nothing, and nothing of them is taken for letters.
    #expect(Keyboard.keys(in: Array("\u{1B}[24~\u{1B}[15;2~x".utf8)) == [.character("x")])
  }

  @Test func `the letters of a filter are letters`() {
    var state = ScreenState()
    let typed = Keyboard.keys(in: Array("/qs?".utf8)).map { state.obey($0) }
    #expect(typed == [true, true, true, true])
    #expect(state.filter == "qs?" && state.isTyping && !state.isEnding)
    let ended = [Keyboard.Key.backspace, .enter].map { state.obey($0) }
    #expect(ended == [true, true])
    #expect(state.filter == "qs" && !state.isTyping)
    #expect(state.accepts("FAQs") && !state.accepts("memory"))
    // Nothing is bound to x.
    let others = [Keyboard.Key.escape, .character("x"), .character("q")].map { state.obey($0) }
    #expect(others == [true, false, true])
    #expect(state.accepts("memory") && state.isEnding)
  }

  @Test(arguments: [(0.0, 0), (0.5, 5), (1.0, 10), (7.0, 10), (-1.0, 0), (.nan, 0)])
  func `a bar keeps its length`(share: Double, full: Int) {
    let bar = Glyphs.unicode.bar(share, width: 10)
    #expect(bar.full.count == full)
    #expect(bar.full.count + bar.rest.count == 10)
  }

  @Test func `a curve goes from the least to the greatest of what is seen`() {
    let glyphs = Glyphs.unicode
    #expect(glyphs.curve([0, 1, 2, 3, 4, 5, 6, 7], width: 8) == "▁▂▃▄▅▆▇█")
    #expect(glyphs.curve([100, 0, 1], width: 2) == "▁█")
    #expect(glyphs.curve([5, 5], width: 8) == "▁▁")
    #expect(glyphs.curve([-1e308, 1e308, .nan], width: 8) == "▁█ ")
    #expect(glyphs.curve([], width: 8).isEmpty)
    #expect(Glyphs.ascii.curve([0, 9], width: 8) == "_#")
  }

  @Test(arguments: [(60, 1), (96, 1), (97, 2), (100, 2), (200, 4), (20, 1)])
  func `panels stand in as many columns as fit`(width: Int, count: Int) {
    let shape = PanelGrid.columns(within: width, for: 30)
    #expect(shape.count == count)
    #expect(shape.width * count + count - 1 <= width)
    let alone = PanelGrid.columns(within: width, for: 1)
    #expect(alone.count == 1 && alone.width == width)
  }

  @Test(arguments: [
    (29, "( 0.688, -9.812,  7.500) m/s²"), (28, "( 0.69, -9.81,  7.50) m/s²"),
    (25, "( 0.7, -9.8,  7.5) m/s²"), (22, "( 1, -10,  8) m/s²"),
    (3, "( 0.688, -9.812,  7.500) m/s²"),
  ])
  func `a vector has fewer digits before it loses a component`(columns: Int, text: String) {
    let property = Property(
      "acceleration", .vector(components: ["x", "y", "z"]), unit: "m/s2", .continuous)
    let sample = Sample(.vector(Vector(0.6884, -9.812, 7.5)))
    let field = Field(key: "acceleration", property: property, sample: sample)
    #expect(field.text(within: columns) == text)
  }

  @Test(arguments: [
    (20, "pressure_some_avg300"), (18, "pressure_so…avg300"), (8, "p…avg300"), (7, "pressu…"),
    (0, ""),
  ])
  func `a name that is cut keeps its end`(columns: Int, text: String) {
    #expect("pressure_some_avg300".cutInside(to: columns) == text)
  }

  @Test(arguments: 0...12)
  func `a styled line has the columns it is given`(columns: Int) {
    var line = StyledLine("ab", .heading)
    line.add("日本", .bad)
    line.add("cd")
    #expect(line.width == 8)
    let fitted = line.fitted(to: columns)
    #expect(fitted.width == columns)
    #expect(fitted.text(on: .current).contains("…") == (1..<8).contains(columns))
  }

  @Test(arguments: [
    (0.0, 1.0, ["0.0", "0.5", "1.0"]), (8.9, 9.2, ["8.9", "9.0", "9.1", "9.2"]),
    (-3, 12, ["-5", "0", "5", "10", "15"]), (5, 5, ["4", "5", "6"]),
  ])
  func `an axis has round numbers`(least: Double, most: Double, texts: [String]) {
    let axis = Axis(least...most, marks: 4)
    #expect(axis.ends.contains(least) && axis.ends.contains(most))
    let marks = axis.marks.map { axis.text($0, within: 12) }
    #expect(marks == texts)
    #expect(Set(axis.marks.map { axis.text($0, within: 24) }).count == marks.count)
  }

  @Test func `a time axis has round moments`() {
    let second: Int64 = 1_000_000_000
    let start = 1_700_000_003 * second
    let minute = TimeAxis(from: start, length: 60 * second, marks: 4)
    #expect(minute.marks.map(minute.text) == ["22:13:30", "22:13:45", "22:14:00", "22:14:15"])
    let day = TimeAxis(from: start, length: 86_400 * second, marks: 4)
    #expect(day.marks.map(day.text) == ["00:00", "06:00", "12:00", "18:00"])
    let short = TimeAxis(from: start, length: second / 100, marks: 4)
    #expect(short.marks.map(short.text) == ["13:23.000", "13:23.005"])
    #expect(short.width == 9)
  }

  @Test func `the last cell of a row goes on below within the width`() {
    var table = Table([Table.Column(heading: "ID"), Table.Column(heading: "DETAIL")])
    table.add([Table.Cell("memory"), Table.Cell("one two three four five six seven eight nine")])
    table.addNote(Table.Cell("remedy: ten eleven twelve thirteen fourteen"), below: 1)
    for width in [16, 30, 40, 60] {
      let lines = table.lines(on: .current, width: width)
      #expect(lines.allSatisfy { $0.count <= width }, "\(lines)")
      let words = lines.flatMap { $0.split(separator: " ") }.suffix(16)
      #expect(words.first == "memory" && words.last == "fourteen", "\(lines)")
    }
    #expect(table.lines(on: .current).count == 4)
  }
}
