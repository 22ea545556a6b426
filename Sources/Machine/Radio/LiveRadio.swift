import CLinux
import Glibc
import Ground

/// The wireless interfaces of this computer, by nl80211 through libnl.
struct LiveRadio: RadioAccess {
  /// The family in the kernel, which its module cfg80211 brings.
  static let family = "nl80211"

  func open() throws(NetlinkError) -> any RadioLink {
    // The module makes this class of devices before the family. To look there costs much less than
    // the list of all families.
    if access("/sys/class/ieee80211", F_OK) != 0, errno == ENOENT,
      access("/sys/class/net", F_OK) == 0
    {
      throw .noFamily(GenericNetlink.absence(of: Self.family))
    }
    return NetlinkRadioLink(try GenericNetlink(family: Self.family))
  }
}

/// Questions to nl80211 through one socket, which is opened anew after a failure.
final class NetlinkRadioLink: RadioLink {
  private var netlink: GenericNetlink?

  init(_ netlink: GenericNetlink) {
    self.netlink = netlink
  }

  func interface(_ index: UInt32) throws(NetlinkError) -> RadioInterface {
    let request = Self.request("GET_INTERFACE", NL80211_CMD_GET_INTERFACE, about: index)
    guard let interface = try ask(request, RadioInterface.init).first else {
      throw .refused(SystemError(ENODEV, at: request.place))
    }
    return interface
  }

  func network(of index: UInt32) throws(NetlinkError) -> RadioNetwork? {
    try ask(Self.request("GET_SCAN", NL80211_CMD_GET_SCAN, about: index), RadioNetwork.init).first
  }

  func stations(of index: UInt32) throws(NetlinkError) -> [RadioStation] {
    try ask(Self.request("GET_STATION", NL80211_CMD_GET_STATION, about: index), RadioStation.init)
  }

  func savesPower(_ index: UInt32) throws(NetlinkError) -> Bool {
    let request = Self.request("GET_POWER_SAVE", NL80211_CMD_GET_POWER_SAVE, about: index)
    let states = try ask(request) { $0.number(NL80211_ATTR_PS_STATE.rawValue, as: UInt32.self) }
    guard let state = states.first else {
      throw .refused(SystemError(ENODATA, at: request.place))
    }
    return state == NL80211_PS_ENABLED.rawValue
  }

  private static func request(
    _ name: String, _ command: nl80211_commands, about index: UInt32
  ) -> GenericNetlink.Request {
    let lists = [NL80211_CMD_GET_SCAN.rawValue, NL80211_CMD_GET_STATION.rawValue]
    return GenericNetlink.Request(
      place: "\(LiveRadio.family) \(name)", command: command.rawValue,
      isList: lists.contains(command.rawValue),
      numbers: [(NL80211_ATTR_IFINDEX.rawValue, index)])
  }

  private func ask<Output>(
    _ request: GenericNetlink.Request, _ decode: @escaping (NetlinkAttributes) -> Output?
  ) throws(NetlinkError) -> [Output] {
    let asked: GenericNetlink
    if let netlink { asked = netlink } else { asked = try GenericNetlink(family: LiveRadio.family) }
    netlink = asked
    do {
      return try asked.ask(request, decode)
    } catch {
      // The rest of this answer must not be taken for the answer to the next request.
      if Self.leavesAnswers(error) { netlink = nil }
      throw error
    }
  }

  private static func leavesAnswers(_ error: NetlinkError) -> Bool {
    if case .refused(let refusal) = error { return refusal.code == ETIMEDOUT }
    return true
  }
}
