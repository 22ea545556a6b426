import GatheredKitTesting
import Gathering
import Ground

@testable import SourceKinds

/// A context of a script under a manual clock, and what its callbacks were told.
final class ScriptedContext: Sendable {
  let context: Context
  private let folder: TemporaryFolder

  /// A battery that can be charged, under a manual clock, in host mode unless asked otherwise.
  static let battery = """
    0 add battery|BAT0
    0 set battery|BAT0/level 0.5
    0 set battery|BAT0/state "discharging"
    0 set battery|BAT0/voltage 12
    0 set battery|BAT0/serial "SECRET42"
    """
  /// A memory, whose kind hears of no events.
  static let memory = """
    0 add memory|machine
    0 set memory|machine/total 1000
    0 set memory|machine/free 100
    0 wave memory|machine/free ramp 50 0.001
    """

  init(
    _ script: String, allow: Allowance = .none, mode: Context.Mode = .host, clock: Bool = true,
    catalogue: [any SourceKind] = SourceCatalogue.all
  ) throws {
    folder = try TemporaryFolder()
    try folder.write(Array((script + "\n").utf8), to: "/script")
    context = try Context.open(
      "sim:file=\(folder.path)/script" + (clock ? "&clock=manual" : ""), allow: allow, mode: mode,
      catalogue: catalogue)
  }

  func open(_ id: String) throws -> Source { try context.open(id) }

  /// Moves the clock to a second since opening.
  func seek(_ seconds: Double) throws {
    try context.seek(to: Int64((seconds * 1e9).rounded()))
  }
}

/// What the callbacks of a source were told, in order, and the tokens that keep them.
final class Diary: Sendable {
  enum Entry: Sendable {
    case update(SourceUpdate)
    case event(SourceEvent)
  }

  private let entries = Lock<[Entry]>([])
  private let tokens = Lock<[ListenerToken]>([])

  init(_ source: Source, updates: Bool = true, events: Bool = true) {
    if events {
      keep(source.addEventListener { [weak self] event in self?.write(.event(event)) })
    }
    if updates {
      keep(source.addUpdateListener { [weak self] update in self?.write(.update(update)) })
    }
  }

  func keep(_ token: ListenerToken) { tokens.withLock { $0.append(token) } }
  func write(_ entry: Entry) { entries.withLock { $0.append(entry) } }

  /// Hands over what was told and begins anew.
  func take() -> [Entry] {
    entries.withLock { entries in
      defer { entries = [] }
      return entries
    }
  }

  /// One word an entry, as `take` gives them: `update`, `started` …
  func words() -> [String] {
    take().map { entry in
      switch entry {
      case .update: "update"
      case .event(let event): event.what.word
      }
    }
  }

  /// The updates since the last look.
  func updates() -> [SourceUpdate] {
    take().compactMap { if case .update(let update) = $0 { update } else { nil } }
  }
}

extension SourceEvent.What {
  var word: String {
    switch self {
    case .added: "added"
    case .removed: "removed"
    case .started: "started"
    case .stopped(nil): "stopped"
    case .stopped: "stopped(error)"
    case .failedToStart: "failedToStart"
    case .availabilityChanged(let availability): "availability:\(availability.state.rawValue)"
    case .lost: "lost"
    case .permissionRequested: "permissionRequested"
    }
  }
}

extension Source {
  func index(_ key: String) -> Int { properties.firstIndex { $0.key == key } ?? -1 }
  func value(_ key: String) -> Sample { allValues[index(key)] }
}

extension SourceUpdate {
  func value(_ key: String, of source: Source) -> Sample { samples[source.index(key)] }
}

let second: Int64 = 1_000_000_000
