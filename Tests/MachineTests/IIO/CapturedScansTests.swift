import GatheredKitTesting
import Glibc
import Ground
import Machine
import Testing

/// Catalogue 3.2: records, and captured trees.
@Suite struct CapturedScansTests {
  let folder: TemporaryFolder
  let loop = VirtualLoop(clock: VirtualTime(at: 1_000_000_000))
  let log = LineLog()
  let device = "/sys/bus/iio/devices/iio:device0"

  init() throws {
    folder = try TemporaryFolder()
    for (index, axis) in ["x", "y", "z"].enumerated() {
      try element("accel_\(axis)", index, "le:s16/16>>0")
    }
    try write("sampling_frequency", "100.000000\n")
  }

  private func write(_ attribute: String, _ text: String) throws {
    try folder.write(Array(text.utf8), to: device + "/" + attribute)
  }

  private func element(_ name: String, _ index: Int, _ type: String, isOn: Bool = true) throws {
    try write("scan_elements/in_\(name)_en", isOn ? "1\n" : "0\n")
    try write("scan_elements/in_\(name)_index", "\(index)\n")
    try write("scan_elements/in_\(name)_type", type + "\n")
  }

  /// Records of three axes and, with one, a stamp behind two bytes of junk.
  private func records(_ rows: [(Int16, Int64?)]) throws {
    var bytes: [UInt8] = []
    for (value, stamp) in rows {
      for axis in [value, -value, 2 * value] {
        bytes += withUnsafeBytes(of: axis.littleEndian, Array.init)
      }
      if let stamp { bytes += [0xAA, 0xAA] + withUnsafeBytes(of: stamp.littleEndian, Array.init) }
    }
    try folder.write(bytes, to: "/dev/iio:device0")
  }

  private let axes = ScanGroup(
    channels: ["accel_x", "accel_y", "accel_z"], matrix: [1, 0, 0, 0, 1, 0, 0, 0, 0.5],
    offset: [0, 0, 0])

  @discardableResult
  private func play(_ groups: [ScanGroup], interval: Int64 = 5) throws -> any ScanStream {
    let machine = try Machine.captured(root: folder.path, clock: loop.clock)
    let scans = try #require(machine.iio.scans)
    #expect(!machine.iio.mayBlock)
    let request = ScanRequest(device: device, groups: groups, interval: interval)
    return try scans.open(request, on: loop) { block in
      let times = block.times.map { $0 - 1_000_000_000 }
      log.add("\(times) \(block.columns.map { $0 }) \(block.stamp)\(block.hasGap ? " gap" : "")")
    } ended: {
      log.add("ended \($0?.code ?? 0) at \(loop.clock.now.boot - 1_000_000_000)")
    }
  }

