import Gathering
import Machine
import Values

/// Reads one sensor of iio-sensor-proxy: claimed while a session updates.
final class SensorProxyReader: InstanceReader {
  /// A kind's rule for the daemon's properties: an outcome for each field it has.
  typealias Rule = ([String: BusValue]) -> [Int: Outcome]

  private let claim: SensorProxyClaim
  private let tail: Int
  private let count: Int
  private let names: [Int: String]
  private let rule: Rule
  private var last: [String: BusValue] = [:]

  /// `tail` is the index of the first property of the common tail, `count` that of all; `names` are
  /// what the daemon calls the properties it has.
  init(
    _ claim: SensorProxyClaim, tail: Int, count: Int, names: [Int: String],
    _ rule: @escaping Rule
  ) {
    self.claim = claim
    self.tail = tail
    self.count = count
    self.names = names
    self.rule = rule
  }

  /// The daemon may have to be waited for.
  var mayBlock: Bool { true }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    let found = values()
    // Who only looks once leaves the sensor as it was.
    if !request.isUpdating { claim.release() }
    for index in 0..<tail { reading[index] = found[index] ?? .unsupported(Self.silence) }
    let words: [SensorTail.Field: String] = [
      .acquisition: "service", .driver: "iio-sensor-proxy", .location: "unknown",
    ]
    for field in SensorTail.Field.allCases where tail + field.rawValue < count {
      reading[tail + field.rawValue] =
        words[field].map { .ok(.string($0)) } ?? .unsupported(Self.silence)
    }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? { names[index].flatMap(claim.raw) }

  private static let silence = "the service does not report it"

  /// The present values of the daemon; if it refuses, the refusal in their place.
  private func values() -> [Int: Outcome] {
    do throws(BusFailure) {
      last = try claim.values()
      return rule(last)
    } catch {
      let outcome = Outcome.from(error, of: SensorProxy.service)
      return rule(last).mapValues { $0.status == .unsupported ? $0 : outcome }
    }
  }
}
