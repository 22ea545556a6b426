import Gathering
import Ground
import Machine
import Values

/// A graphics card, found in sysfs without asking it anything.
struct GraphicsCard {
  static let folder = "/sys/class/drm"
  /// The devices that NVIDIA's driver has, with or without its part for DRM.
  private static let nvidia = "/sys/bus/pci/drivers/nvidia"
  /// Where the graphics of Tegra are, by age of the kernel.
  private static let tegra = [
    "/sys/bus/platform/devices/gpu.0", "/sys/devices/platform/gpu.0", "/sys/devices/gpu.0",
  ]

  /// How its values are got.
  enum Way: String {
    case amdgpu, i915, xe, nvidia, v3d, tegra, other
  }

  /// The folder of the device, without links.
  let device: String
  /// The name of the driver; empty without one.
  let driver: String
  /// `card0`; empty where DRM does not know it.
  let kernelName: String
  let way: Way
  let isIntegrated: Bool
  /// The address on PCI; nil for what is a part of a chip.
  let address: String?

  /// The cards of a machine: discrete ones, then integrated ones, each in the order of its names.
  static func all(on files: any FileTree) -> [GraphicsCard] {
    var cards: [GraphicsCard] = []
    for (device, name) in rendering(on: files) + ofNvidia(on: files) + ofTegra(on: files)
    where !cards.contains(where: { $0.device == device }) {
      cards.append(GraphicsCard(device, name, files))
    }
    return cards.filter { !$0.isIntegrated } + cards.filter(\.isIntegrated)
  }

  /// Devices with a card and a node to render.
  private static func rendering(on files: any FileTree) -> [(device: String, name: String)] {
    let names = ((try? files.entries(of: folder)) ?? []).filter { name in
      name.hasPrefix("card") && name.count > 4 && name.dropFirst(4).allSatisfy(\.isDecimalDigit)
    }
    return names.sorted(by: NaturalOrder.areInIncreasingOrder).compactMap { name in
      guard let device = try? files.canonicalPath(of: "\(folder)/\(name)/device"),
        let nodes = try? files.entries(of: "\(device)/drm"),
        nodes.contains(where: { $0.hasPrefix("renderD") })
      else { return nil }
      return (device, name)
    }
  }

  private static func ofNvidia(on files: any FileTree) -> [(device: String, name: String)] {
    ((try? files.entries(of: nvidia)) ?? []).sorted().compactMap { name in
      guard let device = try? files.canonicalPath(of: "\(nvidia)/\(name)"),
        PCIDevice.isDisplay(device, in: files)
      else { return nil }
      return (device, "")
    }
  }

  private static func ofTegra(on files: any FileTree) -> [(device: String, name: String)] {
    for path in tegra {
      if let device = try? files.canonicalPath(of: path), files.mayHave("load", in: device) {
        return [(device, "")]
      }
    }
    return []
  }

  private init(_ device: String, _ name: String, _ files: any FileTree) {
    self.device = device
    kernelName = name
    let driver = RuntimePower.driver(of: device, in: files) ?? ""
    let address = PCIDevice.address(of: device, in: files)
    let known = Way(rawValue: driver)
    let isTegra = address == nil && known == nil && files.mayHave("load", in: device)
    way = isTegra ? .tegra : known ?? .other
    isIntegrated =
      address == nil || known != .nvidia && PCIDevice.isIntelGraphics(device)
      || known == .amdgpu && Self.isAPU(device, files)
    self.driver = driver
    self.address = address
  }

  private static func isAPU(_ device: String, _ files: any FileTree) -> Bool {
    guard let chip = chip(of: device, driver: "amdgpu", in: files),
      let attributes = try? files.entries(of: chip)
    else { return false }
    return RuntimePower.isAPU(chip: chip, attributes, in: files)
  }

  /// The folder of the device's own sensors; those of its parts have other names.
  static func chip(of device: String, driver: String, in files: any FileTree) -> String? {
    let chips = ((try? files.entries(of: "\(device)/hwmon")) ?? []).filter { $0.hasPrefix("hwmon") }
      .sorted(by: NaturalOrder.areInIncreasingOrder).map { "\(device)/hwmon/\($0)" }
    let own = chips.first { chip in
      chips.count > 1
        && AttributeFolder(chip, ["name"], in: files).read(0, .text).text == driver
    }
    return own ?? chips.first
  }

  // MARK: As an instance

  private enum Note {
    static let (driver, card, way, integrated) = ("driver", "card", "way", "integrated")
    static let address = "pci"
  }

  /// Its name: the place where it is attached.
  func place(in files: any FileTree) -> String {
    PersistentPath.of(device, in: files)
      ?? device.split(separator: "/").last.map(String.init) ?? device
  }

  /// It as an instance of the kind.
  func instance(on machine: Machine) -> Instance {
    var instance = Instance(
      place(in: machine.files), label: label(in: machine.files),
      aliases: kernelName.isEmpty ? [] : [kernelName], availability: availability(on: machine),
      path: device, notes: notes)
    if !isIntegrated {
      instance.pollingFloor = RuntimePower.floor(
        of: device, liftedBy: Graphics.Field.keepAwake.rawValue, in: machine.files)
    }
    return instance
  }

  /// What an instance keeps of it.
  var notes: [String: String] {
    var notes = [Note.driver: driver, Note.card: kernelName, Note.way: way.rawValue]
    notes[Note.integrated] = isIntegrated ? "yes" : "no"
    notes[Note.address] = address
    return notes
  }

  /// The card of an instance.
  init(_ instance: Instance) {
    device = instance.path
    driver = instance.notes[Note.driver] ?? ""
    kernelName = instance.notes[Note.card] ?? ""
    way = instance.notes[Note.way].flatMap(Way.init) ?? .other
    isIntegrated = instance.notes[Note.integrated] == "yes"
    address = instance.notes[Note.address]
  }

  private func label(in files: any FileTree) -> String {
    let known = record(in: files)?.value(of: .model).outcome.text
    return known ?? (driver.isEmpty ? "Graphics" : driver)
  }

  /// What udev knows of it.
  func record(in files: any FileTree) -> UdevRecord? {
    address.map { UdevRecord(named: "+pci:\($0)", in: files) }
  }

  /// Whether it can be read, and what it tells in another sense than its name says.
  func availability(on machine: Machine) -> Availability {
    if way == .nvidia { return NvidiaFailure.availability(ofCard: address ?? "", on: machine) }
    let detail =
      switch way {
      case .i915, .xe: "utilization is the share of time awake"
      case .amdgpu where isIntegrated: "power is that of the whole processor"
      default: ""
      }
    return Availability(.available, backend: "sysfs", detail: detail)
  }

  /// Whether it measures what it takes.
  var measuresPower: Bool { [.amdgpu, .i915, .xe, .nvidia].contains(way) }

  /// Who made it.
  func vendor(in files: any FileTree) -> GraphicsVendor {
    if way == .tegra { return .nvidia }
    if address == nil { return GraphicsVendor(ofDriver: driver) }
    let folder = AttributeFolder(device, ["vendor"], in: files)
    return GraphicsVendor(ofPCI: folder.read(0, .text).text ?? "")
  }
}
