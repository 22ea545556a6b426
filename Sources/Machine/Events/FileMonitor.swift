import CLinux
import Glibc
import Ground

/// Watches files and folders by inotify(7), for all topics of one loop: a descriptor for all.
final class FileMonitor: Sendable {
  /// What happened to what is watched.
  enum Change {
    /// It was written, or something in it came or went.
    case changed
    /// A folder of a name came into it, or went out of it.
    case came(String), went(String)
    /// It is gone, and so is the watch.
    case gone
    /// More happened than the kernel could keep.
    case lost
  }

  private struct Opened {
    let descriptor: Descriptor
    let watch: any Cancellable
    var actions: [Int32: @Sendable (Change) -> Void] = [:]
  }

  private let opened = Monitor<Opened?>(nil, rank: .part)
  private let loop: any Loop

  /// A monitor that opens nothing before the first watch.
  init(on loop: any Loop) { self.loop = loop }

  /// Calls `changed` on the loop whenever one of the events of a file happens.
  func watch(
    _ path: String, _ events: UInt32, _ changed: @escaping @Sendable () -> Void
  ) throws(SystemError) -> any Cancellable {
    let number = try add(path, events) { change in
      switch change {
      case .changed, .lost: changed()
      case .came, .went, .gone: break
      }
    }
    return Watch(monitor: self, number: number)
  }

  /// Begins to watch a path for some events; the number names it until it is gone.
  func add(
    _ path: String, _ events: UInt32, _ action: @escaping @Sendable (Change) -> Void
  ) throws(SystemError) -> Int32 {
    try opened.withLock { opened throws(SystemError) in
      let known = if let opened { opened } else { try open() }
      let number = inotify_add_watch(known.descriptor.number, path, events)
      guard number >= 0 else {
        let code = errno
        if known.actions.isEmpty { known.watch.cancel() }
        throw SystemError(code, at: path)
      }
      opened = known
      opened?.actions[number] = action
      return number
    }
  }

  /// Ends some watches; the last one closes the descriptor.
  func remove(_ numbers: some Sequence<Int32>) {
    let ended = opened.withLock { opened -> [Opened] in
      guard var rest = opened else { return [] }
      let before = rest
      for number in numbers where rest.actions.removeValue(forKey: number) != nil {
        inotify_rm_watch(rest.descriptor.number, number)
      }
      opened = rest.actions.isEmpty ? nil : rest
      if rest.actions.isEmpty { rest.watch.cancel() }
      return [before]
    }
    // The actions are let go outside the lock.
    withExtendedLifetime(ended) {}
  }

  private func open() throws(SystemError) -> Opened {
    let number = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard number >= 0 else { throw SystemError(errno, at: "inotify") }
    let descriptor = Descriptor(owning: number)
    let watch = try loop.watch(descriptor: number, events: CLINUX_READABLE) { [weak self] _ in
      self?.drain()
    }
    return Opened(descriptor: descriptor, watch: watch)
  }

  private func drain() {
    guard let descriptor = opened.withLock({ $0?.descriptor }) else { return }
    var buffer = [UInt8](repeating: 0, count: 8192)
    while true {
      let count = Glibc.read(descriptor.number, &buffer, buffer.count)
      guard count > 0 else { return }
      for (number, change) in Self.changes(in: buffer[..<count]) { deliver(change, of: number) }
    }
  }

  private func deliver(_ change: Change, of number: Int32) {
    let actions = opened.withLock { opened -> [@Sendable (Change) -> Void] in
      if case .lost = change { return opened.map { Array($0.actions.values) } ?? [] }
      guard let action = opened?.actions[number] else { return [] }
      if case .gone = change { opened?.actions[number] = nil }
      return [action]
    }
    for action in actions { action(change) }
  }

  /// What the records of a buffer say: number, mask, cookie, length, and a name of that length.
  static func changes(in bytes: ArraySlice<UInt8>) -> [(number: Int32, change: Change)] {
    var found: [(number: Int32, change: Change)] = []
    var rest = bytes
    let header = 16
    while rest.count >= header {
      let words = rest.withUnsafeBytes { bytes in
        (0..<4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self) }
      }
      let (mask, length) = (words[1], Int(words[3]))
      let name = rest.dropFirst(header).prefix(length).prefix { $0 != 0 }
      rest = rest.dropFirst(header + length)
      found.append((Int32(bitPattern: words[0]), Self.change(mask, of: name)))
    }
    return found
  }

  private static func change(_ mask: UInt32, of name: ArraySlice<UInt8>) -> Change {
    let isAny = { (events: Int32) in mask & UInt32(events) != 0 }
    if isAny(IN_Q_OVERFLOW) { return .lost }
    if isAny(IN_IGNORED) { return .gone }
    // A bit of its own in the mask of an event.
    guard mask & UInt32(IN_ISDIR) != 0 else { return .changed }
    let text = String(decoding: name, as: UTF8.self)
    if isAny(IN_CREATE | IN_MOVED_TO) { return .came(text) }
    return isAny(IN_DELETE | IN_MOVED_FROM) ? .went(text) : .changed
  }

  private struct Watch: Cancellable {
    let monitor: FileMonitor
    let number: Int32

    func cancel() { monitor.remove([number]) }
  }
}
