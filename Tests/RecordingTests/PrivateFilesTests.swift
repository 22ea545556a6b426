import GatheredKitTesting
import Gathering
import Glibc
import Machine
import Testing
import Values

@testable import Recording

/// P6: what holds recorded values is for its owner only.
struct PrivateFilesTests {
  private func mode(of path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
  }

  @Test func `P6: recordings, exports and what repair writes are made 0600`() throws {
    let folder = try TemporaryFolder()
    var options = RecorderOptions()
    options.rotateBytes = 600
    options.blockRows = 8
    let path = folder.path + "/walk.gkr"
    let recorder = try Recorder(to: path, options: options)
    let live = try Recorder(to: folder.path + "/live.csv", as: .csv(.wide))
    for number in Int64(0)..<200 {
      let sample = Sample(.int(number * number), time: number, sequence: UInt64(number + 1))
      try recorder.append(sample, named: "n")
      try live.append(sample, named: "n")
      if number % 20 == 0 { try recorder.flush() }
    }
    try recorder.close()
    try live.close()
    let parts = try RecordingParts(path)
    for format in [TextFormat.jsonLines, .csv(.long)] {
      let target = folder.path + (format == .jsonLines ? "/out.jsonl" : "/out.csv")
      try TextExport.write(try RecordedTable.all(of: parts), as: format, to: target)
    }
    _ = try RecordingRepair.repair(path, to: folder.path + "/mended.gkr")
    let names = try LiveStorage().names(in: folder.path)
    #expect(names.count > 6)
    for name in names { #expect(mode(of: "\(folder.path)/\(name)") == 0o600, "\(name)") }
  }

  @Test func `a recording that is mended in place keeps the mode its owner gave it`() throws {
    let folder = try TemporaryFolder()
    let (path, bytes) = try RecordingFileTests.small(in: folder)
    var damaged = bytes
    damaged[try RecordingFile(path).blocks[0].offset + 50] ^= 1
    try folder.write(damaged, to: "/small.gkr")
    for mode in [mode_t(0o600), 0o640] {
      #expect(chmod(path, mode) == 0)
      _ = try RecordingRepair.repair(path)
      #expect(self.mode(of: path) == mode)
      try folder.write(damaged, to: "/small.gkr")
    }
  }
}
