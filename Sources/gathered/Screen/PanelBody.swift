import Gathering
import Values

/// The values of a source as lines of a panel: a name, the value, and a bar or a curve.
struct PanelBody {
  /// How many values are shown, and which.
  enum Extent: Equatable {
    case everything
    /// Those that move, and how many others there are.
    case moving
    /// So many, those that move first.
    case first(Int)
  }

  let terminal: Terminal
  let columns: Int
  let history: SourceHistory
  /// The present, on CLOCK_MONOTONIC.
  let now: Int64

  /// How long a change stands out.
  static let glow: Int64 = 400_000_000
  /// The least columns of a bar or a curve, and the most of a bar.
  private static let graphic = (least: 6, most: 40)

  /// The lines of some fields.
  func lines(of fields: [Field], _ extent: Extent) -> [StyledLine] {
    let shown = Self.chosen(fields, extent)
    let names = min(shown.map(\.key.columnWidth).max() ?? 0, columns * 2 / 5)
    let texts = shown.map { field in
      if !field.hasPayload { return "" }
      let isForPeople = terminal.isInteractive
      return (isForPeople ? field.text(within: columns - names - 2) : field.text(on: terminal))
        .printable
    }
    let measured = zip(shown, texts).filter { hasGraphic($0.0) }.map(\.1.columnWidth)
    let values = min(max(measured.max() ?? 0, 9), max(columns - names - 4, 0))
    var lines = zip(shown, texts).map { line(of: $0, $1, names: names, values: values) }
    let rest = fields.count - shown.count
    if rest > 0 { lines.append(StyledLine("\(rest) more values", .dimmed)) }
    return lines
  }

  /// The fields that are shown, in their order.
  private static func chosen(_ fields: [Field], _ extent: Extent) -> [Field] {
    let isMoving = { (field: Field) in field.hasPayload && field.property.mode == .continuous }
    switch extent {
    case .everything: return fields
    case .moving:
      let moving = fields.filter(isMoving)
      return moving.isEmpty ? fields : moving
    case .first(let count):
      // A line that tells of one more value is as long as the value.
      if fields.count <= count + 1 { return fields }
      return Array((fields.filter(isMoving) + fields.filter { !isMoving($0) }).prefix(count))
    }
  }

  private func line(of field: Field, _ text: String, names: Int, values: Int) -> StyledLine {
    let entry = history.entries[field.key]
    let isNew = entry?.changed.map { now - $0 < Self.glow } ?? false
    var line = StyledLine(field.key.cutInside(to: names).padded(to: names), .dimmed)
    line.add(isNew ? " \(terminal.glyphs.changed)" : "  ", .changed)
    guard field.hasPayload else {
      line.add(field.explanation.printable, .dimmed)
      return line
    }
    let isOld = field.sample.status != .ok
    line.add(
      hasGraphic(field) ? text.padded(to: values, onLeft: true) : text,
      isOld ? .dimmed : isNew ? .changed : .plain)
    if isOld { line.add("  (\(field.explanation.printable))", .dimmed) }
    let room = columns - line.width - 2
    if !isOld, hasGraphic(field), room >= Self.graphic.least {
      line.add("  ")
      line.add(graphic(of: field, entry, room: room))
    }
    return line
  }

  // MARK: Bars and curves

  private func hasGraphic(_ field: Field) -> Bool {
    if Self.share(of: field) != nil { return true }
    guard field.property.mode != .static, field.sample.status == .ok else { return false }
    switch field.sample.value {
    case .int, .double: return (history.entries[field.key]?.numbers.count ?? 0) > 0
    default: return false
    }
  }

  private func graphic(of field: Field, _ entry: SourceHistory.Entry?, room: Int) -> StyledLine {
    guard let share = Self.share(of: field) else {
      return StyledLine(terminal.glyphs.curve(entry?.numbers ?? [], width: room), .curve)
    }
    let bar = terminal.glyphs.bar(share, width: min(room, Self.graphic.most))
    var line = StyledLine(bar.full, .bar)
    line.add(bar.rest, .dimmed)
    return line
  }

  /// The part of a whole that a value is; nil for others.
  private static func share(of field: Field) -> Double? {
    guard field.sample.status == .ok, let number = field.sample.value.number else { return nil }
    if field.property.measure.meaning == .share { return number }
    return field.property.unit == "%" ? number / 100 : nil
  }
}
