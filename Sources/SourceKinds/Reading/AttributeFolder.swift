import Gathering
import Ground
import Machine
import Values

/// The attributes of one folder of sysfs, each kept open and always read by the same rule.
///
/// A device is registered with the attributes it has, so the folder is listed once: what it lacks
/// then costs nothing at each reading.
final class AttributeFolder {
  private enum Attribute {
    case known(ParsedFile)
    case unread(String)
    case missing(KeptOutcome)
  }

  private let tree: any FileTree
  private var attributes: [Attribute]

  /// The attributes of given names, which from now on are known by their position.
  init(_ path: String, _ names: [String], in tree: any FileTree) {
    var present: Set<String>?
    do throws(SystemError) {
      present = Set(try tree.entries(of: path))
    } catch {
      // A folder that cannot be listed may have files that can be read.
      if error.code == SystemText.noEntry { present = [] }
    }
    self.tree = tree
    attributes = names.map { name in
      let file = "\(path)/\(name)"
      return present?.contains(name) ?? true
        ? .unread(file) : .missing(.missing(file))
    }
  }

  /// The outcome of the attribute at a position by a rule.
  func read(_ index: Int, _ rule: TextRule) -> Outcome {
    switch attributes[index] {
    case .known(let file): return file.read()
    case .missing(let kept): return kept.outcome
    case .unread(let path):
      let file = ParsedFile(path, rule, in: tree)
      attributes[index] = .known(file)
      return file.read()
    }
  }

  /// Reads the attribute at a position by a rule into a property of a reading.
  func read(_ index: Int, _ rule: TextRule, into reading: inout Reading, at property: Int) {
    switch attributes[index] {
    case .known(let file): file.read(into: &reading, at: property)
    case .missing(let kept): reading.set(property, to: kept)
    case .unread: reading[property] = read(index, rule)
    }
  }

  /// The whole number of the attribute at a position, as an `int` payload.
  func number(_ index: Int) -> Outcome { read(index, .number) }

  /// The last text of the attribute at a position.
  func raw(_ index: Int) -> RawValue? {
    guard case .known(let file) = attributes[index] else { return nil }
    return file.raw
  }
}

extension FileTree {
  /// Whether a folder may have a file: one that cannot be listed may.
  func mayHave(_ name: String, in folder: String) -> Bool {
    do throws(SystemError) {
      return try entries(of: folder).contains(name)
    } catch {
      return error.code != SystemText.noEntry
    }
  }
}

extension KeptOutcome {
  /// What is read of a file that is not there.
  static func missing(_ path: String) -> KeptOutcome {
    KeptOutcome(.from(SystemError(SystemText.noEntry, at: path)))
  }
}

extension TextRule {
  /// A whole number as it stands.
  static let number = integer()

  /// A word without meaning is no payload (sources V6).
  static let name = text.map { value in
    let placeholders = ["unknown", "to be filled by o.e.m.", "n/a", "default string"]
    guard let text = value.text, placeholders.contains(text.lowercased()) else {
      return .ok(value)
    }
    return .noData("reported as \"\(text)\"")
  }

  /// Thousandths of a degree; below absolute zero stands for "unknown".
  static let milliCelsius = scaled(over: 1000).map { value in
    guard let celsius = value.number, celsius <= -273.15 else { return .ok(value) }
    return .noData("below absolute zero")
  }

  /// A limit in thousandths of a degree; zero and less stand for "none set".
  static let limit = scaled(over: 1000).map { value in
    guard let celsius = value.number, celsius <= 0 else { return .ok(value) }
    return .noData("no limit is set")
  }
}

extension Outcome {
  /// The whole number, if there is one.
  var integer: Int64? {
    guard status == .ok, case .int(let number) = value else { return nil }
    return number
  }

  /// The number as a double, if there is one.
  var number: Double? { status == .ok ? value.number : nil }

  /// The word or text, if there is one.
  var text: String? { status == .ok ? value.text : nil }

  /// The flag, if there is one.
  var flag: Bool? {
    guard status == .ok, case .bool(let flag) = value else { return nil }
    return flag
  }

  /// The absence of this outcome for a value computed from it.
  var asMissingInput: Outcome {
    Outcome(status: status == .stale ? .noData : status, absence: absence)
  }

  /// Whether another way to the same value may be tried: this one does not exist or is silent.
  var leavesRoom: Bool { status == .unsupported || status == .noData }
}
