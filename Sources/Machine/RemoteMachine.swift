import Glibc
public import Ground

extension Machine {
  /// The IIO devices of another machine through its iiod, and nothing else.
  ///
  /// `host` is `HOST` or `HOST:PORT`. Never fails: while the host cannot be reached there are no
  /// devices, and listing them throws why.
  public static func remote(host: String, clock: any TimeSource = LiveTime()) -> Machine {
    Machine(
      nature: .remote, files: NoFiles(), notices: nil, clock: clock, switches: NoSwitches(),
      addresses: nil, iio: .remote(uri: "ip:" + host))
  }
}

extension IIOAccess {
  /// The devices behind a libiio URI: `ip:HOST`, `usb:…`; `local:` are this computer's.
  public static func remote(uri: String) -> IIOAccess {
    if uri == "local:" {
      return IIOAccess(files: RootedFileTree.live, scans: LibiioScans(), mayBlock: true)
    }
    let link = RemoteLink(uri: uri)
    return IIOAccess(
      files: RemoteIIOFiles(link: link), scans: LibiioScans(link: link), mayBlock: true,
      isRemote: true)
  }
}

/// The files of a machine that provides IIO devices only.
private struct NoFiles: FileTree {
  func open(_ path: String) throws(SystemError) -> any OpenFile {
    throw SystemError(ENOENT, at: path)
  }

  func entries(of path: String) throws(SystemError) -> [String] {
    throw SystemError(ENOENT, at: path)
  }

  func canonicalPath(of path: String) throws(SystemError) -> String {
    throw SystemError(ENOENT, at: path)
  }

  func linkTarget(of path: String) throws(SystemError) -> String {
    throw SystemError(ENOENT, at: path)
  }

  func statistics(of mountPoint: String) throws(SystemError) -> FileSystemStatistics {
    throw SystemError(ENOENT, at: mountPoint)
  }
}

private struct NoSwitches: SwitchReader {
  func switchesOn(of eventDevice: String) throws(SystemError) -> UInt64 {
    throw SystemError(EOPNOTSUPP, at: eventDevice)
  }
}
