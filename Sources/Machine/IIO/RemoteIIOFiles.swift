import Glibc
import Ground

/// The attributes of another machine's IIO devices, as files below `/sys/bus/iio/devices`.
///
/// While the machine cannot be reached, everything throws why: ECONNREFUSED, EHOSTUNREACH,
/// ETIMEDOUT or ENOTCONN, at the URI.
struct RemoteIIOFiles: FileTree, LooksAnew {
  private enum Location {
    case root
    case device(String)
    case attribute(device: String, name: String)
    /// The folder a device is in.
    case parent(String)
  }

  let link: RemoteLink

  func lookAnew(at topics: [ChangeTopic]) {
    if topics.contains(.devices(subsystem: "iio")) { link.retry() }
  }

  func open(_ path: String) throws(SystemError) -> any OpenFile {
    guard case .attribute(let device, let name) = try location(of: path),
      try link.use({ $0.has(name, of: device) })
    else { throw SystemError(ENOENT, at: path) }
    return RemoteFile(path: path, device: device, name: name, link: link)
  }

  func entries(of path: String) throws(SystemError) -> [String] {
    switch try location(of: path) {
    case .root: return try link.use { $0.names }
    case .device(let device):
      guard let all = try link.use({ $0.attributes(of: device) }) else { break }
      return Array(Set(all.map { String($0.prefix { $0 != "/" }) }))
    case .attribute(let device, let name):
      let all = try link.use { $0.attributes(of: device) } ?? []
      let inner = all.filter { $0.hasPrefix(name + "/") }.map { $0.dropFirst(name.count + 1) }
      if inner.isEmpty { break }
      return inner.map(String.init)
    case .parent: break
    }
    throw SystemError(ENOENT, at: path)
  }

  /// A device is in a folder of its own name, since nothing else is known about its place.
  func canonicalPath(of path: String) throws(SystemError) -> String {
    switch try location(of: path) {
    case .root: return "/sys/bus/iio/devices"
    case .parent(let folder): return "/sys/devices/" + folder
    case .device(let device):
      if let folder = try link.use({ $0.place(of: device) }) {
        return "/sys/devices/\(folder)/\(device)"
      }
    case .attribute(let device, let name):
      if let folder = try link.use({ $0.has(name, of: device) ? $0.place(of: device) : nil }) {
        return "/sys/devices/\(folder)/\(device)/\(name)"
      }
    }
    throw SystemError(ENOENT, at: path)
  }

  func linkTarget(of path: String) throws(SystemError) -> String {
    throw SystemError(ENOENT, at: path)
  }

  func statistics(of mountPoint: String) throws(SystemError) -> FileSystemStatistics {
    throw SystemError(EOPNOTSUPP, at: mountPoint)
  }

  private func location(of path: String) throws(SystemError) -> Location {
    var parts = path.split(separator: "/").map(String.init)
    if parts == ["sys", "bus", "iio", "devices"] { return .root }
    let isBus = parts.starts(with: ["sys", "bus", "iio", "devices"])
    let isDevices = parts.starts(with: ["sys", "devices"])
    guard isBus || isDevices else { throw SystemError(ENOENT, at: path) }
    let folder = isDevices && parts.count > 2 ? parts[2] : nil
    parts.removeFirst(isBus ? 4 : 3)
    guard let device = parts.first else {
      if let folder { return .parent(folder) }
      throw SystemError(ENOENT, at: path)
    }
    if parts.count == 1 { return .device(device) }
    if parts[1] == "..", parts.count == 2 {
      if let found = try link.use({ $0.place(of: device) }) { return .parent(found) }
      throw SystemError(ENOENT, at: path)
    }
    return .attribute(device: device, name: parts.dropFirst().joined(separator: "/"))
  }
}

/// An attribute of another machine.
private struct RemoteFile: OpenFile {
  let path: String
  let device: String
  let name: String
  let link: RemoteLink

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    // An attribute comes whole.
    if offset > 0 { return 0 }
    let bytes = try link.read(name, of: device)
    let count = min(bytes.count, buffer.count)
    buffer.copyBytes(from: bytes.prefix(count))
    return count
  }
}
