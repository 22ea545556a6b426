/// An update on its way to the listeners of a session, made under the context's lock by the thread
/// that has the turn and marked as being delivered (`SessionState.beginFanOut`).
///
/// It counts no references: the session keeps the block until the delivery has ended, and a list
/// that is replaced meanwhile is let go by a thread that has the turn (`Dispatcher.retire`).
struct FanOut: Sendable {
  /// A reading, not counted.
  struct Reading: @unchecked Sendable {
    // Safe: rows of a block that was handed on never change.

    private let owner: Unmanaged<Block>
    private(set) var rows: UnsafePointer<Row>
    private(set) var count: Int
    /// All readings, where there may be several.
    private var batch: Unmanaged<RowBatch>?

    init(_ block: Block) {
      owner = .passUnretained(block)
      rows = UnsafePointer(block.rows)
      count = block.count
    }

    var block: Block { owner.takeUnretainedValue() }

    /// Calls a function that gets batches with it.
    func pass(
      to function: BatchFunction, as handle: OpaquePointer, _ userData: UnsafeMutableRawPointer?
    ) {
      let newest = block
      let lent = LentBatch(newest: newest, batch: batch?.takeUnretainedValue())
      withUnsafePointer(to: lent) {
        function(
          handle, UnsafePointer(newest.rows), newest.count, OpaquePointer($0), lent.readingCount,
          userData)
      }
    }

    /// Lends the readings of a batch, of which the newest is the block's. They are not counted.
    mutating func show(_ batch: RowBatch) { self.batch = .passUnretained(batch) }

    /// Lends all rows of a stream since the last delivery in place of the newest one, which the
    /// block has. They are not counted either.
    mutating func show(_ flat: FlatRows) {
      rows = UnsafePointer(flat.rows)
      count = flat.count
    }
  }

  /// A list of listeners, not counted.
  struct Listeners: @unchecked Sendable {
    // Safe: a list never changes.

    private let owner: Unmanaged<ListenerList>

    init(_ list: ListenerList) { owner = .passUnretained(list) }

    @inline(__always)
    var entries: UnsafeBufferPointer<ListenerList.Entry> {
      owner._withUnsafeGuaranteedRef { $0.entries }
    }

    @inline(__always)
    var types: ListenerList.CallbackTypes { owner._withUnsafeGuaranteedRef { $0.types } }

    subscript(place: Int) -> Listener { owner.takeUnretainedValue().listeners[place] }
  }

  var reading: Reading
  let listeners: Listeners
  /// The run that the update belongs to.
  let epoch: UInt64
}
