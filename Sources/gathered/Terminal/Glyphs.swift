/// The characters that boxes, bars and curves consist of.
struct Glyphs: Sendable {
  /// The corners of a box: above left and right, below left and right.
  let corners: [String]
  let across: String
  let down: String
  /// A bar, and the rest of its length.
  let full: String
  let rest: String
  /// The heights of a curve, from the lowest.
  let levels: [String]
  /// What stands before the chosen one, and before a value that has just changed.
  let chosen: String
  let changed: String
  /// Where an axis has a number, and where it has none.
  let tick: String
  let axis: String
  let corner: String
  let below: String

  /// Those of Unicode.
  static let unicode = Glyphs(
    corners: ["╭", "╮", "╰", "╯"], across: "─", down: "│", full: "█", rest: "░",
    levels: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"], chosen: "▶", changed: "•", tick: "┤",
    axis: "│", corner: "└", below: "┬")

  /// Those of ASCII, for a terminal that has no others.
  static let ascii = Glyphs(
    corners: ["+", "+", "+", "+"], across: "-", down: "|", full: "#", rest: ".",
    levels: ["_", ".", "-", "=", "+", "*", "#"], chosen: ">", changed: "*", tick: "+",
    axis: "|", corner: "+", below: "+")

  /// A bar for a share from 0 to 1.
  func bar(_ share: Double, width: Int) -> (full: String, rest: String) {
    let part = share.isFinite ? min(max(share, 0), 1) : 0
    let count = Int((part * Double(width)).rounded())
    return (
      String(repeating: full, count: count), String(repeating: rest, count: width - count)
    )
  }

  /// The last of some numbers as a curve between the least and the greatest of them.
  func curve(_ numbers: [Double], width: Int) -> String {
    let shown = numbers.suffix(max(width, 0))
    let known = shown.filter(\.isFinite)
    guard let least = known.min(), let most = known.max() else { return "" }
    return shown.map { number in
      guard number.isFinite else { return " " }
      // Halved first, so that no difference of numbers overflows.
      let share = least < most ? (number / 2 - least / 2) / (most / 2 - least / 2) : 0
      return levels[min(Int(share * Double(levels.count)), levels.count - 1)]
    }.joined()
  }
}
