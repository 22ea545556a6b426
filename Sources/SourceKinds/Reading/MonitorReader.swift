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

    /// A property, its attribute and what the text of that means.
    init(
      _ property: some RawRepresentable<Int>, _ attribute: String, _ rule: TextRule,
      isStatic: Bool = false, orAnyOf parts: [String] = []
    ) {
      self.init(at: property.rawValue, attribute, rule, isStatic: isStatic, orAnyOf: parts)
    }

    /// The same for a property by its index.
    init(
      at property: Int, _ attribute: String, _ rule: TextRule, isStatic: Bool = false,
      orAnyOf parts: [String] = []
    ) {
      self.property = property
      self.attribute = attribute
      self.rule = rule
      self.isStatic = isStatic
      self.parts = parts
    }
  }

  private let columns: [Column]
  private let constants: [Int: Outcome]
  private let folder: AttributeFolder

  /// A reader of the attributes below a chip's folder; `constants` hold for ever.
  init(
    _ path: String, _ columns: [Column], constants: [Int: Outcome] = [:], in files: any FileTree
  ) {
    self.columns = columns
    self.constants = constants
    // Each column's own attribute stands at its position, the parts of all behind them.
    folder = AttributeFolder(
      path, columns.map(\.attribute) + columns.flatMap(\.parts), in: files)
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    let isWhole = request.scope == .everything
    var firstPart = columns.count
    for (position, column) in columns.enumerated() {
      let parts = firstPart..<(firstPart + column.parts.count)
      firstPart = parts.upperBound
      if column.isStatic && !isWhole { continue }
      let own = folder.read(position, column.rule)
      reading[column.property] = own.status == .unsupported ? any(of: parts, column, or: own) : own
    }
    guard isWhole else { return }
    for (property, outcome) in constants { reading[property] = outcome }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? {
    columns.firstIndex { $0.property == index }.flatMap(folder.raw)
  }

  /// True if any part is; the first failure where none is, and false where all can be read.
  private func any(of parts: Range<Int>, _ column: Column, or missing: Outcome) -> Outcome {
    let flags = parts.map { folder.read($0, column.rule) }.filter { $0.status != .unsupported }
    return flags.first { $0.flag == true } ?? flags.first { $0.flag == nil } ?? flags.first
      ?? missing
  }
}
