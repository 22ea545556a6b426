import Glibc
import Ground
import Synchronization

/// What a look at a captured tree depended on, so that the same look is spared while nothing of it
/// has changed.
///
/// Only file systems are trusted that stamp every change of a file or folder; there a change that
/// follows another within their granularity is seen too, since what changed just before the look
/// is not taken as settled.
public struct TreeStamps: Sendable {
  /// What lstat(2) told of a path.
  fileprivate struct Stamp: Equatable {
    /// Why there is nothing, or 0.
    var code: Int32 = 0
    var device: dev_t = 0
    var number: ino_t = 0
    var mode: mode_t = 0
    var size: Int64 = 0
    var seconds = 0
    var nanoseconds = 0
  }

  private struct Place: Sendable {
    /// On this computer, with a NUL behind it.
    let path: [CChar]
    let stamp: Stamp
  }

  /// The file systems of disks and memory whose inodes carry the time of every change.
  private static let trusted: Set<UInt32> = [
    0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0x8584_58F6, 0x794C_7630, 0xF2F5_2010,
    0x7371_7368, 0xE0F5_E1E2, 0x2FC1_2FC1, 0xCA45_1A4E,
  ]

  /// As long as a file system may take the times of two changes for the same, in seconds.
  private let granularity: Int
  private var places: [Place] = []
  private var known: Set<[CChar]> = []
  private var devices: [dev_t: Bool] = [:]
  private var isSettled = true

  /// Nothing is noted yet; the coarsest file systems count time by 2 s.
  init(granularity: Int = 2) { self.granularity = granularity }

  /// Whether all of it is as it was: the same look would find the same.
  public var stillHold: Bool {
    guard isSettled else { return false }
    return places.allSatisfy { Stamp(of: $0.path) == $0.stamp }
  }

  /// Notes what lstat(2) tells of a path, which has a NUL behind it.
  mutating func note(_ path: [CChar]) {
    guard isSettled, known.insert(path).inserted else { return }
    let stamp = Stamp(of: path)
    places.append(Place(path: path, stamp: stamp))
    if stamp.code == 0 && !(isTrusted(stamp, at: path) && isSettled(stamp)) { isSettled = false }
  }

  /// Gives back what only noting needs.
  mutating func finish() {
    (known, devices) = ([], [:])
    if !isSettled { places = [] }
  }

  private mutating func isTrusted(_ stamp: Stamp, at path: [CChar]) -> Bool {
    if let known = devices[stamp.device] { return known }
    var place = path
    // What a link leads to may be elsewhere; the folder it is in is not.
    if stamp.mode & S_IFMT == S_IFLNK,
      let slash = path.lastIndex(of: CChar(bitPattern: UInt8(ascii: "/")))
    {
      place = path[...slash] + [0]
    }
    let isTrusted = Self.trusted.contains(RootedFileTree.fileSystem(of: place))
    devices[stamp.device] = isTrusted
    return isTrusted
  }

  private func isSettled(_ stamp: Stamp) -> Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return stamp.seconds + granularity < now.tv_sec
  }
}

extension TreeStamps.Stamp {
  fileprivate init(of path: [CChar]) {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      code = errno
      return
    }
    (device, number) = (status.st_dev, status.st_ino)
    (mode, size) = (status.st_mode, Int64(status.st_size))
    (seconds, nanoseconds) = (status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
  }
}

/// Notes what looks at a captured tree find, while one wants to know it.
final class LookRecorder: Sendable {
  private let isRecording = Atomic(false)
  private let stamps = Lock(TreeStamps())

  /// Whether what is found is to be noted.
  var isActive: Bool { isRecording.load(ordering: .acquiring) }

  /// Looks, and gives what that depended on too; nil while another thread records. What others
  /// look at meanwhile is noted as well.
  func record<Output>(_ look: () -> Output) -> (found: Output, stamps: TreeStamps?) {
    let isOther = !isRecording.compareExchange(
      expected: false, desired: true, ordering: .acquiringAndReleasing
    ).exchanged
    if isOther { return (look(), nil) }
    let found = look()
    isRecording.store(false, ordering: .releasing)
    let stamps = stamps.withLock { stamps in
      defer { stamps = TreeStamps() }
      stamps.finish()
      return stamps
    }
    return (found, stamps)
  }

  /// Notes what lstat(2) tells of a path, which has a NUL behind it.
  func note(_ path: [CChar]) {
    stamps.withLock { $0.note(path) }
  }
}
