import Gathering
import Ground
import Machine
import Values

/// The attributes of one IIO device that a reader reads, each kept open and read once a reading,
/// however many channels share it. Scales and offsets are settings, which change only when they are
/// written: they may be read again once a second only (catalogue 3.2).
final class IIOAttributes {
  private let path: String
  private let tree: any FileTree
  private var attributes: [String: IIOAttribute] = [:]
  private let round = IIOAttribute.Round()

  /// Attributes of a device.
  init(of device: IIODevice, in tree: any FileTree) {
    path = device.path
    self.tree = tree
  }

  /// The attribute of a name, which is always read by one rule.
  func attribute(_ name: String, _ rule: TextRule, isSetting: Bool = false) -> IIOAttribute {
    if let known = attributes[name] { return known }
    let file = ParsedFile("\(path)/\(name)", rule, in: tree)
    let new = IIOAttribute(file, in: round, isSetting: isSetting)
    attributes[name] = new
    return new
  }

  /// Begins a reading: every attribute is read again, but settings that were read within the
  /// second before a moment of boot time. Without a moment they are, too.
  func begin(at moment: Int64? = nil) { round.begin(at: moment) }
}

/// One of them.
final class IIOAttribute {
  /// The reading that a device's attributes are read for.
  final class Round {
    fileprivate private(set) var number: UInt64 = 1
    /// The moment from which on a setting is new enough; `.max` where none is.
    fileprivate private(set) var freshSince = Int64.max
    fileprivate private(set) var now = Int64.min

    fileprivate func begin(at moment: Int64?) {
      number += 1
      now = moment ?? .min
      freshSince = moment.map { $0 - Self.validity } ?? .max
    }

    /// How long a setting counts, in nanoseconds.
    private static let validity: Int64 = 1_000_000_000
  }

  private let file: ParsedFile
  private let round: Round
  private let isSetting: Bool
  /// The reading it was read in last, and when that was, if it is a setting.
  private var readIn: UInt64 = 0
  private var readAt = Int64.min

  fileprivate init(_ file: ParsedFile, in round: Round, isSetting: Bool) {
    self.file = file
    self.round = round
    self.isSetting = isSetting
  }

  /// Its content.
  func read() -> Outcome {
    update()
    return file.outcome
  }

  /// Its number; nil where `read` says what is there instead.
  func number() -> Double? {
    update()
    return file.number
  }

  /// The last text.
  var raw: RawValue? { file.raw }

  private func update() {
    let current = round.number
    if readIn == current { return }
    readIn = current
    if isSetting {
      if readAt > round.freshSince, readAt <= round.now, file.number != nil { return }
      readAt = round.now
    }
    file.update()
  }
}

extension TextRule {
  /// A number with or without fraction.
  static let decimal = TextRule(.scaled(1, over: 1)) { text in
    guard let number = NumberText.decimal(text) else { return .unparsable(text) }
    return .ok(.double(number))
  }

  /// Two to four numbers between spaces, as a vector.
  static let decimals = TextRule { text in
    var numbers: [Double] = []
    for word in Words(of: text) {
      guard let number = NumberText.decimal(word) else { return .unparsable(text) }
      numbers.append(number)
    }
    return Vector(numbers).map { .ok(.vector($0)) } ?? .unparsable(text)
  }

  /// A rate in hertz; 0 stands for "not set".
  static let frequency = decimal.map { value in
    guard let number = value.number, number >= 0 else { return .failed("a rate below zero") }
    return number == 0 ? .noData("no rate is set") : .ok(value)
  }
}
