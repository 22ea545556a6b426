/// Panels in columns, each below the others of the shortest column.
struct PanelGrid {
  /// Where a panel stands.
  struct Place {
    let session: UInt32
    let column: Int
    let rows: Range<Int>
  }

  private(set) var places: [Place] = []
  private var columns: [[StyledLine]]
  private let width: Int

  /// The least columns of a panel: a name, a value and a curve fit.
  static let least = 48
  private static let gap = 1

  /// How many columns of panels fit, and how wide each is.
  static func columns(within width: Int, for count: Int) -> (count: Int, width: Int) {
    let number = max(1, min((width + gap) / (least + gap), count))
    return (number, (width - gap * (number - 1)) / number)
  }

  /// Places panels, in their order.
  init(_ panels: [Panel], columns count: Int, width: Int) {
    self.width = width
    columns = Array(repeating: [], count: max(count, 1))
    for panel in panels {
      let column = columns.indices.min { columns[$0].count < columns[$1].count } ?? 0
      let first = columns[column].count
      columns[column] += panel.lines
      places.append(
        Place(session: panel.session, column: column, rows: first..<columns[column].count))
    }
  }

  /// How many rows there are.
  var height: Int { columns.map(\.count).max() ?? 0 }

  /// A row, all columns side by side.
  func row(_ index: Int) -> StyledLine {
    var line = StyledLine()
    for (number, column) in columns.enumerated() {
      if number > 0 { line.add(String(repeating: " ", count: Self.gap)) }
      line.add(index < column.count ? column[index] : StyledLine().fitted(to: width))
    }
    return line
  }

  /// The place of a source.
  func place(of session: UInt32?) -> Place? { places.first { $0.session == session } }

  /// The panel that an arrow leads to from one; the first if there is none yet.
  func neighbour(of session: UInt32?, _ arrow: Keyboard.Key) -> Place? {
    guard let here = place(of: session) else { return places.first }
    switch arrow {
    case .up:
      return places.last {
        $0.column == here.column && $0.rows.upperBound <= here.rows.lowerBound
      }
    case .down:
      return places.first {
        $0.column == here.column && $0.rows.lowerBound >= here.rows.upperBound
      }
    case .left, .right:
      let column = here.column + (arrow == .left ? -1 : 1)
      let middle = (here.rows.lowerBound + here.rows.upperBound) / 2
      return places.filter { $0.column == column }.min {
        Self.distance($0.rows, middle) < Self.distance($1.rows, middle)
      }
    default: return nil
    }
  }

  private static func distance(_ rows: Range<Int>, _ row: Int) -> Int {
    max(rows.lowerBound - row, row - rows.upperBound + 1, 0)
  }
}
