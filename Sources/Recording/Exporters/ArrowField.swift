import Gathering
import Values

/// A field as the Arrow C data interface describes it.
package struct ArrowField: Sendable {
  /// Its type, as the interface spells it.
  package let format: String
  /// What it is called; empty for a record.
  package let name: String
  /// Whether rows may lack a value.
  package private(set) var isNullable = true
  /// What else is said of it, in order.
  package private(set) var metadata: [(key: String, text: String)] = []
  /// The fields of a record, or the one item of a list.
  package private(set) var children: [ArrowField] = []

  private init(_ format: String, _ name: String) {
    self.format = format
    self.name = name
  }

  /// The record of a table: its row times, and its columns.
  package init(_ table: RecordedTable) {
    switch table.series.origin {
    case .source(let id):
      let label = table.series.label
      self.init(table.columns, [("source", table.name), ("kind", id.kind), ("label", label)])
    case .stream: self.init(table.columns, [("stream", table.name)])
    }
  }

  /// The record of the rows of a frame.
  package init(_ table: FrameTable) {
    self.init(
      table.columns,
      table.origin.map {
        [("source", $0.id.description), ("kind", $0.id.kind), ("label", $0.label)]
      } ?? [])
  }

  private init(_ columns: [RecordedColumn], _ metadata: [(key: String, text: String)]) {
    self.init("+s", "")
    isNullable = false
    self.metadata = metadata
    for (name, format) in zip(RecordedColumn.rowTimes, ["tsn:UTC", "l"]) {
      var field = ArrowField(format, name)
      field.isNullable = false
      children.append(field)
    }
    children += columns.map { ArrowField($0) }
  }

  private init(_ column: RecordedColumn) {
    self.init(column.property.arrowFormat, column.name)
    metadata = column.property.arrowMetadata
    if column.isJSON { metadata.append(("encoding", "json")) }
    if case .vector = column.property.type {
      var item = ArrowField("g", "item")
      item.isNullable = false
      children = [item]
    }
  }

  /// The metadata as bytes: how many pairs there are, and each with its lengths, numbers of
  /// 32 bits of this machine. Nil where there is none; a pair without text is left out.
  package var encodedMetadata: [UInt8]? {
    let pairs = metadata.filter { !$0.text.isEmpty }
    if pairs.isEmpty { return nil }
    var bytes: [UInt8] = []
    func put(_ count: Int) {
      withUnsafeBytes(of: Int32(truncatingIfNeeded: count)) { bytes += $0 }
    }
    put(pairs.count)
    for text in pairs.flatMap({ [$0.key, $0.text] }) {
      put(text.utf8.count)
      bytes += text.utf8
    }
    return bytes
  }
}

extension Property {
  fileprivate var arrowFormat: String {
    switch type {
    case .bool: "b"
    case .int: "l"
    case .double: "g"
    case .vector(let components): "+w:\(components.count)"
    case .string, .enumeration: "u"
    case .bytes: "z"
    case .time: "tsn:UTC"
    }
  }

  fileprivate var arrowMetadata: [(key: String, text: String)] {
    var pairs = [("key", key), ("name", name), ("unit", unit ?? "")]
    if let range {
      let ends = [range.lowerBound, range.upperBound].map { end in
        // What has no end on one side goes as far as numbers go.
        end.magnitude < .greatestFiniteMagnitude ? "\(end)" : end < 0 ? "-inf" : "inf"
      }
      pairs.append(("range", ends.joined(separator: ",")))
    }
    if let resolution { pairs.append(("resolution", "\(resolution)")) }
    switch type {
    case .vector(let components):
      pairs.append(("components", components.joined(separator: ",")))
    case .enumeration(let words):
      pairs += [("type", "enum"), ("words", words.joined(separator: ","))]
    default: break
    }
    return pairs
  }
}
