import CGatheredKit
import Ground
import Values

/// Readings taken over row by row, as most of them are: numbers, and reasons that stay.
extension Block {
  /// Takes over a number that was just read and is good, as `take` does an outcome.
  @inline(__always)
  func take(
    _ number: PlainNumber, at index: Int, isContinuous: Bool, instant: Instant
  ) -> Bool {
    let row = rows + index
    if instant.boot < row.pointee.boot_ns { return false }
    var isNews = isContinuous
    if row.pointee.value.type == number.type.rawValue,
      row.pointee.status == ValueStatus.ok.rawValue
    {
      if !holds(number, row) {
        isNews = true
        put(number, into: row)
      }
    } else {
      isNews = true
      begin(number, at: index)
    }
    if isNews || row.pointee.sequence == 0 { row.pointee.sequence &+= 1 }
    note(instant, at: index)
    return true
  }

  /// Takes over a number that continues a row of another block, whose source this one has not.
  /// False, and nothing is changed, if the number is older.
  func take(
    _ number: PlainNumber, at index: Int, continuing former: Block, isContinuous: Bool,
    instant: Instant
  ) -> Bool {
    if instant.boot < former.rows[index].boot_ns { return false }
    continueRow(index, of: former)
    // A text of the other block goes at once: the number takes its place.
    return take(number, at: index, isContinuous: isContinuous, instant: instant)
  }

  /// Makes a row what it was in a former block, but for its source.
  @inline(__always)
  private func continueRow(_ index: Int, of former: Block) {
    let source = rows[index].source
    rows[index] = former.rows[index]
    rows[index].source = source
  }

  /// Takes over all rows of a block of as many, for changes like those made in a former copy of it:
  /// while the block's reasons are the same list, the former's are taken, which have the changes.
  func copy(_ other: Block, continuing former: Block) {
    if other.absences.isEmpty || !former.copiedAbsences.isSame(as: other.absences) {
      copy(other)
      copiedAbsences = other.absences
      return
    }
    copyRows(of: other)
    if !absences.isSame(as: former.absences) { absences = former.absences }
    if !copiedAbsences.isSame(as: other.absences) { copiedAbsences = other.absences }
  }

  /// Takes over an outcome without payload, if a row of another block has its very reason and
  /// continues with it. False, and nothing is changed, otherwise.
  @_optimize(speed)
  func takeKnown(
    _ outcome: UnsafePointer<Outcome>, at index: Int, continuing former: Block, instant: Instant
  ) -> Bool {
    guard isAbsence(outcome, at: index), former.hasKnown(outcome, at: index, instant: instant)
    else { return false }
    continueRow(index, of: former)
    note(instant, at: index)
    return true
  }

  /// The same for an outcome that is kept: nothing of it is copied.
  @_optimize(speed)
  func takeKnown(
    _ known: KeptOutcome, at index: Int, continuing former: Block, instant: Instant
  ) -> Bool {
    guard known.isPlainAbsence, isReason(known.reason, at: index),
      former.hasReason(known.reason, known.outcome.status, at: index, instant: instant)
    else { return false }
    continueRow(index, of: former)
    note(instant, at: index)
    return true
  }

  /// Takes over an outcome without payload whose very reason the row has already. False if it is
  /// another outcome, or one that was refused.
  @inline(__always)
  func takeKnown(_ outcome: UnsafePointer<Outcome>, at index: Int, instant: Instant) -> Bool {
    guard hasKnown(outcome, at: index, instant: instant) else { return false }
    note(instant, at: index)
    return true
  }

  /// Takes over a good text that the row has already: a short one, or the same one in memory. False
  /// if it is another, or one of which more is said. No mode has news of it but the continuous one.
  @inline(__always)
  func takeText(_ outcome: UnsafePointer<Outcome>, at index: Int, instant: Instant) -> Bool {
    let row = rows + index
    guard outcome.pointee.status == .ok, !texts.isEmpty, row.pointee.sequence > 0,
      row.pointee.status == ValueStatus.ok.rawValue,
      row.pointee.value.type == ValueType.string.rawValue, outcome.pointee.stamp == nil,
      !outcome.pointee.isLowAccuracy, outcome.pointee.marks.isEmpty,
      instant.boot >= row.pointee.boot_ns,
      case .string = outcome.pointee.value, hasText(outcome.words, at: index)
    else { return false }
    note(instant, at: index)
    return true
  }

  /// Whether a row has the text with these words in memory; compared without counting.
  @inline(__always)
  private func hasText(_ words: (UInt64, UInt64), at index: Int) -> Bool {
    texts.withUnsafeBytes { texts in
      let offset = index * MemoryLayout<LentText?>.stride
      // Safe: the list keeps the text, which is constant.
      guard let text = texts.load(fromByteOffset: offset, as: UnsafeRawPointer?.self) else {
        return false
      }
      return Unmanaged<LentText>.fromOpaque(text)._withUnsafeGuaranteedRef { $0.words == words }
    }
  }

