import Gathering
import Machine
import Values

/// Reads one sensor of a chip in `/sys/class/hwmon`.
final class MonitorReader: InstanceReader {
  /// A property that is one attribute of the chip.
  struct Column {
    var property: Int
    var attribute: String
    var rule: TextRule
    var isStatic = false
  }

  private let columns: [Column]
  private let constants: [Int: Outcome]
  private let tail: Int
  private let folder: AttributeFolder

  /// A reader of the attributes below a chip's folder; `constants` hold for ever, `tail` is where
  /// the common tail begins and `label` the attribute it takes the label from.
  init(
    _ path: String, _ columns: [Column], constants: [Int: Outcome], tail: Int, label: String,
    in files: any FileTree
  ) {
    self.columns = columns
    self.constants = constants
    self.tail = tail
    folder = AttributeFolder(path, columns.map(\.attribute) + ["name", label], in: files)
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    let isWhole = request.scope == .everything
    for (position, column) in columns.enumerated() where isWhole || !column.isStatic {
      reading[column.property] = folder.read(position, column.rule)
    }
    guard isWhole else { return }
    for (property, outcome) in constants { reading[property] = outcome }
    let rest: [(SensorTail.Field, Outcome)] = [
      (.samplingFrequency, .unsupported("a polled sensor has no rate")),
      (.acquisition, .ok(.string("poll"))),
      (.driver, folder.read(columns.count, .text)),
      (.label, folder.read(columns.count + 1, .text)),
      (.location, .ok(.string("unknown"))),
    ]
    for (field, outcome) in rest { reading[tail + field.rawValue] = outcome }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? {
    if index == tail + SensorTail.Field.driver.rawValue { return folder.raw(columns.count) }
    if index == tail + SensorTail.Field.label.rawValue { return folder.raw(columns.count + 1) }
    return columns.firstIndex { $0.property == index }.flatMap(folder.raw)
  }
}
