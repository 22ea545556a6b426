import Ground
import Machine
import Testing

@Suite struct ProcessMemoryTests {
  /// How much of the process is pages of files, in KiB.
  private func filePages() throws -> Int {
    let status = PolledFile("/proc/self/status", in: Machine.live().files)
    let text = String(decoding: try status.read(), as: UTF8.self)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("RssFile:") })
    return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
  }

  @Test func `clean pages are given up, and come back as they were`() throws {
    let numbers = { (0..<1000).map(String.init).joined() }
    let (before, held) = (numbers(), try filePages())
    ProcessMemory.giveUpCleanPages()
    #expect(try filePages() < held)
    #expect(numbers() == before)
  }
}
