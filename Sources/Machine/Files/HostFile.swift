import Glibc
import Ground

/// A file of this computer.
final class LiveFile: OpenFile {
  let path: String
  private let descriptor: Descriptor
  /// The descriptor's number, valid while the object lives.
  var number: Int32 { descriptor.number }

  init(_ path: String, _ descriptor: Descriptor) {
    self.path = path
    self.descriptor = descriptor
  }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    try readHost(descriptor, at: offset, into: buffer, place: path)
  }

  func hasNews() -> Bool? {
    var asked = pollfd(fd: descriptor.number, events: Int16(POLLPRI), revents: 0)
    guard poll(&asked, 1, 0) >= 0 else { return true }
    return asked.revents & Int16(POLLPRI | POLLERR) != 0
  }
}

/// A file of a captured tree.
///
/// Editors and tests replace such files without notice, so each reading from the start asks whether
/// the path still leads to the file that is open.
final class CapturedFile: OpenFile {
  let path: String
  private let links: LinkResolver
  /// The path on this computer, with a NUL behind it.
  private let host: [CChar]
  private let kept: Lock<KeptFile>

  /// A file that was found inside the tree, with what tells it from all others while it is open.
  private final class KeptFile: Sendable {
    let descriptor: Descriptor
    private let device: dev_t
    private let number: ino_t
    private let isPlain: Bool

    private init(_ descriptor: Descriptor, isPlain: Bool) {
      self.descriptor = descriptor
      var status = stat()
      self.isPlain = fstat(descriptor.number, &status) == 0 && isPlain
      (device, number) = (status.st_dev, status.st_ino)
    }

    /// Finds and opens a file; nothing is made for one that is not there.
    static func find(
      _ path: String, _ links: LinkResolver
    ) throws(SystemError) -> KeptFile {
      let found = try links.resolve(path)
      // Opening a device has effects, and none was captured.
      guard found.type == S_IFREG || found.type == S_IFDIR else {
        throw SystemError(ENXIO, at: path)
      }
      let descriptor = try RootedFileTree.openHost(links.root + found.path, at: path)
      return KeptFile(descriptor, isPlain: found.isPlain)
    }

    /// Whether a path of this computer leads to it; false where that is not known.
    func isFound(at host: [CChar]) -> Bool {
      var now = stat()
      return isPlain && stat(host, &now) == 0 && now.st_ino == number
        && now.st_dev == device
    }
  }

  private init(_ path: String, _ links: LinkResolver, _ found: KeptFile) {
    self.path = path
    self.links = links
    host = Array((links.root + path).utf8CString)
    kept = Lock(found)
  }

  /// Opens a file; nothing is made for one that is not there.
  static func open(
    _ path: String, _ links: LinkResolver
  ) throws(SystemError) -> CapturedFile {
    CapturedFile(path, links, try KeptFile.find(path, links))
  }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    let known = kept.withLock { $0 }
    if offset > 0 || !links.looks.isActive && known.isFound(at: host) {
      return try readHost(known.descriptor, at: offset, into: buffer, place: path)
    }
    let fresh = try KeptFile.find(path, links)
    // The old one is closed outside the lock.
    let old = kept.withLock { kept in
      defer { kept = fresh }
      return kept
    }
    withExtendedLifetime(old) {}
    return try readHost(fresh.descriptor, at: 0, into: buffer, place: path)
  }
}

private func readHost(
  _ descriptor: Descriptor, at offset: Int, into buffer: UnsafeMutableRawBufferPointer,
  place: String
) throws(SystemError) -> Int {
  while true {
    let count = pread(descriptor.number, buffer.baseAddress, buffer.count, off_t(offset))
    if count >= 0 { return count }
    if errno != EINTR { throw SystemError(errno, at: place) }
  }
}
