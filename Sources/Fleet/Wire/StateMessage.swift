import Gathering
import Ground
import Recording
import Values

/// The newest reading of a source: `state`, retained.
struct StateMessage: Sendable {
  /// A property of a reading.
  struct Entry: Sendable {
    let key: String
    let unit: String?
    var sample: Sample
  }

  /// The id of the source, or the name of the stream.
  var id: String
  var session: String
  var sent: Instant
  /// When the reading was so: the moment of its newest value.
  var time: Instant
  /// In the order of the source's properties.
  var entries: [Entry]

  /// A reading that is sent now.
  init(id: String, session: String, sent: Instant, _ entries: [Entry]) {
    (self.id, self.session, self.sent, self.entries) = (id, session, sent, entries)
    let newest = entries.map(\.sample).max { $0.time < $1.time }
    time = Instant(boot: newest?.time ?? 0, realtime: newest?.realtime ?? 0)
  }

  var dictionary: ValueDictionary {
    var values = ValueDictionary()
    for entry in entries { values[entry.key] = .dictionary(members(of: entry)) }
    return [
      "id": .string(id), "session": .string(session), "sent": sent.dictionary,
      "time_ns": .int(time.realtime), "boot_ns": .int(time.boot), "values": .dictionary(values),
    ]
  }

  private func members(of entry: Entry) -> ValueDictionary {
    let sample = entry.sample
    var members: ValueDictionary = [
      "value": sample.status.hasPayload ? sample.value : .none,
      "unit": entry.unit.map(Value.string) ?? .none, "status": .string(sample.status.word),
      "sequence": .int(Int64(clamping: sample.sequence)),
    ]
    if sample.sequence > 0, sample.time != time.boot {
      members["age_ns"] = .int(time.boot &- sample.time)
    }
    if sample.flags.rawValue != 0 { members["flags"] = .int(Int64(sample.flags.rawValue)) }
    if sample.status != .ok, let absence = sample.absence {
      if absence.errno != 0 { members["errno"] = .int(Int64(absence.errno)) }
      if !absence.reason.isEmpty { members["reason"] = .string(absence.reason) }
      if !absence.remedy.isEmpty { members["remedy"] = .string(absence.remedy) }
    }
    return members
  }
}

extension StateMessage {
  init(_ text: UnsafeRawBufferPointer) throws(MessageFault) {
    let members = try FleetJSON.members(of: text, limit: FleetJSON.stateLimit)
    guard let id = members["id"]?.text, let session = members["session"]?.text,
      let sent = Instant(members["sent"]), let realtime = members["time_ns"]?.whole,
      let boot = members["boot_ns"]?.whole, let values = members["values"]?.members
    else { throw .incomplete }
    guard values.count <= FleetJSON.propertyLimit else { throw .tooMany }
    (self.id, self.session, self.sent) = (id, session, sent)
    time = Instant(boot: boot, realtime: realtime)
    entries = []
    for (key, value) in values {
      guard let entry = value.members else { throw .incomplete }
      entries.append(try Entry(key, entry, time: Instant(boot: boot, realtime: realtime)))
    }
  }

  /// One sample a property of a table, in its order; why for those that are not told.
  func samples(for table: [Property]) -> [Sample] {
    var byKey: [ExactText: Sample] = [:]
    for entry in entries { byKey[ExactText(entry.key)] = entry.sample }
    return table.map { property in
      var sample = byKey[ExactText(property.key)] ?? Self.notTold
      sample.value = property.type.payload(of: sample.value)
      return sample
    }
  }

  private static let notTold = Sample(
    .none, status: .unsupported, absence: Absence("its machine does not tell it"))
}

extension StateMessage.Entry {
  fileprivate init(
    _ key: String, _ members: ValueDictionary, time: Instant
  ) throws(MessageFault) {
    guard let word = members["status"]?.text, let status = ValueStatus(word: word),
      let sequence = members["sequence"]?.whole
    else { throw .incomplete }
    let age = members["age_ns"]?.whole ?? 0
    let reason = members["reason"]?.text ?? ""
    let errno = Int32(truncatingIfNeeded: members["errno"]?.whole ?? 0)
    let absence =
      status == .ok
      ? nil : Absence(reason, errno: errno, remedy: members["remedy"]?.text ?? "")
    let isRead = sequence > 0
    self.key = key
    unit = members["unit"]?.text
    sample = Sample(
      status.hasPayload ? members["value"] ?? .none : .none, status: status,
      flags: SampleFlags(rawValue: UInt32(truncatingIfNeeded: members["flags"]?.whole ?? 0)),
      time: isRead ? time.boot &- age : 0, realtime: isRead ? time.realtime &- age : 0,
      sequence: UInt64(clamping: sequence), absence: absence)
  }
}

extension ValueStatus {
  /// The status of a word of the specification; nil for another word.
  fileprivate init?(word: String) {
    let all: [ValueStatus] = [.ok, .noData, .stale, .permission, .unsupported, .failed]
    guard let status = all.first(where: { $0.word == word }) else { return nil }
    self = status
  }
}

extension PropertyType {
  /// A value of JSON as a payload of this type: JSON has one type of numbers.
  fileprivate func payload(of value: Value) -> Value {
    switch (self, value) {
    case (.double, .int(let number)): .double(Double(number))
    case (.int, .double(let number)): Int64(exactly: number).map(Value.int) ?? value
    default: value
    }
  }
}
