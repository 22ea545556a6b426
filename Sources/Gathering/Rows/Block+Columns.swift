import CGatheredKit
import Values

/// Blocks that take rows of a stream over, before they are handed on.
extension Block {
  /// Replaces a row by that of another block, which keeps its source.
  func copyRow(_ place: Int, of other: Block, to index: Int) {
    let source = rows[index].source
    rows[index] = other.rows[place]
    rows[index].source = source
    rows[index].property = UInt32(truncatingIfNeeded: index)
    origins[index] = other.origins[place]
    let text = other.text(at: place)
    if text !== self.text(at: index) {
      if texts.isEmpty { texts = [LentText?](repeating: nil, count: count) }
      texts[index] = text
    }
    let absence = other.absence(at: place)
    if absence !== self.absence(at: index) { put(absence, at: index) }
  }

  /// Notes that a row is a number of some clock's, or why it is none; its fields are written apart.
  func noteNumber(_ absence: Absence?, stampedBy origin: ClockOrigin, at index: Int) {
    if text(at: index) != nil { texts[index] = nil }
    if let absence { put(absence, at: index) }
    origins[index] = origin
  }

  /// Notes the clock of a row's time stamp.
  func noteOrigin(_ origin: ClockOrigin, at index: Int) { origins[index] = origin }
}
