import CGatheredKit

extension Source {
  /// Copies the row that `shownBlock` has of a property. False, with nothing written, where that
  /// has none, where it lends a text, inside a callback of this source, and in a closed context:
  /// then `shownBlock` tells more. Takes no lock that is held for longer than a copy.
  package func copyShownRow(_ index: Int, to out: UnsafeMutablePointer<Row>) -> Bool {
    if life.isClosed || session.isCallingOnThisThread { return false }
    return shown.copy(index, to: out)
  }

  /// Copies all rows that there is room for, and tells how many `shownBlock` has; nil where
  /// `copyShownRow` is false.
  package func copyShownRows(to room: UnsafeMutableBufferPointer<Row>) -> Int? {
    if life.isClosed || session.isCallingOnThisThread { return nil }
    return shown.copyAll(to: room)
  }
}
