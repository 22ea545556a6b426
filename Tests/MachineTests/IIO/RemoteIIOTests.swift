import GatheredKitTesting
import Glibc
import Ground
import Testing

@testable import Machine

@Suite struct RemoteIIOTests {
  @Test func `a host that refuses is told at once, and nothing fails to open`() throws {
    let machine = Machine.remote(host: "127.0.0.1:1")
    #expect(machine.nature == .remote)
    let first = #expect(throws: SystemError.self) {
      _ = try machine.iio.files.entries(of: "/sys/bus/iio/devices")
    }
    #expect(first == SystemError(ECONNREFUSED, at: "ip:127.0.0.1:1"))
    // Known to be absent, it costs nothing (K2).
    let isSpared = Patience.isSpared {
      for _ in 0..<500 {
        #expect(throws: SystemError.self) {
          _ = try machine.iio.files.open("/sys/bus/iio/devices/iio:device0/name")
        }
        #expect(throws: SystemError.self) { try open(machine) }
      }
    }
    #expect(isSpared)
  }

  @Test func `A4 a caller that asks has a host tried that refused 2 s ago or earlier`() {
    let second: Int64 = 1_000_000_000
    var retries = LinkRetries()
    #expect(retries.isDue(at: 0) && retries.isFirst)
    var now: Int64 = 0
    for wait in [1, 2, 4, 8, 16, 30, 30] as [Int64] {
      retries.begin(at: now)
      retries.fail(at: now)
      #expect(!retries.isFirst)
      #expect(!retries.isDue(at: now + wait * second - 1), "\(wait)")
      now += wait * second
      #expect(retries.isDue(at: now), "\(wait)")
    }
    retries.begin(at: now)
    retries.fail(at: now)
    retries.hurry(at: now + 2 * second - 1)
    #expect(!retries.isDue(at: now + 2 * second))
    retries.hurry(at: now + 2 * second)
    #expect(retries.isDue(at: now + 2 * second))
    retries.begin(at: now + 2 * second)
    retries.succeed(at: now + 2 * second)
    #expect(retries.isDue(at: now + 2 * second))
  }

  private func open(_ machine: Machine) throws {
    let loop = VirtualLoop()
    let request = ScanRequest(device: "/sys/bus/iio/devices/iio:device0", groups: [], interval: 1)
    _ = try machine.iio.scans?.open(request, on: loop) { _ in
    } ended: { _ in
    }
  }

  @Test func `the smallest rate not below the one asked for is chosen`() {
    let list = RateChoice("10 50.5 25 400\n")
    #expect(list.text(forHertz: 20) == "25")
    #expect(list.text(forHertz: 50.5) == "50.5")
    #expect(list.text(forHertz: 1000) == "400")
    #expect(RateChoice("[1 0.5 100]").text(forHertz: 10.2) == "10.500000")
    #expect(RateChoice("[1 0.5 100]").text(forHertz: 500) == "100")
    #expect(RateChoice("nonsense").text(forHertz: 12) == "12")
    #expect(RateChoice("[1 0 100]") == .any)
  }

  @Test(.enabled(if: Iiod.isInstalled, "iiod or umockdev is not installed"))
  func `attributes and buffers come over the network, and again from a new server`() throws {
    let iiod = try Iiod()
    let machine = Machine.remote(host: "127.0.0.1:\(iiod.port)")
    let files = machine.iio.files
    try iiod.start(until: { (try? files.entries(of: "/sys/bus/iio/devices").count) == 1 })
    #expect(try files.entries(of: "/sys/bus/iio/devices") == ["iio:device0"])
    let device = "/sys/bus/iio/devices/iio:device0"
    func text(_ name: String) throws -> String {
      String(decoding: try PolledFile(device + "/" + name, in: files).read(), as: UTF8.self)
    }
    #expect(try text("name") == "bmi160\n")
    #expect(try text("in_accel_x_raw") == "17\n")
    #expect(try text("in_accel_scale") == "0.5\n")
    #expect(try text("scan_elements/in_accel_x_type") == "le:s16/16>>0\n")
    #expect(try files.canonicalPath(of: device) == "/sys/devices/bmi160/iio:device0")

    let log = LineLog()
    let loop = VirtualLoop()
    let group = ScanGroup(channels: ["accel_x", "accel_y"], matrix: [1, 0, 0, 1], offset: [0, 1])
    let request = ScanRequest(device: device, groups: [group], interval: 10_000_000)
    let stream = try machine.iio.scans?.open(request, on: loop) { block in
      for row in block.times.indices {
        log.add("\(block.columns[0][row * 2]) \(block.columns[0][row * 2 + 1])")
      }
    } ended: {
      log.add("ended \($0?.code ?? 0)")
    }
    #expect(stream?.interval == 10_000_000)
    #expect(Array(log.wait(for: 4).prefix(4)) == ["0.0 1.0", "1.0 0.0", "2.0 -1.0", "3.0 -2.0"])
    stream?.cancel()

    iiod.stop()
    #expect(throws: SystemError.self) { _ = try text("in_accel_x_raw") }
    try iiod.start(until: { (try? text("in_accel_x_raw")) == "17\n" })
    #expect(try text("in_accel_x_raw") == "17\n")
  }
}
