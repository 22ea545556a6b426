import Glibc
import Ground

/// A file of this computer.
final class LiveFile: OpenFile {
  let path: String
  private let descriptor: Descriptor

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
/// Editors and tests replace such files without notice, so each reading from the start opens the
/// file again.
final class CapturedFile: OpenFile {
  let path: String
  private let links: LinkResolver
  private let descriptor: Monitor<Descriptor>

  /// The first time the path is walked, which finds a device before it is opened.
  init(_ path: String, _ links: LinkResolver) throws(SystemError) {
    self.path = path
    self.links = links
    descriptor = Monitor(try Self.open(path, links))
  }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    if offset > 0 {
      return try readHost(descriptor.withLock { $0 }, at: offset, into: buffer, place: path)
    }
    var found = links.openAtOnce(path)
    if found == nil { found = try Self.open(path, links) }
    guard let fresh = found else { throw SystemError(ENOENT, at: path) }
    // The old one is closed outside the lock.
    let old = descriptor.withLock { kept in
      defer { kept = fresh }
      return kept
    }
    withExtendedLifetime(old) {}
    return try readHost(fresh, at: 0, into: buffer, place: path)
  }

  /// Opens files and folders only: opening a device has effects, and none was captured.
  private static func open(
    _ path: String, _ links: LinkResolver
  ) throws(SystemError) -> Descriptor {
    let found = try links.resolve(path)
    guard found.type == S_IFREG || found.type == S_IFDIR else { throw SystemError(ENXIO, at: path) }
    return try RootedFileTree.openHost(links.root + found.path, at: path)
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
