import Glibc
import Ground

/// The files that an address names: certificates, a key, a password (fleet F37).
enum BrokerFiles {
  /// The longest file that is read.
  private static let limit = 1 << 20
  /// The longest password MQTT can carry.
  private static let passwordLimit = 65_535

  /// Checks the files of an address, and gives what is to be warned about.
  static func check(_ address: BrokerAddress) throws(BrokerFault) -> [String] {
    for path in [address.authorities, address.certificate] {
      if let path { try check(path, has: "CERTIFICATE-----", what: "a certificate") }
    }
    if let key = address.key {
      let text = try check(key, has: "PRIVATE KEY-----", what: "a private key")
      // libmosquitto would ask the terminal for the passphrase.
      if text.has(part: "ENCRYPTED") {
        throw .malformed(path: key, reason: "is encrypted by a passphrase, which cannot be given")
      }
    }
    try withPassword(of: address) { _ in }
    return [address.passwordFile, address.key].compactMap { path in
      path.flatMap { isOpen($0) ? "\($0) can be read by other users: chmod 600 it" : nil }
    }
  }

  /// Runs a body with the password, with a NUL behind it; nil where there is none. Nothing of it is
  /// left in memory.
  static func withPassword<Output>(
    of address: BrokerAddress, _ body: (UnsafePointer<CChar>?) -> Output
  ) throws(BrokerFault) -> Output {
    guard let path = address.passwordFile else { return body(nil) }
    var bytes = try read(path)
    defer { bytes.withUnsafeMutableBytes(Self.wipe) }
    let line = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count - 1
    let end = line > 0 && bytes[line - 1] == UInt8(ascii: "\r") ? line - 1 : line
    guard end > 0, end <= passwordLimit, !bytes[..<end].contains(0) else {
      throw .malformed(path: path, reason: "has no password in its first line")
    }
    bytes[end] = 0
    return bytes.withUnsafeBufferPointer { pointer in
      pointer.withMemoryRebound(to: CChar.self) { body($0.baseAddress) }
    }
  }

  private static func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
    if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
  }

  @discardableResult
  private static func check(
    _ path: String, has mark: String, what: String
  ) throws(BrokerFault) -> String {
    let text = String(decoding: try read(path), as: UTF8.self)
    guard text.has(part: "-----BEGIN "), text.has(part: mark) else {
      throw .malformed(path: path, reason: "has not \(what) in the PEM format")
    }
    return text
  }

  /// A file's bytes and one more, which is 0.
  private static func read(_ path: String) throws(BrokerFault) -> [UInt8] {
    let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else { throw fault(errno, path) }
    let file = Descriptor(owning: number)
    var status = stat()
    guard fstat(file.number, &status) == 0 else { throw fault(errno, path) }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else {
      throw .malformed(path: path, reason: "is not a file of at most 1 MiB")
    }
    var failure: Int32 = 0
    let capacity = Int(status.st_size) + 1
    let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      let outcome = Glibc.read(file.number, buffer.baseAddress, capacity - 1)
      if outcome < 0 { failure = errno }
      count = max(0, outcome) + 1
      buffer[count - 1] = 0
    }
    if failure != 0 { throw fault(failure, path) }
    return bytes
  }

  private static func fault(_ code: Int32, _ path: String) -> BrokerFault {
    code == ENOENT || code == ENOTDIR
      ? .notFound(path: path) : .unreadable(SystemError(code, at: path))
  }

  /// Whether other users may read a file.
  private static func isOpen(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & (S_IRGRP | S_IROTH) != 0
  }
}
