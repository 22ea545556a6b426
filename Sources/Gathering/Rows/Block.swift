import CGatheredKit
import Glibc
import Ground
package import Values

/// One reading: a row for each property, and the texts and reasons that rows refer to.
///
/// Rows have the layout of the C interface, so a block is lent as it is. The session or instance
/// that makes a block writes it; once it is handed on it never changes, and a reference to it keeps
/// its texts.
package final class Block: @unchecked Sendable {
  // Safe: a block is written by one thread, under the lock of its context, before another can see
  // it. From then on it is only read, until its last but one reference is gone and its owner writes
  // it anew (`isKnownUniquelyReferenced`).

  /// How many rows there are: one a property, in the order of the table.
  package let count: Int
  /// The rows, of which the first `count` may be accessed.
  package let rows: UnsafeMutablePointer<Row>
  /// The clock of each row's time stamp.
  let origins: UnsafeMutablePointer<ClockOrigin>
  /// The texts and bytes that rows point to, by row; empty while there are none.
  var texts: [LentText?] = []
  /// Why rows have no payload, by row; empty while all have. What is left of a row that is good
  /// again means nothing: blocks that follow each other share the list.
  var absences: [Absence?] = []
  /// The reasons of the block whose rows were copied, where only some were replaced since; empty if
  /// that is not known.
  var copiedAbsences: [Absence?] = []

  /// Rows that were never read.
  init(count: Int) {
    self.count = count
    rows = .allocate(capacity: max(count, 1))
    rows.initialize(repeating: Row(), count: max(count, 1))
    origins = .allocate(capacity: max(count, 1))
    origins.initialize(repeating: .library, count: max(count, 1))
    let unread = Sample.notRead
    for index in 0..<count { set(unread, at: index) }
  }

  /// Rows of samples, of the source of a session.
  convenience init(_ samples: [Sample], of session: UInt32 = 0) {
    self.init(count: samples.count)
    for (index, sample) in samples.enumerated() {
      set(sample, at: index)
      rows[index].source = session
    }
  }

  deinit {
    rows.deallocate()
    origins.deallocate()
  }

  /// The same rows in a block of its own.
  func copied() -> Block {
    let copy = Block(count: count, like: self)
    return copy
  }

  private init(count: Int, like other: Block) {
    self.count = count
    rows = .allocate(capacity: max(count, 1))
    origins = .allocate(capacity: max(count, 1))
    copy(other)
  }

  /// Takes over all rows of a block of as many.
  @inline(__always)
  func copy(_ other: Block) {
    copyRows(of: other)
    if !absences.isSame(as: other.absences) { absences = other.absences }
    if !copiedAbsences.isEmpty { copiedAbsences = [] }
  }

  /// Takes over rows and texts, without reasons. The lists are mostly those of the copy before.
  @inline(__always)
  func copyRows(of other: Block) {
    memcpy(rows, other.rows, count * MemoryLayout<Row>.stride)
    memcpy(origins, other.origins, count * MemoryLayout<ClockOrigin>.stride)
    if !texts.isSame(as: other.texts) { texts = other.texts }
  }

  // MARK: As samples

  /// The samples of all rows.
  package var samples: [Sample] { (0..<count).map { self[$0] } }

  /// The sample of a row.
  package subscript(index: Int) -> Sample {
    let absence = absence(at: index)
    guard rows[index].value.isText else {
      return Sample(rows + index, clockOrigin: origins[index], owner: absence)
    }
    var sample = Sample(rows + index, clockOrigin: origins[index], owner: text(at: index))
    if let absence { sample.absence = absence }
    return sample
  }

  /// The payload of a row.
  package func value(at index: Int) -> Value {
    rows[index].value.number ?? text(at: index)?.value ?? .none
  }

  /// Why a row has no payload.
  package func absence(at index: Int) -> Absence? {
    absences.isEmpty || status(at: index) == .ok ? nil : absences[index]
  }

  /// Whether rows point to memory that lives as long as the block.
  package var lendsTexts: Bool { !texts.isEmpty }

  func text(at index: Int) -> LentText? { texts.isEmpty ? nil : texts[index] }

  func sequence(at index: Int) -> UInt64 { rows[index].sequence }

  /// When a row was so, on CLOCK_BOOTTIME.
  func time(at index: Int) -> Int64 { rows[index].boot_ns }

  /// The moment of the newest row on CLOCK_REALTIME; 0 before anything was read.
  var realtime: Int64 { (0..<count).map { rows[$0].time_ns }.max() ?? 0 }

  /// When a row was so, on CLOCK_REALTIME.
  func realtime(at index: Int) -> Int64 { rows[index].time_ns }

  func status(at index: Int) -> ValueStatus {
    ValueStatus(rawValue: rows[index].status) ?? .noData
  }

  // MARK: Writing

  /// Replaces a row by a sample.
  func set(_ sample: Sample, at index: Int) {
    _ = put(sample.value, at: index)
    if sample.status != .ok { put(sample.absence, at: index) }
    rows[index].status = sample.status.rawValue
    rows[index].flags = sample.flags.rawValue
    rows[index].time_ns = sample.realtime
    rows[index].boot_ns = sample.time
    rows[index].sequence = sample.sequence
    rows[index].property = UInt32(truncatingIfNeeded: index)
    origins[index] = sample.clockOrigin
  }

  /// Replaces the payload of a row; whether it differs from the one before.
  func put(_ value: Value, at index: Int) -> Bool {
    withUnsafePointer(to: value) { put($0, at: index) }
  }

  /// The same for a payload where it lies: a number is neither copied nor counted.
  @inline(__always)
  private func put(_ value: UnsafePointer<Value>, at index: Int) -> Bool {
    switch value.pointee {
    case .int(let number):
      let differs = begin(.int, at: index) || rows[index].value.as.integer != number
      rows[index].value.as.integer = number
      return differs
    case .double(let number):
      let isOther = begin(.double, at: index)
      let before = rows[index].value.as.number
      rows[index].value.as.number = number
      return isOther || !(before == number || before.isNaN && number.isNaN)
    case .vector(let vector): return put(vector, at: index)
    case .none: return begin(.none, at: index)
    default: return putOther(value.pointee, at: index)
    }
  }

  private func put(_ vector: Vector, at index: Int) -> Bool {
    let isOther = begin(.vector, at: index)
    let (new, count) = (gkit_value.parts(of: vector), UInt32(vector.count))
    let differs = isOther || !rows[index].value.hasParts(new, count)
    rows[index].value.count = count
    rows[index].value.as.vector = new
    return differs
  }

  /// Gives a row a type of number; whether it had another.
  @inline(__always)
  private func begin(_ type: ValueType, at index: Int) -> Bool {
    if rows[index].value.type == type.rawValue { return false }
    if text(at: index) != nil { texts[index] = nil }
    rows[index].value = gkit_value()
    rows[index].value.type = type.rawValue
    return true
  }

  @inline(never)
  private func putOther(_ value: Value, at index: Int) -> Bool {
    switch value {
    case .string(var text):
      if let known = self.text(at: index), case .string(let before) = known.value,
        text.isVery(before) || text.withUTF8({ known.holds(UnsafeRawBufferPointer($0)) })
      {
        return false
      }
      put(LentText(text), at: index)
      return true
    case .bytes(let bytes):
      if let known = self.text(at: index), case .bytes = known.value,
        bytes.withUnsafeBytes(known.holds)
      {
        return false
      }
      put(LentText(bytes), at: index)
      return true
    default:
      let new = gkit_value(number: value)
      let differs = !rows[index].value.isSameNumber(as: new)
      if text(at: index) != nil { texts[index] = nil }
      rows[index].value = new
      return differs
    }
  }

  private func put(_ text: LentText, at index: Int) {
    if texts.isEmpty { texts = [LentText?](repeating: nil, count: count) }
    texts[index] = text
    rows[index].value = text.row
  }

  /// Replaces the reason of a row.
  func put(_ absence: Absence?, at index: Int) {
    guard let absence else {
      if !absences.isEmpty, absences[index] != nil { absences[index] = nil }
      return
    }
    if absences.isEmpty { absences = [Absence?](repeating: nil, count: count) }
    // An equal reason stays, so that blocks share their lists.
    if absences[index] != absence { absences[index] = absence }
  }

  /// Takes over a freshly read outcome; its sequence advances if it is news for its mode.
  ///
  /// A reading stamped before its predecessor is refused (sources V12): the answer is false.
  @_optimize(speed)
  func take(
    _ outcome: UnsafePointer<Outcome>, at index: Int, mode: ReportingMode, instant: Instant
  ) -> Bool {
    let row = rows + index
    var moment = instant
    if let stamp = outcome.pointee.stamp {
      moment.realtime &+= stamp &- moment.boot
      moment.boot = stamp
    }
    if moment.boot < row.pointee.boot_ns { return false }
    let status = outcome.pointee.status
    let statusDiffers = row.pointee.status != status.rawValue
    // A report that was already known is no new reading, however often it is read.
    let isOfSameTime =
      outcome.pointee.stamp == row.pointee.boot_ns && outcome.pointee.stampOrigin == .library
    let differs = put(outcome.pointer(to: \.value)!, at: index)
    let isNews =
      mode == .continuous
      ? status.hasPayload && (!isOfSameTime || differs) || statusDiffers
      : statusDiffers || differs
    if isNews || row.pointee.sequence == 0 { row.pointee.sequence &+= 1 }
    if status != .ok, !isAbsence(outcome, at: index) { put(outcome.pointee.absence, at: index) }
    row.pointee.status = status.rawValue
    row.pointee.flags = outcome.pointee.flags.rawValue
    origins[index] = outcome.pointee.stamp == nil ? .library : outcome.pointee.stampOrigin
    row.pointee.boot_ns = moment.boot
    row.pointee.time_ns = moment.realtime
    return true
  }

  /// Whether the reason of a row is the very one of an outcome; compared without counting.
  @inline(__always)
  func isAbsence(_ outcome: UnsafePointer<Outcome>, at index: Int) -> Bool {
    isReason(outcome.reason, at: index)
  }

  /// Whether the reason of a row lies there in memory; 0 stands for none.
  @inline(__always)
  func isReason(_ reason: UInt, at index: Int) -> Bool {
    if absences.isEmpty { return reason == 0 }
    return absences.withUnsafeBytes { known in
      known.load(fromByteOffset: index * MemoryLayout<Absence?>.stride, as: UInt.self) == reason
    }
  }

  /// The same for an outcome by value.
  func take(_ outcome: Outcome, at index: Int, mode: ReportingMode, instant: Instant) -> Bool {
    withUnsafePointer(to: outcome) { take($0, at: index, mode: mode, instant: instant) }
  }

  // MARK: Changes of whole blocks

  /// Whether all rows are from before a boot time.
  func isOlder(than moment: Int64) -> Bool {
    (0..<count).allSatisfy { rows[$0].boot_ns < moment }
  }

  /// Clears the times of all rows: the clock has jumped.
  func forgetTimes() {
    for index in 0..<count { rows[index].boot_ns = 0 }
  }
}
