import Gathering
import Ground
import Machine
import Values

/// A kind of which one instance answers when the test lets it.
struct Gate: SourceKind {
  let kind = "gate"
  let name = "Gate"
  let properties = [Property("count", .int, unit: "1", .onChange)]
  let intervals = Intervals(seconds: 1, minimum: 0.001)
  private let isShut = Monitor(true)
  private let begun = Monitor(0)
  private let hangsInLists: Bool

  /// A kind whose list hangs as well, or not.
  init(hangsInLists: Bool = false) {
    self.hangsInLists = hangsInLists
  }

  /// Lets all readings go on.
  func open() {
    isShut.withLock { $0 = false }
    isShut.signalAll()
  }

  /// How many readings have begun.
  var readings: Int { begun.withLock { $0 } }

  func discover(on machine: Machine) -> Discovery {
    if hangsInLists { isShut.wait { $0 ? nil : () } }
    let there = Availability(.available, backend: "test")
    return Discovery(
      ["open", "shut"].map { Instance($0, availability: there) },
      orElse: Availability(.noHardware))
  }

  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    GateReader(isShut: instance.name == "shut" ? isShut : Monitor(false), begun: begun)
  }
}

private final class GateReader: InstanceReader {
  let mayBlock = true
  private let isShut: Monitor<Bool>
  private let begun: Monitor<Int>
  private var count: Int64 = 0

  init(isShut: Monitor<Bool>, begun: Monitor<Int>) {
    (self.isShut, self.begun) = (isShut, begun)
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    begun.withLock { $0 += 1 }
    isShut.wait { $0 ? nil : () }
    count += 1
    reading[0] = .ok(.int(count))
  }

  func raw(ofPropertyAt index: Int) -> RawValue? { nil }
}
