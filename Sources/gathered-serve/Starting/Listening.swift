import Glibc
import NIOCore
import NIOPosix
import Serving

/// Where the server listens.
enum Listening: Sendable {
  /// Addresses of the network, all with one port; 0 is any that is free.
  case network(addresses: [String], port: Int)
  /// A Unix socket.
  case file(String)
  /// Descriptors that systemd has opened.
  case given([Int32])

  /// Both addresses of this machine alone.
  static let loopback = ["127.0.0.1", "::1"]
  /// The port where none is named.
  static let defaultPort = 8917

  /// Takes `ADDRESS:PORT` apart; the address of IPv6 is in brackets.
  init(_ text: String) throws(StartFailure) {
    let end = text.lastIndex(of: ":") ?? text.startIndex
    var address = String(text[..<end])
    if address.hasPrefix("["), address.hasSuffix("]") {
      address = String(address.dropFirst().dropLast())
    }
    guard let port = Int(text[end...].dropFirst()), (0...65_535).contains(port),
      (try? SocketAddress(ipAddress: address, port: port)) != nil
    else {
      throw StartFailure(
        "--listen takes ADDRESS:PORT, such as 127.0.0.1:8917 or [::1]:0, not \"\(text)\"",
        exitCode: 2)
    }
    self = .network(addresses: [address], port: port)
  }

  /// The descriptors of systemd, if it has started this process for them (sd_listen_fds(3)).
  static func ofSystemd() -> Listening? {
    guard let pid = number("LISTEN_PID"), pid == Int(getpid()),
      let count = number("LISTEN_FDS"), count > 0
    else { return nil }
    unsetenv("LISTEN_PID")
    unsetenv("LISTEN_FDS")
    return .given((3..<3 + Int32(clamping: count)).map { $0 })
  }

  private static func number(_ name: String) -> Int? {
    getenv(name).flatMap { Int(String(cString: $0)) }
  }

  /// Whether other machines can reach it.
  var isOpenToOthers: Bool {
    guard case .network(let addresses, _) = self else { return false }
    return !addresses.allSatisfy { $0 == "::1" || $0.hasPrefix("127.") }
  }

  /// Whether it is all Unix sockets, whose files' modes decide in place of a token.
  var isFile: Bool {
    switch self {
    case .network: false
    case .file: true
    case .given(let descriptors): descriptors.allSatisfy(Self.isUnix)
    }
  }

  private static func isUnix(_ descriptor: Int32) -> Bool {
    var family: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &family, &length) == 0
      && family == AF_UNIX
  }
}

/// What listens, and where it can be reached.
struct OpenSockets: Sendable {
  let channels: [any Channel]

  /// Opens all places. Nothing stays open when one cannot be.
  init(_ place: Listening, _ bootstrap: ServerBootstrap) throws(StartFailure) {
    switch place {
    case .network(let addresses, let port):
      channels = try Self.open(addresses, port, bootstrap)
    case .file(let path):
      channels = [try Self.open(path, bootstrap)]
    case .given(let descriptors):
      do {
        channels = try descriptors.map { try bootstrap.withBoundSocket($0).wait() }
      } catch {
        throw StartFailure("the descriptors of systemd cannot be listened on: \(error)")
      }
    }
  }

  /// The port that was given or found.
  var port: Int { channels.compactMap { $0.localAddress?.port }.first ?? 0 }

  private static func open(
    _ addresses: [String], _ port: Int, _ bootstrap: ServerBootstrap
  ) throws(StartFailure) -> [any Channel] {
    var open: [any Channel] = []
    var port = port
    for address in addresses {
      do {
        let channel = try bootstrap.bind(host: address, port: port).wait()
        open.append(channel)
        port = channel.localAddress?.port ?? port
      } catch let error as IOError where error.errnoCode == EADDRNOTAVAIL && !open.isEmpty {
        // A machine without IPv6 has no such address.
        continue
      } catch {
        for channel in open { channel.close(promise: nil) }
        throw failure(error, at: "\(address) port \(port)")
      }
    }
    return open
  }

  private static func failure(_ error: any Error, at place: String) -> StartFailure {
    guard let error = error as? IOError else { return StartFailure("\(place): \(error)") }
    if error.errnoCode == EADDRINUSE {
      return StartFailure(
        "\(place) is taken by another program",
        remedy: "--listen 127.0.0.1:0 takes any port that is free")
    }
    return StartFailure("\(place): \(String(cString: strerror(error.errnoCode)))")
  }

  private static func open(
    _ path: String, _ bootstrap: ServerBootstrap
  ) throws(StartFailure) -> any Channel {
    if isAnswered(path) {
      throw StartFailure(
        "\(path) is in use by another server", remedy: "end that one, or take another path")
    }
    // The file is for the owner and his group (serve W3).
    let mask = umask(S_IXUSR | S_IXGRP | S_IRWXO)
    defer { umask(mask) }
    do {
      return try bootstrap.bind(
        unixDomainSocketPath: path, cleanupExistingSocketFile: true
      ).wait()
    } catch {
      throw failure(error, at: path)
    }
  }

  /// Whether a server answers on a Unix socket.
  private static func isAnswered(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return false }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
  }
}
