import GatheredKitTesting
import Glibc
import Ground
import Testing

@testable import Machine

@Suite struct ClockAccessTests {
  private func error<Answer>(_ body: () throws(SystemError) -> Answer) -> Int32? {
    do throws(SystemError) {
      _ = try body()
      return nil
    } catch {
      return error.code
    }
  }

  @Test func `C3: a line of the side file gives each number of the clock`() throws {
    let fixture = try FixtureMachine([
      CapturedClock.path: """
      state 0
      status 8193
      offset -1250
      freq 1966080
      maxerror x
      esterror
      tick +10000
      jitter 99999999999999999999
      constant 7

      """
    ])
    let clock = try #require(fixture.machine.clocks.kernel)
    let numbers = try clock.numbers()
    #expect(numbers[.state] == .number(0) && numbers[.status] == .number(8193))
    #expect(numbers[.offset] == .number(-1250) && numbers[.freq] == .number(1_966_080))
    #expect(numbers[.maxerror] == .malformed("x") && numbers[.esterror] == .malformed(""))
    #expect(numbers[.tick] == .malformed("+10000"))
    #expect(numbers[.jitter] == .malformed("99999999999999999999"))
    #expect(numbers[.tai] == .missing)
    try fixture.remove(CapturedClock.path)
    #expect(error(clock.numbers) == EOPNOTSUPP)
  }

  @Test func `the kernel's clock of this computer has every number`() throws {
    let numbers = try LiveKernelClock().numbers()
    for number in ClockNumber.allCases {
      guard case .number = numbers[number] else {
        Issue.record("\(number) is missing")
        continue
      }
    }
    // A tick of a hundredth of a second, within a tenth.
    guard case .number(let tick) = numbers[.tick] else { return }
    #expect((9_000...11_000).contains(tick))
  }

  @Test func `what is read of a clock is written as a side file that reads the same`() throws {
    let clock = TracedClock(LiveKernelClock())
    #expect(clock.last == nil)
    let numbers = try clock.numbers()
    #expect(clock.last == numbers)
    var tree = FolderTree()
    tree.add(clock: nil)
    #expect(tree.files.isEmpty)
    tree.add(clock: numbers)
    let fixture = try FixtureMachine([
      CapturedClock.path: String(decoding: tree.files[CapturedClock.path] ?? [], as: UTF8.self)
    ])
    #expect(try fixture.machine.clocks.kernel?.numbers() == numbers)
  }

  @Test func `a clock that is not there, and a file that is none, cannot be read`() throws {
    let clocks = LiveHardwareClocks()
    #expect(error { () throws(SystemError) in try clocks.open(clock: "ptp999") } == ENOENT)
    let file = try clocks.open(clock: "null")
    #expect(error(file.offset) == ENOTTY)
  }

  private func link(_ port: UInt16, host: String = "127.0.0.1") -> UDPLink {
    UDPLink(to: ServiceAddress(host: host, port: port))
  }

  @Test func `of several datagrams the one that is accepted is the answer`() throws {
    let daemon = try LoopbackDatagrams { [[0], $0 + [1], $0 + [2]] }
    for host in ["127.0.0.1", "localhost"] {
      let answer = try link(daemon.port, host: host).exchange([7], within: Patience.limit) {
        $0.last == 2
      }
      #expect(answer == [7, 2])
    }
    #expect(daemon.requests == [[7], [7]])
  }

  @Test func `silence, and answers to others, end with the time that is given`() throws {
    let daemon = try LoopbackDatagrams { _ in [[1], []] }
    let link = link(daemon.port)
    let code = error { () throws(SystemError) in
      try link.exchange([7], within: 50_000_000) { $0 == [7] }
    }
    #expect(code == ETIMEDOUT)
  }

  @Test func `where nothing listens that is known at once`() throws {
    let link = link(try LoopbackDatagrams.freePort())
    let isSpared = Patience.isSpared {
      let code = error { () throws(SystemError) in
        try link.exchange([7], within: Patience.limit) { _ in true }
      }
      #expect(code == ECONNREFUSED)
    }
    #expect(isSpared)
    let nowhere = self.link(1, host: "no.such.host.invalid")
    let code = error { () throws(SystemError) in
      try nowhere.exchange([7], within: 1) { _ in true }
    }
    #expect(code == EHOSTUNREACH)
  }
}
