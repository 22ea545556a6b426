import Gathering
import Values

/// The columns of one frame as JSON.
struct FrameText {
  let json: String

  init(_ frame: Frame, of id: SourceIdentifier, lost: Int, isExact: Bool) {
    let times = frame.realtimes
    let first = times.first ?? 0
    var text = "{\"id\":\(JSONBody.text(.string(id.description))),\"t0\":\"\(first)\",\"dt\":["
    text += times.map { String($0 - first) }.joined(separator: ",")
    text += "],\"columns\":{"
    var isFirst = true
    for (place, property) in frame.properties.enumerated() where property.hasColumn {
      if !isFirst { text += "," }
      isFirst = false
      text += "\"\(property.key)\":["
      text += Self.columns(of: frame, at: place, isExact: isExact).joined(separator: ",") + "]"
    }
    json = text + "},\"lost\":\(lost)}"
  }

  private static func columns(of frame: Frame, at place: Int, isExact: Bool) -> [String] {
    let statuses = frame.statuses(ofPropertyAt: place)
    let numbers: [Double]
    let width: Int
    switch frame.column(at: place) {
    case .numbers(let found, let count): (numbers, width) = (found, count)
    case .integers(let found): (numbers, width) = (found.map(Double.init), 1)
    default: return []
    }
    return (0..<width).map { component in
      let words = statuses.indices.map { row in
        statuses[row] == .ok ? word(numbers[row * width + component], isExact) : "null"
      }
      return "[\(words.joined(separator: ","))]"
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
