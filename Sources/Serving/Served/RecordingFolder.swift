import Gathering
import Glibc
import Ground
import Machine
import Recording
import Synchronization
import Values

/// The folder of recordings that are served: named, never addressed (serve W14).
final class RecordingFolder: Sendable {
  /// What a recording is to have.
  struct Wish {
    var sources: [(source: Source, every: Int64?)] = []
    var streams: [(name: String, stream: DynamicStream)] = []
    /// When it ends by itself, in nanoseconds; nil for never.
    var duration: Int64?
  }

  private struct Writing: Sendable {
    let recorder: Recorder
    let sources: [Source]
    /// Tells it from a later one of the same name.
    let number: UInt64
  }

  /// What a name is used for, by one at a time.
  private enum Use: Sendable {
    /// A recording is begun, ended or removed.
    case taken
    case writing(Writing)

    var writing: Writing? { if case .writing(let writing) = self { writing } else { nil } }
  }

  private struct Uses {
    var byName: [String: Use] = [:]
    var isClosed = false
  }

  private let path: String
  private let usage: SourceUsage
  private let streams: StreamPlaces
  private let started = Atomic<UInt64>(0)
  private let storage = LiveStorage()
  private let uses = Monitor(Uses())

  /// Opens a folder. Throws `io` for what is none.
  init(_ path: String, _ usage: SourceUsage, _ streams: StreamPlaces) throws(SourceError) {
    self.usage = usage
    self.streams = streams
    self.path = path.hasSuffix("/") && path.count > 1 ? String(path.dropLast()) : path
    do throws(SystemError) {
      _ = try storage.names(in: self.path)
    } catch {
      throw .io(errno: error.code, place: path)
    }
  }

  /// Whether something is being written.
  var isWriting: Bool { !writing.isEmpty }

  /// How far what is written has come.
  var progress: [(name: String, RecorderStatistics)] {
    writing.sorted { $0.key < $1.key }.map { ($0.key, $0.value.recorder.statistics) }
  }

  /// How far one has come that is being written; nil for any other.
  func progress(of name: String) -> RecorderStatistics? { writing[name]?.recorder.statistics }

  /// Whether a recording is being written, its beginning and its end included.
  func isWriting(_ name: String) -> Bool { uses.withLock { $0.byName[name] != nil } }

  private var writing: [String: Writing] {
    uses.withLock { $0.byName.compactMapValues(\.writing) }
  }

  /// The recordings, by name.
  var names: [String] {
    let all = (try? storage.names(in: path)) ?? []
    return all.filter { Self.isName($0) && size(of: $0) != nil }.sorted()
  }

  /// The length of a recording in bytes; nil for what is none, such as a link.
  func size(of name: String) -> Int? { PlainFile.size(of: "\(path)/\(name)") }

  /// The path of a recording. Throws the refusal of any other name.
  func path(of name: String) throws(Refusal) -> String {
    guard Self.isName(name), size(of: name) != nil else {
      throw Refusal(.notFound, Nearest.sentence(to: name, among: names, what: "recording"))
    }
    return "\(path)/\(name)"
  }

  /// Opens a recording.
  func open(_ name: String) throws -> RecordingParts { try RecordingParts(path(of: name)) }

