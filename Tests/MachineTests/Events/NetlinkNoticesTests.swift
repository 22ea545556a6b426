import GatheredKitTesting
import Glibc
import Ground
import Machine
import Testing

/// rtnetlink in a network namespace of a test's own, which only a privileged process may make.
@Suite(
  .enabled(if: PrivateNetwork.isPermitted, "no permission to make a network namespace"))
struct NetlinkNoticesTests {
  @Test func `a link that goes up is a notice, and none comes after the end`() throws {
    let loop = try EventLoop()
    let log = LineLog()
    let machine = Machine.live()
    let notices = try #require(machine.notices)
    let thread = try WorkerThread(named: "namespace") {
      guard PrivateNetwork.enter() else { return log.add("no namespace") }
      do throws(SystemError) {
        let subscription = try notices.subscribe(to: .network, on: loop) { notice in
          log.add("\(notice.topic) on loop \(loop.isCurrent)")
        }
        guard PrivateNetwork.setLoopback(up: true) else { return log.add("no permission") }
        _ = log.wait(for: 1)
        subscription.cancel()
        let before = log.lines.count
        guard PrivateNetwork.setLoopback(up: false) else { return log.add("no permission") }
        loop.submit { log.add(log.lines.count == before ? "quiet" : "loud") }
        _ = log.wait(for: before + 1)
        let addresses = try machine.addresses?.addresses() ?? []
        log.add("\(addresses.count) addresses")
      } catch {
        log.add("\(error)")
      }
    }
    thread.join()
    loop.stop()
    #expect(log.lines.first == "network on loop true")
    #expect(log.lines.contains("quiet"))
    #expect(log.lines.last?.hasSuffix("addresses") == true)
  }

  @Test func `addresses come whole, with the length of their prefix`() throws {
    let log = LineLog()
    let reader = try #require(Machine.live().addresses)
    let thread = try WorkerThread(named: "namespace") {
      guard PrivateNetwork.enter(), PrivateNetwork.setLoopback(up: true) else { return }
      for address in (try? reader.addresses()) ?? [] {
        let bytes = address.bytes.map { "\($0)" }.joined(separator: ".")
        log.add("\(address.interface) \(address.isIPv6) \(bytes)/\(address.prefixLength)")
      }
    }
    thread.join()
    #expect(log.lines.contains("lo false 127.0.0.1/8"))
    if access("/proc/sys/net/ipv6", F_OK) == 0 {
      #expect(log.lines.contains("lo true 0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.1/128"))
    }
  }
}

/// A network namespace of the calling thread's own.
enum PrivateNetwork {
  /// Whether a thread may have one; tried on a thread that ends afterwards.
  static var isPermitted: Bool {
    let answer = LineLog()
    guard let thread = try? WorkerThread(named: "probe", { answer.add("\(enter())") }) else {
      return false
    }
    thread.join()
    return answer.lines == ["true"]
  }

  /// Moves the calling thread into a new one: CLONE_NEWNET.
  static func enter() -> Bool {
    let unshare = try? SharedLibrary("libc.so.6", package: "libc6")
      .function("unshare", as: (@convention(c) (Int32) -> Int32).self)
    return unshare?(0x4000_0000) == 0
  }

  /// Sets the loopback link up or down, by SIOCSIFFLAGS with an `ifreq` laid out by hand.
  static func setLoopback(up: Bool) -> Bool {
    let number = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    guard number >= 0 else { return false }
    defer { close(number) }
    var request = [UInt8](repeating: 0, count: 40)
    request.replaceSubrange(0..<2, with: "lo".utf8)
    request[16] = up ? 1 : 0
    return ioctl(number, 0x8914, &request) == 0
  }
}
