import GatheredKitTesting
import Gathering
import Glibc
import Ground
import Testing
import Values

@testable import Recording

/// A recorder whose process ends without a farewell.
struct KilledRecorderTests {
  @Test func `a process that is killed loses nothing that was on the device`() throws {
    let folder = try TemporaryFolder()
    let (path, progress) = (folder.path + "/run.gkr", folder.path + "/progress.gkr")
    var generator = SeededGenerator(seed: 9)
    var parts = 0
    for run in 1...12 {
      let child = try ChildProcess.repeating(
        "RecorderScenes", environment: ["GKIT_RECORD=\(path)", "GKIT_PROGRESS=\(progress)"])
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

/// What the child does, told by variables of its environment.
struct RecorderScenes {
  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Records numbers in order until the process is killed, and says in a file of its own how many
  /// of them are on the device for certain.
  @Test(
    .enabled(if: variable("GKIT_RECORD") != nil, "the test above runs it, in a process of its own")
  )
  func `a child records until it is killed`() throws {
    var options = RecorderOptions()
    options.existing = .append
    options.blockInterval = 1_000_000
    options.blockRows = 64
    let recorder = try Recorder(
      to: try #require(Self.variable("GKIT_RECORD")), options: options)
    let note = try Recorder(to: try #require(Self.variable("GKIT_PROGRESS")), options: options)
    var count: Int64 = 0
    while true {
      for _ in 0..<100 {
        count += 1
        let sample = Sample(.int(count), time: count * 1000, realtime: count * 1000 + 7)
        try recorder.append(sample, named: "numbers")
      }
      try recorder.flush()
      try note.append(Sample(.int(count)), named: "flushed")
      try note.flush()
    }
  }
}
