import GatheredKitTesting
import Glibc
import Ground
import Machine
import Testing

@Suite struct SidecarFileTests {
  let fixture: FixtureMachine

  init() throws {
    fixture = try FixtureMachine()
  }

  private func sizesError(_ mountPoint: String) -> Int32? {
    do throws(SystemError) {
      _ = try fixture.machine.files.statistics(of: mountPoint)
      return nil
    } catch {
      return error.code
    }
  }

  private func switchError(_ device: String) -> Int32? {
    do throws(SystemError) {
      _ = try fixture.machine.switches.switchesOn(of: device)
      return nil
    } catch {
      return error.code
    }
  }

  @Test func `C3: a line of the side file gives each size its own number`() throws {
    try fixture.write(
      "/ 4096 7 6 5 4 3\n%2Fhome%2fa%20b 512 70 60 50 40 30\n", to: "/.gkit/statvfs")
    let expected = FileSystemStatistics(
      blockSize: 4096, blocks: 7, blocksFree: 6, blocksAvailable: 5, inodes: 4, inodesFree: 3)
    #expect(try fixture.machine.files.statistics(of: "/") == expected)
    #expect(try fixture.machine.files.statistics(of: "/home/a b").inodesFree == 30)
  }

  @Test func `C3: without a line or a side file the sizes are not supported`() throws {
    #expect(sizesError("/") == EOPNOTSUPP)
    try fixture.write("/home 4096 7 6 5 4 3\n", to: "/.gkit/statvfs")
    #expect(sizesError("/") == EOPNOTSUPP)
  }

  @Test(arguments: ["/ 4096 7 6 5 4", "/ 1 2 3 4 5 6 7", "/ -1 2 3 4 5 6", "/ 1 2 x 4 5 6", "/"])
  func `a malformed line is an error of its mount point alone`(line: String) throws {
    try fixture.write("%zz 1 2 3 4 5 6\n\(line)\n/ok 1 2 3 4 5 6", to: "/.gkit/statvfs")
    #expect(sizesError("/") == EINVAL)
    #expect(sizesError("/ok") == nil)
  }

  @Test func `C3: switch states of a tree are lines of a hexadecimal mask`() throws {
    try fixture.write("event3 21\nevent30 0xff\nevent4 zz\nevent5\n", to: "/.gkit/switches")
    #expect(try fixture.machine.switches.switchesOn(of: "event3") == 0x21)
    #expect(try fixture.machine.switches.switchesOn(of: "event30") == 0xff)
    #expect(switchError("event4") == EINVAL)
    #expect(switchError("event5") == EINVAL)
    #expect(switchError("event6") == EOPNOTSUPP)
    try fixture.remove("/.gkit/switches")
    #expect(switchError("event3") == EOPNOTSUPP)
  }
}
