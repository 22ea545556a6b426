import Gathering
import Values

extension Disk {
  /// All drives as one: the worst of each, and the sums of what went wrong.
  func combine(_ members: [Reading], into aggregate: inout Reading) {
    for field in Field.allCases {
      switch field {
      case .failing: aggregate[field] = Self.failing(members)
      case .temperature, .wear: aggregate[field] = Self.greatest(field, members)
      case .badSectors, .mediaErrors: aggregate[field] = Self.sum(field, members)
      default:
        if members.count == 1 {
          aggregate.set(field.rawValue, asIn: members, at: 0)
        } else {
          aggregate.set(field, to: Self.several)
        }
      }
    }
  }

  private static let several = KeptOutcome(.noData("several drives"))
  private static let none = Outcome.noData("no drive")

  /// Whether any fails. That none does is a guess while one that could tell has not.
  private static func failing(_ members: [Reading]) -> Outcome {
    var answer = members.any(Field.failing, noMember: none.absence?.reason ?? "")
    let isSilent = members.contains { member in
      let outcome = member[Field.failing]
      return outcome.flag == nil && !MemberSum.isLeftOut(outcome)
    }
    if answer.flag == false && isSilent { answer.isLowAccuracy = true }
    return answer
  }

  /// The greatest that is known.
  private static func greatest(_ field: Field, _ members: [Reading]) -> Outcome {
    let outcomes = members.map { $0[field] }
    let known = outcomes.filter { $0.number != nil }
    if let greatest = known.max(by: { ($0.number ?? 0) < ($1.number ?? 0) }) { return greatest }
    let hopeful = outcomes.first { $0.status != .unsupported } ?? outcomes.first
    return hopeful?.asMissingInput ?? none
  }

  /// The sum of a count (catalogue G7).
  private static func sum(_ field: Field, _ members: [Reading]) -> Outcome {
    var sum = MemberSum()
    for member in members { sum.add(member[field]) }
    let outcome = sum.outcome(orElse: none)
    guard let total = outcome.number else { return outcome }
    guard let number = Int64(exactly: total) else { return .failed("the sum exceeds 64 bits") }
    return .ok(.int(number), lowAccuracy: outcome.isLowAccuracy)
  }
}