  @Test func `records are played at the pace of their stamps, the first at the start`() throws {
    try element("timestamp", 3, "le:s64/64>>0")
    try records([(1, 500), (2, 700), (3, 1500)])
    let stream = try play([axes])
    #expect(stream.interval == 10_000_000)
    loop.advance(to: 1_000_000_000)
    #expect(log.lines == ["[0] [[1.0, -1.0, 1.0]] kernel"])
    loop.advance(to: 1_000_000_999)
    #expect(log.lines.count == 2)
    loop.advance(to: 2_000_000_000)
    #expect(
      log.lines.dropFirst() == [
        "[200] [[2.0, -2.0, 2.0]] kernel", "[1000] [[3.0, -3.0, 3.0]] kernel", "ended 0 at 1000",
      ])
  }

  @Test func `without stamps the pace is the device's rate`() throws {
    try records([(1, nil), (2, nil)])
    try play([axes])
    loop.advance(to: 3_000_000_000)
    #expect(
      log.lines == [
        "[0] [[1.0, -1.0, 1.0]] arrival", "[10000000] [[2.0, -2.0, 2.0]] arrival",
        "ended 0 at 10000000",
      ])
  }

  @Test func `times never fall: older records are dropped as a gap, equal ones are kept (V12)`()
    throws
  {
    try element("timestamp", 3, "le:s64/64>>0")
    try records([(1, 10), (2, 20), (3, 20), (4, 5), (5, 19), (6, 40), (7, .max), (8, .min)])
    try play([ScanGroup(channels: ["accel_x"], matrix: [1], offset: [0])])
    loop.advance(to: 1_000_000_100)
    #expect(
      log.lines == [
        "[0] [[1.0]] kernel", "[10, 10] [[2.0, 3.0]] kernel", "[30] [[6.0]] kernel gap",
      ])
  }

  @Test func `a record cut short is no record, and nothing is ever written`() throws {
    try folder.write([1, 0, 2, 0, 3, 0, 4, 0, 5], to: "/dev/iio:device0")
    try play([axes])
    loop.advance(to: 3_000_000_000)
    #expect(log.lines == ["[0] [[1.0, 2.0, 1.5]] arrival", "ended 0 at 0"])
    let files = try Machine.captured(root: folder.path).files
    let names = try files.entries(of: device).sorted()
    #expect(names == ["sampling_frequency", "scan_elements"])
    let frequency = try PolledFile(device + "/sampling_frequency", in: files).read()
    #expect(Array(frequency) == Array("100.000000\n".utf8))
  }

  @Test func `long recordings come whole`() throws {
    try records((0..<5000).map { (Int16($0), nil) })
    try play([ScanGroup(channels: ["accel_x"], matrix: [1], offset: [0])])
    loop.advance(to: .max)
    #expect(log.lines.count == 5001)
    #expect(log.lines[4999] == "[49990000000] [[4999.0]] arrival")
  }

  @Test func `a cancelled stream is silent`() throws {
    try records([(1, nil), (2, nil)])
    let stream = try play([axes])
    loop.advance(to: 1_000_000_000)
    stream.cancel()
    stream.cancel()
    loop.advance(to: 3_000_000_000)
    #expect(log.lines.count == 1)
  }

  @Test func `what was not captured cannot be streamed`() throws {
    func code(_ channel: String) -> Int32? {
      do {
        try play([ScanGroup(channels: [channel], matrix: [1], offset: [0])])
        return nil
      } catch {
        return (error as? SystemError)?.code
      }
    }
    #expect(code("accel_x") == ENOENT)
    try records([(1, nil)])
    try element("temp", 4, "le:s16/16>>0", isOn: false)
    #expect(code("temp") == EOPNOTSUPP)
    #expect(code("anglvel_x") == EOPNOTSUPP)
    try element("accel_y", 1, "le:s99/16>>0")
    #expect(code("accel_x") == EINVAL)
  }

  @Test(arguments: [24, 32]) func `a quaternion is found wherever its stamp is`(size: Int) throws {
    for axis in ["x", "y", "z"] { try element("accel_\(axis)", 9, "le:s16/16>>0", isOn: false) }
    try element("rot_quaternion", 0, "le:s32/32X4>>0")
    try element("timestamp", 1, "le:s64/64>>0")
    var bytes: [UInt8] = []
    for row in 1...4 as ClosedRange<Int32> {
      for word in 0..<4 as Range<Int32> {
        bytes += withUnsafeBytes(of: (row * 10 + word).littleEndian, Array.init)
      }
      bytes += [UInt8](repeating: row == 2 ? 0xFF : 0, count: size - 24)
      bytes += withUnsafeBytes(of: (Int64(row) * 100).littleEndian, Array.init)
    }
    try folder.write(bytes, to: "/dev/iio:device0")
    let identity = (0..<16).map { $0 % 5 == 0 ? 1.0 : 0 }
    try play([ScanGroup(channels: ["rot_quaternion"], matrix: identity, offset: [0, 0, 0, 0])])
    loop.advance(to: 2_000_000_000)
    #expect(log.lines.count == 5)
    #expect(log.lines[3] == "[300] [[40.0, 41.0, 42.0, 43.0]] kernel")
  }
}
