import Glibc
import NIOCore

/// Which processes may use the Unix socket: those of our own user, of root, and of users who may
/// write to its file (serve W3).
enum PeerCredentials {
  /// `struct ucred` of unix(7).
  private struct Credentials: Sendable {
    var pid: pid_t = 0
    var uid: uid_t = 0
    var gid: gid_t = 0
  }

  static func isAdmitted(on channel: any Channel) -> Bool {
    guard let provider = channel as? any SocketOptionProvider,
      let path = channel.localAddress?.pathname, !path.isEmpty,
      let peer = credentials(of: provider)
    else { return false }
    if peer.uid == 0 || peer.uid == geteuid() { return true }
    var file = stat()
    guard stat(path, &file) == 0 else { return false }
    if file.st_uid == peer.uid || file.st_gid == peer.gid { return true }
    return isMember(peer.uid, of: file.st_gid)
  }

  /// Who has connected, on the loop of the channel.
  private static func credentials(of provider: any SocketOptionProvider) -> Credentials? {
    let answer: EventLoopFuture<Credentials> = provider.unsafeGetSocketOption(
      level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
    var found: Credentials?
    answer.assumeIsolated().whenSuccess { found = $0 }
    return found
  }

  /// Whether a user is in a group, as the system's list of groups says.
  private static func isMember(_ user: uid_t, of group: gid_t) -> Bool {
    guard let entry = getpwuid(user) else { return false }
    var groups = [gid_t](repeating: 0, count: 256)
    var count = Int32(groups.count)
    guard getgrouplist(entry.pointee.pw_name, entry.pointee.pw_gid, &groups, &count) >= 0 else {
      return false
    }
    return groups.prefix(Int(count)).contains(group)
  }
}
