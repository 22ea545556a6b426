import GatheredKitTesting
import Glibc
import Ground
import Machine
import Testing

extension UdevTests {
  /// The buffers of this computer, on a device umockdev pretends: run under `umockdev-wrapper`.
  @Suite(.enabled(if: Iiod.isPretended, "not run under umockdev-wrapper"))
  struct UdevScansTests {
    private typealias New = @convention(c) () -> OpaquePointer?
    private typealias Add =
      @convention(c) (OpaquePointer, UnsafePointer<CChar>, OpaquePointer?) -> Int32

    @Test func `a live buffer is shared, delivered, and everything is put back (P5)`() throws {
      let library = try SharedLibrary("libumockdev.so.0", package: "libumockdev0")
      let make = try library.function("umockdev_testbed_new", as: New.self)
      let add = try library.function("umockdev_testbed_add_from_string", as: Add.self)
      let testbed = try #require(make())
      #expect(add(testbed, Iiod.device(rates: "25 100 400"), nil) != 0)
      let device = "/sys/bus/iio/devices/iio:device0"
      func text(_ name: String) throws -> String {
        let bytes = try PolledFile(device + "/" + name, in: RootedFileTree.live).read()
        return String(decoding: bytes.filter { $0 >= 32 }, as: UTF8.self)
      }
      let log = LineLog()
      do {
        let machine = Machine.live()
        let group = ScanGroup(channels: ["accel_x", "accel_y"], matrix: [2, 0], offset: [1])
        let request = ScanRequest(device: device, groups: [group], interval: 4_000_000)
        let stream = try machine.iio.scans?.open(request, on: VirtualLoop()) { block in
          for number in block.columns[0] { log.add("\(number)") }
        } ended: {
          log.add("ended \($0?.code ?? 0)")
        }
        #expect(stream?.interval == 2_500_000)
        #expect(log.wait(for: 8).prefix(4) == ["1.0", "3.0", "5.0", "7.0"])
        stream?.cancel()
      }
      #expect(try text("sampling_frequency") == "100")
      #expect(try text("buffer/enable") == "0")
      #expect(try text("scan_elements/in_accel_x_en") == "0")
    }
  }
}
