import Gathering
import Machine
import Values

/// The attributes of one IIO device that a reader reads, each kept open and read once a reading,
/// however many channels share it.
final class IIOAttributes {
  private let path: String
  private let tree: any FileTree
  private var positions: [String: Int] = [:]
  private var files: [ParsedFile] = []
  /// The reading in which a file was read last.
  private var readIn: [UInt64] = []
  private var reading: UInt64 = 1

  /// Attributes of a device.
  init(of device: IIODevice, in tree: any FileTree) {
    path = device.path
    self.tree = tree
  }

  /// The position of an attribute, which is always read by one rule.
  func position(of name: String, _ rule: TextRule) -> Int {
    if let known = positions[name] { return known }
    positions[name] = files.count
    files.append(ParsedFile("\(path)/\(name)", rule, in: tree))
    readIn.append(0)
    return files.count - 1
  }

  /// Begins a reading: every attribute is read again.
  func begin() { reading += 1 }

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
    files[position].update()
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
