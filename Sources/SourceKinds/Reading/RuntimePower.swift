import Gathering
import Ground
import Machine
import Values

/// Whether a device sleeps, by the runtime power management of its driver (catalogue G1).
///
/// It is asked before anything of the device is read, which could wake it:
/// `power/runtime_status`, from the kernel's documentation of devices.
final class RuntimePower {
  /// What the kernel says of a device's power.
  enum State: String, CaseIterable {
    case active, suspended, unknown
  }

  /// The value of what would have to be read of a device that sleeps.
  static let asleep = KeptOutcome(.noData("asleep"))
  /// What amdgpu refuses may be asleep, or be made anew after a fault.
  static let resetting = KeptOutcome(.noData("asleep or resetting"))

  private let status: PolledFile?
  private let isOfAmdgpu: Bool

  /// The power of a device folder, without links; of none it is unknown.
  init(of device: String?, in files: any FileTree) {
    let folder = device.map { "\($0)/power" }
    status = folder.flatMap { folder in
      files.mayHave("runtime_status", in: folder)
        ? PolledFile("\(folder)/runtime_status", in: files) : nil
    }
    isOfAmdgpu = device.map { Self.driver(of: $0, in: files) == "amdgpu" } ?? false
  }

  /// The power of the device that a chip of the hardware monitoring class belongs to.
  convenience init(ofChip path: String, in files: any FileTree) {
    let isChip = path.hasPrefix(MonitorChip.folder + "/")
    let folder = path.hasSuffix("/device") ? String(path.dropLast("/device".count)) : path
    self.init(of: isChip ? MonitorChip.device(of: folder, files) : nil, in: files)
  }

  /// What the kernel says now; a status that cannot be read says nothing.
  func look() -> State {
    guard let status, let text = try? status.read() else { return .unknown }
    let word = text.trimmed
    if word.equals("active") { return .active }
    let isAsleep =
      word.equals("suspended") || word.equals("suspending") || word.equals("resuming")
    return isAsleep ? .suspended : .unknown
  }

  /// Whether nothing of the device is to be read.
  var isAsleep: Bool { look() == .suspended }

  /// The last text of the status.
  var raw: RawValue? { status?.lastRaw }

  /// Whether an absence is what amdgpu says of a card that sleeps or is being reset: its attributes
  /// refuse with EPERM or EBUSY, which forbids nothing.
  func isRefusal(_ absence: Absence?) -> Bool {
    guard isOfAmdgpu, let code = absence?.errno else { return false }
    return code == SystemText.notPermitted || code == SystemText.busy
  }

  /// The name of a device's driver; nil without one.
  static func driver(of device: String, in files: any FileTree) -> String? {
    (try? files.linkTarget(of: "\(device)/driver"))?.split(separator: "/").last.map(String.init)
  }

  // MARK: Letting a card sleep

  /// How often a discrete graphics card may be read, by a chip of its own: each reading of one that
  /// is awake puts off its sleep. Nil for any other device.
  static func floor(
    ofCard device: String, chip path: String, _ attributes: [String], _ files: any FileTree
  ) -> PollingFloor? {
    guard PCIDevice.isDisplay(device, in: files) else { return nil }
    let isIntegrated =
      PCIDevice.isIntelGraphics(device) || isAPU(chip: path, attributes, in: files)
    return isIntegrated ? nil : floor(of: device, in: files)
  }

  /// How often a discrete graphics card may be read (catalogue G2); nil where it does not sleep.
  static func floor(
    of device: String, liftedBy setting: Int? = nil, in files: any FileTree
  ) -> PollingFloor? {
    guard sleepsByItself(device, in: files) else { return nil }
    let folder = AttributeFolder("\(device)/power", ["autosuspend_delay_ms"], in: files)
    let delay = min(folder.read(0, .count).integer ?? 0, 86_400_000)
    return PollingFloor(
      max(15_000_000_000, delay * 3_000_000), "lets the card sleep", liftedBy: setting)
  }

  /// Whether the kernel lets a device sleep that is not used.
  static func sleepsByItself(_ device: String, in files: any FileTree) -> Bool {
    let file = PolledFile("\(device)/power/control", in: files)
    return (try? file.read())?.trimmed.equals("auto") == true
  }

  /// Whether a chip of amdgpu belongs to a processor with graphics: only these measure the voltage
  /// that they share with it.
  static func isAPU(chip path: String, _ attributes: [String], in files: any FileTree) -> Bool {
    let labels = attributes.filter { $0.hasPrefix("in") && $0.hasSuffix("_label") }
    let folder = AttributeFolder(path, labels, in: files)
    return labels.indices.contains { folder.read($0, .text).text == "vddnb" }
  }
}

/// What the addresses and classes of PCI tell of a device folder.
enum PCIDevice {
  /// Its address, `0000:03:00.0`; nil for what is not on PCI.
  static func address(of device: String, in files: any FileTree) -> String? {
    guard let place = PersistentPath.of(device, in: files), place.hasPrefix("pci-") else {
      return nil
    }
    return String(place.dropFirst("pci-".count))
  }

  /// Whether it is a display device: class 0x03….
  static func isDisplay(_ device: String, in files: any FileTree) -> Bool {
    guard address(of: device, in: files) != nil else { return false }
    let file = PolledFile("\(device)/class", in: files)
    return (try? file.read())?.starts(with: "0x03".utf8) == true
  }

  /// Whether it is where Intel's processors have their own graphics.
  static func isIntelGraphics(_ device: String) -> Bool { device.hasSuffix("/0000:00:02.0") }
}
