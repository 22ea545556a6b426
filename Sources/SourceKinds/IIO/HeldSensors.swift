import Gathering
import Ground
import Machine

/// The sensors of a machine that were found to be held by others: the last attempt to read one
/// counts until the next, or for 30 s (sources A4).
final class HeldSensors: LooksAnew {
  /// Who holds a sensor.
  enum Holder: Sendable {
    /// iio-sensor-proxy, which reports what it measures.
    case service
    /// Another process, which reports nothing.
    case others
  }

  private struct Attempt {
    let holder: Holder
    let moment: Int64
  }

  private struct State {
    var attempts: [String: Attempt] = [:]
    /// Whether a thread waits until no attempt counts any more.
    var isWaiting = false
    var isOver = false

    /// When the last attempt that found a sensor held counts no more.
    var end: Int64? {
      attempts.values.filter { $0.holder == .others }.map(\.moment).max().map { $0 + memory }
    }
  }

  /// How long an attempt counts.
  static let memory: Int64 = 30_000_000_000
  /// The topic that notifies listings of sensors.
  private static let topic = ChangeTopic.devices(subsystem: "iio")

  private let clock: any TimeSource
  private let notices: (any ChangeNotices)?
  private let files: any FileTree
  private let state = Monitor(State())

  private init(_ machine: Machine) {
    clock = machine.clock
    notices = machine.notices
    files = machine.iio.files
  }

  deinit {
    state.withLock { $0.isOver = true }
    state.signalAll()
  }

  /// The one of a machine.
  static func of(_ machine: Machine) -> HeldSensors {
    machine.attachments.attachment { HeldSensors(machine) }
  }

  /// Records the result of an attempt to read a sensor, nil for success, and announces a change.
  func note(_ key: String, _ holder: Holder?) {
    let now = clock.now.boot
    let isNews = state.withLock { state in
      let before = state.attempts[key]
      state.attempts[key] = holder.map { Attempt(holder: $0, moment: now) }
      return holder != before.flatMap { now - $0.moment < Self.memory ? $0.holder : nil }
    }
    guard isNews else { return }
    tell()
    if holder == .others { tellLater() }
  }

  /// The holder of a sensor; nil if none is known.
  func holder(of key: String) -> Holder? {
    let now = clock.now.boot
    return state.withLock { state in
      state.attempts[key].flatMap { now - $0.moment < Self.memory ? $0.holder : nil }
    }
  }

  /// Sensors held by other processes are tried again by their attributes; those of a service are
  /// read from it.
  func lookAnew(at topics: [ChangeTopic]) {
    guard topics.contains(Self.topic) else { return }
    let asked = state.withLock { $0.attempts.filter { $0.value.holder == .others }.map(\.key) }
    let free = asked.filter { !isHeld($0) }
    // Plain attempts.
    if !free.isEmpty { state.withLock { state in for key in free { state.attempts[key] = nil } } }
  }

  /// Whether an attribute of a sensor is refused at this moment.
  private func isHeld(_ key: String) -> Bool {
    let path = Self.path(of: key)
    let channel = key.dropFirst(path.utf8.count + 1)
    let all = ((try? files.entries(of: path)) ?? []).filter {
      $0.hasPrefix("in_") && ($0.hasSuffix("_raw") || $0.hasSuffix("_input"))
    }
    let own = all.filter { $0.hasPrefix("in_\(channel)") }
    return (own.isEmpty ? all : own).contains { name in
      do throws(SystemError) {
        _ = try PolledFile("\(path)/\(name)", in: files).read()
        return false
      } catch {
        return error.code == SystemText.busy
      }
    }
  }

  /// Removes entries of devices that are no longer present.
  func forget(allBut paths: [String]) {
    state.withLock { state in
      if state.attempts.isEmpty { return }
      let known = Set(paths)
      state.attempts = state.attempts.filter { known.contains(Self.path(of: $0.key)) }
    }
  }

  private static func path(of key: String) -> String { String(key.prefix { $0 != " " }) }

  private func tell() { notices?.send(ChangeNotice(topic: Self.topic)) }

  /// No source reads a busy sensor, and no notice announces that it is free: it is tried again once
  /// the attempt has expired.
  private func tellLater() {
    let isWaiting = state.withLock { state in
      defer { state.isWaiting = true }
      return state.isWaiting
    }
    guard notices != nil, !isWaiting else { return }
    let thread = try? WorkerThread(named: "gkit-held") { [state, clock, weak self] in
      repeat {
        let rest = state.withLock { $0.end.map { $0 - clock.now.boot } } ?? 0
        let end = Monitor<Void>.moment(after: max(0, rest))
        if state.wait(until: end, for: { $0.isOver ? true : nil }) == true { return }
      } while state.withLock({ state in
        state.isWaiting = (state.end ?? .min) > clock.now.boot
        return state.isWaiting
      })
      self?.tell()
    }
    thread?.detach()
  }
}

extension SensorPlan {
  /// Its key: the device's path, and the main channel of the kind.
  var key: String { device.key(of: columns.first?.channels.first ?? "") }

  /// The sensor as an instance of a kind.
  func instance(properties: [Property]? = nil, on machine: Machine) -> Instance {
    device.instance(properties: properties).unlessHeld(key, device, on: machine)
  }
}

extension IIODevice {
  /// The key of one of its sensors.
  func key(of channel: String) -> String { "\(path) \(channel)" }
}

extension Instance {
  /// The same instance or, if it was found to be held a moment ago, as a busy one (catalogue 3.2).
  func unlessHeld(_ key: String, _ device: IIODevice, on machine: Machine) -> Instance {
    guard HeldSensors.of(machine).holder(of: key) == .others else { return self }
    var instance = self
    instance.availability = .busy(device)
    return instance
  }
}

extension Availability {
  /// A device is held elsewhere, and its driver refuses other readers meanwhile.
  static func busy(_ device: IIODevice) -> Availability {
    Availability(
      .busy, backend: "iio", detail: "\(device.path): \(SystemText.message(of: SystemText.busy))",
      errno: SystemText.busy, remedy: remedy(forHeld: device))
  }

  /// The remedy for a device that is held.
  static func remedy(forHeld device: IIODevice) -> String {
    "end what else reads /dev/\(device.kernelName), such as iio-sensor-proxy"
  }
}

extension Outcome {
  /// Whether it could not be read because the device is held elsewhere.
  var isBusy: Bool { status == .failed && absence?.errno == SystemText.busy }
}