  /// Whether a name is one of letters, digits and `._ -`, not hidden, with the extension.
  static func isName(_ name: String) -> Bool {
    guard name.hasSuffix(".gkr"), name.utf8.count > 4, name.utf8.count <= 255,
      !name.hasPrefix(".")
    else { return false }
    return name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: " "), UInt8(ascii: "-"):
        true
      default: false
      }
    }
  }

  // MARK: Control

  /// Begins a recording. Throws `exists` for a name that is taken.
  func start(_ name: String, _ wish: Wish) throws {
    guard Self.isName(name) else {
      throw Refusal(
        .invalidArgument, "a name has letters, digits, dots, spaces, _ and -, and ends with .gkr")
    }
    let isTaken = Refusal(
      .exists, "there is a recording \(name)", remedy: "take another name")
    guard try take(name) else { throw isTaken }
    let number = started.add(1, ordering: .relaxed).newValue
    do {
      if size(of: name) != nil { throw isTaken }
      let recorder = try begin(name, wish)
      for (source, _) in wish.sources { usage.begin(source.id) }
      let new = Writing(recorder: recorder, sources: wish.sources.map(\.source), number: number)
      // Should all have been closed meanwhile, this one has not been.
      let isLate = uses.withLock { uses in
        uses.byName[name] = .writing(new)
        return uses.isClosed
      }
      if isLate { return try stop(name) }
    } catch SourceError.io(errno: EEXIST, place: _) {
      // What is no recording of ours, or came from another process.
      free(name)
      throw isTaken
    } catch {
      free(name)
      throw error
    }
    if let duration = wish.duration { try endLater(name, number, after: duration) }
  }

  /// A recorder that records what it is to.
  private func begin(_ name: String, _ wish: Wish) throws -> Recorder {
    let recorder = try Recorder(to: "\(path)/\(name)", options: RecorderOptions())
    do {
      for (source, interval) in wish.sources {
        try recorder.add(source)
        try source.startUpdating(every: interval)
      }
      for (name, stream) in wish.streams { try recorder.add(stream, named: name) }
      return recorder
    } catch {
      // Nothing is left of what cannot begin.
      for (source, _) in wish.sources { try? source.stopUpdating() }
      try? recorder.close()
      try? storage.remove("\(path)/\(name)")
      throw error
    }
  }

  /// Takes a name, which is then to be freed; false if it is used. Throws once all are closed.
  private func take(_ name: String) throws(Refusal) -> Bool {
    try uses.withLock { uses throws(Refusal) in
      if uses.isClosed { throw Refusal(.closed, "the server ends") }
      if uses.byName[name] != nil { return false }
      uses.byName[name] = .taken
      return true
    }
  }

  private func free(_ name: String) { _ = uses.withLock { $0.byName.removeValue(forKey: name) } }

  /// Ends a recording that is being written. Throws `notFound` where it is not.
  func stop(_ name: String) throws {
    let writing = uses.withLock { uses -> Writing? in
      guard let writing = uses.byName[name]?.writing else { return nil }
      uses.byName[name] = .taken
      return writing
    }
    guard let ended = writing else {
      throw Refusal(.notFound, "\(name) is not being written")
    }
    uses.signalAll()
    for source in ended.sources {
      try? source.stopUpdating()
      usage.end(source.id)
    }
    defer {
      free(name)
      let statistics = ended.recorder.statistics
      for stream in streams.all { stream.putEnd(of: name, statistics) }
    }
    try ended.recorder.close()
  }

  /// Has a recording ended after some time, by a thread that waits for that or for its end.
  private func endLater(_ name: String, _ number: UInt64, after duration: Int64) throws {
    let moment = Monitor<Void>.moment(after: duration)
    do throws(SystemError) {
      try WorkerThread(named: "gkit-rec-end") { [weak self, uses] in
        let isEnded = uses.wait(until: moment) { uses -> Bool? in
          uses.byName[name]?.writing?.number == number ? nil : true
        }
        if isEnded == nil { try? self?.stop(name) }
      }.detach()
    } catch {
      try? stop(name)
      throw SourceError.io(errno: error.code, place: error.place)
    }
  }

  /// Removes a recording that is not being written.
  func remove(_ name: String) throws {
    guard try take(name) else {
      throw Refusal(.busy, "\(name) is being written", remedy: "stop it first")
    }
    defer { free(name) }
    let path = try path(of: name)
    do throws(SystemError) {
      try storage.remove(path)
    } catch {
      throw SourceError.io(errno: error.code, place: name)
    }
  }

  func closeAll() {
    uses.withLock { $0.isClosed = true }
    for name in writing.keys { try? stop(name) }
  }
}
