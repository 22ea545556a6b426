/// Receives every update of a session as it is gathered, without waiting for the loop: the basis of
/// pull readers. Called under the context's lock, so it only stores.
package protocol UpdateTap: AnyObject, Sendable {
  /// Stores one update.
  func store(_ block: Block, from session: UInt32)
  /// Stores rows of a stream.
  func store(_ rows: RowSlice, from session: UInt32)
  /// Stores rows that come behind later ones.
  func keep(_ rows: RowSlice, from session: UInt32)
}

extension UpdateTap {
  /// Most have no use for them.
  package func keep(_ rows: RowSlice, from session: UInt32) {}
}
