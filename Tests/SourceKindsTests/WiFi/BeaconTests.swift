import GatheredKitTesting
import Gathering
import Testing
import Values

@testable import SourceKinds

/// Elements a test makes up.
enum Beacons {
  /// A robust security element of key management suites, with or without protected frames.
  static func robust(_ suites: [UInt8], flags: UInt8 = 0) -> [UInt8] {
    var content: [UInt8] = [1, 0, 0, 0x0F, 0xAC, 4, 1, 0, 0, 0x0F, 0xAC, 4]
    content += [UInt8(suites.count), 0] + suites.flatMap { [0, 0x0F, 0xAC, $0] as [UInt8] }
    content += [flags, 0]
    return [48, UInt8(content.count)] + content
  }

  /// The vendor's element of the first WPA.
  static let first: [UInt8] = [221, 6, 0x00, 0x50, 0xF2, 1, 1, 0]
}

@Suite struct BeaconTests {
  private func security(_ elements: [UInt8], _ capability: UInt16? = 0x0411) -> Outcome {
    Beacon(capability: capability, elements: elements).security.outcome
  }

  @Test(arguments: [
    ([2], "wpa2_personal"), ([4], "wpa2_personal"), ([6], "wpa2_personal"),
    ([19], "wpa2_personal"), ([20], "wpa2_personal"), ([1], "wpa2_enterprise"),
    ([3], "wpa2_enterprise"), ([5], "wpa2_enterprise"), ([8], "wpa3_personal"),
    ([9], "wpa3_personal"), ([24], "wpa3_personal"), ([25], "wpa3_personal"),
    ([11], "wpa3_enterprise"), ([12], "wpa3_enterprise"), ([13], "wpa3_enterprise"),
    ([18], "owe"), ([8, 2], "wpa2_personal"), ([12, 1, 8], "wpa2_enterprise"),
    ([7, 8], "wpa3_personal"),
  ])
  func `the weakest key management counts (4.2)`(suites: [UInt8], word: String) {
    #expect(security(Beacons.robust(suites)).value == .string(word))
  }

  @Test func `SHA-256 is of the third generation where frames must be protected`() {
    #expect(security(Beacons.robust([5], flags: 0xC0)).value == .string("wpa3_enterprise"))
    #expect(security(Beacons.robust([5], flags: 0x80)).value == .string("wpa2_enterprise"))
    #expect(security(Beacons.robust([1, 5], flags: 0xC0)).value == .string("wpa2_enterprise"))
  }

  @Test func `without elements the privacy bit tells WEP from an open network`() {
    #expect(security([], 0x0401).value == .string("open"))
    #expect(security([], 0x0411).value == .string("wep"))
    #expect(security([], nil).status == .noData)
  }

  @Test func `the first WPA is weaker than what is offered beside it`() {
    #expect(security(Beacons.first + Beacons.robust([2])).value == .string("wpa"))
    #expect(security(Beacons.robust([2]) + Beacons.first).value == .string("wpa"))
    // Another element of the same vendor: quality of service.
    let quality: [UInt8] = [221, 5, 0x00, 0x50, 0xF2, 2, 1]
    #expect(security(quality + Beacons.robust([2])).value == .string("wpa2_personal"))
  }

  @Test func `an element may end early; then it is 802.1X, as the standard says`() {
    for length in [2, 6, 12] {
      let content = Beacons.robust([2]).dropFirst(2).prefix(length)
      #expect(security([48, UInt8(length)] + content).value == .string("wpa2_enterprise"))
    }
    #expect(security(Beacons.robust([])).value == .string("wpa2_enterprise"))
  }

  @Test func `lists that reach over the end are an error, unknown suites are no data`() {
    let whole = Beacons.robust([2, 8])
    for length in [0, 1, 3, 5, 7, 9, 11, 13, 15, 19, 21] {
      let content = whole.dropFirst(2).prefix(length)
      #expect(security([48, UInt8(length)] + content).status == .failed, "\(length)")
    }
    var many = whole
    many[14] = 0xFF
    many[15] = 0xFF
    #expect(security(many).status == .failed)
    #expect(security(Beacons.robust([200])).status == .noData)
    #expect(security(Beacons.robust([200])).absence?.reason == "an unknown key management")
  }

  @Test func `an element that reaches over the end is the end`() {
    let elements = Array(InformationElements([0, 1, 0x41, 3, 0, 48, 200, 1, 0]))
    #expect(elements.map(\.kind) == [0, 3])
    #expect(elements.map { Array($0.content) } == [[0x41], []])
    #expect(Beacon(capability: nil, elements: [0]).name == nil)
    #expect(Beacon(capability: nil, elements: [0, 2, 0x41]).name == nil)
    #expect(Beacon(capability: nil, elements: [0, 0]).name == [])
  }

  @Test func `E2: no bytes off the air crash anything`() {
    var random = SeededGenerator(seed: 48)
    for _ in 0..<5000 {
      var elements = Beacons.first.prefix(2) + Beacons.robust([2, 8, 5]) + [0, 3, 1, 2, 3]
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<elements.count, using: &random)
        elements[place] = UInt8.random(in: 0...255, using: &random)
      }
      let cut = Array(elements.prefix(Int.random(in: 0...elements.count, using: &random)))
      let beacon = Beacon(capability: UInt16.random(in: 0...0xFFFF, using: &random), elements: cut)
      let outcome = beacon.security.outcome
      #expect(outcome.hasPayload == (outcome.status == .ok))
      #expect((beacon.security.raw?.bytes.count ?? 0) <= cut.count + 5)
      #expect((beacon.name?.count ?? 0) <= cut.count)
    }
  }
}
