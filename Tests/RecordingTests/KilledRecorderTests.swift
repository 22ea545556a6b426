import Gathering
import GatheredKitTesting
import Glibc
import Machine
import Testing

@testable import Recording

/// A recorder whose process ends without a farewell.
struct KilledRecorderTests {
  /// `recording-child` is built beside the tests.
  static var program: String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let own = String(
      decoding: buffer.prefix(max(count, 0)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return own.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/recording-child"
  }

  @Test func `a process that is killed loses nothing that was on the device`() throws {
    let folder = try TemporaryFolder()
    let (path, progress) = (folder.path + "/run.gkr", folder.path + "/progress.gkr")
    var generator = SeededGenerator(seed: 9)
    var parts = 0
    for run in 1...12 {
      let child = try ChildProcess([Self.program, path, progress])
      // Until it has come a little further, and then at any moment.
      #expect(Patience.wait { (try? RecordingFile(progress).openings.count) == run })
      usleep(UInt32.random(in: 0...60_000, using: &generator))
      child.end()
      let file = try RecordingFile(path)
      try file.verify()
      #expect(file.problems == [])
      let numbers = try file.integers(of: "numbers")
      parts = numbers.count { $0 == 1 }
      #expect(parts <= run && file.openings.count == run)
      for (before, next) in zip(numbers, numbers.dropFirst()) {
        #expect(next == before + 1 || next == 1)
      }
    }
    #expect(parts > 0)
    let flushed = try RecordingFile(progress).integers(of: "flushed")
    let file = try RecordingFile(path)
    // Of each run at least what it had been told is there.
    #expect(try file.integers(of: "numbers").count >= flushed.count * 100)
    let repair = try RecordingRepair.repair(path)
    #expect(try repair.lost.count <= 1 && RecordingFile(path).tail() == 0)
  }
}
