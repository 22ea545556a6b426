import Gathering

extension PropertyColumn {
  private static let origins: [ClockOrigin] = [.hardware, .kernel, .library]

  func write(
    absences: inout AbsenceTable, scale: inout Numbers.Scale?, to out: inout ByteWriter
  ) {
    out.put(varint: count)
    rows.write(to: &out)
    sequences.write(to: &out)
    out.put(varint: strays.count)
    if strays.count > 0 {
      for column in [strays, strayTimes, strayOffsets] { column.write(to: &out) }
    }
    out.put(varint: runs.count)
    for (place, run) in runs.enumerated() {
      let end = place + 1 < runs.count ? runs[place + 1].start : count
      out.put(varint: end - run.start)
      let origin = Self.origins.firstIndex(of: run.manner.origin) ?? 2
      out.put(
        UInt8(run.manner.status.rawValue) | UInt8(origin) << 3 | (run.manner.hasPayload ? 0x20 : 0))
      out.put(varint: Int(run.manner.flags.rawValue))
      out.put(varint: absences.number(of: run.manner.absence))
    }
    payloads.write(scale: &scale, to: &out)
  }

  /// Reads a column of a block with this number of rows.
  init(
    _ reader: inout ByteReader, rowCount: Int, absences: [Absence]
  ) throws(Malformed) {
    let count = try reader.count(atMost: rowCount)
    rows = try Integers(&reader, count: count)
    guard count > 0, rows[0] == 0, rows.areIndices(below: rowCount) else {
      throw Malformed("a property is not in all rows")
    }
    sequences = try Integers(&reader, count: count)
    let strayCount = try reader.count(atMost: count)
    if strayCount > 0 {
      strays = try Integers(&reader, count: strayCount)
      strayTimes = try Integers(&reader, count: strayCount)
      strayOffsets = try Integers(&reader, count: strayCount)
      guard strays.areIndices(below: count) else { throw Malformed("a time has no row") }
    }
    let payloadCount = try readRuns(&reader, absences: absences)
    payloads = try PayloadColumn(&reader, count: payloadCount)
  }

  /// Reads the runs; how many payloads they have.
  private mutating func readRuns(
    _ reader: inout ByteReader, absences: [Absence]
  ) throws(Malformed) -> Int {
    var (start, payloadStart) = (0, 0)
    for _ in 0..<(try reader.count(atMost: count)) {
      let length = try reader.count(atMost: count - start)
      let word = try reader.byte()
      let flags = try reader.count(atMost: Int(UInt32.max))
      let absence = try reader.count(atMost: absences.count)
      guard length > 0, let status = ValueStatus(rawValue: UInt32(word & 7)), word < 0x40,
        Self.origins.indices.contains(Int(word >> 3 & 3))
      else { throw Malformed("a status is unknown") }
      let manner = Manner(
        status: status, flags: SampleFlags(rawValue: UInt32(flags)),
        origin: Self.origins[Int(word >> 3 & 3)], hasPayload: word & 0x20 != 0,
        absence: absence == 0 ? nil : absences[absence - 1])
      runs.append(Run(manner: manner, start: start, payloadStart: payloadStart))
      start += length
      if manner.hasPayload { payloadStart += length }
    }
    guard start == count else { throw Malformed("a status is missing") }
    return payloadStart
  }
}
