import GatheredKitTesting
import Gathering
import Ground
import Machine

@testable import SourceKinds

/// A live machine whose gpsd is the test, under a clock the test moves.
struct ReceiverDesk {
  let link: FixtureLink
  let fixture: FixtureMachine
  let context: Context

  /// A gpsd with devices, which tells of them when a client connects, and then something more.
  init(
    devices: [String] = ["/dev/ttyS0"], isListening: Bool = true, allow: Allowance = .all,
    opening: [LineEvent]? = nil, then events: [LineEvent] = [], kinds: [any SourceKind] = [GPS()]
  ) throws {
    link = FixtureLink(whenOpened: (opening ?? Self.greeting(devices)) + events)
    let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when\n"
    let row = "   0: 0100007F:0B83 00000000:0000 0A 00000000:00000000 00:00000000 00000000 0 0 77\n"
    let ports = try machine(of: ["/proc/net/tcp": isListening ? table + row : table])
    fixture = try FixtureMachine(
      nature: .live,
      positions: PositionAccess(
        gpsd: ServiceAccess(
          address: .gpsd, link: link, ports: ListeningPorts(files: ports.files))))
    context = try Context.open(
      on: fixture.machine, loop: fixture.loop, allow: allow, catalogue: kinds)
  }

  /// What gpsd says to a client that connects.
  static func greeting(_ devices: [String]) -> [LineEvent] {
    let list = devices.map { #"{"class":"DEVICE","path":"\#($0)","activated":1.0}"# }
    let lines = [
      #"{"class":"VERSION","release":"3.22","proto_major":3,"proto_minor":14}"#,
      #"{"class":"DEVICES","devices":[\#(list.joined(separator: ","))]}"#,
    ]
    return [.opened] + lines.map { .line(Array($0.utf8)) }
  }

  func open(_ id: String) throws -> Source { try context.open(id) }

  func diary(_ id: String) throws -> (Source, Words) {
    let source = try context.open(id)
    return (source, Words(source))
  }

  func deliver() throws {
    link.awaitOpening()
    try context.seek(to: context.position ?? 0)
  }

  func advance(by seconds: Double) throws {
    link.awaitOpening()
    try context.seek(to: (context.position ?? 0) + Int64(seconds * 1e9))
  }

  /// Lets the epoch under way be complete, and what follows from it be delivered.
  func settle() {
    try? advance(by: 0.1)
    link.happen(.silence)
    try? advance(by: 0.1)
  }

  func values(of source: Source) -> [String: Sample] {
    Dictionary(uniqueKeysWithValues: zip(source.properties.map(\.key), source.allValues))
  }
}

/// What a source tells, one word each.
final class Words: Sendable {
  private let words = Monitor<[String]>([])
  private let tokens = Monitor<[ListenerToken]>([])

  init(_ source: Source) {
    let events = source.addEventListener { [weak self] event in self?.write(event.what.word) }
    let updates = source.addUpdateListener { [weak self] _ in self?.write("update") }
    tokens.withLock { $0 = [events, updates] }
  }

  private func write(_ word: String) {
    words.withLock { $0.append(word) }
    words.signalAll()
  }

  /// Hands over what was told and begins anew.
  func take() -> [String] {
    words.withLock { words in
      defer { words = [] }
      return words
    }
  }
}

extension SourceEvent.What {
  fileprivate var word: String {
    switch self {
    case .started: "started"
    case .stopped: "stopped"
    case .lost: "lost"
    case .failedToStart: "failedToStart"
    case .permissionRequested: "permissionRequested"
    case .availabilityChanged: "availabilityChanged"
    case .added: "added"
    case .removed: "removed"
    }
  }
}
