import Testing

@testable import Machine

@Suite struct LineSplitterTests {
  private func texts(_ lines: [[UInt8]]) -> [String] {
    lines.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `lines come whole, however they arrive`() {
    var splitter = LineSplitter()
    #expect(texts(splitter.lines(in: "one\r\ntw".utf8)) == ["one"])
    #expect(texts(splitter.lines(in: "o\n\n\r\nthree".utf8)) == ["two"])
    #expect(texts(splitter.lines(in: "\n".utf8)) == ["three"])
    #expect(splitter.lines(in: "".utf8).isEmpty)
  }

  @Test func `a line that is too long is left out, and the next one is not`() {
    var splitter = LineSplitter(limit: 4)
    #expect(texts(splitter.lines(in: "1234\n12345\n12\n".utf8)) == ["1234", "12"])
    for _ in 0..<1000 { #expect(splitter.lines(in: "xxxxxxxx".utf8).isEmpty) }
    #expect(texts(splitter.lines(in: "x\nend\n".utf8)) == ["end"])
  }
}
