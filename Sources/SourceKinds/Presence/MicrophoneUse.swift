import Gathering
import Ground
import Machine
import Values

/// Tells from `/proc/asound` whether a program records from a microphone.
final class MicrophoneUse: CaptureWatch {
  private let folder: String
  private let files: any FileTree
  private var substreams: [String: PolledFile] = [:]

  /// The folder of a capture device, `/proc/asound/card0/pcm0c`.
  init(_ folder: String, in files: any FileTree) {
    self.folder = folder
    self.files = files
  }

  func look(at now: Instant) -> CaptureUse {
    let names: [String]
    do throws(SystemError) {
      names = try files.entries(of: folder).filter { $0.hasPrefix("sub") }
    } catch {
      return CaptureUse(inUse: .from(error), evidence: "none")
    }
    var use = CaptureUse(inUse: .noData("\(folder) has no substream"), evidence: "none")
    for name in names.sorted(by: NaturalOrder.areInIncreasingOrder) {
      let status = substreams[name] ?? PolledFile("\(folder)/\(name)/status", in: files)
      substreams[name] = status
      merge(status, into: &use)
    }
    return use
  }

  /// One that runs is enough; that none does takes all to be read.
  private func merge(_ status: PolledFile, into use: inout CaptureUse) {
    let outcome = Outcome(reading: status, Self.isRunning)
    if outcome.flag == true {
      if use.inUse.flag != true {
        use = CaptureUse(inUse: outcome, evidence: "stream", raw: status.lastRaw)
      }
      let owner = Programs.owner(in: status.bytes)
      if let name = owner.flatMap({ Programs.name(of: $0, in: files) }) {
        use.programs.append(name)
      } else {
        use.unnamed = "the program that records is not seen"
      }
      return
    }
    let isFirst = use.raw == nil
    guard isFirst || outcome.flag == nil && use.inUse.flag == false else { return }
    use = CaptureUse(
      inUse: outcome, evidence: outcome.flag == nil ? "none" : "stream",
      raw: RawValue(status.bytes, place: status.path))
  }

  /// `closed`, or lines that begin with the state. What is open and does not run hears nothing.
  private static let isRunning = TextRule { text in
    let line = (Lines(of: text).first { _ in true } ?? []).trimmed
    if line.equals("closed") { return .ok(.bool(false)) }
    guard line.starts(with: "state:".utf8) else { return .unparsable(line) }
    switch line.dropFirst("state:".utf8.count).trimmed.lenientText {
    case "RUNNING", "DRAINING": return .ok(.bool(true))
    case "OPEN", "SETUP", "PREPARED", "XRUN", "PAUSED", "SUSPENDED", "DISCONNECTED":
      return .ok(.bool(false))
    default: return .unparsable(line)
    }
  }
}

/// The names of programs, as the kernel tells them.
enum Programs {
  /// The thread that has opened a substream, of the text of its status.
  static func owner(in status: ArraySlice<UInt8>) -> Int64? { number("owner_pid", in: status) }

  /// The name of the program that a thread belongs to, as one word.
  static func name(of thread: Int64, in files: any FileTree) -> String? {
    let status = PolledFile("/proc/\(thread)/status", in: files, limit: 1 << 16)
    let process = (try? status.read()).flatMap { number("Tgid", in: $0) } ?? thread
    let comm = PolledFile("/proc/\(process)/comm", in: files)
    guard let text = Outcome(reading: comm, .text).text else { return nil }
    return String(text.map { $0.isBlank ? "_" : $0 })
  }

  /// The number behind a name and a colon, in the line that begins with it.
  private static func number(_ name: String, in text: ArraySlice<UInt8>) -> Int64? {
    for line in Lines(of: text) where line.starts(with: name.utf8) {
      let rest = line.drop { $0 != UInt8(ascii: ":") }.dropFirst().trimmed
      return rest.decimal.flatMap { $0 > 0 ? $0 : nil }
    }
    return nil
  }
}
