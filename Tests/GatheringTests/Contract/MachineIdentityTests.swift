import Gathering
import Testing

struct MachineIdentityTests {
  private let machine = MachineIdentity(parsing: "0123456789abcdef0123456789abcdef\n".utf8)

  @Test func `N8: the digest is the start of HMAC-SHA-256 keyed with the machine id`() {
    // printf %s AA:BB:CC:DD:EE:FF | openssl dgst -sha256 -mac HMAC -macopt hexkey:0123…
    #expect(machine.digest(of: "AA:BB:CC:DD:EE:FF") == "e92d6aeb777a")
    #expect(MachineIdentity.none.digest(of: "AA:BB:CC:DD:EE:FF") == "5f6b94f6a8db")
    let edid = [UInt8](repeating: 0xFF, count: 128)
    #expect(machine.digest(of: edid).utf8.count == 12)
    #expect(machine.digest(of: edid) != machine.digest(of: edid.dropLast()))
  }

  @Test(arguments: [
    "", "uninitialized\n", "0123456789abcdef0123456789abcde",
    "0123456789abcdef0123456789abcdef0", "0123456789abcdeg0123456789abcdef",
    "00000000000000000000000000000000", "01234567-89ab-cdef-0123-456789abcdef",
  ])
  func `N8: an invalid machine id counts as none`(text: String) {
    #expect(MachineIdentity(parsing: text.utf8) == .none)
    #expect(MachineIdentity(parsing: text.utf8).bytes.isEmpty)
  }

  @Test func `the application-specific id is that of sd_id128`() {
    let application: [UInt8] = [
      0x93, 0x81, 0x35, 0x1f, 0x38, 0x26, 0x40, 0xd6, 0xb9, 0xad, 0x19, 0x25, 0xb9, 0x86, 0xe4,
      0xf4,
    ]
    #expect(machine.identifier(forApplication: application) == "4a1a33728abf468d92e26ee6e3f95d13")
    #expect(machine.identifier(forApplication: [1]) == nil)
    #expect(MachineIdentity.none.identifier(forApplication: application) == nil)
  }
}
