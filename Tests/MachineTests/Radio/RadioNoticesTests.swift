import Glibc
import Ground
import Machine
import Testing

/// Where there is nl80211, the proofs on virtual hardware show that its events come.
@Suite(.enabled(if: !hasRadio, "this kernel has nl80211"))
struct RadioNoticesTests {
  @Test func `without nl80211 there is nothing to subscribe to, and an errno says why`() throws {
    let loop = try EventLoop()
    defer { loop.stop() }
    let notices = try #require(Machine.live().notices)
    do throws(SystemError) {
      _ = try notices.subscribe(to: .radio, on: loop) { _ in }
      Issue.record("subscribed to what is not there")
    } catch {
      #expect([EOPNOTSUPP, ELIBACC, EIO].contains(error.code))
    }
  }

  @Test func `E3: a family the kernel has not is told from an answer that failed`() throws {
    let radio = try #require(Machine.live().radio)
    do throws(NetlinkError) {
      _ = try radio.open()
      Issue.record("opened what is not there")
    } catch {
      guard case .noFamily(let reason) = error else { return }
      #expect(reason.contains("netlink"))
    }
  }
}

private var hasRadio: Bool { (try? Machine.live().radio?.open()) != nil }
