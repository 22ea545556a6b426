import Gathering
import Machine
import Values

/// The wear that an eMMC or a UFS drive tells of itself, in tenths of its life.
final class FlashHealth {
  private let lives: [ParsedFile]
  private let end: ParsedFile

  /// The files of an instance; nil for a drive that has none of these.
  init?(of instance: Instance, in files: any FileTree) {
    let device = "\(instance.path)/device"
    if let folder = instance.notes["descriptor"] {
      lives = ["life_time_estimation_a", "life_time_estimation_b"].map {
        ParsedFile("\(folder)/\($0)", .lifeTime, in: files)
      }
      end = ParsedFile("\(folder)/eol_info", .endOfLife, in: files)
    } else if instance.notes["bus"] == DiskBus.mmc.rawValue {
      lives = [ParsedFile("\(device)/life_time", .lifeTime, in: files)]
      end = ParsedFile("\(device)/pre_eol_info", .endOfLife, in: files)
    } else {
      return nil
    }
  }

  /// The greater of both parts of the memory; one that is not told counts not.
  var wear: ReportedValue {
    let found = lives.map { (outcome: $0.read(), raw: $0.raw) }
    let silent = found.first { !$0.outcome.leavesRoom && $0.outcome.number == nil }
    let known = found.filter { $0.outcome.number != nil }
    let worst = known.max { ($0.outcome.number ?? 0) < ($1.outcome.number ?? 0) }
    return silent ?? worst ?? found.first ?? (.notRead, nil)
  }

  /// Whether the end of its life is near.
  var failing: ReportedValue { (end.read(), end.raw) }
}

extension TextRule {
  /// `0x01 0x02`, tenths of the life that is used, each an upper bound; 11 is beyond, 0 unknown.
  fileprivate static let lifeTime = TextRule { text in
    let numbers = Words(of: text).map(hexadecimal)
    let known = numbers.compactMap { $0 }
    guard known.count == numbers.count, known.allSatisfy({ $0 <= 11 }), let most = known.max()
    else { return .unparsable(text) }
    return most == 0 ? .noData("reported as 0") : .ok(.double(Double(most) / 10))
  }

  /// 1 is normal, 2 a warning, 3 urgent; 0 unknown.
  fileprivate static let endOfLife = TextRule { text in
    switch hexadecimal(text) {
    case 0: .noData("reported as 0")
    case 1, 2: .ok(.bool(false))
    case 3: .ok(.bool(true))
    default: .unparsable(text)
    }
  }

  /// The number of `0x0A`.
  private static func hexadecimal(_ word: ArraySlice<UInt8>) -> Int? {
    let digits = word.dropFirst(2).map(hexDigit)
    guard word.starts(with: [UInt8(ascii: "0"), UInt8(ascii: "x")]), (1...8).contains(digits.count)
    else { return nil }
    var number = 0
    for digit in digits {
      guard let digit else { return nil }
      number = number << 4 | Int(digit)
    }
    return number
  }
}
