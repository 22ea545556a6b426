import Glibc
import Ground

/// Makes blocks for each consumer from the data of a capture.
struct ScanDelivery {
  private let capture: ScanCapture
  private var clock: ForeignClock
  private var layout: ScanLayout?
  private var decoders: [(consumer: ScanConsumer, decoder: ScanDecoder)] = []
  private var stamps: ScanDecoder?
  private var latestArrival = Int64.min
  private var refused: [(ScanConsumer, SystemError)] = []

  init(_ capture: ScanCapture) {
    self.capture = capture
    clock = ForeignClock(
      named: capture.clockName, isRemote: capture.plan.isRemote, opening: capture.opening)
  }

  /// The blocks of the last refill, in the order to be delivered.
  mutating func blocks(
    for consumers: [ScanConsumer], _ order: inout ScanOrder
  ) -> [(ScanConsumer, ScanBlock)] {
    let arrival = LiveTime.boot
    let layout = capture.layout
    if layout != self.layout {
      self.layout = layout
      decoders = []
      stamps = try? ScanDecoder([], from: layout, at: capture.plan.device)
    }
    decoders.removeAll { known in !consumers.contains { $0 === known.consumer } }
    let records = capture.records
    guard let stamps, stamps.recordSize > 0 else { return [] }
    let own = stamps.stamps(of: records)
    let times =
      own.map { clock.translate($0, arrival: arrival) }
      ?? arrivals(of: records.count / stamps.recordSize, last: arrival)
    let runs = order.runs(of: times)
    var found: [(ScanConsumer, ScanBlock)] = []
    for consumer in consumers {
      guard let decoder = decoder(for: consumer, layout) else { continue }
      let block = ScanBlock(
        times: times, stamp: own == nil ? .arrival : .kernel,
        columns: decoder.columns(of: records), hasGap: false)
      for run in runs { found.append((consumer, block.cut(to: run))) }
    }
    return found
  }

  /// Takes out the consumers whose requested channels do not fit.
  mutating func takeRefused() -> [(ScanConsumer, SystemError)] {
    defer { refused = [] }
    return refused
  }

  private mutating func decoder(
    for consumer: ScanConsumer, _ layout: ScanLayout
  ) -> ScanDecoder? {
    if let known = decoders.first(where: { $0.consumer === consumer }) { return known.decoder }
    do throws(SystemError) {
      let device = consumer.request.device
      let new = try ScanDecoder(consumer.request.groups, from: layout, at: device)
      decoders.append((consumer, new))
      return new
    } catch {
      refused.append((consumer, error))
      return nil
    }
  }

  /// Times of arrival: the last scan has just come, the others an interval apart before it.
  private mutating func arrivals(of count: Int, last: Int64) -> [Int64] {
    let earliest = latestArrival
    latestArrival = last
    return (0..<count).map { row in
      let before = Int64(count - 1 - row).multipliedReportingOverflow(by: capture.interval)
      return max(earliest, before.overflow ? earliest : last &- before.partialValue)
    }
  }
}
