import GatheredKitTesting
import Glibc
import Ground
import Testing

@testable import Machine

/// What a remote machine can do that answers slowly, endlessly or not at all.
@Suite struct FaultyRemoteTests {
  private let folder = "/sys/bus/iio/devices"

  private func link(to iiod: FaultyIiod) -> RemoteLink {
    RemoteLink(uri: "ip:127.0.0.1:\(iiod.port)")
  }

  private func failure(_ body: () throws(SystemError) -> Void) -> Int32? {
    do throws(SystemError) {
      try body()
      return nil
    } catch {
      return error.code
    }
  }

  /// Asks until the link is up again, which takes as long as the other side lets it.
  private func text(_ name: String, _ link: RemoteLink) -> String? {
    var found: [UInt8]?
    _ = Patience.wait {
      found = try? link.read(name, of: "iio:device0")
      return found != nil
    }
    return found.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `a description that never ends coming is given up at its time`() throws {
    let iiod = try FaultyIiod(.trickling)
    let code = failure { () throws(SystemError) in
      _ = try LibiioContext(
        uri: "ip:127.0.0.1:\(iiod.port)", timeout: 60_000, within: 300_000_000)
    }
    #expect(code == ETIMEDOUT)
  }

  @Test func `a description without an end is given up at its limit`() throws {
    let iiod = try FaultyIiod(.endless)
    let code = failure { () throws(SystemError) in
      _ = try RemoteSnapshot(uri: "ip:127.0.0.1:\(iiod.port)")
    }
    #expect(code == EMSGSIZE)
  }

  @Test(arguments: [RemoteSnapshot.deviceLimit + 1, 3000])
  func `more devices than any machine has are refused`(count: Int) throws {
    let iiod = try FaultyIiod(FaultyIiod.devices(count))
    let code = failure { () throws(SystemError) in
      _ = try RemoteSnapshot(uri: "ip:127.0.0.1:\(iiod.port)")
    }
    #expect(code == EMSGSIZE)
  }

  @Test func `while a machine is slow to describe itself, all who ask wait once together`() throws {
    let iiod = try FaultyIiod(.trickling)
    let link = link(to: iiod)
    #expect(throws: SystemError.self) { try link.check() }
    // Beyond the first patience every further question is answered at once.
    let begin = LiveTime.boot
    for _ in 0..<100 { #expect(throws: SystemError.self) { try link.check() } }
    #expect(LiveTime.boot - begin < 100 * 40_000_000)
  }

  @Test(arguments: [FaultyIiod.Response.silence, .endless, .trickling])
  func `an attribute that does not answer costs its neighbours nothing`(
    answer: FaultyIiod.Response
  ) throws {
    let iiod = try FaultyIiod(
      FaultyIiod.devices(1), responses: ["iio:device0 accel_x raw": answer])
    let link = link(to: iiod)
    #expect(text("in_accel_y_raw", link) == "12\n")
    let code = failure { () throws(SystemError) in
      _ = try link.read("in_accel_x_raw", of: "iio:device0")
    }
    #expect(code == (answer == .endless ? EMSGSIZE : ETIMEDOUT))
    #expect(text("in_accel_y_raw", link) == "12\n")
    #expect(text("in_accel_z_raw", link) == "12\n")
    // It is left alone, and told to be silent without being asked.
    for _ in 0..<10 {
      let again = failure { () throws(SystemError) in
        _ = try link.read("in_accel_x_raw", of: "iio:device0")
      }
      #expect(again == ETIMEDOUT)
    }
    #expect(iiod.count(of: "iio:device0 accel_x raw") == 1)
  }

  @Test func `an attribute that was silent once is asked again soon`() throws {
    let attribute = "iio:device0 accel_x raw"
    let iiod = try FaultyIiod(FaultyIiod.devices(1), responses: [attribute: .silence])
    let link = link(to: iiod)
    #expect(text("in_accel_y_raw", link) == "12\n")
    #expect(throws: SystemError.self) { try link.read("in_accel_x_raw", of: "iio:device0") }
    let begin = LiveTime.boot
    iiod.answer(attribute, with: .text("7\n"))
    #expect(text("in_accel_x_raw", link) == "7\n")
    #expect(LiveTime.boot - begin < 20_000_000_000)
  }

  @Test func `an attribute that stays silent is asked ever less often, until it answers`() {
    let second: Int64 = 1_000_000_000
    var silent = SilentAttributes()
    var asked: [Int64] = []
    for now in 0..<150 where silent.limit(for: "x", at: Int64(now) * second) != nil {
      asked.append(Int64(now))
      silent.note("x", at: Int64(now) * second)
      #expect(silent.limit(for: "y", at: Int64(now) * second) == second)
    }
    #expect(asked == [0, 2, 6, 14, 30, 60, 90, 120])
    silent.forget("x")
    silent.note("x", at: 150 * second)
    #expect(silent.limit(for: "x", at: 151 * second) == nil)
    #expect(silent.limit(for: "x", at: 152 * second) == second)
  }

  @Test func `a machine of silent attributes is asked for a few of them only`() throws {
    let count = 50
    var responses: [String: FaultyIiod.Response] = [:]
    for number in 0..<count { responses["iio:device\(number) accel_x raw"] = .silence }
    let iiod = try FaultyIiod(FaultyIiod.devices(count), responses: responses)
    let link = link(to: iiod)
    for number in 0..<count {
      #expect(throws: SystemError.self) {
        _ = try link.read("in_accel_x_raw", of: "iio:device\(number)")
      }
    }
    #expect(responses.keys.count { iiod.count(of: $0) > 0 } <= 16)
  }

  @Test func `as many devices as are served are known, each with its attributes`() throws {
    let count = RemoteSnapshot.deviceLimit
    let iiod = try FaultyIiod(FaultyIiod.devices(count))
    let files = RemoteIIOFiles(link: link(to: iiod))
    #expect(Patience.wait { (try? files.entries(of: folder).count) == count })
    for number in 0..<count {
      let path = "\(folder)/iio:device\(number)"
      #expect(try files.entries(of: path).count == 5)
      let name = try PolledFile(path + "/name", in: files).read()
      #expect(String(decoding: name, as: UTF8.self) == "chip\(number)\n")
    }
  }
}
