import Glibc
import Ground

/// Reports that folders below a path come or go.
///
/// What happens in a burst is one notice. Besides there is one every 5 s: some may have come in
/// folders that were not watched yet, or below those that are too many to be watched.
final class FolderNotices: Cancellable {
  /// The most folders that are watched: a watch keeps memory of the kernel.
  static let limit = 1000
  private static let period: Int64 = 5_000_000_000
  /// How long what else happens is waited for, and how far apart notices are at least.
  private static let patience: Int64 = 100_000_000
  private static let spacing: Int64 = 500_000_000

  private enum Purpose {
    case announcing, looking
  }

  private struct State {
    var paths: [Int32: String] = [:]
    var timers: [Purpose: any Cancellable] = [:]
    var last = Int64.min / 2
    var isWaiting = false
    var isCancelled = false
  }

  private let root: String
  private let monitor: FileMonitor
  private let loop: any Loop
  private let changed: @Sendable () -> Void
  private let state = Monitor(State())

  /// Throws the errno of watching the path itself.
  init(
    below path: String, by monitor: FileMonitor, on loop: any Loop,
    _ changed: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    root = path
    self.monitor = monitor
    self.loop = loop
    self.changed = changed
    try watch(path)
    watchFolders(below: path)
    repeatLooks()
  }

  func cancel() {
    let (paths, timers) = state.withLock { state in
      state.isCancelled = true
      defer { (state.paths, state.timers) = ([:], [:]) }
      return (state.paths.keys.map { $0 }, state.timers)
    }
    for timer in timers.values { timer.cancel() }
    monitor.remove(paths)
  }

  /// Watches one folder, unless there are enough.
  private func watch(_ path: String) throws(SystemError) {
    let events = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
    let number = try monitor.add(path, UInt32(events) | UInt32(IN_ONLYDIR)) {
      [weak self] change in self?.note(change, below: path)
    }
    let isLate = state.withLock { state in
      if !state.isCancelled { state.paths[number] = path }
      return state.isCancelled
    }
    if isLate { monitor.remove([number]) }
  }

  /// Watches the folders below one, the upper ones first.
  private func watchFolders(below path: String) {
    var level = [path]
    while !level.isEmpty {
      var next: [String] = []
      for folder in level {
        for name in (try? RootedFileTree.live.folders(in: folder)) ?? [] {
          guard state.withLock({ $0.paths.count < Self.limit && !$0.isCancelled }) else { return }
          let path = "\(folder)/\(name)"
          if (try? watch(path)) != nil { next.append(path) }
        }
      }
      level = next
    }
  }

  private func note(_ change: FileMonitor.Change, below path: String) {
    switch change {
    case .gone: return forget(path)
    // The kernel keeps the watch of a control group that was removed, and the group with it.
    case .went(let name): forget("\(path)/\(name)")
    case .came(let name):
      let folder = "\(path)/\(name)"
      if (try? watch(folder)) != nil { watchFolders(below: folder) }
    case .lost: if path == root { watchFolders(below: root) }
    case .changed: return
    }
    announceSoon()
  }

  private func forget(_ path: String) {
    let numbers = state.withLock { state in
      let numbers = state.paths.filter { $0.value == path }.keys.map { $0 }
      for number in numbers { state.paths[number] = nil }
      return numbers
    }
    monitor.remove(numbers)
  }

  private func announceSoon() {
    let moment = state.withLock { state -> Int64? in
      if state.isWaiting || state.isCancelled { return nil }
      state.isWaiting = true
      return max(loop.clock.now.boot + Self.patience, state.last + Self.spacing)
    }
    if let moment { schedule(.announcing, at: moment) { $0.announce() } }
  }

  private func announce() {
    let now = loop.clock.now.boot
    state.withLock { ($0.isWaiting, $0.last) = (false, now) }
    changed()
  }

  private func repeatLooks() {
    schedule(.looking, at: loop.clock.now.boot + Self.period) { notices in
      notices.repeatLooks()
      notices.announce()
    }
  }

  private func schedule(
    _ purpose: Purpose, at moment: Int64, _ action: @escaping @Sendable (FolderNotices) -> Void
  ) {
    let timer = loop.schedule(at: Moment(nanoseconds: moment)) { [weak self] in
      guard let self, self.state.withLock({ !$0.isCancelled }) else { return }
      action(self)
    }
    let isLate = state.withLock { state in
      if !state.isCancelled { state.timers[purpose] = timer }
      return state.isCancelled
    }
    if isLate { timer.cancel() }
  }
}
