import GatheredKitTesting
import Machine
import Testing

struct GzipTextTests {
  @Test(arguments: [0, 1, 70_000])
  func `gzip makes the text again of what was compressed`(count: Int) throws {
    let line = Array("node_network_receive_bytes_total{device=\"eth0\"} 4908627600\n".utf8)
    let text = (0..<count).map { line[$0 % line.count] &+ UInt8($0 / 30_000) }
    let compressed = try #require(GzipText.compressed(text))
    #expect(count < 1000 || compressed.count < count / 10)
    let folder = try TemporaryFolder()
    try folder.write(text, to: "/text")
    try folder.write(compressed, to: "/text.gz")
    let script = "cd \(folder.path) && gzip -dc text.gz | cmp - text"
    #expect(try ChildProcess(["/bin/sh", "-c", script]).waitForExit() == 0)
  }

  @Test func `noise takes little more room than it has`() throws {
    var generator = SeededGenerator(seed: 1)
    let noise = (0..<100_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let compressed = try #require(GzipText.compressed(noise))
    #expect((noise.count...noise.count + 1000).contains(compressed.count))
  }
}
