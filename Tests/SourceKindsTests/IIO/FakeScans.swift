import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

/// Buffers of which a test says what they bring, or why they cannot be opened.
final class FakeScans: ScanOpener {
  private struct State {
    var requests: [ScanRequest] = []
    var deliver: (@Sendable (ScanBlock) -> Void)?
    var ended: (@Sendable (SystemError?) -> Void)?
    var cancelCount = 0
  }

  private let state = Lock(State())
  private let failure: SystemError?

  init(failing failure: SystemError? = nil) { self.failure = failure }

  /// What was asked for, in order.
  var requests: [ScanRequest] { state.withLock(\.requests) }
  /// How often a stream was called off.
  var cancelCount: Int { state.withLock(\.cancelCount) }

  func open(
    _ request: ScanRequest, on loop: any Loop,
    deliver: @escaping @Sendable (ScanBlock) -> Void,
    ended: @escaping @Sendable (SystemError?) -> Void
  ) throws(SystemError) -> any ScanStream {
    if let failure { throw failure }
    state.withLock { state in
      state.requests.append(request)
      state.deliver = deliver
      state.ended = ended
    }
    return FakeStream(scans: self)
  }

  /// Brings raw numbers, one array a scan, through the matrices of the last request.
  func bring(_ scans: [[Double]], at times: [Int64], gap: Bool = false) {
    let (request, deliver) = state.withLock { ($0.requests.last, $0.deliver) }
    guard let request else { return }
    var columns: [[Double]] = []
    var first = 0
    for group in request.groups {
      let width = group.width
      var column: [Double] = []
      for scan in scans {
        for row in 0..<width {
          column.append(
            (0..<width).reduce(group.offset[row]) {
              $0 + group.matrix[row * width + $1] * scan[first + $1]
            })
        }
      }
      columns.append(column)
      first += width
    }
    deliver?(ScanBlock(times: times, stamp: .kernel, columns: columns, hasGap: gap))
  }

  /// Opens a stream of a kind's first instance on a fixture with these buffers.
  func stream(
    _ kind: some SourceKind, on fixture: FixtureMachine, to diary: SampleDiary,
    every interval: Int64 = 20_000_000
  ) throws -> any Cancellable {
    let machine = fixture.machine.with(scans: self)
    let instance = try #require(kind.discover(on: machine).instances.first)
    let reader = try #require(try kind.open(instance, on: machine) as? any StreamingReader)
    return try reader.openStream(
      every: interval, on: fixture.loop, deliver: diary.take, ended: diary.end)
  }

  /// Ends the last stream.
  func end(_ error: SystemError?) { state.withLock(\.ended)?(error) }

  fileprivate func countCancel() { state.withLock { $0.cancelCount += 1 } }
}

private struct FakeStream: ScanStream {
  let scans: FakeScans
  let interval: Int64 = 10_000_000

  func cancel() { scans.countCancel() }
}

/// Keeps what a stream of samples brought.
final class SampleDiary: Sendable {
  private let kept = Lock<(blocks: [SampleBlock], ends: [SourceError?])>(([], []))

  var blocks: [SampleBlock] { kept.withLock(\.blocks) }
  var ends: [SourceError?] { kept.withLock(\.ends) }

  func take(_ block: SampleBlock) { kept.withLock { $0.blocks.append(block) } }
  func end(_ error: SourceError?) { kept.withLock { $0.ends.append(error) } }

  /// The numbers of a property in the last block.
  func numbers(_ index: Int) -> [Double]? {
    guard case .numbers(let numbers, _) = blocks.last?.columns[index] else { return nil }
    return numbers
  }

  /// Why rows of a property in the last block have no number, each reason with its first row.
  func reasons(_ index: Int) -> [String] {
    (blocks.last?.absences[index] ?? []).map { "\($0.row) \($0.outcome.absence?.reason ?? "")" }
  }

  /// The words of a property in the last block, each with its first row.
  func words(_ index: Int) -> [String] {
    guard case .runs(let runs) = blocks.last?.columns[index] else { return [] }
    return runs.map { run in
      let value = run.outcome.value
      return "\(run.row) \(value.text ?? "\(value)")"
    }
  }
}
