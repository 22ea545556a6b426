import Gathering
import Machine
import Values

/// Reads one wireless interface through nl80211.
///
/// A driver may take its time over an answer, so that this is done on a thread of its own.
final class WiFiReader: InstanceReader {
  private typealias Field = WiFi.Field

  let mayBlock = true
  private let index: ParsedFile
  private let link: any RadioLink
  private var raws: [Int: RawValue] = [:]

  init(_ instance: Instance, asking link: any RadioLink, on machine: Machine) {
    index = ParsedFile("\(instance.path)/ifindex", .count, in: machine.files)
    self.link = link
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    let replies = ask()
    for field in Field.allCases {
      let property = WiFi.table[field]
      guard request.allow.permits(property.category) else {
        raws[field] = nil
        continue
      }
      guard request.wants(property) else { continue }
      switch replies {
      case .success(let replies):
        let reported = replies.value(of: field)
        reading[field] = reported.outcome
        if let raw = reported.raw { raws[field] = raw }
      case .failure(let unknown):
        reading[field] = unknown.outcome
      }
    }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? { raws[index] }

  /// All there is to know, or why not even the interface's number is known.
  private func ask() -> Result<WiFiReplies, Unknown> {
    let outcome = index.read()
    guard case .int(let number) = outcome.value, let index = UInt32(exactly: number) else {
      // An interface that goes takes its files along.
      let isGone = outcome.absence?.errno == SystemText.noEntry
      return .failure(
        Unknown(
          outcome: isGone
            ? .noData("the interface is gone", errno: SystemText.noDevice) : outcome))
    }
    return .success(WiFiReplies(of: index, from: link))
  }

  private struct Unknown: Error {
    let outcome: Outcome
  }
}
