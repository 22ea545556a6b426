import GatheredKitTesting
import Gathering
import Glibc
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

/// chronyd itself, as Debian packages it: installed, or unpacked by `.ci/chrony`.
private enum Chrony {
  static let daemon = program("/usr/sbin/chronyd")
  static let client = program("/usr/bin/chronyc")
  static let canRun = daemon != nil && client != nil

  private static func program(_ path: String) -> String? {
    let parts = #filePath.split(separator: "/")
    let end = parts.lastIndex(of: "Tests") ?? parts.endIndex
    let checkout = "/" + parts[..<end].joined(separator: "/")
    return [path, "\(checkout)/.build/chrony\(path)"].first { place in
      // One whose libraries are missing ends at once.
      access(place, X_OK) == 0 && (try? ChildProcess([place, "--version"]).waitForExit()) == 0
    }
  }
}

/// A chronyd that leaves the clock alone, with a port for commands of its own.
private final class RealChrony {
  let port: UInt16
  private let folder: TemporaryFolder
  private let child: ChildProcess

  init(_ lines: String) throws {
    folder = try TemporaryFolder()
    port = try LoopbackDatagrams.freePort()
    let configuration = """
      \(lines)
      cmdport \(port)
      bindcmdaddress 127.0.0.1
      bindcmdaddress /
      pidfile \(folder.path)/pid

      """
    try folder.write(Array(configuration.utf8), to: "/chrony.conf")
    let user = String(cString: getpwuid(getuid()).pointee.pw_name)
    let program = try #require(Chrony.daemon)
    child = try ChildProcess(
      [program, "-U", "-x", "-d", "-u", user, "-f", "\(folder.path)/chrony.conf"])
  }

  /// What `chronyc -c tracking` prints, a field each; nil while it does not answer.
  func tracking() throws -> [String]? {
    let client = try #require(Chrony.client)
    let output = "\(folder.path)/tracking"
    let command = "\(client) -c -h 127.0.0.1 -p \(port) tracking > \(output)"
    guard try ChildProcess(["/bin/sh", "-c", command]).waitForExit() == 0 else { return nil }
    let file = PolledFile(output, in: RootedFileTree.live)
    let text = String(decoding: try file.read(), as: UTF8.self)
    return text.filter { !$0.isNewline }.split(separator: ",", omittingEmptySubsequences: false)
      .map(String.init)
  }

  func stop() { child.stop() }
}

@Suite(
  .serialized,
  .enabled(if: Chrony.canRun, "chronyd is neither installed nor unpacked by .ci/chrony"))
struct RealChronyTests {
  private func values(_ chrony: RealChrony, _ context: Context) throws -> [String: Sample] {
    let source = try context.open("time|system")
    let samples = try source.updateValues()
    var found: [String: Sample] = [:]
    for (property, sample) in zip(source.properties, samples) { found[property.key] = sample }
    return found
  }

  private func open(_ chrony: RealChrony) throws -> Context {
    try Context.open(
      "local:chrony=127.0.0.1:\(chrony.port)&bus=unix:path%3D/nowhere", allow: .all,
      catalogue: [SystemClock()])
  }

  /// Whether a number is what was printed, but for its last digits.
  private func isClose(_ sample: Sample?, _ text: String, within error: Double = 2e-9) -> Bool {
    guard let number = sample?.payload?.number, let printed = Double(text) else { return false }
    return abs(number - printed) <= error
  }

  /// Fields of `chronyc -c tracking`, by their order.
  private enum Part: Int {
    case reference, name, stratum, time, offset, lastOffset, meanOffset
    case frequency, residual, skew, delay, dispersion, interval, leap
  }

  private func agrees(_ found: [String: Sample], _ told: [String]) -> Bool {
    let part = { (part: Part) in told[part.rawValue] }
    guard told.count == 14, case .time(let time)? = found["last_update"]?.payload,
      case .int(let stratum)? = found["stratum"]?.payload, part(.leap) == "Normal"
    else { return false }
    let printed = part(.time).split(separator: ".").map(String.init)
    let whole = "\(time / 1_000_000_000)"
    let rest = String("\(1_000_000_000 + time % 1_000_000_000)".dropFirst())
    return printed == [whole, rest] && part(.stratum) == "\(stratum)"
      && isClose(found["offset"], part(.offset)) && isClose(found["jitter"], part(.meanOffset))
      && isClose(found["root_delay"], part(.delay))
      // It grows while the two are asked.
      && isClose(found["root_dispersion"], part(.dispersion), within: 1e-3)
      && isClose(found["poll_interval"], part(.interval), within: 0.051)
  }

  @Test func `13.9 a chronyd that is its own reference is told as chronyc tells it`() throws {
    let chrony = try RealChrony("local stratum 10\nport 0\n")
    let context = try open(chrony)
    defer { try? context.close() }
    let isSame = Patience.wait {
      guard let told = try? chrony.tracking(), let found = try? values(chrony, context) else {
        return false
      }
      return agrees(found, told) && told[2] == "10" && found["leap"]?.payload == .string("none")
    }
    #expect(isSame)
    let found = try values(chrony, context)
    #expect(found["service"]?.payload == .string("chrony"))
    #expect(found["server"]?.status == .noData)
  }

  @Test func `13.9 one that follows another has the signs and numbers of chronyc`() throws {
    let port = try LoopbackDatagrams.freePort()
    let server = try RealChrony(
      "local stratum 10\nallow 127.0.0.1\nbindaddress 127.0.0.1\nport \(port)\n")
    let client = try RealChrony("server 127.0.0.1 port \(port) iburst\nport 0\n")
    let context = try open(client)
    defer { try? context.close() }
    // What is measured anew between the two is asked for again.
    let isSame = Patience.wait {
      guard let told = try? client.tracking(), let found = try? values(client, context) else {
        return false
      }
      return agrees(found, told) && told[2] == "11" && Double(told[4]) != 0
        && found["server"]?.payload == .string("127.0.0.1")
    }
    #expect(isSame)
    withExtendedLifetime(server) {}
  }

  @Test func `13.9 one without a source is not synchronized, and one that ends is missed`() throws {
    let chrony = try RealChrony("port 0\n")
    let context = try open(chrony)
    defer { try? context.close() }
    #expect(
      Patience.wait {
        (try? values(chrony, context))?["service"]?.payload == .string("chrony")
      })
    let found = try values(chrony, context)
    #expect(found["leap"]?.payload == .string("unsynchronized"))
    #expect(found["offset"]?.absence?.reason == "chronyd is not synchronized")
    chrony.stop()
    let gone = try values(chrony, context)
    #expect(gone["service"]?.payload == .string("kernel"))
    #expect(
      gone["root_delay"]?.absence?.reason == "chronyd does not answer on 127.0.0.1:\(chrony.port)")
  }
}
