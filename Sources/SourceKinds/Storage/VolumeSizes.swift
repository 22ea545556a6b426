import Gathering
import Ground
import Machine

/// The sizes of one file system: read directly if that cannot block, otherwise by a worker.
///
/// A worker's answer is awaited only briefly, so that a dead file server does not block its caller
/// (sources T7). While a call is running, no second one is made.
final class VolumeSizes: Sendable {
  /// The state of the sizes.
  enum Status: Equatable {
    case fresh(FileSystemStatistics)
    case old(FileSystemStatistics)
    case failed(SystemError)
    case waiting
    case late
  }

  /// The running time of a call, in nanoseconds, after which earlier sizes are stale.
  static let patience: Int64 = 2_000_000_000

  private struct State {
    var isAsking = false
    var askedAt: Int64 = 0
    var last: FileSystemStatistics?
    var failure: SystemError?
    var answers = 0
  }

  private let mountPoint: String
  private let isRemote: Bool
  private let files: any FileTree
  private let clock: any TimeSource
  private let state = Monitor(State())

  init(of mountPoint: String, isRemote: Bool, on machine: Machine) {
    self.mountPoint = mountPoint
    self.isRemote = isRemote && machine.nature == .live
    files = machine.files
    clock = machine.clock
  }

  /// The sizes now. Waits at most this many nanoseconds for a worker.
  func ask(waiting nanoseconds: Int64) -> Status {
    guard isRemote else {
      do throws(SystemError) {
        return .fresh(try files.statistics(of: mountPoint))
      } catch {
        return .failed(error)
      }
    }
    let now = clock.now.boot
    let begins = state.withLock { state in
      if state.isAsking { return false }
      state.isAsking = true
      state.askedAt = now
      return true
    }
    if begins { send() }
    return state.withLock { Self.answer(of: $0, at: now) } ?? waitBriefly(begins, nanoseconds, now)
  }

  private func waitBriefly(_ begins: Bool, _ nanoseconds: Int64, _ now: Int64) -> Status {
    let moment = begins ? Monitor<State>.moment(after: nanoseconds) : 0
    let answer = state.wait(until: moment) { Self.answer(of: $0, at: now) }
    return answer ?? state.withLock { Self.interim(of: $0, at: now) }
  }

  /// The answer of a call that has come back.
  private static func answer(of state: State, at now: Int64) -> Status? {
    if state.isAsking { return nil }
    if let failure = state.failure { return .failed(failure) }
    return state.last.map(Status.fresh)
  }

  /// The status while a call is running.
  private static func interim(of state: State, at now: Int64) -> Status {
    let isLate = now - state.askedAt >= patience
    switch (state.last, isLate) {
    case (let last?, true): return .old(last)
    case (let last?, false): return .fresh(last)
    case (nil, true): return .late
    case (nil, false): return .waiting
    }
  }

  private func send() {
    do {
      let worker = try WorkerThread(named: "gkit-statvfs") { [self] in
        let result = Result { () throws(SystemError) in try files.statistics(of: mountPoint) }
        state.withLock { state in
          state.isAsking = false
          state.failure = nil
          switch result {
          case .success(let sizes): state.last = sizes
          case .failure(let error): state.failure = error
          }
        }
        state.signalAll()
      }
      worker.detach()
    } catch {
      state.withLock { state in
        state.isAsking = false
        state.failure = error
      }
    }
  }
}
