package import DataSources
public import Gathering
package import Ground
package import Values

/// Puts samples into a data source, one row per sample: the target of the patch `record`.
///
/// A row is a dictionary with the members of recordings: `source`, the name of the series, `time`
/// (TIME, CLOCK_REALTIME) and `value`; of a sample that is not ok also `value.status`. It is put as
/// an object of its own under a unique id; the order of ids is the order of arrival. A store with
/// other ids, such as integers, assigns the id itself.
///
/// Appending never waits for the data source. Refusals are reported later, and while `limit` rows
/// are pending the next one is refused. A later call on the data source finds all rows appended
/// before.
public final class DataSourceSink: SampleSink {
  /// How many rows may wait for their answers.
  public static let limit = 4096

  private typealias Reply = @Sendable (DataSourceError?) -> Void

  private struct State: Sendable {
    /// How many rows are without an answer.
    var waiting = 0
    /// The time of the last row, in nanoseconds since 1970; later than that of the row before.
    var moment: Int64 = 0
    /// Whether the store has assigned an id, after it had refused one of ours.
    var givesIDs = false
  }

  private let put: @Sendable (EntryID?, ValueDictionary, @escaping Reply) throws -> Void
  private let clock: any TimeSource
  private let state = Monitor(State())
  /// Distinguishes the rows of this sink from those that other sinks put at the same moment.
  private let mark = UInt64.random(in: 0...UInt64.max)

  /// Makes a sink for a data source that stores objects made from rows.
  package init<Stored>(
    _ access: DataAccess<Stored>, clock: any TimeSource = LiveTime(),
    _ stored: @escaping @Sendable (ValueDictionary) throws -> Stored
  ) {
    self.clock = clock
    put = { id, row, reply in
      let value = try stored(row)
      let call =
        id.map { Call(.put, .id($0), .object(value)) } ?? Call(.put, .object(value))
      access.perform(call) { answer in
        if case .failure(let error) = answer { reply(error) } else { reply(nil) }
      }
    }
  }

  /// Puts a sample; why it was lost after all is a warning in the log.
  public func append(_ sample: Sample, named name: String) throws {
    try append(sample, named: name) { error in
      Log.write(.warning, "datasource", "a sample of \(name) is lost: \(error)")
    }
  }

  /// Puts a sample. Throws if it cannot be a row, and `failed` if too many rows are pending.
  public func append(
    _ sample: Sample, named name: String, orLater failed: @escaping @Sendable (any Error) -> Void
  ) throws {
    guard let id = admit() else {
      throw DataSourceError(
        .failed, "the store is behind by \(Self.limit) rows, so this one is lost")
    }
    let row = ValueDictionary(recording: sample, of: name)
    do {
      try store(row, under: id) { [self] error in
        state.withLock { $0.waiting -= 1 }
        if let error { failed(error) }
      }
    } catch {
      state.withLock { $0.waiting -= 1 }
      throw error
    }
  }

  /// Reserves room for a row: its id, or none if the store assigns it; nil if there is no room.
  private func admit() -> EntryID?? {
    let now = clock.now.realtime
    return state.withLock { state in
      if state.waiting >= Self.limit { return nil }
      state.waiting += 1
      if state.givesIDs { return .some(nil) }
      state.moment = max(state.moment + 1, now)
      return EntryID("\(state.moment.digits)-\(mark.digits)")
    }
  }

  private func store(
    _ row: ValueDictionary, under id: EntryID?, _ reply: @escaping Reply
  ) throws {
    try put(id, row) { [self] refusal in
      guard id != nil, let refusal, refusal.code == .illegalArgument else { return reply(refusal) }
      // Whether it was the id will be seen.
      do {
        try put(nil, row) { [self] error in
          if error == nil { state.withLock { $0.givesIDs = true } }
          reply(error == nil ? nil : refusal)
        }
      } catch {
        reply(refusal)
      }
    }
  }
}

extension FixedWidthInteger {
  /// Padded with zeros, so that the order of texts is that of numbers.
  fileprivate var digits: String {
    let digits = String(self)
    return String(repeating: "0", count: Swift.max(0, 20 - digits.utf8.count)) + digits
  }
}

extension ValueDictionary {
  /// A sample as a row of a stream that was recorded under a name (see `RecordedRow`).
  fileprivate init(recording sample: Sample, of name: String) {
    self = ["source": .string(name), "time": .time(sample.realtime), "value": sample.value]
    if sample.status != .ok { self["value.status"] = .string(sample.status.word) }
  }
}

extension [String: ColumnValue] {
  /// A dictionary as a row of a table; throws `serialization` for a value that no column can hold.
  package init(_ members: ValueDictionary) throws(DataSourceError) {
    self.init()
    for (name, value) in members {
      guard let value = ColumnValue(value) else {
        throw DataSourceError(.serialization, "\(name): no column holds a \(value.typeWord)")
      }
      // Two Unicode spellings of one text are one name in a row; neither is dropped silently.
      if self[name] != nil {
        throw DataSourceError(.serialization, "the row names the column \(name) twice")
      }
      self[name] = value
    }
  }
}
