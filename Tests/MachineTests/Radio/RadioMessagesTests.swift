import GatheredKitTesting
import Glibc
import Ground
import Testing

@testable import Machine

/// What a kernel answered, decoded by the code that asks the live one. The truth beside it was told
/// by `iw` when the answers were recorded.
@Suite(.enabled(if: Libnl.isThere, "libnl is not installed"))
struct RadioMessagesTests {
  private static let index: UInt32 = 2
  private static let accessPoint: [UInt8] = [2, 0, 0, 0, 1, 0]

  @Test func `an interface that is connected is told whole`() throws {
    let radio = try ReplayedRadio(try ReplayedRadio.recording("wpa2"))
    var wanted = RadioInterface("wlan0", type: 2)
    wanted.address = [2, 0, 0, 0, 0, 0]
    wanted.frequency = 2437
    wanted.width = 1
    #expect(try radio.link.interface(Self.index) == wanted)
  }

  @Test func `of all networks heard the one joined is told`() throws {
    let radio = try ReplayedRadio(try ReplayedRadio.recording("wpa2"))
    let network = try #require(try radio.link.network(of: Self.index))
    #expect(network.address == Self.accessPoint)
    #expect(network.status == 1)
    #expect(network.signal == -5000)
    #expect(network.quality == nil)
    #expect(network.capability == 0x0411)
    #expect(network.elements.starts(with: [0, 11] + Array("Virtual Air".utf8)))
  }

  @Test func `a station lands field by field`() throws {
    let radio = try ReplayedRadio(try ReplayedRadio.recording("wpa2"))
    let stations = try radio.link.stations(of: Self.index)
    let station = try #require(stations.first)
    #expect(stations.count == 1)
    #expect(station.address == Self.accessPoint)
    #expect(station.isAssociated == true)
    #expect(!station.isDirect)
    #expect(station.signal == UInt8(bitPattern: -61))
    #expect(station.transmitRate == 10)
    #expect(station.receiveRate == 10)
    #expect(station.connectedTime == 10)
    #expect(station.inactiveTime == 4904)
    #expect(station.receivedBytes == 21420)
    #expect(station.sentBytes == 1229)
    #expect(station.retries == 0)
    #expect(station.failures == 0)
    #expect(try radio.link.savesPower(Self.index) == false)
  }

  @Test func `one that is not connected has no network, station or channel`() throws {
    let radio = try ReplayedRadio(try ReplayedRadio.recording("disconnected"))
    let interface = try radio.link.interface(Self.index)
    #expect(interface.type == 2)
    #expect(interface.frequency == nil)
    #expect(try radio.link.network(of: Self.index) == nil)
    #expect(try radio.link.stations(of: Self.index) == [])
  }

  @Test func `an access point tells the name it gives its network`() throws {
    let radio = try ReplayedRadio(try ReplayedRadio.recording("access_point"))
    let interface = try radio.link.interface(3)
    #expect(interface.type == 3)
    #expect(interface.ssid == Array("Virtual Air".utf8))
    #expect(interface.frequency == 2437)
  }

  @Test(arguments: [(EOPNOTSUPP, "an answer"), (EPERM, "an answer"), (EOPNOTSUPP, "a list's end")])
  func `E3: what the kernel refuses keeps its errno`(code: Int32, place: String) throws {
    let isEnd = place == "a list's end"
    var message: [UInt8] = isEnd ? [20, 0, 0, 0, 3, 0, 2, 0] : [36, 0, 0, 0, 2, 0, 0, 0]
    message += [UInt8](repeating: 0, count: 8) + withUnsafeBytes(of: -code) { Array($0) }
    message += [UInt8](repeating: 0, count: isEnd ? 0 : 16)
    let radio = try ReplayedRadio([17: [message]])
    let refusal = NetlinkError.refused(SystemError(code, at: "nl80211 GET_STATION"))
    #expect(throws: refusal) { try radio.link.stations(of: Self.index) }
  }

  @Test func `an answer that does not come is ETIMEDOUT`() throws {
    let radio = try ReplayedRadio([:])
    let refusal = NetlinkError.refused(SystemError(ETIMEDOUT, at: "nl80211 GET_INTERFACE"))
    #expect(throws: refusal) { try radio.link.interface(Self.index) }
  }

  @Test func `a list that changed while it was told is asked for again`() throws {
    var messages = try ReplayedRadio.recording("wpa2")
    // NLM_F_DUMP_INTR in the flags of the list's end.
    messages[32]?[1][6] |= 0x10
    let radio = try ReplayedRadio(messages)
    #expect(try radio.link.network(of: Self.index)?.address == Self.accessPoint)
  }

  @Test func `attributes end where their container ends, whatever lies behind`() throws {
    let nl = try Libnl.table()
    // One of five bytes without its padding, and another behind it.
    let bytes: [UInt8] = [5, 0, 1, 0, 7, 0, 0, 0, 8, 0, 2, 0, 99, 0, 0, 0]
    bytes.withUnsafeBytes { memory in
      guard let start = memory.baseAddress else { return }
      for length in [-1, 0, 3, 4, 5, 8, 15, 16] as [Int32] {
        let attributes = NetlinkAttributes(nl, at: start, length: length)
        #expect(attributes.number(1, as: UInt8.self) == (length >= 5 ? 7 : nil), "\(length)")
        #expect(attributes.number(2, as: UInt32.self) == (length >= 16 ? 99 : nil), "\(length)")
        #expect(attributes.number(1, as: UInt16.self) == nil)
      }
    }
  }

  @Test func `E2: truncated and altered messages never crash, and what they say is bounded`() throws
  {
    let recording = try ReplayedRadio.recording("wpa2")
    var random = SeededGenerator(seed: 80_211)
    for _ in 0..<2000 {
      var messages = recording
      for command in messages.keys {
        guard var first = messages[command]?.first else { continue }
        for _ in 0..<Int.random(in: 0...4, using: &random) {
          first[Int.random(in: 0..<first.count, using: &random)] = UInt8.random(
            in: 0...255, using: &random)
        }
        if Bool.random(using: &random) {
          first.removeLast(Int.random(in: 0...first.count, using: &random))
        }
        messages[command]?[0] = first
      }
      let radio = try ReplayedRadio(messages)
      let interface = try? radio.link.interface(Self.index)
      #expect((interface?.name.utf8.count ?? 0) <= 65_536)
      #expect(((try? radio.link.network(of: Self.index))?.elements.count ?? 0) <= 65_536)
      #expect(((try? radio.link.stations(of: Self.index))?.count ?? 0) <= 1)
      _ = try? radio.link.savesPower(Self.index)
    }
  }
}

extension Libnl {
  /// Whether there is libnl to ask through.
  static var isThere: Bool { (try? version()) != nil }
}
