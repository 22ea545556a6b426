import Testing

@testable import Machine

@Suite struct StampedRotationTests {
  private let elements: [ScanElement]

  init() throws {
    elements = [
      ScanElement(
        name: "rot_quaternion", index: 0, format: try ScanFormat("le:s32/32X4>>0".utf8)),
      ScanElement(name: "timestamp", index: 1, format: try ScanFormat("le:s64/64>>0".utf8)),
    ]
  }

  private func records(_ count: Int, size: Int) -> [UInt8] {
    (0..<count).flatMap { row in
      var record = [UInt8](repeating: 0, count: size)
      record[0] = UInt8(row + 1)
      record[size - 8] = UInt8(10 + row)
      return record
    }
  }

  @Test(arguments: [24, 32], [1, 3, 4, 12])
  func `the kernel's records tell where their stamps are`(size: Int, count: Int) throws {
    var rotation = try #require(StampedRotation(elements))
    let bytes = records(count, size: size)
    let layout = bytes.withUnsafeBytes { rotation.layout(of: $0) }
    #expect(layout.recordSize == size)
    let decoder = try ScanDecoder([], from: layout, at: "here")
    let stamps = bytes.withUnsafeBytes { decoder.stamps(of: $0) }
    #expect(stamps == (0..<count).map { Int64(10 + $0) })
    // What has been found out stays, whatever later bytes look like.
    let later = [UInt8](repeating: 0, count: 96)
    #expect(later.withUnsafeBytes { rotation.layout(of: $0) }.recordSize == size)
  }

  @Test func `whole records of either size fit into what is asked for`() throws {
    let rotation = try #require(StampedRotation(elements))
    #expect([1, 4, 5, 1000].map(rotation.samples) == [4, 4, 8, 1000])
  }

  @Test func `nothing is unsettled about other records`() {
    #expect(StampedRotation([elements[0]]).map { _ in true } == nil)
    #expect(StampedRotation([elements[1]]).map { _ in true } == nil)
  }
}
