import Gathering
import Values

/// The columns of one frame as JSON.
struct FrameText {
  private(set) var bytes: [UInt8] = []

  /// Writes a frame of a source.
  init(_ frame: Frame, _ layout: FrameLayout, lost: Int, isExact: Bool) {
    let times = frame.realtimes
    let first = times.first ?? 0
    bytes.reserveCapacity(128 + frame.rowCount * (layout.properties.count + 2) * 16)
    bytes.append("{\"id\":\(layout.name),\"t0\":\"\(first)\",\"dt\":[")
    addList(times.indices) { text, row in text.append(String(times[row] - first)) }
    bytes.append("],\"columns\":{")
    for column in layout.columns {
      bytes += column.head
      addColumns(of: frame, at: column.place, isExact: isExact)
      bytes.append(UInt8(ascii: "]"))
    }
    bytes.append("},\"lost\":\(lost)}")
  }

  private mutating func addColumns(of frame: Frame, at place: Int, isExact: Bool) {
    let statuses = frame.statuses(ofPropertyAt: place)
    let numbers: [Double]
    let width: Int
    switch frame.column(at: place) {
    case .numbers(let found, let count): (numbers, width) = (found, count)
    case .integers(let found): (numbers, width) = (found.map(Double.init), 1)
    default: return
    }
    for component in 0..<width {
      bytes.append(component == 0 ? "[" : ",[")
      addList(statuses.indices) { text, row in
        let number = statuses[row] == .ok ? numbers[row * width + component] : .nan
        text.append(Self.word(number, isExact))
      }
      bytes.append(UInt8(ascii: "]"))
    }
  }

  /// Appends what stands at some places, with commas between.
  private mutating func addList(_ places: Range<Int>, _ add: (inout [UInt8], Int) -> Void) {
    for place in places {
      if place != places.lowerBound { bytes.append(UInt8(ascii: ",")) }
      add(&bytes, place)
    }
  }

  /// A number in the fewest digits that read back as a float, or as a double.
  private static func word(_ number: Double, _ isExact: Bool) -> String {
    guard number.isFinite else { return "null" }
    if number == number.rounded(), abs(number) < 1e9 { return String(Int64(number)) }
    let single = Float(number)
    return isExact || !single.isFinite ? number.description : single.description
  }
}

extension [UInt8] {
  /// Appends a text as one piece.
  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { self += $0 }
  }
}
