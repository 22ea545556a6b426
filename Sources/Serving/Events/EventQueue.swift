import Ground
import Values

/// What waits for the client of an event stream, in bounds (serve W17).
///
/// Events with rows are dropped, the oldest first, where more waits than `Limits.queuedBytes`; the
/// client is told how many rows that were. Other events are never dropped; a client that lets them
/// pile up to twice the bound has its stream ended.
final class EventQueue: Sendable {
  private struct Entry {
    let text: [UInt8]
    let rows: Int
  }

  private struct State {
    var entries = FIFO<Entry>()
    var bytes = 0
    var number: UInt64 = 0
    /// Rows that were dropped, as the client has not been told yet.
    var lost = 0
    var lostInAll: UInt64 = 0
    var isEnded = false
  }

  private let state = Lock(State())
  private let counts: ServerCounts

  /// A queue whose losses count among those of the server.
  init(_ counts: ServerCounts) { self.counts = counts }

  /// Rows that were dropped.
  var lostRows: UInt64 { state.withLock { $0.lostInAll } }

  /// Whether nothing more is put.
  var isEnded: Bool { state.withLock { $0.isEnded } }

  /// Puts an event at the end; `rows` is how many readings it has. False where nothing is put any
  /// more.
  @discardableResult
  func put(_ name: String, _ data: String, rows: Int = 0) -> Bool {
    put(name, Array(data.utf8), rows: rows)
  }

  /// The same, with data as bytes.
  @discardableResult
  func put(_ name: String, _ data: [UInt8], rows: Int = 0) -> Bool {
    state.withLock { state in
      if state.isEnded { return false }
      state.number += 1
      var text: [UInt8] = []
      text.reserveCapacity(data.count + 64)
      text.append("id: \(state.number)\nevent: \(name)\ndata: ")
      text += data
      text.append("\n\n")
      state.entries.append(Entry(text: text, rows: rows))
      state.bytes += text.count
      if state.bytes > Limits.queuedBytes { drop(&state) }
      return true
    }
  }

  /// Puts the last event.
  func end(because reason: String) {
    put("end", JSONBody.text(.dictionary(["reason": .string(reason)])))
    state.withLock { $0.isEnded = true }
  }

  /// Puts a comment, where nothing else waits.
  func comment() {
    state.withLock { state in
      if state.isEnded || !state.entries.isEmpty { return }
      let text = Array(":\n\n".utf8)
      state.entries.append(Entry(text: text, rows: 0))
      state.bytes += text.count
    }
  }

  /// Takes what waits, the oldest first, up to about a number of bytes; empty if nothing does.
  func take(upTo limit: Int) -> [UInt8] {
    state.withLock { state in
      var text: [UInt8] = []
      if state.lost > 0 {
        text += Array("event: gap\ndata: {\"rows\":\(state.lost)}\n\n".utf8)
        state.lost = 0
      }
      while text.count < limit, let entry = state.entries.popFirst() {
        state.bytes -= entry.text.count
        if text.isEmpty { text = entry.text } else { text += entry.text }
      }
      return text
    }
  }

  /// Drops some more than has to go, so that not each event that comes has all looked through.
  private func drop(_ state: inout State) {
    var kept = FIFO<Entry>()
    while let entry = state.entries.popFirst() {
      if entry.rows > 0, state.bytes > Limits.queuedBytes / 4 * 3 {
        state.bytes -= entry.text.count
        state.lost += entry.rows
        state.lostInAll += UInt64(entry.rows)
        counts.lose(entry.rows)
      } else {
        kept.append(entry)
      }
    }
    state.entries = kept
    if state.bytes > 2 * Limits.queuedBytes { state.isEnded = true }
  }
}
