import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct MountMatrixTests {
  /// Every shape of systemd's hardware database, and whether it turns accelerations.
  static let database: [(text: String, accelerates: Bool, rotates: Bool)] = [
    ("0, -1, 0; -1, 0, 0; 0, 0, 1", true, false),
    ("1, 0, 0; 0, -1, 0; 0, 0, 1", true, false),
    ("0, 1, 0; 1, 0, 0; 0, 0, 1", true, false),
    ("-1, 0, 0; 0, 1, 0; 0, 0, 1", true, false),
    ("0, 1, 0; -1, 0, 0; 0, 0, 1", true, true),
    ("-1, 0, 0; 0, 1, 0; 0, 0, -1", true, true),
    ("0, -1, 0; 1, 0, 0; 0, 0, 1", true, true),
    ("-1, 0, 0; 0, -1, 0; 0, 0, 1", true, true),
    ("-1, 0, 0; 0, -1, 0; 0, 0, -1", true, false),
    ("-0, -1, 0; 0, 0, -1; 1, 0, 0", true, true),
    ("1, 0, 0; 0, 1, 0; 0, 0, 1", true, true),
    ("1, 0, 0; 0, 1, 0; 0, 0, -1", true, false),
    ("0, -1, 0;1, 0, 0;0, 0, 1", true, true),
    // The two singular ones.
    ("1, 0, 0; 0, -1, 0; 1, 0, 0", false, false),
    ("0,1,0;-1,0,0;-1,0,0", false, false),
    ("0, 0, 0; 0, 0, 0; 0, 0, 0", false, false),
  ]

  @Test func `A4 a matrix that could not be read is read again by a start`() throws {
    let board = try machine(named: "motion-board")
    let files = AlteredFiles(over: board.files)
    let machine = board.with(files: files).with(iio: files)
    let kind = Accelerometer()
    let path = "/sys/bus/iio/devices/iio:device0/in_mount_matrix"
    files.alter(path, .failing(110))
    let instance = try #require(
      kind.discover(on: machine).instances.first { $0.aliases.contains("iio:device0") })
    let reader = try #require(try kind.open(instance, on: machine))
    func frame() -> String? {
      var reading = Reading(properties: kind.properties.count)
      reader.read(ReadRequest(scope: .everything, allow: .all), into: &reading)
      return reading[Accelerometer.Field.frame].text
    }
    #expect(frame() == "sensor")
    files.alter(path, nil)
    #expect(frame() == "device")
  }

  @Test(arguments: database)
  func `matrices are applied as they stand, those that mirror to accelerations only`(
    text: String, accelerates: Bool, rotates: Bool
  ) throws {
    let numbers = try #require(MountMatrix.numbers(in: text))
    #expect((MountMatrix.flaw(of: numbers, for: .acceleration) == nil) == accelerates)
    #expect((MountMatrix.flaw(of: numbers, for: .rotation) == nil) == rotates)
  }

  @Test(arguments: [
    "", "1", "1, 0, 0; 0, 1, 0", "1, 0; 0, 1, 0; 0, 0, 1", "1, 0, 0, 0; 1, 0, 0; 0, 1, 0",
    "1 0 0; 0 1 0; 0 0 1", "a, b, c; d, e, f; g, h, i", "1, 0, 0; 0, 1, 0; 0, 0, 1;",
    "1,0, 0; 0, 1, 0; 0, 0, 0x1", "1, 0, 0; 0, 1, 0; 0, 0, nan",
  ])
  func `what is not three rows of three numbers is no matrix`(text: String) {
    #expect(MountMatrix.numbers(in: text) == nil)
  }

  @Test func `each entry of the product may be off by 0.05`() {
    let near = [1.02, 0, 0, 0, 1, 0, 0, 0, 0.98]
    #expect(MountMatrix.flaw(of: near, for: .rotation) == nil)
    #expect(MountMatrix.flaw(of: [1.03, 0, 0, 0, 1, 0, 0, 0, 1], for: .rotation) != nil)
    #expect(MountMatrix.flaw(of: [1, 0.06, 0, 0, 1, 0, 0, 0, 1], for: .rotation) != nil)
    let huge = [Double](repeating: 1e308, count: 9)
    #expect(MountMatrix.flaw(of: huge, for: .acceleration) != nil)
  }

  @Test func `device is matrix times sensor, a column`() {
    let matrix = [0.0, 1, 0, 0, 0, 1, 1, 0, 0]
    #expect(MountMatrix.apply(matrix, to: Vector(1, 2, 3)) == Vector(2, 3, 1))
  }

  @Test func `the channel's matrix goes first, then the type's, the direction's, the device's`()
    throws
  {
    let names = [
      "in_accel_x_mount_matrix", "in_accel_mount_matrix", "in_mount_matrix", "mount_matrix",
    ]
    let folder = "/sys/bus/iio/devices/iio:device0"
    for first in names.indices {
      var contents = ["/run/udev/data/+iio:iio:device0": "E:ACCEL_MOUNT_MATRIX=1,0,0;0,1,0;0,0,1\n"]
      for (index, name) in names.enumerated() where index >= first {
        contents["\(folder)/\(name)"] = index == first ? "0, 1, 0; -1, 0, 0; 0, 0, 1\n" : "1\n"
      }
      let machine = try SourceKindsTests.machine(of: contents)
      let device = IIODevice(folder, on: machine)
      let matrix = MountMatrix(of: "accel", on: device, of: machine, for: .acceleration)
      #expect(matrix.rows == [0, 1, 0, -1, 0, 0, 0, 0, 1], "\(names[first])")
      #expect(matrix.raw?.place == "\(folder)/\(names[first])")
    }
  }

  @Test func `udev's matrix serves where the kernel has none, and never replaces a bad one`() throws
  {
    let udev = ["/run/udev/data/+iio:iio:device0": "E:ACCEL_MOUNT_MATRIX=0,1,0;1,0,0;0,0,1\n"]
    let folder = "/sys/bus/iio/devices/iio:device0"
    let plain = try SourceKindsTests.machine(of: udev.merging(["\(folder)/name": "kx\n"]) { $1 })
    let device = IIODevice(folder, on: plain)
    #expect(
      MountMatrix(of: "accel", on: device, of: plain, for: .acceleration).rows
        == [0, 1, 0, 1, 0, 0, 0, 0, 1])
    #expect(
      MountMatrix(of: "magn", on: device, of: plain, for: .rotation).outcome.status == .unsupported)
    let bad = try SourceKindsTests.machine(
      of:
        udev.merging(["\(folder)/mount_matrix": "0, 0, 0; 0, 0, 0; 0, 0, 0\n"]) { $1 }
    )
    let matrix = MountMatrix(
      of: "accel", on: IIODevice(folder, on: bad), of: bad, for: .acceleration)
    #expect(matrix.rows == nil)
    #expect(matrix.outcome.status == .failed)
  }
}
