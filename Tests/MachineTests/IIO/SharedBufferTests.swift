import Testing

@testable import Machine

/// What the streams of one buffer want together.
@Suite struct SharedBufferTests {
  private func consumer(_ channel: String, every interval: Int64) -> ScanConsumer {
    let request = ScanRequest(
      device: "/sys/bus/iio/devices/iio:device0",
      groups: [ScanGroup(channels: [channel], matrix: [1], offset: [0])], interval: interval)
    let plan = ScanCapture.Plan(
      uri: "local:", device: "iio:device0", channels: [channel], interval: interval)
    return ScanConsumer(request: request, plan: plan, deliver: { _ in }, ended: { _ in })
  }

  @Test func `a stream that goes faster counts with what it wants by now`() {
    let (slow, fast) = (consumer("accel_x", every: 40), consumer("anglvel_x", every: 20))
    var state = SharedBuffer.State()
    state.consumers = [slow, fast]
    #expect(state.union?.channels == ["accel_x", "anglvel_x"])
    #expect(state.union?.interval == 20)
    state.wishes[ObjectIdentifier(slow)] = 5
    #expect(state.plan(of: slow).interval == 5)
    #expect(state.union?.interval == 5)
    #expect(state.forget { $0 === slow }.count == 1)
    #expect(state.wishes.isEmpty)
    #expect(state.union?.interval == 20)
    #expect(state.union?.channels == ["anglvel_x"])
  }

  @Test func `a buffer serves who needs no other channel and no other rate of the hardware`() {
    let plan = consumer("accel_x", every: 20_000_000).plan
    let rates = RateTable(
      present: 10_000_000, before: nil, choice: RateChoice("25 100 400"), wrote: "100")
    let covers = { (channel: String, interval: Int64, rates: RateTable) in
      plan.covers(self.consumer(channel, every: interval).plan, at: rates)
    }
    #expect(covers("accel_x", 40_000_000, rates))
    #expect(covers("accel_x", 10_000_000, rates))
    #expect(!covers("accel_x", 5_000_000, rates))
    #expect(!covers("anglvel_x", 40_000_000, rates))
    #expect(covers("accel_x", 1_000_000, .silent))
  }
}
