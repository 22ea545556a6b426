/// Makes one slice of those of several deliveries that wait, so that many short ones cost little.
///
/// The block that grows is its own; it is not to be used once the slice has been handed on.
package struct RowJoiner: Sendable {
  private var made: (block: RowBlock, last: Block)?

  package init() {}

  /// The last row of the delivery that was joined last; nil if none was.
  var last: Block? { made?.last }

  /// Puts the rows of a slice behind those of another, which was made by this joiner or has not
  /// been joined yet; nil where they do not go on where its own end, or would be more than some.
  package mutating func join(
    _ next: RowSlice, behind slice: RowSlice, upTo limit: Int
  ) -> RowSlice? {
    guard !next.hasGap, slice.rowCount + next.rowCount <= limit, slice.isPlain, next.isPlain,
      slice.session == next.session, let end = made?.last ?? slice.last, next.before === end,
      let last = next.last, slice.block.isContinued(by: next.block)
    else { return nil }
    if let made {
      made.block.append(next.block)
      self.made = (made.block, last)
      return slice
    }
    let block = RowBlock(extending: slice.block)
    block.append(next.block)
    made = (block, last)
    return RowSlice(
      block, of: slice.session, choice: .all, before: slice.before, hasGap: slice.hasGap)
  }
}

extension RowSlice {
  /// Whether it has all rows of its block as they are.
  fileprivate var isPlain: Bool {
    if case .all = choice { own == nil } else { false }
  }
}
