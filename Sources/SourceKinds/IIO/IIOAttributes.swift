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
  private var positions: [String: Int] = [:]
  private var files: [ParsedFile] = []
  /// The reading in which a file was read last.
  private var readIn: [UInt64] = []
  private var reading: UInt64 = 1
  /// When a setting was read last; nil for what every reading reads.
  private var settings: [Int64?] = []
  /// The moment from which on a setting is new enough; `.max` where none is.
  private var freshSince = Int64.max
  private var now: Int64 = 0

  /// Attributes of a device.
  init(of device: IIODevice, in tree: any FileTree) {
    path = device.path
    self.tree = tree
  }

  /// The position of an attribute, which is always read by one rule.
  func position(of name: String, _ rule: TextRule, isSetting: Bool = false) -> Int {
    if let known = positions[name] { return known }
    settings.append(isSetting ? .min : nil)
    positions[name] = files.count
    files.append(ParsedFile("\(path)/\(name)", rule, in: tree))
    readIn.append(0)
    return files.count - 1
  }

  /// Begins a reading: every attribute is read again, but settings that were read within the
  /// second before a moment of boot time. Without a moment they are, too.
  func begin(at moment: Int64? = nil) {
    reading += 1
    now = moment ?? .min
    freshSince = moment.map { $0 - Self.validity } ?? .max
  }

  /// How long a setting counts, in nanoseconds.
  private static let validity: Int64 = 1_000_000_000

  /// The content of the attribute at a position.
  func read(_ position: Int) -> Outcome {
    update(position)
    return files[position].outcome
  }

  /// The number at a position; nil where `read` says what is there instead.
  func number(_ position: Int) -> Double? {
    update(position)
    return files[position].number
  }

  private func update(_ position: Int) {
    if readIn[position] == reading { return }
    readIn[position] = reading
    if let last = settings[position] {
      if last > freshSince, last <= now, files[position].number != nil { return }
      settings[position] = now
    }
    files.borrow(position) { $0.update() }
  }

  /// The last text of the attribute at a position.
  func raw(_ position: Int) -> RawValue? { files[position].raw }
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
