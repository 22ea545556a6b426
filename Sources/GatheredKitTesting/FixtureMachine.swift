import Glibc
public import Ground
public import Machine

/// A machine made of a folder, which a test changes, breaks and moves through time.
///
/// Unlike a captured machine it may have kernel notices, and any of its calls can be made to fail.
public final class FixtureMachine: Sendable {
  /// The machine to hand to what is tested.
  public let machine: Machine
  /// Where faults are set and readings counted.
  public let files: FaultyFileTree
  /// Where kernel notices are sent; the machine has them only if its nature is live.
  public let notices = FixtureNotices()
  /// What its microphones hear; the machine has them only if its nature is live.
  public let sound = FixtureSound()
  /// What its graphics cards show; the machine has them only if its nature is live.
  public let displays = FixtureDisplays()
  /// What the cards of NVIDIA's driver say; the machine has them only if its nature is live.
  public let nvidia = FixtureNvidiaCards()
  /// The loop of the manual clock, which the test advances.
  public let loop: VirtualLoop

  private let folder: TemporaryFolder?

  /// A machine of a fixture folder, which is only read.
  public convenience init(
    folder: String, nature: Machine.Nature = .captured, addresses: (any AddressReader)? = nil,
    bus: (any MessageBus)? = nil, positions: PositionAccess? = nil,
    radio: (any RadioAccess)? = nil, upsd: ServiceAccess? = nil
  ) throws(SystemError) {
    try self.init(
      root: folder, kept: nil, nature: nature, addresses: addresses, bus: bus,
      positions: positions, radio: radio, upsd: upsd)
  }

  /// A machine of texts by path, and of links by path; a path ending in a slash is a folder.
  public convenience init(
    _ contents: [String: String] = [:], links: [String: String] = [:],
    nature: Machine.Nature = .captured, addresses: (any AddressReader)? = nil,
    bus: (any MessageBus)? = nil, positions: PositionAccess? = nil,
    radio: (any RadioAccess)? = nil, upsd: ServiceAccess? = nil
  ) throws(SystemError) {
    let folder = try TemporaryFolder()
    for (path, content) in contents {
      if path.utf8.last == UInt8(ascii: "/") {
        try folder.makeFolder(path)
      } else {
        try folder.write(Array(content.utf8), to: path)
      }
    }
    for (path, target) in links { try folder.link(path, to: target) }
    try self.init(
      root: folder.path, kept: folder, nature: nature, addresses: addresses, bus: bus,
      positions: positions, radio: radio, upsd: upsd)
  }

  private init(
    root: String, kept folder: TemporaryFolder?, nature: Machine.Nature,
    addresses: (any AddressReader)?, bus: (any MessageBus)?, positions: PositionAccess?,
    radio: (any RadioAccess)?, upsd: ServiceAccess?
  ) throws(SystemError) {
    let clock = VirtualTime()
    let captured = try Machine.captured(root: root, clock: clock)
    self.folder = folder
    loop = VirtualLoop(clock: clock)
    files = FaultyFileTree(captured.files)
    machine = Machine(
      nature: nature, files: files, notices: nature == .live ? notices : nil, clock: clock,
      switches: captured.switches, addresses: addresses,
      iio: IIOAccess(
        files: files, scans: CapturedScans(files: files), mayBlock: nature != .captured,
        isRemote: nature == .remote),
      bus: bus, positions: positions, radio: radio,
      sound: nature == .live ? SoundAccess(captures: sound) : nil,
      displays: nature == .live ? displays : nil,
      clocks: nature == .remote ? ClockAccess() : .captured(in: files),
      upsd: upsd, nvidia: nature == .live ? nvidia : nil)
  }

  /// Replaces a file's text, making it and the folders above it where there is none.
  public func write(_ text: String, to path: String) throws(SystemError) {
    try write(bytes: Array(text.utf8), to: path)
  }

  /// Replaces a file's bytes, making it and the folders above it where there is none.
  public func write(bytes: [UInt8], to path: String) throws(SystemError) {
    try changeable(path).write(bytes, to: path)
  }

  /// Makes a folder and those above it.
  public func makeFolder(_ path: String) throws(SystemError) {
    try changeable(path).makeFolder(path)
  }

  /// Makes a symbolic link with any text.
  public func link(_ path: String, to target: String) throws(SystemError) {
    try changeable(path).link(path, to: target)
  }

  /// Removes a file, or a folder with all it holds.
  public func remove(_ path: String) throws(SystemError) {
    try changeable(path).remove(path)
  }

  /// Makes every call on a path fail with an errno, until mended.
  public func fail(_ path: String, with code: Int32) {
    files.fail(path, with: code)
  }

  /// Ends the fault of a path.
  public func mend(_ path: String) {
    files.mend(path)
  }

  /// Fixture folders belong to all tests: only a machine made of texts may be changed.
  private func changeable(_ path: String) throws(SystemError) -> TemporaryFolder {
    guard let folder else { throw SystemError(EROFS, at: path) }
    return folder
  }
}
