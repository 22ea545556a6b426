import GatheredKitTesting
import Glibc
import Ground
import Testing

@testable import Machine

@Suite struct FileMonitorTests {
  let loop: EventLoop
  let log = LineLog()

  init() throws { loop = try EventLoop() }

  private func add(
    _ path: String, _ name: String, to monitor: FileMonitor
  ) throws -> Int32 {
    let events = UInt32(IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)
    return try monitor.add(path, events) { [log] change in log.add("\(name): \(change)") }
  }

  @Test func `folders that come and go are told by their names`() throws {
    let folder = try TemporaryFolder()
    let monitor = FileMonitor(on: loop)
    let number = try add(folder.path, "top", to: monitor)
    try folder.makeFolder("/a.service")
    #expect(log.wait(for: 1) == [#"top: came("a.service")"#])
    #expect(rename(folder.path + "/a.service", folder.path + "/b.service") == 0)
    #expect(
      log.wait(for: 3).dropFirst() == [#"top: went("a.service")"#, #"top: came("b.service")"#])
    try folder.remove("/b.service")
    #expect(log.wait(for: 4).last == #"top: went("b.service")"#)
    try folder.write([65], to: "/file")
    #expect(log.wait(for: 5)[4] == "top: changed")
    monitor.remove([number])
    loop.stop()
  }

  @Test func `a folder that is removed ends its watch`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("/inner")
    let monitor = FileMonitor(on: loop)
    let number = try add(folder.path + "/inner", "inner", to: monitor)
    try folder.remove("/inner")
    #expect(log.wait(for: 1) == ["inner: gone"])
    monitor.remove([number])
    loop.stop()
  }

  @Test func `the last watch closes the descriptor`() throws {
    let folder = try TemporaryFolder()
    let monitor = FileMonitor(on: loop)
    for _ in 0..<3 {
      let numbers = [try add(folder.path, "one", to: monitor), try add("/", "two", to: monitor)]
      #expect(Set(numbers).count == 2)
      monitor.remove(numbers)
    }
    try folder.makeFolder("/late")
    for _ in 0..<2 { loop.submit { [log] in log.add("job") } }
    #expect(log.wait(for: 2) == ["job", "job"])
    loop.stop()
  }

  private func record(_ number: Int32, _ mask: UInt32, _ name: [UInt8] = []) -> [UInt8] {
    let words = [UInt32(bitPattern: number), mask, 0, UInt32(name.count)]
    return words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
      + name
  }

  @Test func `records are taken apart, half ones too`() {
    let name = Array("a.scope\0\0\0\0\0\0\0\0\0".utf8)
    let bytes =
      record(1, 0x4000_0100, name) + record(2, 0x2) + record(3, 0x8000) + record(-1, 0x4000)
      + record(4, 0x4000_0200, [0xFF, 0])
    let found = FileMonitor.changes(in: bytes[...])
    #expect(found.map(\.number) == [1, 2, 3, -1, 4])
    #expect(
      found.map { "\($0.change)" } == [
        #"came("a.scope")"#, "changed", "gone", "lost", "went(\"\u{FFFD}\")",
      ])
    for count in 0..<bytes.count {
      #expect(FileMonitor.changes(in: bytes[..<count]).count <= 5)
    }
    #expect(FileMonitor.changes(in: record(1, 2, name).dropLast(9)).count == 1)
  }
}
