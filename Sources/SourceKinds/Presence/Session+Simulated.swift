import Gathering

extension Session {
  /// The user of the laptop is away for a minute of each five; the phone is locked.
  func simulated(on device: BuiltInDevice) -> String {
    let times = """
      0 absent \(Self.seat)/idle_since noData the simulation has no calendar
      0 absent \(Self.seat)/since noData the simulation has no calendar
      """
    return switch device {
    case .laptop:
      """
      0 add \(Self.seat)
      0 set \(Self.seat)/idle false
      0 wave \(Self.seat)/idle ramp 0.8333333333333334 0.0033333333333333335
      0 set \(Self.seat)/locked false
      \(Self.session(type: "x11", desktop: "GNOME", user: "ada"))
      \(times)
      \(Self.nothingElse)
      """
    case .phone:
      """
      0 add \(Self.seat)
      0 set \(Self.seat)/idle true
      0 set \(Self.seat)/locked true
      \(Self.session(type: "wayland", desktop: "Phosh", user: "ada"))
      \(times)
      \(Self.nothingElse)
      """
    }
  }

  private static let seat = "session|seat0"

  private static func session(type: String, desktop: String, user: String) -> String {
    """
    0 set \(seat)/session_count 1
    0 set \(seat)/type "\(type)"
    0 set \(seat)/desktop "\(desktop)"
    0 set \(seat)/user "\(user)"
    \(manager(seat))
    """
  }

  /// There is no session from elsewhere.
  private static var nothingElse: String {
    let keys = ["idle", "idle_since", "locked", "type", "desktop", "user", "since"]
    let absent = keys.map { "0 absent session|\(remote)/\($0) noData \(vacant.reason)" }
    return """
      0 add session|\(remote)
      \(absent.joined(separator: "\n"))
      0 set session|\(remote)/session_count 0
      \(manager("session|\(remote)"))
      """
  }

  private static func manager(_ id: String) -> String {
    """
    0 set \(id)/preparing_for_sleep false
    0 set \(id)/preparing_for_shutdown false
    0 absent \(id)/inhibited noData nothing is inhibited
    """
  }
}
