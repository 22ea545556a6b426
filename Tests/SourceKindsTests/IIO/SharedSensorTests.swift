import GatheredKitTesting
import Gathering
import Ground
import Testing
import Values

@testable import SourceKinds

private let millisecond: Int64 = 1_000_000

/// Sessions on one captured chip of 500 Hz: each gets what it gets alone (sources L14).
@Suite struct SharedSensorTests {
  /// A chip whose buffer holds ten seconds of a slow turn.
  private struct Chip {
    let context: Context
    private let fixture: FixtureMachine

    init() throws {
      let device = "/sys/bus/iio/devices/iio:device0"
      var contents = [
        "\(device)/name": "bmi160\n", "\(device)/sampling_frequency": "500\n",
        "\(device)/in_accel_scale": "0.001\n", "\(device)/in_anglvel_scale": "0.001\n",
      ]
      let axes = ["accel_x", "accel_y", "accel_z", "anglvel_x", "anglvel_y", "anglvel_z"]
      for (index, axis) in axes.enumerated() {
        contents["\(device)/in_\(axis)_raw"] = axis == "accel_z" ? "9810\n" : "0\n"
        contents["\(device)/scan_elements/in_\(axis)_en"] = "1\n"
        contents["\(device)/scan_elements/in_\(axis)_index"] = "\(index)\n"
        contents["\(device)/scan_elements/in_\(axis)_type"] = "le:s16/16>>0\n"
      }
      fixture = try FixtureMachine(contents)
      var bytes: [UInt8] = []
      for row in 0..<5_000 as Range<Int16> {
        for word in [0, row % 100, 9_810, row % 500, 0, row] as [Int16] {
          bytes += withUnsafeBytes(of: word.littleEndian, Array.init)
        }
      }
      try fixture.write(bytes: bytes, to: "/dev/iio:device0")
      context = try Context.open(
        on: fixture.machine, loop: fixture.loop,
        catalogue: [Accelerometer(), Gyroscope(), DeviceAttitude(), IIO()])
    }
  }

  /// Rows of a session, its granted intervals before, while and after others ran, and what it lost.
  private func run(
    _ kind: String, every interval: Int64, beside others: [(kind: String, interval: Int64)]
  ) throws -> (rows: [[Sample]], granted: Set<Int64>, dropped: UInt64) {
    let chip = try Chip()
    let source = try chip.context.open(kind)
    let rows = Monitor<[[Sample]]>([])
    let token = source.addUpdateListener { update in rows.withLock { $0 += update.rows } }
    try source.startUpdating(every: interval)
    var granted: Set<Int64> = []
    func go(to moment: Int64) throws {
      try chip.context.seek(to: moment * millisecond)
      if let now = source.rates.granted { granted.insert(now) }
    }
    try go(to: 1_003)
    let guests = try others.map { other in
      let guest = try chip.context.open(other.kind)
      try guest.startUpdating(every: other.interval)
      return guest
    }
    try go(to: 2_001)
    for guest in guests { try guest.stopUpdating() }
    try go(to: 3_000)
    token.end()
    return (rows.withLock { $0 }, granted, source.rates.dropped)
  }

  @Test(arguments: ["gyroscope", "device_attitude", "iio"])
  func `others cost a session no sample, no flag and no rate`(kind: String) throws {
    let guests = [
      (kind, 2 * millisecond), (kind, 50 * millisecond), ("gyroscope", 4 * millisecond),
      ("device_attitude", 10 * millisecond), (kind, 300 * millisecond),
    ]
    let alone = try run(kind, every: 20 * millisecond, beside: [])
    let shared = try run(kind, every: 20 * millisecond, beside: guests)
    #expect(alone.granted == [20 * millisecond])
    #expect(shared.granted == [20 * millisecond])
    #expect(shared.dropped == 0)
    #expect(alone.rows.count == 151)
    #expect(shared.rows.count == alone.rows.count)
    for (own, other) in zip(alone.rows, shared.rows) {
      let moment = own.map(\.time).max() ?? 0
      let differing = own.indices.filter { index in
        let (left, right) = (own[index], other[index])
        if left.value != right.value || left.status != right.status { return true }
        // What no buffer brings may be read more often for others.
        return left.time == moment && (right.time != moment || left.flags != right.flags)
      }
      #expect(differing.isEmpty, "at \(moment)")
      if !differing.isEmpty { break }
    }
    let times = shared.rows.compactMap { row in row.first { $0.value.vector != nil }?.time }
    #expect(times == times.sorted() && Set(times).count == times.count)
  }
}
