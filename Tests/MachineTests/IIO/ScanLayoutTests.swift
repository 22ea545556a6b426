import Machine
import Testing

@Suite struct ScanLayoutTests {
  private func layout(_ formats: [(String, String)]) throws -> ScanLayout {
    let elements = try formats.enumerated().map { index, element in
      try ScanElement(name: element.0, index: index, format: ScanFormat(element.1.utf8))
    }
    // The order of elements is their index's, not that of the list.
    return ScanLayout(elements.reversed())
  }

  @Test func `each element is aligned to its own size and the record to the largest`() throws {
    let axes = [("accel_x", "le:s16/16>>0"), ("accel_y", "le:s16/16>>0")]
    let three = axes + [("accel_z", "le:s16/16>>0")]
    let stamp = [("timestamp", "le:s64/64>>0")]
    #expect(try layout(three).recordSize == 6)
    #expect(try layout(three + stamp).offsets == [0, 2, 4, 8])
    #expect(try layout(three + stamp).recordSize == 16)
    let mixed = try layout([("a", "le:u8/8>>0"), ("b", "le:s24/32>>8"), ("c", "le:u8/8>>0")])
    #expect(mixed.offsets == [0, 4, 8])
    #expect(mixed.recordSize == 12)
  }

  @Test func `elements of repeated words are aligned as wholes, and the stamp comes last`() throws {
    let rotation = [("rot_quaternion", "le:s32/32X4>>0")]
    #expect(try layout(rotation).recordSize == 16)
    let stamped = try layout(rotation + [("timestamp", "le:s64/64>>0")])
    #expect(stamped.recordSize == 32)
    #expect(stamped.offsets == [0, 24])
  }

  @Test func `nothing enabled is a record of nothing`() {
    #expect(ScanLayout([]).recordSize == 0)
  }
}
