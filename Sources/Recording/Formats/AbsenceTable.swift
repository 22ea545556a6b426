import Gathering

/// The reasons for absence that the samples of a block have, each once.
struct AbsenceTable {
  private(set) var absences: [Absence] = []

  init() {}

  /// The number of an absence, from 1; 0 for none.
  mutating func number(of absence: Absence?) -> Int {
    guard let absence else { return 0 }
    if let place = absences.firstIndex(where: absence.isIdentical) { return place + 1 }
    absences.append(absence)
    return absences.count
  }

  func write(to out: inout ByteWriter) {
    out.put(varint: absences.count)
    for absence in absences {
      out.put(signed: Int64(absence.errno))
      out.put(counted: Array(absence.reason.utf8))
      out.put(counted: Array(absence.remedy.utf8))
    }
  }

  init(_ reader: inout ByteReader) throws(Malformed) {
    for _ in 0..<(try reader.count(atMost: reader.remaining)) {
      let errno = Int32(truncatingIfNeeded: try reader.signed())
      let reason = try reader.text()
      absences.append(Absence(reason, errno: errno, remedy: try reader.text()))
    }
  }
}
