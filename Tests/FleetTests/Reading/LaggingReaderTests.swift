import GatheredKitTesting
import Glibc
import Ground
import Machine
import Recording
import SourceKinds
import Testing

@testable import Fleet
@testable import Gathering

/// A reader that does not take at once what comes.
@Suite(.enabled(if: PrivateBroker.isInstalled, Comment(rawValue: PrivateBroker.missing)))
struct LaggingReaderTests {
  /// What a stream has brought.
  private final class Brought: Sendable {
    enum Mode { case takes, waits, refuses }

    let sequences = Lock<Set<UInt64>>([])
    let doubled = Lock<[UInt64]>([])
    let mode = Lock(Mode.takes)

    var count: Int { sequences.withLock { $0.count } }

    func take(_ block: SampleBlock) {
      while mode.withLock({ $0 == .waits }) { usleep(1000) }
      if mode.withLock({ $0 == .refuses }) { return }
      var found: [UInt64] = []
      if let first = block.firstSequences[0] {
        found = (0..<block.rowCount).map { first + UInt64($0) }
      } else if case .runs(let runs)? = block.columns[0] {
        found = runs.map(\.sequence)
      }
      let again = sequences.withLock { sequences in
        found.filter { !sequences.insert($0).inserted }
      }
      doubled.withLock { $0 += again }
      block.receipt?.note()
    }
  }

  let broker: PrivateBroker
  let folder: TemporaryFolder
  let device: PublishedDevice
  let source: Source
  let link: FleetLink
  private let brought = Brought()
  let stream: FleetStream

  /// A fast stream that is read.
  init() throws {
    broker = try PrivateBroker()
    folder = try TemporaryFolder()
    let spool = folder.path + "/spool"
    device = try PublishedDevice("phone", on: broker) { options in
      (options.spool, options.batchInterval) = (spool, 50_000_000)
    }
    source = try device.context.open("accelerometer|mpu6050")
    try device.recorder.add(source)
    link = FleetLink(try FleetAddress("mqtt:127.0.0.1:\(broker.address.port)"))
    try link.start()
    link.awaitList()
    link.describe("pi")
    let brought = brought
    stream = FleetStream(
      FleetKey(device: "pi", kind: "accelerometer", instance: "mpu6050"),
      table: source.kind.properties, history: RowsHistory(), link: link,
      deliver: { brought.take($0) })
    link.add(stream)
    try source.startUpdating(every: 1_000_000)
    #expect(Patience.wait { brought.count > 200 })
  }

  /// Whether all comes, once the source has ended.
  private func expectAll() throws {
    try source.stopUpdating()
    try device.recorder.flush(within: Patience.limit)
    #expect(Patience.wait { device.recorder.information.spooledRows == 0 })
    let last = try #require(source.allValues.first?.sequence)
    #expect(Patience.wait { brought.sequences.withLock { $0.contains(last) } })
    let sequences = brought.sequences.withLock { $0 }
    let first = try #require(sequences.filter { $0 > 1 }.min())
    let lost = (first...last).filter { !sequences.contains($0) }
    #expect(lost.isEmpty, "\(lost.first ?? 0)...\(lost.last ?? 0), \(lost.count) rows")
    #expect(brought.doubled.withLock { $0 }.isEmpty)
    #expect(stream.missing == 0)
    link.close()
    try device.close()
  }

  @Test func `F28 what has come before the broker goes is taken, however slowly`() throws {
    brought.mode.withLock { $0 = .waits }
    // Of messages that are to be acknowledged a broker has 20 on their way to a reader.
    let count = device.recorder.information.messagesSent ?? 0
    let isAcknowledged = { device.recorder.information.spooledRows ?? .max < 200 }
    #expect(
      Patience.wait {
        (device.recorder.information.messagesSent ?? 0) > count + 60 && isAcknowledged()
      })
    broker.stop()
    brought.mode.withLock { $0 = .takes }
    #expect(Patience.wait { device.recorder.information.state == .waiting })
    try broker.start()
    #expect(Patience.wait { device.recorder.information.connections == 2 })
    try expectAll()
  }

  @Test func `F28 what a stream does not take yet comes again`() throws {
    // Long after all was there.
    link.state.withLock { state in
      state.connectedAt -= 60_000_000_000
      state.devices["pi"]?.returnedAt -= 60_000_000_000
    }
    brought.mode.withLock { $0 = .refuses }
    let count = device.recorder.information.rowsAcknowledged
    #expect(Patience.wait { device.recorder.information.rowsAcknowledged > count + 300 })
    brought.mode.withLock { $0 = .takes }
    try expectAll()
  }
}
