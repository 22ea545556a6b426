public import Ground

/// Something the kernel or a daemon announces, so that no source has to poll for it.
public enum ChangeTopic: Hashable, Sendable {
  /// Devices of a udev subsystem (`power_supply`, `drm` …) come, go or change.
  case devices(subsystem: String)
  /// The mount table changes: POLLPRI on `/proc/self/mountinfo`.
  case mounts
  /// A network link or address changes: rtnetlink groups link, IPv4 and IPv6 address.
  case network
  /// A sysfs attribute calls sysfs_notify: POLLPRI on the path.
  case attribute(path: String)
  /// A file is changed, as inotify(7) tells it: those of control groups that the kernel promises.
  case file(path: String)
  /// A program opens or closes a file that this process may read, as inotify(7) tells it.
  case use(path: String)
  /// Folders below a path come or go: inotify(7) of the upper 1000 of them, and every 5 s besides.
  case folders(below: String)
  /// A switch of an input device moves: EV_SW events of `/dev/input/eventN`.
  case switches(path: String)
  /// A service of the message bus appears or disappears, or anything in its mirror changes.
  case bus(BusService)
  /// A daemon starts, stops, or reports a changed list of its devices; named `gpsd`, for example.
  case service(String)
  /// A daemon has reported something new about one of its devices.
  case report(service: String, of: String)
  /// A wireless link changes: nl80211's groups mlme, config, scan and regulatory.
  case radio
}

/// One message of the kernel.
public struct ChangeNotice: Sendable {
  /// What it is about.
  public var topic: ChangeTopic
  /// udev's action (`add`, `remove`, `change` …); empty for other topics.
  public var action: String
  /// The device's path below `/sys`; empty for other topics.
  public var devicePath: String
  /// The time given by the kernel, on CLOCK_BOOTTIME in nanoseconds; nil if it gives none.
  public var bootTime: Int64?

  /// A notice of a topic.
  public init(
    topic: ChangeTopic, action: String = "", devicePath: String = "", bootTime: Int64? = nil
  ) {
    self.topic = topic
    self.action = action
    self.devicePath = devicePath
    self.bootTime = bootTime
  }
}

/// Subscribes to announcements of the kernel and of daemons.
public protocol ChangeNotices: Sendable {
  /// Calls `notify` on the loop's thread for every notice of a topic until the watch is cancelled.
  ///
  /// One system resource serves all subscribers of a topic. Throws if the mechanism is missing (no
  /// libudev, no such file, no permission).
  func subscribe(
    to topic: ChangeTopic, on loop: any Loop, _ notify: @escaping @Sendable (ChangeNotice) -> Void
  ) throws(SystemError) -> any Cancellable

  /// Sends a notice to the subscribers of its topic, each on its loop. For changes that a source
  /// detects itself, such as a daemon's report.
  func send(_ notice: ChangeNotice)
}
