import GatheredKitTesting
import Glibc

/// A configuration of ALSA of the test's own, in which a file stands in for a microphone.
///
/// The library reads it when it opens a PCM; a process has one, so its tests share it.
enum SoundFolder {
  /// The PCM that plays a file, by name: `tone`, `silence`, `clipped`, `short`.
  static func pcm(_ name: String) -> String { "gathered_\(name)" }

  /// Why there is none; empty if there is.
  static let problem: String = {
    do {
      try make()
      return ""
    } catch {
      return "\(error)"
    }
  }()

  private static let folder = try? TemporaryFolder()

  private static func make() throws {
    guard let folder else { return }
    let second = 48_000
    // One kilohertz: 48 samples a turn, so that every whole number of milliseconds is exact.
    let tone = (0..<second).map { Int16((16384 * sin(2 * .pi * Double($0) / 48)).rounded()) }
    let files: [String: [Int16]] = [
      "tone": [[Int16]](repeating: tone, count: 20).flatMap { $0 },
      "silence": [Int16](repeating: 0, count: second),
      "clipped": [Int16](repeating: .max, count: 20 * second),
      "short": Array(tone.prefix(second / 5)),
    ]
    var text = ""
    for (name, samples) in files {
      let bytes = samples.flatMap { withUnsafeBytes(of: $0, Array.init) }
      try folder.write(bytes, to: "/\(name).raw")
      text += """
        pcm.gathered_\(name) {
          type file
          slave.pcm { type null }
          file "/dev/null"
          infile "\(folder.path)/\(name).raw"
          format "raw"
        }

        """
    }
    text += "pcm.gathered_refused { type hw card 31 }\n"
    try folder.write(Array(text.utf8), to: "/asound.conf")
    setenv("ALSA_CONFIG_PATH", "\(folder.path)/asound.conf", 1)
  }
}
