import Gathering
import Machine
import Values

/// Reads one channel of a chip in `/sys/class/hwmon`.
final class MonitorReader: InstanceReader {
  /// A property that is one attribute of the chip, read by a rule.
  struct Column {
    let property: Int
    let attribute: String
    let rule: TextRule
    /// Whether it stays as it is while the chip exists.
    let isStatic: Bool
    /// The flags of which any stands for the attribute where the chip has none: one alarm a limit.
    let parts: [String]
    /// The flag that says, where it is set, that the attribute's number is none.
    let fault: String?

    /// Makes the entry of a property: its attribute and the rule for its text.
    init(
      _ property: some RawRepresentable<Int>, _ attribute: String, _ rule: TextRule,
      isStatic: Bool = false, orAnyOf parts: [String] = [], unless fault: String? = nil
    ) {
      self.init(
        at: property.rawValue, attribute, rule, isStatic: isStatic, orAnyOf: parts, unless: fault)
    }

    /// The same for a property by its index.
    init(
      at property: Int, _ attribute: String, _ rule: TextRule, isStatic: Bool = false,
      orAnyOf parts: [String] = [], unless fault: String? = nil
    ) {
      self.property = property
      self.attribute = attribute
      self.rule = rule
      self.isStatic = isStatic
      self.parts = parts
      self.fault = fault
    }
  }

  private let columns: [Column]
  /// Where the parts of each column stand in the folder: behind the columns' own attributes.
  private let parts: [Range<Int>]
  /// The columns with a flag of faults, behind the parts: the property, and the flag's place.
  private let faults: [(property: Int, place: Int)]
  private let constants: [Int: Outcome]
  private let folder: AttributeFolder
  private let power: RuntimePower
  /// Whether the device slept at the last reading, and nothing of it was read (catalogue G1).
  private(set) var isAsleep = false
  /// Whether what is static is still to be read, since the device slept when it was asked for.
  private var owesStatics = false

  /// A reader of the attributes below a chip's folder; `constants` hold for ever.
  init(
    _ path: String, _ columns: [Column], constants: [Int: Outcome] = [:], in files: any FileTree
  ) {
    self.columns = columns
    self.constants = constants
    var end = columns.count
    parts = columns.map { column in
      defer { end += column.parts.count }
      return end..<(end + column.parts.count)
    }
    power = RuntimePower(ofChip: path, in: files)
    let faulty = columns.filter { $0.fault != nil }
    faults = faulty.indices.map { (faulty[$0].property, end + $0) }
    folder = AttributeFolder(
      path, columns.map(\.attribute) + columns.flatMap(\.parts) + faulty.compactMap(\.fault),
      in: files)
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    if request.scope == .everything {
      for (property, outcome) in constants { reading[property] = outcome }
    }
    isAsleep = power.isAsleep
    let isWhole = request.scope == .everything || owesStatics
    owesStatics = isWhole && isAsleep
    if isAsleep { return sleep(isWhole, into: &reading) }
    for (position, column) in columns.enumerated() where isWhole || !column.isStatic {
      folder.read(position, column.rule, into: &reading, at: column.property)
      guard !parts[position].isEmpty,
        reading.status(at: column.property) == .unsupported
      else { continue }
      if let part = anyPart(of: position) { reading[column.property] = part }
    }
    for (property, place) in faults where folder.read(place, .flag).flag == true {
      reading.set(property, to: Self.faulty)
    }
    for column in columns where isWhole || !column.isStatic {
      if power.isRefusal(reading.absence(at: column.property)) {
        reading.set(column.property, to: RuntimePower.resetting)
        if column.isStatic { owesStatics = true }
      }
    }
  }

  /// What an outcome of another attribute of the chip means: refusals of a card forbid nothing.
  func heeding(_ outcome: Outcome) -> Outcome {
    power.isRefusal(outcome.absence) ? RuntimePower.resetting.outcome : outcome
  }

  /// Says of what changes that the device sleeps; what is static stays, once it is known.
  private func sleep(_ isWhole: Bool, into reading: inout Reading) {
    for column in columns {
      if column.isStatic, !isWhole || reading.status(at: column.property) == .ok { continue }
      reading.set(column.property, to: RuntimePower.asleep)
    }
  }

  private static let faulty = KeptOutcome(.failed("the chip reports a fault of the channel"))

  func raw(ofPropertyAt index: Int) -> RawValue? {
    guard let position = columns.firstIndex(where: { $0.property == index }) else { return nil }
    let rule = columns[position].rule
    let known = parts[position].compactMap { folder.raw($0) }
    return folder.raw(position) ?? known.first { rule($0.bytes[...]).flag == true } ?? known.first
  }

  /// True if any part is; the first failure where none is, and false where all can be read. Nil
  /// where the chip has no part.
  private func anyPart(of position: Int) -> Outcome? {
    let flags = parts[position].map { folder.read($0, columns[position].rule) }
      .filter { $0.status != .unsupported }
    return flags.first { $0.flag == true } ?? flags.first { $0.flag == nil } ?? flags.first
  }
}
