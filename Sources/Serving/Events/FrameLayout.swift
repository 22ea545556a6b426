import Gathering

/// What the text of each frame of a source has in common, made once.
struct FrameLayout: Sendable {
  /// A property that has a column.
  struct Column: Sendable {
    let place: Int
    /// What stands before its numbers, in JSON.
    let head: [UInt8]
  }

  /// The id of the source, in JSON.
  let name: String
  /// What it was made of.
  let properties: [Property]
  let columns: [Column]
  /// The places of the properties that have no column.
  let others: [Int]

  /// The layout of frames with these properties.
  init(of name: String, _ properties: [Property]) {
    self.name = name
    self.properties = properties
    var (columns, others) = ([Column](), [Int]())
    for (place, property) in properties.enumerated() {
      if property.hasColumn {
        let comma = columns.isEmpty ? "" : ","
        columns.append(Column(place: place, head: Array("\(comma)\"\(property.key)\":[".utf8)))
      } else {
        others.append(place)
      }
    }
    (self.columns, self.others) = (columns, others)
  }
}

extension Property {
  /// Whether it is a number that goes on all the time, or several.
  fileprivate var hasColumn: Bool {
    switch type {
    case .double, .int, .vector: mode == .continuous || mode == .onChange
    default: false
    }
  }
}
