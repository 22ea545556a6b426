import Gathering
import Ground
import Values

/// The rule that selects the receiver for the aggregate (catalogue 4.1): of those with a fresh fix
/// the one with the highest fix, then the smallest horizontal accuracy; a candidate must be better
/// for 3 s.
struct BestReceiver {
  /// How long a candidate must be better.
  static let patience: Int64 = 3_000_000_000

  private let members: [Reading]

  init(_ members: [Reading]) { self.members = members }

  /// Takes all values of the best receiver over into the aggregate.
  static func combine(_ members: [Reading], into aggregate: inout Reading) {
    // Receivers that the aggregate reads itself are no members.
    if members.isEmpty { return }
    let numbers = aggregate.counters
    let candidate = numbers.count == 2 ? Candidate(name: numbers[0], since: numbers[1]) : nil
    let present = aggregate[GPSField.device].value.text
    guard
      let choice = Self(members).choose(
        after: present, candidate: candidate, at: aggregate.instant.boot)
    else { return }
    for index in aggregate.indices {
      var outcome = members[choice.index][index]
      // Another receiver's report may have begun a little earlier.
      if let before = aggregate[index].stamp, let stamp = outcome.stamp, stamp < before {
        outcome.stamp = before
      }
      aggregate[index] = outcome
    }
    aggregate.counters = choice.candidate.map { [$0.name, $0.since] } ?? []
  }

  /// The member selected next, given the one selected last by its name, and since when which
  /// candidate has been better: to be passed in the next call.
  func choose(
    after present: String?, candidate: Candidate?, at now: Int64
  ) -> (index: Int, candidate: Candidate?)? {
    guard let best = members.indices.max(by: { isWorse($0, than: $1) }) else { return nil }
    guard let present, let index = members.firstIndex(where: { $0.receiver == present }) else {
      return (best, nil)
    }
    // A receiver without a fresh fix is replaced at once.
    if members[index].freshFix == 0 && members[best].freshFix > 0 { return (best, nil) }
    guard isWorse(index, than: best) else { return (index, nil) }
    let name = members[best].receiver ?? ""
    let since = candidate.flatMap { $0.name == Candidate.name(name) ? $0.since : nil } ?? now
    if now - since >= Self.patience { return (best, nil) }
    return (index, Candidate(name: Candidate.name(name), since: since))
  }

  /// Whether a member is worse than another; equals keep their order.
  private func isWorse(_ one: Int, than other: Int) -> Bool {
    let (left, right) = (members[one], members[other])
    if left.freshFix != right.freshFix { return left.freshFix < right.freshFix }
    if left.freshFix > 0, left.accuracy != right.accuracy { return left.accuracy > right.accuracy }
    if left.freshFix == 0, left.isReporting != right.isReporting { return right.isReporting }
    return one > other
  }

  /// A receiver that is better than the one chosen.
  struct Candidate: Equatable {
    /// A number made of its name.
    var name: Int64
    /// Since when (boot ns).
    var since: Int64

    static func name(_ text: String) -> Int64 {
      // FNV-1a: the same in every process, unlike Swift's hash.
      let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
        ($0 ^ UInt64($1)) &* 0x100_0000_01B3
      }
      return Int64(bitPattern: hash)
    }
  }
}

extension Reading {
  /// A name for the receiver a reading is of.
  fileprivate var receiver: String? { self[GPSField.device].value.text }
  /// 3 or 2 for a fix that is not stale, else 0.
  fileprivate var freshFix: Int {
    guard self[GPSField.fix].status == .ok else { return 0 }
    return switch self[GPSField.fix].value.text {
    case "3d": 3
    case "2d": 2
    default: 0
    }
  }
  /// In metres; unknown is worst.
  fileprivate var accuracy: Double {
    let outcome = self[GPSField.horizontalAccuracy]
    return outcome.status == .ok ? outcome.value.number ?? .infinity : .infinity
  }
  /// Whether the receiver reports anything at present.
  fileprivate var isReporting: Bool { self[GPSField.fix].status == .ok }
}
