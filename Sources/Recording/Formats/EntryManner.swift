import Gathering

/// The attributes that successive entries of a column share, besides payloads, times and sequences.
struct EntryManner: Equatable, Sendable {
  var status: ValueStatus
  var flags: SampleFlags
  var origin: ClockOrigin
  var hasPayload: Bool
  var absence: Absence?

  /// Equal to the byte: texts that look alike are not the same.
  func isSame(as other: Self) -> Bool {
    status == other.status && flags == other.flags && origin == other.origin
      && hasPayload == other.hasPayload && isSame(absence, other.absence)
  }

  /// Whether there is a payload and no other information.
  var isPlain: Bool {
    hasPayload && status == .ok && absence == nil
      && flags.isSubset(of: [.isNew, .gap, .replayed])
  }

  private func isSame(_ left: Absence?, _ right: Absence?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return left.isIdentical(to: right)
  }
}

extension EntryManner {
  private static let origins: [ClockOrigin] = [.hardware, .kernel, .library]

  func write(absences: inout AbsenceTable, to out: inout ByteWriter) {
    let place = Self.origins.firstIndex(of: origin) ?? 2
    out.put(UInt8(status.rawValue) | UInt8(place) << 3 | (hasPayload ? 0x20 : 0))
    out.put(varint: Int(flags.rawValue))
    out.put(varint: absences.number(of: absence))
  }

  init(_ reader: inout ByteReader, absences: [Absence]) throws(Malformed) {
    let word = try reader.byte()
    let flags = try reader.count(atMost: Int(UInt32.max))
    let absence = try reader.count(atMost: absences.count)
    guard let status = ValueStatus(rawValue: UInt32(word & 7)), word < 0x40,
      Self.origins.indices.contains(Int(word >> 3 & 3))
    else { throw Malformed("a status is unknown") }
    self.init(
      status: status, flags: SampleFlags(rawValue: UInt32(flags)),
      origin: Self.origins[Int(word >> 3 & 3)], hasPayload: word & 0x20 != 0,
      absence: absence == 0 ? nil : absences[absence - 1])
  }
}

extension Absence {
  /// Whether both are equal byte by byte.
  func isIdentical(to other: Absence) -> Bool {
    self === other
      || (errno == other.errno && reason.utf8.elementsEqual(other.reason.utf8)
        && remedy.utf8.elementsEqual(other.remedy.utf8))
  }
}
