import Gathering
import Values

/// What is new in the readings of watched sources.
struct WatchedNews {
  /// Whether a value that is as it was is news, too.
  let showsAll: Bool
  /// The last values of each source that were told, by its session.
  private var told: [UInt32: [Sample]] = [:]

  init(showsAll: Bool) { self.showsAll = showsAll }

  /// A record of each reading of an update that has news, the oldest first; `now` is on
  /// CLOCK_REALTIME.
  mutating func records(
    _ readings: Int, of update: SourceUpdate, from source: WatchedSource, now: Int64
  ) -> [Record] {
    let selection = source.selection
    let session = selection.source.number
    var records: [Record] = []
    for (samples, time) in zip(update.rows, update.realtimes).prefix(readings) {
      var fields = selection.fields(of: samples)
      if !showsAll, let before = told[session] {
        fields = Self.changed(fields, from: selection.fields(of: before), isRow: update.isOfStream)
        if fields.isEmpty { continue }
      }
      told[session] = samples
      let id = selection.source.id.description
      records.append(Record(id: id, time: time > 0 ? time : now, fields: fields))
    }
    return records
  }

  /// The fields that are not as they were. A row of a stream is a measurement of its own: what it
  /// measured is news, also when it is the same.
  private static func changed(_ fields: [Field], from before: [Field], isRow: Bool) -> [Field] {
    guard fields.count == before.count else { return fields }
    return zip(fields, before).filter { field, old in
      isRow && field.property.mode == .continuous || !field.isAlike(old)
    }.map(\.0)
  }
}
