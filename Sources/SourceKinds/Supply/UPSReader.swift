import Gathering
import Machine
import Values

/// Reads one UPS: each reading is one question to upsd.
final class UPSReader: InstanceReader {
  private typealias Field = UPS.Field

  private let name: String
  private let link: UpsdLink
  private let listener: UpsdListener
  private var raws: [Int: RawValue] = [:]

  init(of name: String, _ link: UpsdLink) {
    self.name = name
    self.link = link
    listener = link.listen(toList: false)
  }

  deinit { listener.cancel() }

  /// upsd may have to be waited for.
  var mayBlock: Bool { true }
  /// The connection is ended with a single reading.
  var holdsDevice: Bool { true }

  /// How long an answer is waited for: a reading has to be in within a second.
  private static let limit: Int64 = 900_000_000

  func read(_ request: ReadRequest, into reading: inout Reading) {
    let fields = UPS.fields(wantedBy: request)
    switch link.ask(about: name, within: Self.limit) {
    case .late:
      let late = Outcome.noData("upsd has not answered in time", errno: SystemText.timedOut)
      for field in fields { reading[field] = late }
    case .absent(let availability):
      for field in fields { reading[field] = .absent(for: availability) }
    case .answer(let device):
      take(device, fields, into: &reading)
    }
  }

  /// Takes an answer over. Values have the time at which upsd gave them, so those that are kept
  /// while the driver flaps are no news.
  private func take(_ device: UpsdDevice, _ fields: [UPS.Field], into reading: inout Reading) {
    let old = Absence(
      "the driver of \(name) has no fresh data", remedy: link.restart(name))
    if device.variables.isEmpty && device.standing != .fresh {
      let absence = Outcome(status: .noData, absence: old)
      for field in fields { reading[field] = absence }
      return
    }
    let values = UPSValues(device)
    for field in fields {
      let (outcome, raw) = values.value(of: field)
      let isOld = device.standing == .stale && UPS.table[field].mode != .static
      reading[field] = isOld ? outcome.stale(old) : outcome.read(at: device.answeredAt)
      raws[field.rawValue] = raw
    }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? { raws[index] }
}

extension Outcome {
  /// A value of a moment on CLOCK_BOOTTIME; what is none, as it is.
  fileprivate func read(at moment: Int64) -> Outcome {
    guard status == .ok else { return self }
    var outcome = self
    (outcome.stamp, outcome.stampOrigin) = (moment, .library)
    return outcome
  }
}