  /// Dates all rows anew if they are absent for the reason of an outcome; false if not.
  func renewAbsence(_ outcome: Outcome, at instant: Instant) -> Bool {
    guard let reason = absences.first ?? nil, reason == outcome.absence,
      (0..<count).allSatisfy({
        absences[$0] === reason && rows[$0].status == outcome.status.rawValue
          && rows[$0].boot_ns <= instant.boot
      })
    else { return false }
    for index in 0..<count {
      rows[index].boot_ns = instant.boot
      rows[index].time_ns = instant.realtime
    }
    return true
  }

  /// Whether a row is without payload for the very reason of an outcome, and not newer.
  @inline(__always)
  private func hasKnown(
    _ outcome: UnsafePointer<Outcome>, at index: Int, instant: Instant
  ) -> Bool {
    outcome.isPlainAbsence
      && hasReason(outcome.reason, outcome.pointee.status, at: index, instant: instant)
  }

  /// Whether a row is without payload for this status and very reason, and not newer.
  @inline(__always)
  private func hasReason(
    _ reason: UInt, _ status: ValueStatus, at index: Int, instant: Instant
  ) -> Bool {
    let row = rows + index
    return row.pointee.status == status.rawValue
      && row.pointee.value.type == PlainNumber.Form.none.rawValue && row.pointee.sequence > 0
      && isReason(reason, at: index) && instant.boot >= row.pointee.boot_ns
  }

  /// Numbers a row as the instance itself does.
  func number(_ sequence: UInt64, at index: Int) { rows[index].sequence = sequence }

  /// Makes all rows name a session as their source.
  func nameSource(_ session: UInt32) {
    for index in 0..<count { rows[index].source = session }
  }

  /// Dates rows anew whose content is that of a reading as before, without a stamp.
  @_optimize(speed)
  @inline(never)
  func renew(_ renewal: RowRenewal, at instant: Instant) {
    var left = renewal.rows
    while left != 0 {
      let first = left.trailingZeroBitCount
      let count = (~(left &>> UInt64(first))).trailingZeroBitCount
      var counting = renewal.counting &>> UInt64(first)
      for row in rows + first..<rows + first + count {
        row.pointee.boot_ns = instant.boot
        row.pointee.time_ns = instant.realtime
        row.pointee.sequence &+= counting & 1
        counting &>>= 1
      }
      // Adding the lowest bit carries through the ones it begins.
      left &= left &+ (left & (0 &- left))
    }
  }

  /// The time of a row without a stamp and without flags.
  @inline(__always)
  private func note(_ instant: Instant, at index: Int) {
    rows[index].flags = 0
    rows[index].boot_ns = instant.boot
    rows[index].time_ns = instant.realtime
    origins[index] = .library
  }

  /// Whether a row, which has a number of its type, has this one (streams L69).
  @inline(__always)
  private func holds(_ number: PlainNumber, _ row: UnsafeMutablePointer<Row>) -> Bool {
    switch number.type {
    case .int: return row.pointee.value.as.integer == number.bits
    case .bool: return row.pointee.value.as.boolean == (number.bits != 0)
    case .double:
      let before = row.pointee.value.as.number
      let now = Double(bitPattern: UInt64(bitPattern: number.bits))
      return before == now || before.isNaN && now.isNaN
    case .none: return true
    }
  }

  @inline(__always)
  private func put(_ number: PlainNumber, into row: UnsafeMutablePointer<Row>) {
    switch number.type {
    case .int: row.pointee.value.as.integer = number.bits
    case .bool: row.pointee.value.as.boolean = number.bits != 0
    case .double:
      row.pointee.value.as.number = Double(bitPattern: UInt64(bitPattern: number.bits))
    case .none: break
    }
  }

  /// Gives a row a number after a payload of another type, or none.
  @inline(never)
  private func begin(_ number: PlainNumber, at index: Int) {
    if !texts.isEmpty, texts[index] != nil { texts[index] = nil }
    rows[index].value = gkit_value()
    rows[index].value.type = number.type.rawValue
    rows[index].status = ValueStatus.ok.rawValue
    put(number, into: rows + index)
  }
}

/// The rows that need no more than the time of a reading, a bit each.
struct RowRenewal {
  let rows: UInt64
  /// Those among them of which the reading is news.
  let counting: UInt64

  /// The next row from one on that needs more; nil if none below a limit does.
  @inline(__always)
  func rest(from start: Int, below limit: Int) -> Int? {
    var index = start
    if index < UInt64.bitWidth {
      let others = ~rows &>> UInt64(truncatingIfNeeded: index)
      index = min(index &+ others.trailingZeroBitCount, UInt64.bitWidth)
    }
    return index < limit ? index : nil
  }
}

extension UnsafePointer<Outcome> {
  /// Whether an outcome says no more than why there is no payload.
  @inline(__always)
  var isPlainAbsence: Bool {
    pointee.status != .ok && pointee.status != .stale && pointee.stamp == nil
      && !pointee.isLowAccuracy && pointee.marks.isEmpty
  }
}

extension Array {
  /// Whether both are one list in memory, which is then not changed by either.
  @inline(__always)
  func isSame(as other: [Element]) -> Bool {
    // Safe: the places are compared while both lists live.
    withUnsafeBufferPointer { own in
      other.withUnsafeBufferPointer { own.baseAddress == $0.baseAddress }
    }
  }
}
