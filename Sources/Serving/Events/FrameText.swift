import Gathering
import Values

/// The columns of one frame as JSON.
struct FrameText {
  private(set) var bytes: [UInt8] = []

  /// Writes a frame of a source, whose id is given in JSON.
  init(_ frame: Frame, of id: String, lost: Int, isExact: Bool) {
    let times = frame.realtimes
    let first = times.first ?? 0
    bytes.reserveCapacity(128 + frame.rowCount * (frame.properties.count + 2) * 16)
    bytes += "{\"id\":\(id),\"t0\":\"\(first)\",\"dt\":[".utf8
    addList(times.indices) { text, row in text += String(times[row] - first).utf8 }
    bytes += "],\"columns\":{".utf8
    var isFirst = true
    for (place, property) in frame.properties.enumerated() where property.hasColumn {
      bytes += "\(isFirst ? "" : ",")\"\(property.key)\":[".utf8
      isFirst = false
      addColumns(of: frame, at: place, isExact: isExact)
      bytes.append(UInt8(ascii: "]"))
    }
    bytes += "},\"lost\":\(lost)}".utf8
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
      bytes += (component == 0 ? "[" : ",[").utf8
      addList(statuses.indices) { text, row in
        let number = statuses[row] == .ok ? numbers[row * width + component] : .nan
        text += Self.word(number, isExact).utf8
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
