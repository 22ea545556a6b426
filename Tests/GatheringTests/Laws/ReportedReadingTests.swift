import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

/// What comes of readings that a daemon reports.
@Suite struct ReportedReadingTests {
  private let bus = FixtureBus()
  private let fixture: FixtureMachine
  private let loop: EventLoop
  private let context: Context
  private let source: Source

  init() throws {
    fixture = try FixtureMachine(nature: .live, bus: bus)
    loop = try EventLoop()
    bus.run(Reported.name, ["/": BusObject([Reported.name: ["Number": .int64(1)]])])
    context = try Context.open(on: fixture.machine, loop: loop, catalogue: [Reported(bus: bus)])
    source = try context.open("reported")
  }

  private func report(_ number: Int64) {
    bus.report(Reported.name, "/", Reported.name, ["Number": .int64(number)])
  }

  @Test func `a reading that is reported is taken by the thread that reports it`() throws {
    try source.startUpdating(every: 3_600_000_000_000)
    #expect(Patience.wait { source.allValues[0].payload == .int(1) })
    // The first report may be of another list, which the loop looks at.
    report(2)
    #expect(Patience.wait { source.allValues[0].payload == .int(2) })
    let rest = Monitor(false)
    loop.submit {
      rest.withLock { $0 = true }
      rest.signalAll()
    }
    _ = rest.wait { $0 ? true : nil }
    for number in Int64(3)..<100 {
      report(number)
      #expect(source.allValues[0].payload == .int(number))
    }
    try context.close()
    loop.stop()
  }

  @Test func `a reading that is reported to a closed context is dropped`() throws {
    let isEnded = Monitor(false)
    let reporter = try WorkerThread(named: "reporter") {
      var number: Int64 = 1
      while !isEnded.withLock({ $0 }) {
        number += 1
        report(number)
      }
    }
    for _ in 0..<50 {
      try source.startUpdating(every: 3_600_000_000_000)
      #expect(Patience.wait { source.allValues[0].payload != nil })
      try source.stopUpdating()
    }
    try source.startUpdating(every: 3_600_000_000_000)
    try context.close()
    isEnded.withLock { $0 = true }
    reporter.join()
    #expect(bus.watchCount(of: Reported.name) == 0)
    loop.stop()
  }
}

/// A number that a daemon reports.
private struct Reported: SourceKind {
  static let name = "org.example.Report"
  static let service = BusService(
    name, objects: .managed(root: "/"), readings: ["Number"], unit: "report.service",
    package: "report")

  let kind = "reported"
  let name = "Reported"
  let properties = [Property("number", .int, unit: "1", .onChange)]
  let intervals = Intervals(seconds: 1, minimum: 0.001, eventDriven: true, eventSpacing: 0)
  let topics: [ChangeTopic] = [.bus(Self.service)]
  let bus: FixtureBus

  func discover(on machine: Machine) -> Discovery {
    Discovery(
      [Instance("r", availability: Availability(.available))], orElse: Availability(.noHardware))
  }

  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    ReportedReader(bus)
  }
}

private final class ReportedReader: InstanceReader {
  private let bus: FixtureBus

  init(_ bus: FixtureBus) { self.bus = bus }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    let object = bus.view(of: Reported.service, waiting: 0).object("/", Reported.name)
    guard case .int64(let number)? = object?[Reported.name, "Number"] else { return }
    reading[0] = .ok(.int(number))
  }

  func raw(ofPropertyAt index: Int) -> RawValue? { nil }
}
