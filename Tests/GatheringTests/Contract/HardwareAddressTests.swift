import Gathering
import Testing

@Suite struct HardwareAddressTests {
  private static let address = "66:77:88:99:AA:0B"

  @Test(arguments: [
    "66:77:88:99:aa:0b", "hid-66:77:88:99:AA:0B-battery", "/org/bluez/hci0/dev_66_77_88_99_AA_0B",
    "/org/freedesktop/UPower/devices/battery_hid_66o77o88o99oaao0b_battery",
    "ps-controller-battery-66-77-88-99-aa-0b", "enx66778899aa0b",
    "/sys/class/net/wlx66778899aa0b/mtu",
    "wwx66778899AA0B: no carrier", "hid-66:77:88:99:aa:0b.",
  ])
  func `an address is found in every spelling, as ids digest it`(text: String) {
    #expect(HardwareAddress.first(in: text) == Self.address)
    let shown = HardwareAddress.withheld(in: text, by: .none)
    let digest = MachineIdentity.none.digest(of: Self.address)
    #expect(shown.contains(digest))
    #expect(HardwareAddress.first(in: shown) != Self.address)
    // Beside it nothing changes.
    let digits = text.lowercased().filter { !"-_:o".contains($0) }
    let rest = shown.lowercased().filter { !"-_:o".contains($0) }
    #expect(rest.replacing(digest, with: "66778899aa0b") == digits)
  }

  @Test(arguments: [
    "", "BAT0", "0000:00:1f.6", "12:00:02", "fe80::66:77", "66:77:88:99:aa", "66:77-88:99-aa:0b",
    "7f2c1d9e-0000-4000-8000-0123456789ab", "dev-0123456789ab", "hidpp_battery_3", "enx66778899aa",
    "enx66778899aa0b1", "penx66778899aa0b", "g66:77:88:99:aa:0b", "66:77:88:99:aa:0g", "wlan0",
    "2026-11-22T10:20:30", "enx", "é66", "66:77:88:99:aa:",
  ])
  func `what is no address is left as it is`(text: String) {
    #expect(HardwareAddress.first(in: text) == nil)
    #expect(HardwareAddress.withheld(in: text, by: .none) == text)
  }

  @Test func `several addresses are withheld one by one, and longer ones as a whole`() {
    let one = MachineIdentity.none.digest(of: Self.address)
    let two = MachineIdentity.none.digest(of: "02:00:00:00:00:01")
    #expect(
      HardwareAddress.withheld(in: "66:77:88:99:aa:0b 02-00-00-00-00-01 x", by: .none)
        == "\(one) \(two) x")
    let eight = "66:77:88:99:aa:0b:01:02"
    #expect(HardwareAddress.first(in: eight) == eight.uppercased())
  }

  @Test func `an identity is digested by the address in it, or as it is`() {
    let identity = MachineIdentity(bytes: Array(1...16))
    #expect(
      identity.digest(ofIdentityIn: "x_66_77_88_99_aa_0b") == identity.digest(of: Self.address))
    #expect(identity.digest(ofIdentityIn: "SN 7") == identity.digest(of: "SN 7"))
  }
}
